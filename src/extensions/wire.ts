/**
 * How what happens to a task, its data and its sub-state stand in A2A structures: what streams and push notifications
 * carry, what the log keeps, and `Task.metadata` (rules T1, E5).
 */
import type { Message, StreamResponse, TaskStatus } from '@tiny-harness/contract/a2a';
import { SUB_STATE_KEY } from '@tiny-harness/contract/status/v1';
import { TASK_EXTENSION_KEY } from '@tiny-harness/contract/task/v1';
import type { NumberedEvent, StatusChanged } from '../core/events.ts';
import type { EventPlace, JsonText } from '../store/port.ts';

/** The event as ProtoJSON. The creation is the bare Task: its history is what the caller asks for. */
export function toStreamResponse(event: NumberedEvent, place: EventPlace): StreamResponse {
  const { taskId, contextId } = place;
  switch (event.kind) {
    case 'created': {
      const task = {
        id: taskId,
        contextId,
        status: statusOf('TASK_STATE_SUBMITTED', undefined, place),
      };
      return { task: { ...task, metadata: { [TASK_EXTENSION_KEY]: event.data } } };
    }
    case 'status': {
      const message = statusMessage(event, place);
      const update = { taskId, contextId, status: statusOf(event.state, message, place) };
      return { statusUpdate: withMetadata(update, statusMetadata(event)) };
    }
    case 'artifact': {
      const { artifact, append, lastChunk } = event;
      const update = {
        taskId,
        contextId,
        artifact,
        // ProtoJSON leaves out what is false.
        ...(append ? { append } : {}),
        ...(lastChunk ? { lastChunk } : {}),
      };
      return { artifactUpdate: withMetadata(update, event.metadata) };
    }
  }
}

function statusMessage(
  event: StatusChanged & { seq: number },
  { taskId, contextId }: EventPlace,
): Message | undefined {
  if (event.message === undefined) return undefined;
  const messageId = `${taskId}:${event.label ?? 'status'}:${event.seq}`;
  return { messageId, contextId, taskId, role: 'ROLE_AGENT', ...event.message };
}

function statusOf(
  state: TaskStatus['state'],
  message: Message | undefined,
  { at }: EventPlace,
): TaskStatus {
  const timestamp = new Date(at).toISOString();
  return message === undefined ? { state, timestamp } : { state, message, timestamp };
}

/** `Task.metadata` as JSON text; `data` is the task's data as JSON text. */
export function toTaskMetadata(data: JsonText, subState: string | undefined): JsonText {
  const task = `${JSON.stringify(TASK_EXTENSION_KEY)}:${data}`;
  if (subState === undefined) return `{${task}}`;
  return `{${task},${JSON.stringify(SUB_STATE_KEY)}:${JSON.stringify({ sub_state: subState })}}`;
}

function statusMetadata({ data, subState }: StatusChanged): object | undefined {
  if (data === undefined && subState === undefined) return undefined;
  return {
    ...(data === undefined ? {} : { [TASK_EXTENSION_KEY]: data }),
    ...(subState === undefined ? {} : { [SUB_STATE_KEY]: { sub_state: subState } }),
  };
}

function withMetadata<T extends object>(value: T, metadata: object | undefined): T {
  return metadata === undefined ? value : { ...value, metadata };
}
