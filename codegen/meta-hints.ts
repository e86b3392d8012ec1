/** What a meta schema says about the place where a file does not follow it. */
import type { Json, JsonObject } from './json.ts';
import { followPointer, getOwn, isArray, isObject, joinPointer, splitPointer } from './json.ts';
import { nearestName } from './names.ts';
import type { ValidationError } from './runtime/result.js';

/**
 * What was meant, where a misspelt value is near enough to one that is allowed; else the description of
 * the member at fault, or of the one that is missing; undefined where there is none.
 */
export function hintFromMeta(
  meta: JsonObject,
  error: ValidationError,
  value: Json,
): string | undefined {
  const { keyword, schemaPath } = error;
  const near = keyword === 'enum' ? nearestValue(meta, error, value) : undefined;
  if (near !== undefined) return `Did you mean "${near}"?`;
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

function nearestValue(
  meta: JsonObject,
  { schemaPath, path }: ValidationError,
  root: Json,
): string | undefined {
  const allowed = followPointer(meta, schemaPath.slice(1));
  const value = followPointer(root, path);
  if (typeof value !== 'string' || !isArray(allowed)) return undefined;
  return nearestName(
    value,
    allowed.filter((item) => typeof item === 'string'),
  );
}

function memberName({ keyword, message, path }: ValidationError): string {
  const missing = keyword === 'required' ? /([^\s/]+) is missing/.exec(message)?.[1] : undefined;
  return missing ?? splitPointer(path).findLast((step) => !/^\d+$/.test(step)) ?? '';
}

function descriptionOf(schema: Json | undefined): string | undefined {
  const description = isObject(schema) ? getOwn(schema, 'description') : undefined;
  return typeof description === 'string' ? description : undefined;
}
