/**
 * What is told to somebody who names himself in his message and is not on the task: that, and nothing of the task but
 * its ids and its state (rule T5).
 */
import type { Task, TaskStatus, TaskStatusUpdateEvent } from '@tiny-harness/contract/a2a';
import type { TaskHead } from '../core/task.ts';
import type { FrameStream } from './call.ts';
import { createId } from './ids.ts';

/** The bare task with the refusal as its status message, as JSON text. */
export function refuseStranger(head: TaskHead): string {
  const { id, contextId } = head;
  return JSON.stringify({ id, contextId, status: refusal(head) } satisfies Task);
}

/** The bare task, then the refusal as a status update; nobody else's stream has it. */
export function streamStranger(head: TaskHead): FrameStream {
  const { id, contextId, state } = head;
  const task: Task = { id, contextId, status: { state } };
  const statusUpdate: TaskStatusUpdateEvent = { taskId: id, contextId, status: refusal(head) };
  return {
    onCut: () => undefined,
    async *[Symbol.asyncIterator]() {
      yield await Promise.resolve({ id: undefined, body: JSON.stringify({ task }) });
      yield { id: undefined, body: JSON.stringify({ statusUpdate }) };
    },
  };
}

function refusal({ id, contextId, state }: TaskHead): TaskStatus {
  const text = 'message not accepted: its sender is not a participant of the task';
  const message = { messageId: createId(), contextId, taskId: id, role: 'ROLE_AGENT' } as const;
  return { state, message: { ...message, parts: [{ text }] } };
}
