/** `/sub-task <description>`: a conversation of its own that belongs to the task. */
import type { Participant, TaskExtensionData } from '@tiny-harness/contract/task/v1';
import { MAX_PARTICIPANTS } from '../core/participants.ts';
import { MAX_CHILDREN, nextChildId } from '../core/sub-tasks.ts';
import { createData } from '../extensions/task.ts';
import type { Command } from './command.ts';
import { WATCHERS_READ } from './command.ts';

/** Starts a child that waits for its first message; model and effort are inherited. The reply names its id. */
export const subTask: Command = ({ head, args, mayChange, sender, agentId }) => {
  if (!mayChange) return { text: WATCHERS_READ };
  const description = args.trim();
  if (head.data.sub_tasks.length >= MAX_CHILDREN) {
    return { text: `refused: a task has at most ${MAX_CHILDREN} sub-tasks.` };
  }
  if (description === '') return { text: 'refused: say what it is about: /sub-task <description>' };
  const id = nextChildId(head);
  const { model, reasoning_effort, participants } = head.data;
  const own = createData(description, { sender, agentId, lifecycle: 'conversation' });
  const child: TaskExtensionData = {
    ...own,
    participants: [...own.participants, ...onlookers(participants, own.participants)],
    parent_tasks: [{ task_id: head.id, state: null, sub_state: null, agent: null }],
    model,
    reasoning_effort,
  };
  const row = {
    task_id: id,
    state: 'INPUT_REQUIRED',
    sub_state: 'awaiting-next-message',
    agent: null,
  } as const;
  return {
    text: `Created sub-task ${id}.`,
    data: { ...head.data, sub_tasks: [...head.data.sub_tasks, row] },
    child: { id, data: child },
  };
};

/** The parent's other participants, in the roles that they have there; only the agent works on the child. */
function onlookers(all: readonly Participant[], own: readonly Participant[]): Participant[] {
  return all
    .filter(({ id }) => !own.some((each) => each.id === id))
    .slice(0, MAX_PARTICIPANTS - own.length)
    .map((each) => (each.role === 'assignee' ? { ...each, role: 'watcher' } : each));
}
