/** `/status`: how the task stands. */
import { unresolvedChildren } from '../core/sub-tasks.ts';
import { toShortState } from '../core/task.ts';
import type { Command } from './command.ts';
import { describeEffort } from './effort.ts';
import { describeModel } from './model.ts';

/** Id, name, state with its reason, model, effort, plan and sub-tasks, a line each. */
export const status: Command = ({ head, models }) => {
  const { data, state, subState } = head;
  const reason = subState === undefined ? '' : ` · ${subState}`;
  const steps = data.plan?.steps ?? [];
  const done = steps.filter((step) => step.state === 'done').length;
  const children = data.sub_tasks.length;
  const open = unresolvedChildren(data).length;
  return {
    text: [
      `Task ${head.id} · ${data.name}`,
      `State: ${toShortState(state)}${reason}`,
      describeModel(data, models),
      describeEffort(data),
      `Plan: ${steps.length === 0 ? 'none' : `${done}/${steps.length}`}`,
      `Sub-tasks: ${children === 0 ? 'none' : `${children - open}/${children} ended`}`,
    ].join('\n'),
  };
};
