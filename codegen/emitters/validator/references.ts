/**
 * What stands in a flat schema: the targets of its references, lists and maps.
 */
import type { FlatSchema } from '../../flatten.ts';
import type { Json } from '../../json.ts';
import { getOwn, isArray, isObject, splitPointer } from '../../json.ts';

/** The schema that a flat reference leads to. */
export function resolveReference(root: FlatSchema, reference: string): FlatSchema {
  if (reference === '#') return root;
  const definitions = isObject(root) ? root.$defs : undefined;
  if (isObject(definitions)) {
    const key = readKey(reference);
    const found = getOwn(definitions, key) ?? getOwn(definitions, decodeURIComponent(key));
    if (typeof found === 'boolean' || isObject(found)) return found;
  }
  throw new Error(`internal: the flat schema has no target for $ref ${JSON.stringify(reference)}`);
}

/** The key of the definition that a reference names. */
export function readKey(reference: string): string {
  return splitPointer(reference.slice(1))[1] ?? '';
}

/** The schemas in a list; none where there is no list. */
export function listSchemas(value: Json | undefined): readonly FlatSchema[] {
  return (isArray(value) ? value : []) as readonly FlatSchema[];
}

/** The schemas in a map, with their names; none where there is no map. */
export function listNamed(value: Json | undefined): readonly (readonly [string, FlatSchema])[] {
  return isObject(value) ? (Object.entries(value) as [string, FlatSchema][]) : [];
}

/** The names in a map; none where there is no map. */
export function keysOf(value: Json | undefined): readonly string[] {
  return isObject(value) ? Object.keys(value) : [];
}

/** The strings in a list; none where there is no list. */
export function listNames(value: Json | undefined): readonly string[] {
  return (isArray(value) ? value : []) as readonly string[];
}
