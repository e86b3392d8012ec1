// What a client sends and shows, made of the parts and readers of several extensions.
import { createChannelMessagePart, readChannelMessage } from '@tiny-harness/contract/channel/v1';
import { readParams } from '@tiny-harness/contract/commands/v1';
import { readSubState } from '@tiny-harness/contract/status/v1';
import { INTERRUPT_KEY, SENDER_KEY, createEventEnvelopePart } from '@tiny-harness/contract/task/v1';

export { readTaskExtension } from '@tiny-harness/contract/task/v1';

/** @typedef {import('@tiny-harness/contract/a2a').UserMessage} UserMessage */
/** @typedef {import('@tiny-harness/contract/a2a').Part} Part */
/** @typedef {import('@tiny-harness/contract/channel/v1').ChannelMessageInput} ChannelMessageInput */
/** @typedef {import('@tiny-harness/contract/task/v1').EventEnvelope} EventEnvelope */
/** @typedef {import('./client.js').HelpRequest} HelpRequest */
/** @typedef {import('./client.js').MessageOptions} MessageOptions */
/** @typedef {import('./client.js').EnvelopeOptions} EnvelopeOptions */
/** @typedef {import('./client.js').ChannelOptions} ChannelOptions */

/**
 * @param {readonly [Part, ...Part[]]} parts
 * @param {import('./client.js').TaskMessageOptions} [options]
 * @returns {UserMessage} a message of a client
 */
export function createMessage(parts, options = {}) {
  const { participantId, messageId = crypto.randomUUID(), contextId, taskId, interrupt } = options;
  const metadata = {
    ...(participantId === undefined ? {} : { [SENDER_KEY]: participantId }),
    ...(interrupt === undefined ? {} : { [INTERRUPT_KEY]: interrupt }),
  };
  return {
    role: 'ROLE_USER',
    messageId,
    ...(contextId === undefined ? {} : { contextId }),
    ...(taskId === undefined ? {} : { taskId }),
    parts: [...parts],
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  };
}

/**
 * @param {string} text
 * @param {import('./client.js').TaskMessageOptions} [options]
 * @returns {UserMessage} a message of plain text
 */
export function createTextMessage(text, options) {
  return createMessage([{ text }], options);
}

/**
 * @param {import('@tiny-harness/contract/task/v1').TaskExtensionDataInput} data
 * @param {EnvelopeOptions} [options]
 * @returns {UserMessage} a message that creates a task
 */
export function createTaskMessage(data, options) {
  return createEnvelope({ kind: 'task', payload: data }, undefined, options);
}

/**
 * @param {string} taskId
 * @param {import('@tiny-harness/contract/task/v1').TaskChangesInput} changes
 * @param {EnvelopeOptions} [options]
 * @returns {UserMessage} a message that changes a task
 */
export function changeTaskMessage(taskId, changes, options) {
  return createEnvelope({ kind: 'task', payload: changes }, taskId, options);
}

/**
 * @param {string} taskId
 * @param {MessageOptions} [options]
 * @returns {UserMessage} a message that completes a task
 */
export function completeMessage(taskId, options = {}) {
  const { participantId, messageId, contextId } = options;
  const envelope = createEventEnvelopePart({ kind: 'control', action: 'complete' });
  return createMessage([envelope], { participantId, messageId, contextId, taskId });
}

/**
 * @param {EventEnvelope} envelope
 * @param {string | undefined} taskId
 * @param {EnvelopeOptions} [options]
 * @returns {UserMessage} the envelope, and the text beside it
 */
function createEnvelope(envelope, taskId, options = {}) {
  const { text, ...rest } = options;
  const part = createEventEnvelopePart(envelope);
  return createMessage(text === undefined ? [part] : [part, { text }], { ...rest, taskId });
}

/**
 * @param {string} taskId
 * @param {string} text
 * @param {ChannelOptions & { readonly inReplyTo?: string | undefined }} options
 * @returns {UserMessage} a message to the other participants
 */
