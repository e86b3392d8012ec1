/** How participants end a task: completing and cancelling (rules C1 to C8). Pure functions. */
import type { FurtherChange } from './decision.ts';
import { ProtocolError } from './errors.ts';
import type { StatusChanged, TaskEvent } from './events.ts';
import { evolve } from './evolve.ts';
import type { Incoming } from './messages.ts';
import { completedBy, requireActive, settle } from './messages.ts';
import { mayChange, roleOf } from './participants.ts';
import { resolveChildren, unresolvedChildren } from './sub-tasks.ts';
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

/** What the end of a task changes: the task, and its children with it. */
interface Ending {
  readonly events: readonly TaskEvent[];
  readonly also: readonly FurtherChange[];
}

/**
 * Cancels a task; every turn of it is over. The children that agents work on by themselves are cancelled with it, and
 * theirs (contract-facts, "Sub-tasks"); its own last event says so of their rows. `children` are those that are here.
 *
 * @throws ProtocolError TASK_NOT_CANCELABLE when the task has ended (rule C7), UNSUPPORTED_OPERATION for a watcher (rule C8)
 */
export function cancelTask(head: TaskHead, children: readonly TaskHead[], caller: string): Ending {
  requireActive(head, 'TASK_NOT_CANCELABLE', 'cannot be cancelled');
  requireNoWatcher(head, caller, 'cancel');
  return cancelWith(head, children, `cancelled by ${caller}`);
}

function cancelWith(head: TaskHead, children: readonly TaskHead[], text: string): Ending {
  const message = { parts: [{ text }] as [{ text: string }] };
  const cancelled: StatusChanged = { kind: 'status', state: 'TASK_STATE_CANCELED', message };
  return takeChildrenAlong(head, children, [cancelled]);
}

/**
 * The events, and what they mean for the children: when the last of them ends the task without its being completed, the
 * children that agents work on by themselves are cancelled with it, and that event says so of their rows. Nobody is left
 * who wants their results.
 */
export function takeChildrenAlong(
  { id, data }: TaskHead,
  children: readonly TaskHead[],
  events: readonly TaskEvent[],
): Ending {
  const last = events.at(-1);
  const isLost =
    last?.kind === 'status' && isTerminal(last.state) && last.state !== 'TASK_STATE_COMPLETED';
  const open = children.filter(
    (child) => child.data.lifecycle === 'delegated' && !isTerminal(child.state),
  );
  if (!isLost || open.length === 0) return { events, also: [] };
  const ids = open.map((child) => child.id);
  const resolved = resolveChildren(last.data ?? data, ids, 'TASK_STATE_CANCELED');
  return {
    events: [...events.slice(0, -1), { ...last, data: resolved }],
    also: ids.map((taskId) => cancelChild(taskId, `cancelled with ${id}, which it belongs to`)),
  };
}

function cancelChild(taskId: string, text: string): FurtherChange {
  return {
    taskId,
    lookups: { children: true },
    decide: ({ head, children }) => {
      if (head === undefined || isTerminal(head.state)) return { events: [], result: undefined };
      return { ...cancelWith(head, children, text), result: undefined };
    },
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
