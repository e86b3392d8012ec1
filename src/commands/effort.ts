/** `/effort [low|medium|high]`: shows how hard the model is asked to think, or sets it (rule T8). */
import type { TaskExtensionData } from '@tiny-harness/contract/task/v1';
import type { Command } from './command.ts';
import { WATCHERS_READ } from './command.ts';

type Effort = NonNullable<TaskExtensionData['reasoning_effort']>;

/** Exhaustive: a level that the contract adds is missing here, and the compiler says so. */
const EFFORTS: Record<Effort, true> = { low: true, medium: true, high: true };
const ACCEPTED = Object.keys(EFFORTS).join(', ');

/** Shows or sets the effort. */
export const effort: Command = ({ head: { data }, args, mayChange }) => {
  const asked = args.trim();
  if (asked === '') {
    return { text: `${describeEffort(data)}\nAccepted: ${ACCEPTED}` };
  }
  if (!mayChange) return { text: WATCHERS_READ };
  if (!isEffort(asked)) return { text: `refused: not an accepted effort. Accepted: ${ACCEPTED}` };
  return { text: `Effort set to ${asked}.`, data: { ...data, reasoning_effort: asked } };
};

/** A line that says how hard the model is asked to think. */
export function describeEffort({ reasoning_effort: chosen }: TaskExtensionData): string {
  return `Effort: ${chosen ?? 'provider default'}`;
}

function isEffort(text: string): text is Effort {
  return Object.hasOwn(EFFORTS, text);
}
