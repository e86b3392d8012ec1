/** Defaults that would be filled in for ever: one that, filled in itself, holds itself again. */
import type { Json } from '../json.ts';
import { getOwn, isArray, isObject } from '../json.ts';
import type { Resolution, SchemaAt } from '../resolution.ts';
import { compilePattern } from '../vocabulary.ts';
import { restKeyword } from './rest.ts';

/** What has to be known of schemas to follow their defaults. */
export interface Defaults {
  readonly resolution: Resolution;
  /** The default that a schema states, itself or through what it refers to. */
  readonly statedBy: (at: SchemaAt) => Json | undefined;
  /** The schemas applied to the same value. */
  readonly inPlace: (at: SchemaAt) => readonly SchemaAt[];
}

/** Whether filling in a member's default leads to filling in the same member below it. */
export function isEndless(defaults: Defaults, start: SchemaAt): boolean {
  const seen = new Set<SchemaAt>();
  const queue = [start];
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    const value = defaults.statedBy(at);
    const added = new Set<SchemaAt>();
    if (value !== undefined) collectAdded(defaults, at, value, added);
    if (added.has(start)) return true;
    for (const next of added) {
      if (!seen.has(next)) queue.push(next);
      seen.add(next);
    }
  }
  return false;
}

/** The members that are added when a value is filled in by a schema. */
function collectAdded(
  defaults: Defaults,
  at: SchemaAt,
  value: Json,
  added: Set<SchemaAt>,
  open: ReadonlySet<SchemaAt> = new Set(),
): void {
  if (typeof value !== 'object' || value === null || open.has(at) || !isObject(at.schema)) return;
  const inside = new Set([...open, at]);
  for (const other of defaults.inPlace(at)) collectAdded(defaults, other, value, added, inside);
  const properties = keysOf(at, 'properties');
  if (!isArray(value)) {
    for (const name of properties) {
      const member = defaults.resolution.child(at, 'properties', name);
      if (!Object.hasOwn(value, name) && defaults.statedBy(member) !== undefined) added.add(member);
    }
  }
  for (const [key, inner] of Object.entries<Json>(value)) {
    for (const place of placesOf(defaults.resolution, at, key, isArray(value))) {
      collectAdded(defaults, place, inner, added);
    }
  }
}

/** The schemas of one member or item. */
function placesOf(
  resolution: Resolution,
  at: SchemaAt,
  key: string,
  isItem: boolean,
): readonly SchemaAt[] {
  const rest = isObject(at.schema)
    ? restKeyword(at.schema, isItem ? 'array' : 'object')
    : undefined;
  const others = rest === undefined ? [] : [resolution.child(at, rest)];
  if (isItem) {
    const prefix = isObject(at.schema) ? getOwn(at.schema, 'prefixItems') : undefined;
    const isNamed = isArray(prefix) && Number(key) < prefix.length;
    return isNamed ? [resolution.child(at, 'prefixItems', Number(key))] : others;
  }
  const matched = keysOf(at, 'patternProperties')
    .filter((pattern) => compilePattern(pattern)?.test(key) === true)
    .map((pattern) => resolution.child(at, 'patternProperties', pattern));
  const declared = keysOf(at, 'properties').includes(key)
    ? [resolution.child(at, 'properties', key)]
    : [];
  const places = [...declared, ...matched];
  return places.length > 0 ? places : others;
}

function keysOf({ schema }: SchemaAt, keyword: string): readonly string[] {
  const map = isObject(schema) ? getOwn(schema, keyword) : undefined;
  return isObject(map) ? Object.keys(map) : [];
}
