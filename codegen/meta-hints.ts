/** What a meta schema says about the place where a file does not follow it. */
import type { Json, JsonObject } from './json.ts';
import { followPointer, getOwn, isObject, joinPointer, splitPointer } from './json.ts';
import type { ValidationError } from './runtime/result.js';

/** The description of the member at fault, or of the one that is missing; undefined where there is none. */
export function hintFromMeta(meta: JsonObject, error: ValidationError): string | undefined {
  const { keyword, schemaPath } = error;
  // The message lists the known members itself.
  if (keyword === 'additionalProperties') return undefined;
  const name = memberName(error);
  const steps = splitPointer(schemaPath.slice(1));
  for (;;) {
    const schema = followPointer(meta, joinPointer('', ...steps));
    if (isObject(schema)) {
      const members = getOwn(schema, 'properties');
      const member = isObject(members) ? getOwn(members, name) : undefined;
      const found =
        descriptionOf(member) ?? (members === undefined ? descriptionOf(schema) : undefined);
      if (found !== undefined) return found;
    }
    if (steps.pop() === undefined) return undefined;
  }
}

function memberName({ keyword, message, path }: ValidationError): string {
  const missing = keyword === 'required' ? /([^\s/]+) is missing/.exec(message)?.[1] : undefined;
  return missing ?? splitPointer(path).findLast((step) => !/^\d+$/.test(step)) ?? '';
}

function descriptionOf(schema: Json | undefined): string | undefined {
  const description = isObject(schema) ? getOwn(schema, 'description') : undefined;
  return typeof description === 'string' ? description : undefined;
}
