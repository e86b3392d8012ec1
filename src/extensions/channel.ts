/** The channel extension: what participants say to each other, and the agent's questions (rules E6, T6). */
import type { Message } from '@tiny-harness/contract/a2a';
import type { ChannelMessage } from '@tiny-harness/contract/channel/v1';
import { createChannelMessagePart, readChannelMessage } from '@tiny-harness/contract/channel/v1';
import { invalidParams, taskNotFound } from '../core/errors.ts';
import type { StatusMessage } from '../core/events.ts';
import type { OpenQuestion } from '../core/task.ts';
import type { ExtensionBehaviour } from './behaviour.ts';
import { findParts, firstValid, violationsOf } from './behaviour.ts';

/** The channel message in a message; undefined when there is none that is valid. */
export function readChannel(message: Message): { at: number; value: ChannelMessage } | undefined {
  return firstValid(findParts(message, readChannelMessage));
}

/** Checks the channel messages of a message: one at most. */
export const channelBehaviour: ExtensionBehaviour = {
  check: (message) => {
    const found = findParts(message, readChannelMessage);
    const violations = violationsOf(found);
    const second = found[1];
    if (violations.length > 0 || second === undefined) return violations;
    const description = 'a message holds one channel message';
    return [{ field: `message.parts[${second.at}]`, description }];
  },
};

/**
 * Membership is the boundary: another task's channel is refused as one that does not exist.
 *
 * @throws ProtocolError TASK_NOT_FOUND for another channel than the task's, INVALID_PARAMS for another sender
 */
export function requireOwnChannel(
  { at, value }: { at: number; value: ChannelMessage },
  taskId: string | undefined,
  sender: string,
): void {
  if (value.channel_id !== taskId) throw taskNotFound(value.channel_id);
  if (value.sender === sender) return;
  const field = `message.parts[${at}].data.sender`;
  throw invalidParams([
    {
      field,
      description: `sender must be the participant who sends the message; got "${value.sender}"`,
    },
  ]);
}

/** The status message with which the agent asks: words, and the request as a channel message (rule T6). */
export function askQuestion(
  taskId: string,
  agentId: string,
  { text, options }: OpenQuestion,
): StatusMessage {
  const words = options.length === 0 ? text : `${text}\nOptions: ${options.join(', ')}`;
  const request = createChannelMessagePart({
    channel_id: taskId,
    sender: agentId,
    kind: 'help_request',
    text,
    parts: [],
    in_reply_to: null,
  });
  return { parts: [{ text: words }, request] };
}
