/**
 * What the compiler has to accept and to refuse of the protocol's types. Compiled, never run: an expected
 * error that does not come is an error itself.
 */
import type {
  Artifact,
  Message,
  Part,
  SendMessageRequest,
  StreamResponse,
  Task,
  TaskState,
  UserMessage,
} from '@tiny-harness/contract/a2a';
import { TASK_STATE_VALUES, isTask, parseSendMessageRequest } from '@tiny-harness/contract/a2a';
import { readEventEnvelope, readTaskExtension } from '@tiny-harness/contract/task/v1';

// --- A part has exactly one content, and the one that is there tells which it is. ---

export const parts: Part[] = [
  { text: 'a', mediaType: 'text/plain' },
  { raw: 'AAAA', filename: 'a.bin' },
  { url: 'https://a.example/a.png' },
  { data: null },
];
// @ts-expect-error: two contents
export const both: Part = { text: 'a', data: 1 };
// @ts-expect-error: no content at all
export const none: Part = { mediaType: 'text/plain' };

export function textOf(part: Part): string {
  if (part.text !== undefined) return part.text;
  return part.url ?? part.raw ?? '';
}

// --- Messages: from either side, or from the client alone; never without content. ---

export const sent: UserMessage = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'a' }] };
export const same: readonly Message[] = [sent];
// @ts-expect-error: a client does not speak for the agent
export const forged: UserMessage = { ...sent, role: 'ROLE_AGENT' };
// @ts-expect-error: there is no part
export const empty: Message = { ...sent, parts: [] };
// @ts-expect-error: members that the protocol does not have are not offered
export const misspelt: Message = { ...sent, taskID: 't' };

/** Without an index signature the names of the members stay known. */
export const names: keyof Message = 'referenceTaskIds';
export function withoutRole({ role, ...rest }: Message): Omit<Message, 'role'> {
  return role === 'ROLE_USER' ? rest : { messageId: rest.messageId, parts: rest.parts };
}

// --- Tasks and events. ---

export const states: readonly TaskState[] = TASK_STATE_VALUES;
export const artifact: Artifact = { artifactId: 'a', parts: [{ text: 'a' }] };
export const task: Task = {
  id: 't',
  status: { state: 'TASK_STATE_WORKING', message: sent, timestamp: '2025-10-28T10:30:00.000Z' },
  artifacts: [artifact],
  metadata: { key: { any: ['value'] } },
};
export const event: StreamResponse = { task };
// @ts-expect-error: two payloads
export const events: StreamResponse = { task, message: sent };

export function stateOf(response: StreamResponse): TaskState | undefined {
  if (response.task !== undefined) return response.task.status.state;
  return response.statusUpdate?.status.state;
}

// --- Parsing, and the extensions' accessors on what was parsed. ---

export function read(value: unknown): SendMessageRequest | readonly string[] {
  const result = parseSendMessageRequest(value);
  return result.ok ? result.value : result.errors.map(({ message }) => message);
}

export function extension(value: unknown): unknown {
  return isTask(value)
    ? readTaskExtension(value)
    : sent.parts.map((part) => readEventEnvelope(part));
}
