/** What a remote agent is sent in a turn. */
import type { Message } from '@tiny-harness/contract/a2a';
import { createMessage } from '@tiny-harness/contract/client';
import { isEventEnvelopePart, readInterrupt } from '@tiny-harness/contract/task/v1';
import type { Turn } from '../port.ts';
import { isOwn } from './parts.ts';

/** Where a follow-up goes. */
interface RemotePlace {
  readonly remoteTaskId: string | undefined;
  readonly contextId: string | undefined;
}

/**
 * The message of a turn. Its id is the same whenever the turn is run, so that an agent that knows the message answers
 * as before (rule A5). The brief that opens a task keeps its envelope where the remote agent knows what that is.
 */
export function createTurnMessage(
  turn: Turn,
  { remoteTaskId: taskId, contextId }: RemotePlace,
  knowsTasks: boolean,
): Message {
  const opens = knowsTasks && taskId === undefined;
  const parts = turn.message.parts
    .filter((part) => !isOwn(part) || (opens && isEventEnvelopePart(part)))
    .map(({ metadata: _, ...part }) => part);
  const hasWords = parts.some((part) => !isOwn(part));
  const [first, ...rest] = hasWords ? parts : [...parts, { text: turn.text }];
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
