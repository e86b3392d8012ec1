/** Task states as small numbers: those of the enum in a2a.proto. */
import type { TaskState } from '@tiny-harness/contract/a2a';

const STATES: readonly (TaskState | undefined)[] = [
  undefined,
  'TASK_STATE_SUBMITTED',
  'TASK_STATE_WORKING',
  'TASK_STATE_COMPLETED',
  'TASK_STATE_FAILED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_INPUT_REQUIRED',
  'TASK_STATE_REJECTED',
  'TASK_STATE_AUTH_REQUIRED',
];

/** The number of a state. */
export function toStateNumber(state: TaskState): number {
  return STATES.indexOf(state);
}

/** The state of a number that `toStateNumber` gave. */
export function toState(number: number): TaskState {
  const state = STATES[number];
  if (state === undefined)
    throw new RangeError(`the database holds an unknown task state: ${number}`);
  return state;
}
