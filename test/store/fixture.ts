/** What the tests of stores share: a clock that they turn, and tasks made of events. */
import type { Artifact, Message, TaskState } from '@tiny-harness/contract/a2a';
import type { TaskExtensionData } from '@tiny-harness/contract/task/v1';
import { parseTaskExtensionData, TASK_EXTENSION_KEY } from '@tiny-harness/contract/task/v1';
import type { MessageAccepted, TaskEvent } from '../../src/core/events.ts';
import type { JsonObject } from '../../src/core/task.ts';
import { toStreamResponse, toTaskMetadata } from '../../src/extensions/wire.ts';
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

/** The forms that the server gives to its store. */
export const WIRE = { toStreamResponse, toTaskMetadata };

/** The data of a task called `task`, with ann who reports and the agent who works. */
export function taskData(change: Partial<TaskExtensionData> = {}): TaskExtensionData {
  const participants = [
    { id: 'ann', kind: 'human', role: 'reporter' },
    { id: 'tiny-harness', kind: 'agent', role: 'assignee' },
  ];
  const lifecycle = 'conversation';
  const result = parseTaskExtensionData({
    name: 'task',
    goal: 'goal',
    participants,
    lifecycle,
    ...change,
  });
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.value;
}

/** `Task.metadata` of a task with this data. */
export const metadataOf = (data: TaskExtensionData) => ({ [TASK_EXTENSION_KEY]: data });

export const EVERYTHING: TaskRead = { history: 1000, artifacts: true };

export function userMessage(messageId: string, text = messageId): Message {
  return { messageId, role: 'ROLE_USER', parts: [{ text }] };
}

export function created(change: Partial<TaskEvent & { kind: 'created' }> = {}): TaskEvent {
  return {
    kind: 'created',
    contextId: 'context',
    readers: ['ann'],
    data: taskData(),
    ...change,
  };
}

export function message(
  messageId: string,
  turn: number | undefined,
  sender = 'ann',
  change: Partial<MessageAccepted> = {},
): TaskEvent {
  return {
    kind: 'message',
    message: userMessage(messageId),
    sender,
    fingerprint: `digest of ${messageId}`,
    turn,
    activated: [],
    recorded: true,
    replied: false,
    ...change,
  };
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
  absorbed: [],
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
