/** Marks what came from outside, so that a model can tell it from what it is told to do (rule T11). */
import { randomBytes } from 'node:crypto';

/** What stands beside a marked text: where it came from. */
type Attributes = Readonly<Record<string, string | number | boolean>>;

/** Marks texts with a key that nobody outside can know. */
export interface Marker {
  readonly key: string;
  /** The text between tags that hold the key. The key itself is taken out of it, so nothing in it can end it. */
  mark(kind: string, attributes: Attributes, text: string): string;
}

/** A lone half of a surrogate pair: not every endpoint's JSON reader takes one. */
const LONE_SURROGATE = /\p{Surrogate}/gu;

/** A marker with a key of its own; one a run of a turn, so that the endpoint can reuse what it read before. */
export function createMarker(key: string = randomBytes(8).toString('hex')): Marker {
  return {
    key,
    mark(kind, attributes, text) {
      const all: Attributes = { kind, ...attributes };
      const beside = Object.entries(all)
        .map(([name, value]) => ` ${name}=${quote(String(value))}`)
        .join('');
      return `<data-${key}${beside}>\n${clean(text, key)}\n</data-${key}>`;
    },
  };

  /** On one line, and without what could end a tag: ids come from outside as well. */
  function quote(value: string): string {
    return JSON.stringify(clean(value, key)).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e');
  }
}

function clean(text: string, key: string): string {
  let cleaned = text.replaceAll(LONE_SURROGATE, '\ufffd');
  // Taking one out may join the halves of another.
  while (cleaned.includes(key)) cleaned = cleaned.replaceAll(key, '');
  return cleaned;
}
