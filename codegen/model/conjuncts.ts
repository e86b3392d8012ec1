/** Schemas that hold beside one another. */
import { getOwn, isArray, isObject } from '../json.ts';
import type { Resolution, SchemaAt } from '../resolution.ts';

/** What a schema's `$ref` names and its `allOf` lists: they judge the same value as it does. */
export function conjunctsOf(resolution: Resolution, at: SchemaAt): readonly SchemaAt[] {
  if (!isObject(at.schema)) return [];
  const reference = getOwn(at.schema, '$ref');
  const target = typeof reference === 'string' ? resolution.follow(at, reference) : undefined;
  const list = getOwn(at.schema, 'allOf');
  const all = isArray(list) ? list.map((_, index) => resolution.child(at, 'allOf', index)) : [];
  return target === undefined ? all : [target, ...all];
}
