/** Events as A2A's StreamResponse: what streams and push notifications carry, and what the log keeps. */
import type { Message, StreamResponse, TaskStatus } from '@tiny-harness/contract/a2a';
import type { NumberedEvent, StatusChanged } from './events.ts';

/** What every event of a task has in common. */
export interface EventPlace {
  readonly taskId: string;
  readonly contextId: string;
  /** When it happened: milliseconds since 1970. */
  readonly at: number;
}

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
      return { task: withMetadata(task, event.metadata) };
    }
    case 'status': {
      const message = statusMessage(event, place);
      const update = { taskId, contextId, status: statusOf(event.state, message, place) };
      return { statusUpdate: withMetadata(update, event.metadata) };
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
  const messageId = `${taskId}:status:${event.seq}`;
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

function withMetadata<T extends object>(value: T, metadata: object | undefined): T {
  return metadata === undefined ? value : { ...value, metadata };
}
