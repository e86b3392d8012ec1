/** A message of the history as a message to a model. */
import type { Message, Part } from '@tiny-harness/contract/a2a';
import { isUiEventPart } from '@tiny-harness/contract/a2ui/v0.9.1';
import { readSender } from '@tiny-harness/contract/task/v1';
import type { TaskExtensionData } from '@tiny-harness/contract/task/v1';
import { ANONYMOUS, roleOf } from '../../core/participants.ts';
import type { Marker } from './marker.ts';
import { cutText } from './tokens.ts';

/** What a message is seen with. */
export interface MessageScene {
  readonly agentId: string;
  readonly data: TaskExtensionData;
  readonly marker: Marker;
}

/** A message to a model that holds text alone. */
export interface TextMessage {
  readonly role: 'assistant' | 'user';
  readonly content: string;
}

/** Who sent it, as the server says. */
export function senderOf(message: Message): string {
  const sender = readSender(message);
  return sender?.ok === true ? sender.value : ANONYMOUS;
}

/** What the agent said as its own words, anything else as data, in at most so many tokens. */
export function viewMessage(message: Message, scene: MessageScene, tokens: number): TextMessage {
  const content = cutText(describeParts(message), tokens);
  if (message.role === 'ROLE_AGENT') return { role: 'assistant', content };
  return viewWords(content, senderOf(message), scene, {});
}

/** Words of a participant, or what the system passes on in the agent's own name: briefs and results of sub-tasks. */
export function viewWords(
  words: string,
  sender: string,
  { agentId, data, marker }: MessageScene,
  more: Readonly<Record<string, boolean>>,
): TextMessage {
  const isReport = sender === agentId;
  const role = roleOf(data, sender);
  const from = { from: sender, ...(role !== undefined && { role }) };
  const kind = isReport ? 'report' : 'message';
  const content = marker.mark(kind, { ...(!isReport && from), ...more }, words);
  return { role: 'user', content };
}

/** The texts, and what else there is: data as JSON, files by name. */
function describeParts({ parts, role }: Message): string {
  const texts = parts.flatMap(({ text }) => (text === undefined || text === '' ? [] : [text]));
  // What the agent adds to its words is for programs.
  if (role === 'ROLE_AGENT' && texts.length > 0) return texts.join('\n');
  return parts
    .map(describePart)
    .filter((text) => text !== '')
    .join('\n');
}

/** What the words of the current message do not say: data as JSON, files by name. What a user did on a surface they say. */
export function describeRest({ parts }: Message): string {
  return parts
    .filter((part) => part.text === undefined && !isUiEventPart(part))
    .map(describePart)
    .join('\n');
}

function describePart({ text, data, raw, url, filename, mediaType }: Part): string {
  if (text !== undefined) return text;
  const type = mediaType === undefined ? '' : ` ${mediaType}`;
  if (data !== undefined) return `[data${type}] ${JSON.stringify(data)}`;
  const name = filename === undefined ? '' : ` ${JSON.stringify(filename)}`;
  if (url !== undefined) return `[file${name}${type} at ${url}; not read]`;
  return raw === undefined
    ? ''
    : `[file${name}${type}, ${raw.length} characters of base64; not shown]`;
}
