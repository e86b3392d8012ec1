/** Constraints in words: a model that is not held to them can still read them. */
import type { Json, JsonObject } from '../../json.ts';

/** A sentence for each constraint of a schema that is not enforced. */
export function sayConstraints(
  schema: JsonObject,
  isEnforced: (keyword: string, value: Json) => boolean,
): readonly string[] {
  return Object.entries(WORDS).flatMap(([keyword, say]) => {
    const value = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
    return value === undefined || isEnforced(keyword, value) ? [] : [say(value)];
  });
}

const WORDS: Readonly<Record<string, (value: Json) => string>> = {
  format: (value) => `Format: ${show(value)}.`,
  pattern: (value) => `Matches the regular expression ${show(value)}`,
  minLength: (value) => (value === 1 ? 'Not empty.' : `At least ${show(value)} characters.`),
  maxLength: (value) => `At most ${show(value)} ${value === 1 ? 'character' : 'characters'}.`,
  minimum: (value) => `At least ${show(value)}.`,
  exclusiveMinimum: (value) => `Greater than ${show(value)}.`,
  maximum: (value) => `At most ${show(value)}.`,
  exclusiveMaximum: (value) => `Less than ${show(value)}.`,
  multipleOf: (value) => `A multiple of ${show(value)}.`,
  minItems: (value) => `At least ${show(value)} ${value === 1 ? 'item' : 'items'}.`,
  maxItems: (value) => `At most ${show(value)} ${value === 1 ? 'item' : 'items'}.`,
  uniqueItems: () => 'No item twice.',
};

function show(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
