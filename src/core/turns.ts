/**
 * Turns: one message each, one at a time, each under a lease. Pure functions from a task's head to events; they read
 * no clock and do no I/O, and whoever calls them commits what they return, or nothing.
 */
import type { Artifact } from '@tiny-harness/contract/a2a';
import type { StatusChanged, StatusMessage, TaskEvent, ToolCalled, TurnStarted } from './events.ts';
import { evolve } from './evolve.ts';
import { isDelegated, roleOf } from './participants.ts';
import { unresolvedChildren } from './sub-tasks.ts';
import type { ArtifactHead, Json, OpenQuestion, RecordedCall, TaskHead } from './task.ts';
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

/** How a turn ends. */
export interface TurnEnding {
  readonly state: StatusChanged['state'];
  readonly message: StatusMessage | undefined;
  /** With INPUT_REQUIRED: what is asked, when something is. One for somebody who is not on the task is put to everybody. */
  readonly question?: OpenQuestion | undefined;
  readonly memory?: Json | undefined;
}

/** The turn was cut, or another process took it over: nothing of it is written any more (rule C5). */
export class TurnLostError extends Error {
  override readonly name = 'TurnLostError';
}

/** Events that start a turn; `absorbed` are turns that were cut for it. */
export function startTurn(
  turn: number,
  attempt: number,
  lease: Lease,
  absorbed: readonly number[] = [],
): TaskEvent[] {
  const { owner, until: leaseUntil } = lease;
  const started: TurnStarted = { kind: 'turn-started', turn, owner, attempt, absorbed, leaseUntil };
  return [started, { kind: 'status', state: 'TASK_STATE_WORKING', message: undefined }];
}

/** The turn to start now; none while one runs, a question is open or the task has ended. */
function nextTurn(head: TaskHead): number | undefined {
  const blocked = head.running !== undefined || head.question !== undefined;
  return blocked || isTerminal(head.state) ? undefined : head.waiting[0];
}

/** Events that start the next turn, when there is one to start. */
export function startNextTurn(head: TaskHead, lease: Lease | undefined): TaskEvent[] {
  const next = nextTurn(head);
  return next === undefined || lease === undefined ? [] : startTurn(next, 1, lease, head.absorbed);
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
 * Events that end a turn; the one that waits first starts at once when there is a lease. A task that would be completed
 * goes on instead while it has a sub-task that has not ended (rule C6), or a message that waits, be it what became of a
 * sub-task: the agent is not done (rule C1). The answer is there already.
 *
 * @throws TurnLostError when the turn is not the holder's any more, RangeError when the agent may not end it so
 */
export function endTurn(
  head: TaskHead,
  holder: TurnHolder,
  { state: asked, message, question: wanted, memory }: TurnEnding,
  lease: Lease | undefined,
): TaskEvent[] {
  requireHolder(head, holder);
  const completes = asked === 'TASK_STATE_COMPLETED';
  if (completes && !isDelegated(head.data)) {
    throw new RangeError('an agent may not complete a conversation (rule C1)');
  }
  const isOpen = head.waiting.length > 0 || unresolvedChildren(head.data).length > 0;
  const isHeld = completes && isOpen;
  const state = isHeld ? 'TASK_STATE_INPUT_REQUIRED' : asked;
  requireTransition(head, state);
  const waits = state === 'TASK_STATE_INPUT_REQUIRED';
  // Nobody else could answer, and the task would wait for ever.
  const isHeard = wanted !== undefined && roleOf(head.data, wanted.asked) !== undefined;
  const question = isHeard ? wanted : undefined;
  const subState = question === undefined ? 'awaiting-next-message' : 'awaiting-answer';
  const ended: StatusChanged = {
    kind: 'status',
    state,
    message,
    label: question === undefined ? 'status' : 'help',
    ...(waits ? { subState, question } : {}),
    endsTurn: holder.turn,
    memory,
  };
  return [ended, ...startNextTurn(evolve(head, ended), lease)];
}

/**
 * The event that records a call of a tool: that it was begun, or its result.
 *
 * @throws TurnLostError when the turn is not the holder's any more
 */
export function recordCall(
  head: TaskHead,
  holder: TurnHolder,
  call: Pick<RecordedCall, 'id' | 'name' | 'input' | 'result'>,
): ToolCalled {
  requireHolder(head, holder);
  const { turn, attempt } = holder;
  return { kind: 'tool-called', turn, attempt, ...call };
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
    const again = startTurn(lost.turn, lost.attempt + 1, lease, head.absorbed);
    return head.state === 'TASK_STATE_WORKING' ? again.slice(0, 1) : again;
  }
  const times = lost.attempt === 1 ? 'once' : `${lost.attempt} times`;
  const text = `The agent was interrupted ${times} while it worked on this message, and gave up.`;
  return [
    {
      kind: 'status',
      state: 'TASK_STATE_FAILED',
      message: { parts: [{ text }] },
      endsTurn: lost.turn,
    },
  ];
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
