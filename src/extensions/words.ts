/** What a message says in words: what an agent reads. */
import type { Message } from '@tiny-harness/contract/a2a';
import type { Surface } from '../core/surface.ts';
import { describeUi } from './a2ui/index.ts';
import { readChannel } from './channel.ts';
import { readEnvelope } from './envelope.ts';
import { textOf } from './task.ts';

/**
 * The text of a message; for one that has only data, what the data amounts to, framed as coming from its sender. What
 * a user did on a surface follows, and what is filled in on those of the surfaces that ask for it.
 */
export function describeMessage(
  message: Message,
  sender: string,
  surfaces: readonly Surface[] = [],
): string {
  const said = textOf(message) || (readChannel(message)?.value.text ?? '');
  const words = said === '' ? describeEnvelope(message, sender) : said;
  return [...(words === '' ? [] : [words]), ...describeUi(message, surfaces)].join('\n');
}

function describeEnvelope(message: Message, sender: string): string {
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
