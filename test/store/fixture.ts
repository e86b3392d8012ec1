/** What the tests of stores share: a clock that they turn, and tasks made of events. */
import type { Artifact, Message, TaskState } from '@tiny-harness/contract/a2a';
import type { TaskEvent } from '../../src/core/events.ts';
import type { JsonObject } from '../../src/core/task.ts';
import type { Store, TaskRead } from '../../src/store/port.ts';

/** Opens an empty store that reads this clock. */
export type OpenStore = (now: () => number) => Store;

export interface Clock {
  now: () => number;
  /** Goes on by so many milliseconds; back, when there are fewer than none. */
  advance: (milliseconds: number) => void;
}

export const START = Date.UTC(2026, 0, 1);

export function createClock(): Clock {
  let time = START;
  return { now: () => time, advance: (milliseconds) => void (time += milliseconds) };
}

export const EVERYTHING: TaskRead = { history: 1000, artifacts: true };

export function userMessage(messageId: string, text = messageId): Message {
  return { messageId, role: 'ROLE_USER', parts: [{ text }] };
}

export function created(change: Partial<TaskEvent & { kind: 'created' }> = {}): TaskEvent {
  return {
    kind: 'created',
    contextId: 'context',
    readers: ['ann'],
    metadata: undefined,
    ...change,
  };
}

export function message(messageId: string, turn: number | undefined, sender = 'ann'): TaskEvent {
  const fingerprint = `digest of ${messageId}`;
  return { kind: 'message', message: userMessage(messageId), sender, fingerprint, turn };
}

export function status(state: TaskState, text?: string, more: object = {}): TaskEvent {
  const said = text === undefined ? undefined : { parts: [{ text }] as [{ text: string }] };
  return { kind: 'status', state, message: said, ...more };
}

export const working = (text?: string, more?: object) => status('TASK_STATE_WORKING', text, more);

export const waits = (turn: number, text?: string, more: object = {}) =>
  status('TASK_STATE_INPUT_REQUIRED', text, { endsTurn: turn, ...more });

export const started = (turn: number, owner = 'host', more: object = {}): TaskEvent => ({
  kind: 'turn-started',
  turn,
  owner,
  attempt: 1,
  leaseUntil: START + 30_000,
  ...more,
});

export function chunk(
  artifactId: string,
  text: string,
  {
    append = false,
    lastChunk = false,
    ...more
  }: { append?: boolean; lastChunk?: boolean } & Partial<Artifact> = {},
): TaskEvent {
  return {
    kind: 'artifact',
    artifact: { artifactId, parts: [{ text }], ...more },
    append,
    lastChunk,
  };
}

/** Appends events whatever the task is like. */
export async function append(
  store: Store,
  taskId: string,
  ...events: TaskEvent[]
): Promise<number> {
  return (await store.change(taskId, {}, () => ({ events, result: undefined }))).seq;
}

/** The task as `reader` sees it. */
export async function readJson(
  store: Store,
  taskId: string,
  read: Partial<TaskRead> = {},
  reader = 'ann',
): Promise<JsonObject | undefined> {
  const snapshot = await store.readTask(taskId, reader, { ...EVERYTHING, ...read });
  return snapshot && (JSON.parse(snapshot.json) as JsonObject);
}

/** A sequence number and a text for each message. */
export const textsOf = (messages: readonly Message[]) =>
  messages.map(({ parts: [part] }) => part.text);
