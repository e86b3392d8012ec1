/** How participants end a task: completing and cancelling (rules C1 to C8). Pure functions. */
import { ProtocolError } from './errors.ts';
import type { StatusChanged, TaskEvent } from './events.ts';
import { evolve } from './evolve.ts';
import type { Incoming } from './messages.ts';
import { completedBy, requireActive, settle } from './messages.ts';
import { mayChange, roleOf } from './participants.ts';
import { unresolvedChildren } from './sub-tasks.ts';
import type { TaskHead } from './task.ts';
import { isTerminal } from './task.ts';
import type { Lease } from './turns.ts';
import { startNextTurn } from './turns.ts';

/**
 * Events of a participant's completion (rules C2, C5, C6). A turn in progress is cut. An unresolved sub-task refuses it:
 * then the task waits for the next message, unless it waits for an answer already.
 *
 * @throws ProtocolError UNSUPPORTED_OPERATION for a watcher (rule C4)
 */
export function completeTask(
  head: TaskHead,
  incoming: Incoming,
  lease: Lease | undefined,
): TaskEvent[] {
  requireNoWatcher(head, incoming.sender, 'complete');
  const accepted = settle(incoming, false, true);
  const unresolved = unresolvedChildren(head.data);
  if (unresolved.length === 0) return [accepted, completedBy(incoming.sender)];
  const text = `Not completed: ${unresolved.join(', ')} ${unresolved.length === 1 ? 'is' : 'are'} unresolved. Complete or cancel ${unresolved.length === 1 ? 'that sub-task' : 'those sub-tasks'} first.`;
  const refused: StatusChanged = {
    kind: 'status',
    state: 'TASK_STATE_INPUT_REQUIRED',
    message: { parts: [{ text }] },
    reply: true,
    // One that waits goes on waiting for what it waits for, be it for another assignee, which has no sub-state (rule E5).
    subState: head.state === 'TASK_STATE_INPUT_REQUIRED' ? head.subState : 'awaiting-next-message',
    endsTurn: head.running?.number,
  };
  return [accepted, refused, ...startNextTurn(evolve(head, refused), lease)];
}

/**
 * Events that cancel a task; every turn of it is over.
 *
 * @throws ProtocolError TASK_NOT_CANCELABLE when the task has ended (rule C7), UNSUPPORTED_OPERATION for a watcher (rule C8)
 */
export function cancelTask(head: TaskHead, caller: string): TaskEvent[] {
  requireActive(head, 'TASK_NOT_CANCELABLE', 'cannot be cancelled');
  requireNoWatcher(head, caller, 'cancel');
  return [cancelledBy(`cancelled by ${caller}`)];
}

/** The update that says that the task is cancelled, and why. */
function cancelledBy(text: string): StatusChanged {
  return { kind: 'status', state: 'TASK_STATE_CANCELED', message: { parts: [{ text }] } };
}

/** Cancels the children that agents work on by themselves, and theirs (contract-facts, "Sub-tasks"). */
export function cancelChildren({ id, data }: TaskHead): FurtherCancel[] {
  return unresolvedChildren(data).map((taskId) => ({
    taskId,
    decide: ({ head }) => {
      const isAgents = head?.data.lifecycle === 'delegated';
      if (head === undefined || !isAgents || isTerminal(head.state))
        return { events: [], result: undefined };
      const events = [cancelledBy(`cancelled with ${id}, which it belongs to`)];
      return { events, also: cancelChildren(head), result: undefined };
    },
  }));
}

/** A cancellation of another task. */
interface FurtherCancel {
  readonly taskId: string;
  readonly decide: (view: { readonly head: TaskHead | undefined }) => {
    readonly events: readonly TaskEvent[];
    readonly also?: readonly FurtherCancel[];
    readonly result: undefined;
  };
}

function requireNoWatcher(head: TaskHead, caller: string, act: string): void {
  const role = roleOf(head.data, caller);
  if (mayChange(role)) return;
  throw new ProtocolError(
    'UNSUPPORTED_OPERATION',
    `A ${role ?? 'stranger'} cannot ${act} the task; its assignee, reporters and admins can`,
    { metadata: { taskId: head.id } },
  );
}
