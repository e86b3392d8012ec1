/** What of a message is passed on between a remote agent and the participants here. */
import type { Message } from '@tiny-harness/contract/a2a';
import { MEDIA_TYPE as A2UI } from '@tiny-harness/contract/a2ui/v0.9.1';
import { MEDIA_TYPE as CHANNEL } from '@tiny-harness/contract/channel/v1';
import { EVENT_ENVELOPE_MEDIA_TYPE, MEDIA_TYPE as TASK } from '@tiny-harness/contract/task/v1';
import { findExcess } from '../../core/measure.ts';

type Part = Message['parts'][number];

/** Parts as a message must have them. */
export type Parts = Message['parts'];

/** The most characters of text, and of everything else as JSON, that are passed on of one message. */
const MAX_TEXT = 64 * 1024;
const MAX_OTHER = 4 * 1024 ** 2;

/** How deep data may be nested. */
const MAX_DEPTH = 64;

/** What means something to clients of this server, and would mean something else from elsewhere. */
const OWN = new Set<string>([A2UI, CHANNEL, TASK, EVENT_ENVELOPE_MEDIA_TYPE]);

/**
 * The parts that are passed on, without their metadata; undefined when none are. Data of the contract's extensions is
 * not: a channel names a task of one side, and a surface would be one that nobody here checked.
 */
export function passOn(parts: readonly Part[]): Parts | undefined {
  let text = MAX_TEXT;
  let other = MAX_OTHER;
  const passed = parts.flatMap((part): Part[] => {
    if (isOwn(part)) return [];
    if (part.text !== undefined) {
      const kept = part.text.slice(0, text);
      text -= kept.length;
      return [bare(part, { text: kept.length < part.text.length ? `${kept}…` : kept })];
    }
    const value = contentOf(part);
    if (value === undefined) return [];
    const size = JSON.stringify(value).length;
    if (size > other) return [];
    other -= size;
    return [bare(part, value)];
  });
  const [first, ...rest] = passed;
  return first === undefined ? undefined : [first, ...rest];
}

/** The texts of parts, a line each. */
export function textOf(parts: readonly Part[]): string {
  return parts.flatMap(({ text }) => text ?? []).join('\n');
}

/** Whether the data of the part belongs to the contract. */
export function isOwn({ mediaType = '' }: Part): boolean {
  return OWN.has((mediaType.split(';')[0] ?? '').trim().toLowerCase());
}

type Content = { text: string } | { raw: string } | { url: string } | { data: unknown };

function contentOf(part: Part): Exclude<Content, { text: string }> | undefined {
  if (part.raw !== undefined) return { raw: part.raw };
  if (part.url !== undefined) return /^https?:/i.test(part.url) ? { url: part.url } : undefined;
  if (part.data === undefined) return undefined;
  const excess = findExcess(part.data, { bytes: MAX_OTHER, nesting: MAX_DEPTH });
  return excess === undefined ? { data: part.data } : undefined;
}

function bare({ filename, mediaType }: Part, content: Content): Part {
  return {
    ...content,
    ...(filename === undefined ? {} : { filename }),
    ...(mediaType === undefined ? {} : { mediaType }),
  };
}
