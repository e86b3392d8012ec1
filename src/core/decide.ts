/**
 * What may happen to a task, and what then happens: pure functions from a task's head to events. They read no
 * clock and do no I/O; whoever calls them commits what they return, or nothing.
 */
import type { Artifact, Message } from '@tiny-harness/contract/a2a';
import { ProtocolError } from './errors.ts';
import type { StatusChanged, TaskEvent, TurnStarted } from './events.ts';
import type { ArtifactHead, Json, TaskHead } from './task.ts';
import { isTerminal, mayFollow } from './task.ts';

/** Where and until when a process may run a turn. */
export interface Lease {
  /** The process. */
  readonly owner: string;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** Which run of which turn writes. A write by anybody but the holder of the lease is refused. */
export interface TurnHolder {
  readonly turn: number;
  readonly owner: string;
  readonly attempt: number;
}

/** A message, by whom, and the digest that recognises it when it comes again (rule A5). */
export interface Incoming {
  readonly message: Message;
  readonly sender: string;
  readonly fingerprint: string;
}

/** How a turn ends. */
export interface TurnEnding {
  readonly state: StatusChanged['state'];
  readonly message: StatusChanged['message'];
  readonly memory?: Json | undefined;
}

/** How many messages may wait for a task's running turn. */
export const MAX_WAITING_TURNS = 1000;

/** The turn was cut, or another process took it over: nothing of it is written any more (rule C5). */
export class TurnLostError extends Error {
  override readonly name = 'TurnLostError';
}

/** Events of a new task: it exists, holds its first message, and is worked on when there is a lease. */
export function createTask(
  created: TaskEvent & { kind: 'created' },
  incoming: Incoming,
  lease: Lease | undefined,
): TaskEvent[] {
  const events: TaskEvent[] = [created, { kind: 'message', ...incoming, turn: 1 }];
  return lease === undefined ? events : [...events, ...startTurn(1, 1, lease)];
}

/**
 * Events of a further message: it joins the history, opens a turn, and the turn starts when none is running.
 *
 * @throws ProtocolError UNSUPPORTED_OPERATION when the task has ended or too many messages wait
 */
export function acceptMessage(
  head: TaskHead,
  incoming: Incoming,
  lease: Lease | undefined,
): TaskEvent[] {
  requireActive(head, 'UNSUPPORTED_OPERATION', 'takes no further messages');
  if ((head.waiting?.count ?? 0) >= MAX_WAITING_TURNS) {
    throw new ProtocolError(
      'UNSUPPORTED_OPERATION',
      `${MAX_WAITING_TURNS} messages already wait for this task; send the next when one was answered`,
      { metadata: { taskId: head.id } },
    );
  }
  const turn = head.lastTurn + 1;
  const accepted: TaskEvent = { kind: 'message', ...incoming, turn };
  const idle = head.running === undefined && head.waiting === undefined;
  return idle && lease !== undefined ? [accepted, ...startTurn(turn, 1, lease)] : [accepted];
}

/** Events that start the turn that waits first; none when a turn runs, none waits or the task has ended. */
export function startNextTurn(head: TaskHead, lease: Lease): TaskEvent[] {
  if (head.running !== undefined || head.waiting === undefined || isTerminal(head.state)) return [];
  return startTurn(head.waiting.first, 1, lease);
}

/**
 * Events of an update during a turn.
 *
 * @throws TurnLostError when the turn is not the holder's any more
 */
export function reportStatus(
  head: TaskHead,
  holder: TurnHolder,
  update: Pick<StatusChanged, 'state' | 'message'>,
): TaskEvent[] {
  requireHolder(head, holder);
  requireTransition(head, update.state);
  return [{ kind: 'status', ...update }];
}

/**
 * Events of an artifact's chunk. A chunk for an artifact that does not exist begins it.
 *
 * @throws TurnLostError when the turn is not the holder's any more
 */
export function writeArtifact(
  head: TaskHead,
  holder: TurnHolder,
  existing: ArtifactHead | undefined,
  chunk: { artifact: Artifact; append: boolean; lastChunk: boolean },
): TaskEvent[] {
  requireHolder(head, holder);
  if (chunk.append && existing?.complete === true) {
    throw new RangeError(`artifact ${chunk.artifact.artifactId} has had its last chunk`);
  }
  return [{ kind: 'artifact', ...chunk, append: chunk.append && existing !== undefined }];
}

/**
 * Events that end a turn; the one that waits first starts at once when there is a lease.
 *
 * @throws TurnLostError when the turn is not the holder's any more
 */
export function endTurn(
  head: TaskHead,
  holder: TurnHolder,
  ending: TurnEnding,
  lease: Lease | undefined,
): TaskEvent[] {
  requireHolder(head, holder);
  requireTransition(head, ending.state);
  const ended: TaskEvent = { kind: 'status', ...ending, endsTurn: holder.turn };
  if (isTerminal(ending.state) || head.waiting === undefined || lease === undefined) return [ended];
  return [ended, ...startTurn(head.waiting.first, 1, lease)];
}

/** Events that give a turn back unfinished, for another process or a later start to run. */
export function releaseTurn(head: TaskHead, holder: TurnHolder): TaskEvent[] {
  requireHolder(head, holder);
  return [{ kind: 'turn-released', turn: holder.turn }];
}

/**
 * Events that take over a turn whose process is gone: it is run again, or the task fails with a message that says
 * so, once it was attempted `attempts` times.
 */
export function recoverTurn(
  head: TaskHead,
  lost: TurnHolder,
  attempts: number,
  lease: Lease,
): TaskEvent[] {
  requireHolder(head, lost);
  if (lost.attempt < attempts) {
    const again = startTurn(lost.turn, lost.attempt + 1, lease);
    return head.state === 'TASK_STATE_WORKING' ? again.slice(0, 1) : again;
  }
  const text = `The agent was interrupted ${lost.attempt === 1 ? 'once' : `${lost.attempt} times`} while it worked on this message, and gave up.`;
  return [
    {
      kind: 'status',
      state: 'TASK_STATE_FAILED',
      message: { parts: [{ text }] },
      endsTurn: lost.turn,
    },
  ];
}

/**
 * Events that cancel a task; every turn of it is over.
 *
 * @throws ProtocolError TASK_NOT_CANCELABLE when the task has ended
 */
export function cancelTask(head: TaskHead): TaskEvent[] {
  requireActive(head, 'TASK_NOT_CANCELABLE', 'cannot be cancelled');
  return [{ kind: 'status', state: 'TASK_STATE_CANCELED', message: undefined }];
}

function startTurn(turn: number, attempt: number, lease: Lease): TaskEvent[] {
  const { owner, until: leaseUntil } = lease;
  const started: TurnStarted = { kind: 'turn-started', turn, owner, attempt, leaseUntil };
  return [started, { kind: 'status', state: 'TASK_STATE_WORKING', message: undefined }];
}

/** Rule C7: the refusal names the state. */
function requireActive(
  head: TaskHead,
  reason: 'UNSUPPORTED_OPERATION' | 'TASK_NOT_CANCELABLE',
  what: string,
): void {
  if (!isTerminal(head.state)) return;
  throw new ProtocolError(reason, `The task is in ${head.state} and ${what}`, {
    metadata: { taskId: head.id, state: head.state },
  });
}

function requireHolder(head: TaskHead, holder: TurnHolder): void {
  const { running } = head;
  const holds =
    running?.number === holder.turn &&
    running.owner === holder.owner &&
    running.attempt === holder.attempt;
  if (!holds) throw new TurnLostError(`turn ${holder.turn} of task ${head.id} is over`);
}

function requireTransition(head: TaskHead, to: StatusChanged['state']): void {
  if (mayFollow(head.state, to)) return;
  throw new RangeError(`a task in ${head.state} cannot go to ${to}`);
}
