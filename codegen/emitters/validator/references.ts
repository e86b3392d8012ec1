/**
 * The references of a flat schema: where they lead, and whether they lead back.
 */
import type { FlatSchema } from '../../flatten.ts';
import type { Json, JsonObject } from '../../json.ts';
import { getOwn, isArray, isObject, splitPointer } from '../../json.ts';
import { KEYWORDS } from '../../vocabulary.ts';

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

/** Whether a schema can apply to a value and, through references, to a part of it again without end. */
export function isRecursive(root: FlatSchema): boolean {
  const open = new Set<string>();
  const done = new Set<string>();
  const leadsBack = (reference: string): boolean => {
    if (open.has(reference)) return true;
    if (done.has(reference)) return false;
    open.add(reference);
    const found = listReferences(resolveReference(root, reference)).some(leadsBack);
    open.delete(reference);
    done.add(reference);
    return found;
  };
  return leadsBack('#');
}

function listReferences(schema: Json): readonly string[] {
  if (!isObject(schema)) return [];
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if (keyword === '$ref') return typeof value === 'string' ? [value] : [];
    const { schemas, annotation } = KEYWORDS.get(keyword) ?? {};
    if (schemas === undefined || annotation === true || keyword === '$defs') return [];
    if (schemas === 'one') return listReferences(value);
    return Object.values(value as JsonObject).flatMap(listReferences);
  });
}

/** The items of a keyword's value; none where it has none. */
export function listOf(value: Json | undefined): readonly Json[] {
  return isArray(value) ? value : [];
}

/** The names in a keyword's value; none where it has none. */
export function keysOf(value: Json | undefined): readonly string[] {
  return isObject(value) ? Object.keys(value) : [];
}