export function createChannelMessage(taskId, text, { inReplyTo, parts, ...options }) {
  const content = createContent(taskId, text, options.participantId, parts, inReplyTo);
  return createMessage([createChannelMessagePart(content)], { ...options, taskId });
}

/**
 * @param {HelpRequest | undefined} request
 * @param {string} text
 * @param {ChannelOptions} options
 * @returns {UserMessage} an answer to the question
 */
export function createHelpReply(request, text, { parts, ...options }) {
  if (request === undefined) {
    throw new TypeError('There is no question to reply to: helpRequestOf found none');
  }
  const { taskId, messageId, contextId } = request;
  const content = createContent(taskId, text, options.participantId, parts, messageId);
  const part = createChannelMessagePart({ ...content, kind: 'help_reply' });
  return createMessage([part], { contextId, ...options, taskId });
}

/**
 * @param {string} taskId
 * @param {string} text
 * @param {string} sender
 * @param {ChannelOptions['parts']} parts
 * @param {string | undefined} inReplyTo
 * @returns {ChannelMessageInput} what is said, without what it has by default
 */
function createContent(taskId, text, sender, parts, inReplyTo) {
  return {
    channel_id: taskId,
    sender,
    kind: 'message',
    text,
    ...(parts === undefined ? {} : { parts: [...parts] }),
    ...(inReplyTo === undefined ? {} : { in_reply_to: inReplyTo }),
  };
}

/**
 * @template {object} T
 * @param {(T & import('./client.js').WithMetadata) | null | undefined} taskOrUpdate
 * @returns {import('@tiny-harness/contract/status/v1').TaskSubState['sub_state'] | undefined} why it waits
 */
export function subStateOf(taskOrUpdate) {
  const result = readSubState(taskOrUpdate);
  return result?.ok === true ? result.value.sub_state : undefined;
}

/**
 * @param {import('./client.js').WithStatus | import('./client.js').WithParts | null | undefined} carrier
 * @returns {HelpRequest | undefined} the question that the task waits on
 */
export function helpRequestOf(carrier) {
  const message = findMessage(carrier);
  const messageId = message?.messageId;
  const parts = isArray(message?.parts) ? message.parts : [];
  const asking = parts.map(readChannelMessage).find(asks);
  if (typeof messageId !== 'string' || asking?.ok !== true) return undefined;
  const { channel_id: taskId, sender, text: question } = asking.value;
  const texts = parts.flatMap((part) => (typeof part?.text === 'string' ? [part.text] : []));
  return {
    taskId,
    ...(message?.contextId === undefined ? {} : { contextId: message.contextId }),
    messageId,
    sender,
    question,
    text: texts.length === 0 ? question : texts.join('\n'),
    channelMessage: asking.value,
  };
}

/**
 * @param {ReturnType<typeof readChannelMessage>} result
 * @returns {boolean} whether a part is a question
 */
function asks(result) {
  return result?.ok === true && result.value.kind === 'help_request';
}

/**
 * What came over the wire need not be what its type says.
 *
 * @template {readonly unknown[]} T
 * @param {T | undefined} value
 * @returns {value is T} whether it is a list
 */
function isArray(value) {
  return Array.isArray(value);
}

/**
 * @param {Parameters<typeof helpRequestOf>[0]} carrier
 * @returns {import('./client.js').WithParts | null | undefined} the message that may ask
 */
function findMessage(carrier) {
  if (typeof carrier !== 'object' || carrier === null) return undefined;
  /** @type {import('./client.js').WithStatus & import('./client.js').WithParts} */
  const { status, ...message } = carrier;
  if (status === undefined) return message;
  return status?.state === 'TASK_STATE_INPUT_REQUIRED' ? status.message : undefined;
}

/**
 * @param {Parameters<typeof readParams>[0]} card
 * @returns {readonly import('@tiny-harness/contract/commands/v1').Command[]} the slash commands
 */
export function commandsOf(card) {
  const result = readParams(card);
  return result?.ok === true ? result.value.commands : [];
}
