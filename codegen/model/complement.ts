/** What can be said of a schema from outside: the kinds it takes whole, the names it evaluates. */
import type { Json, JsonObject } from '../json.ts';
import { getOwn, isArray, isObject } from '../json.ts';
import type { Resolution, SchemaAt } from '../resolution.ts';
import type { Kind, ObjectLayer } from './shape.ts';
import { KINDS } from './shape.ts';

const EVERY_KIND: ReadonlySet<Kind> = new Set(KINDS);
const NO_KIND: ReadonlySet<Kind> = new Set();

/** Keywords that narrow one kind only. */
const NARROWS: Readonly<Record<string, Kind>> = {
  minimum: 'number',
  maximum: 'number',
  exclusiveMinimum: 'number',
  exclusiveMaximum: 'number',
  multipleOf: 'number',
  minLength: 'string',
  maxLength: 'string',
  pattern: 'string',
  prefixItems: 'array',
  items: 'array',
  contains: 'array',
  minItems: 'array',
  maxItems: 'array',
  uniqueItems: 'array',
  unevaluatedItems: 'array',
  properties: 'object',
  patternProperties: 'object',
  additionalProperties: 'object',
  propertyNames: 'object',
  required: 'object',
  minProperties: 'object',
  maxProperties: 'object',
  dependentRequired: 'object',
  dependentSchemas: 'object',
  unevaluatedProperties: 'object',
};

/**
 * The kinds of which a schema admits every value, so that `not` strikes them out. Where that is not
 * plain to see the kind is left out: the type is then looser.
 */
export function whollyAccepted(
  resolution: Resolution,
  at: SchemaAt,
  open: ReadonlySet<SchemaAt> = new Set(),
): ReadonlySet<Kind> {
  const { schema } = at;
  if (typeof schema === 'boolean') return schema ? EVERY_KIND : NO_KIND;
  if (!isObject(schema) || open.has(at)) return NO_KIND;
  const inside = new Set([...open, at]);
  const of = (child: SchemaAt): ReadonlySet<Kind> => whollyAccepted(resolution, child, inside);
  let kinds = new Set(EVERY_KIND);
  for (const [keyword, value] of Object.entries(schema)) {
    const narrowed = NARROWS[keyword];
    if (narrowed !== undefined) kinds.delete(narrowed);
    else kinds = kept(kinds, acceptedBy(resolution, at, keyword, value, of));
  }
  return kinds;
}

function acceptedBy(
  resolution: Resolution,
  at: SchemaAt,
  keyword: string,
  value: Json,
  of: (child: SchemaAt) => ReadonlySet<Kind>,
): ReadonlySet<Kind> {
  const each = (): ReadonlySet<Kind>[] =>
    isArray(value) ? value.map((_, index) => of(resolution.child(at, keyword, index))) : [];
  switch (keyword) {
    case 'type':
      return typesAccepted(isArray(value) ? value : [value]);
    case 'const':
      return valuesAccepted([value]);
    case 'enum':
      return valuesAccepted(isArray(value) ? value : []);
    case '$ref': {
      const target = typeof value === 'string' ? resolution.follow(at, value) : undefined;
      return target === undefined ? NO_KIND : of(target);
    }
    case 'allOf':
      return each().reduce(kept, EVERY_KIND);
    case 'anyOf':
      return new Set(each().flatMap((kinds) => [...kinds]));
    case '$dynamicRef':
    case 'oneOf':
    case 'not':
    case 'if':
      return NO_KIND;
    default:
      return EVERY_KIND;
  }
}

function kept(a: ReadonlySet<Kind>, b: ReadonlySet<Kind>): Set<Kind> {
  return new Set([...a].filter((kind) => b.has(kind)));
}

/** `integer` is not all of number. */
function typesAccepted(types: readonly Json[]): ReadonlySet<Kind> {
  return new Set(KINDS.filter((kind) => types.includes(kind)));
}

function valuesAccepted(values: readonly Json[]): ReadonlySet<Kind> {
  const kinds = new Set<Kind>();
  if (values.includes(null)) kinds.add('null');
  if (values.includes(true) && values.includes(false)) kinds.add('boolean');
  return kinds;
}

/**
 * The members that `unevaluatedProperties: false` may let through: every name and pattern that a
 * schema or an applicator in place mentions. Undefined when one of them lets all names through.
 */
export function evaluatedNames(
  resolution: Resolution,
  at: SchemaAt,
): Pick<ObjectLayer, 'properties' | 'patterns'> | undefined {
  const properties = new Map<string, SchemaAt>();
  const patterns: { pattern: string; at: SchemaAt }[] = [];
  const seen = new Set<SchemaAt>();
  const anything: SchemaAt = { ...at, schema: true };
  const queue: SchemaAt[] = [at];
  // First come, first served: the names keep the order of the schemas.
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    if (!isObject(next.schema) || seen.has(next)) continue;
    seen.add(next);
    if (next !== at && letsAllThrough(next.schema)) return undefined;
    for (const name of keysOf(next.schema, 'properties')) properties.set(name, anything);
    for (const pattern of keysOf(next.schema, 'patternProperties')) {
      patterns.push({ pattern, at: anything });
    }
    const inPlace = applicatorsOf(resolution, next, next.schema);
    if (inPlace === undefined) return undefined;
    queue.push(...inPlace);
  }
  return { properties, patterns };
}

function letsAllThrough(schema: JsonObject): boolean {
  return ['additionalProperties', 'unevaluatedProperties'].some(
    (keyword) => Object.hasOwn(schema, keyword) && getOwn(schema, keyword) !== false,
  );
}

function keysOf(schema: JsonObject, keyword: string): readonly string[] {
  const map = getOwn(schema, keyword);
  return isObject(map) ? Object.keys(map) : [];
}

/** The schemas applied to the same object; undefined when one of them cannot be known. */
function applicatorsOf(
  resolution: Resolution,
  at: SchemaAt,
  schema: JsonObject,
): readonly SchemaAt[] | undefined {
  if (Object.hasOwn(schema, '$dynamicRef')) return undefined;
  const found: SchemaAt[] = [];
  const reference = getOwn(schema, '$ref');
  if (typeof reference === 'string') {
    const target = resolution.follow(at, reference);
    if (target === undefined) return undefined;
    found.push(target);
  }
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    const list = getOwn(schema, keyword);
    if (isArray(list)) list.forEach((_, index) => found.push(resolution.child(at, keyword, index)));
  }
  for (const keyword of ['if', 'then', 'else']) {
    if (Object.hasOwn(schema, keyword)) found.push(resolution.child(at, keyword));
  }
  for (const name of keysOf(schema, 'dependentSchemas')) {
    found.push(resolution.child(at, 'dependentSchemas', name));
  }
  return found;
}
