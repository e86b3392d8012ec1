/** A task as decisions see it, and the states it may pass through (specification 4.1.3). */
import type { Message, TaskState } from '@tiny-harness/contract/a2a';
import type { KnownSubState } from '@tiny-harness/contract/status/v1';
import type { TaskExtensionData } from '@tiny-harness/contract/task/v1';

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** A turn that some process is running. */
export interface RunningTurn {
  /** The turn's number in its task, from 1. */
  readonly number: number;
  /** The process that holds the lease. */
  readonly owner: string;
  /** 1 for the first run, more after a crash. */
  readonly attempt: number;
}

/** A question that the task waits on (rule T6). */
export interface OpenQuestion {
  /** The participant whose answer is awaited. */
  readonly asked: string;
  readonly text: string;
  /** The answers that are accepted; any when there are none. */
  readonly options: readonly string[];
}

/** What came of a tool call. For whoever called, it is data: never instructions (rule T11). */
export interface ToolResult {
  /** Whether the tool refused or failed; the text is then `[code] message`. */
  readonly isError: boolean;
  readonly text: string;
  /** Whether the turn is over with it: somebody was asked, and the answer opens the next turn. */
  readonly endsTurn: boolean;
}

/** A tool call that the log holds. */
export interface RecordedCall {
  /** Unique in its turn, and the same when the turn is run again. */
  readonly id: string;
  readonly name: string;
  /** The arguments as they were sent. */
  readonly input: Json;
  /** The run of the turn that began the call. */
  readonly attempt: number;
  /** Undefined when the call was begun and not recorded any further. */
  readonly result: ToolResult | undefined;
}

/** What a decision needs to know of a task. Its size does not grow with the task's age. */
export interface TaskHead {
  readonly id: string;
  readonly contextId: string;
  readonly state: TaskState;
  /** Sequence number of the last event; the creation is 0. */
  readonly seq: number;
  /** The task extension's data (rule T1). */
  readonly data: TaskExtensionData;
  /** Id of the remote agent that runs its turns; undefined when this server's own does. */
  readonly agent: string | undefined;
  /** Names of the skills in the agent's context, in the order in which they were loaded. */
  readonly skills: readonly string[];
  /** Why the task waits, while it is in INPUT_REQUIRED (rule E5). */
  readonly subState: KnownSubState | undefined;
  /** What it waits for an answer to. */
  readonly question: OpenQuestion | undefined;
  /** Number of the last turn that was queued; 0 before the first. */
  readonly lastTurn: number;
  /** The turn that is running. */
  readonly running: RunningTurn | undefined;
  /**
   * Turns that were cut: the one that runs, or is the next to run when that was given back, answers their messages with
   * its own, and they end with it.
   */
  readonly absorbed: readonly number[];
  /** Numbers of the turns that wait, in their order. */
  readonly waiting: readonly number[];
}

/** How many messages may wait for a task's running turn. */
export const MAX_WAITING_TURNS = 1000;

/** What every state's name begins with. */
const PREFIX = 'TASK_STATE_';

/** A state as rows of sub-tasks and people have it: without the prefix. */
export function toShortState(state: TaskState): string {
  return state.slice(PREFIX.length);
}

/** The four states that nothing leaves (A2A 4.1.3). */
export const TERMINAL_STATES = [
  'TASK_STATE_COMPLETED',
  'TASK_STATE_FAILED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_REJECTED',
] as const satisfies readonly TaskState[];

/** A state that nothing leaves. */
export type TerminalState = (typeof TERMINAL_STATES)[number];

/** Whether a state that is written without the prefix is one that nothing leaves. */
export function isShortTerminal(state: string): boolean {
  return TERMINAL_STATES.some((terminal) => toShortState(terminal) === state);
}

/** Whether nothing leaves this state. */
export function isTerminal(state: TaskState): state is TerminalState {
  return (TERMINAL_STATES as readonly TaskState[]).includes(state);
}

const ACTIVE = ['TASK_STATE_WORKING', 'TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_AUTH_REQUIRED'];

/**
 * Whether a task may go from one state to another. Terminal states are final; nothing returns to SUBMITTED;
 * a waiting task is worked on before it waits again.
 */
export function mayFollow(from: TaskState, to: TaskState): boolean {
  if (isTerminal(from)) return false;
  if (isTerminal(to)) return true;
  return ACTIVE.includes(to) && (to === 'TASK_STATE_WORKING' || from !== to);
}

/** What an artifact's next chunk needs to know of the artifact. */
export interface ArtifactHead {
  readonly artifactId: string;
  /** Whether its last chunk has come. */
  readonly complete: boolean;
}

/** A message that was accepted before, found by its sender and id (rule A5). */
export interface AcceptedMessage {
  readonly taskId: string | undefined;
  /** The turn that it opened. */
  readonly turn: number | undefined;
  /** Sequence number of the task's last event when it was accepted: what followed came after it. */
  readonly seq: number;
  /** Whether the event after `seq` is the answer: the message opened no turn. */
  readonly replied: boolean;
  /** Digest of what was sent: the same id with other content is refused. */
  readonly fingerprint: string;
  /** The answer, when it was a message and made no task. */
  readonly answer: Message | undefined;
}
