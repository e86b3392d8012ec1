/** What a message says in words: what an agent reads. */
import type { Message } from '@tiny-harness/contract/a2a';
import { readChannel } from './channel.ts';
import { readEnvelope } from './envelope.ts';
import { textOf } from './task.ts';

/** The text of a message; for one that has only data, what the data amounts to, framed as coming from its sender. */
export function describeMessage(message: Message, sender: string): string {
  const text = textOf(message);
  if (text !== '') return text;
  const said = readChannel(message)?.value.text ?? '';
  if (said !== '') return said;
  const envelope = readEnvelope(message)?.value;
  switch (envelope?.kind) {
    case 'task':
      return `[task updated by ${sender}: ${Object.keys(envelope.payload).join(', ')}]`;
    case 'status_update':
    case 'artifact_update':
      return `[${envelope.kind} from ${sender}] ${JSON.stringify(envelope.payload)}`;
    default:
      return '';
  }
}
