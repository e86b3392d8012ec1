/** `/plan`: the task's plan, step by step. */
import type { Command } from './command.ts';

/** A line a step: its state, name, and what it waits for. */
export const plan: Command = ({ head: { data } }) => {
  const steps = data.plan?.steps ?? [];
  if (steps.length === 0) return { text: 'Plan: none' };
  const names = new Map(steps.map(({ id, name }) => [id, name]));
  const lines = steps.map(({ state, name, depends_on }, at) => {
    const after = depends_on.map((id) => names.get(id) ?? id).join(', ');
    return `${at + 1}. [${state}] ${name}${after === '' ? '' : ` (after ${after})`}`;
  });
  return { text: lines.join('\n') };
};
