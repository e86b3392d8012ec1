/** What a remote agent is sent in a turn. */
import type { Message } from '@tiny-harness/contract/a2a';
import { createMessage } from '@tiny-harness/contract/client';
import { createEventEnvelopePart, readInterrupt } from '@tiny-harness/contract/task/v1';
import type { TaskExtensionData } from '@tiny-harness/contract/task/v1';
import type { Turn } from '../port.ts';
import { isOwn } from './parts.ts';

/** Where a follow-up goes. */
interface RemotePlace {
  readonly remoteTaskId: string | undefined;
  readonly contextId: string | undefined;
}

/**
 * The message of a turn. Its id is the same whenever the turn is run, so that an agent that knows the message answers
 * as before (rule A5). One that opens a task brings the task's data along where that is known.
 */
export async function createTurnMessage(
  turn: Turn,
  { remoteTaskId: taskId, contextId }: RemotePlace,
  knowsTasks: boolean,
): Promise<Message> {
  const parts = turn.message.parts
    .filter((part) => !isOwn(part))
    .map(({ metadata: _, ...part }) => part);
  const envelope = knowsTasks && taskId === undefined ? [createEnvelope(await turn.task())] : [];
  const [first, ...rest] = [...envelope, ...(parts.length === 0 ? [{ text: turn.text }] : parts)];
  const messageId = `${turn.taskId}:${turn.number}`;
  const cuts = readInterrupt(turn.message);
  const interrupt = cuts?.ok === true && cuts.value ? true : undefined;
  return createMessage([first ?? { text: turn.text }, ...rest], {
    messageId,
    taskId,
    contextId,
    interrupt,
  });
}

/** What an agent elsewhere is to know of a task: who takes part here is no business of its. */
function createEnvelope({ name, goal, description, acceptance_criteria }: TaskExtensionData) {
  const payload = { name, goal, description, acceptance_criteria };
  return createEventEnvelopePart({ kind: 'task', payload });
}
