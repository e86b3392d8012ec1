/**
 * What a schema says of a value as a whole: of which kinds it is, and as an object which properties it
 * has. All of it is true of every valid value; where a schema is intricate, it is less than could be said.
 */
import type { FlatSchema } from '../../flatten.ts';
import type { Json, JsonObject } from '../../json.ts';
import { isArray, isObject } from '../../json.ts';
import type { Kind } from './place.ts';
import { ANY_KIND, intersect, isInherited, kindOfType } from './place.ts';
import { listNamed, listNames, listSchemas, resolveReference } from './references.ts';

/** What is true of every value that is valid against a schema. */
export interface Shape {
  readonly kinds: ReadonlySet<Kind>;
  /** The properties that an object has. */
  readonly required: ReadonlySet<string>;
  /** The values that a property can have, where these are listed. */
  readonly tags: ReadonlyMap<string, readonly Json[]>;
  /** The only properties that an object can have; undefined when it can have any. */
  readonly known: ReadonlySet<string> | undefined;
}

/** Of a schema that says nothing. */
export const ANYTHING: Shape = {
  kinds: ANY_KIND,
  required: new Set(),
  tags: new Map(),
  known: undefined,
};

/** Describes a schema of the flat schema `root`; `describe` is asked for those that it applies in place. */
export function describeShape(
  root: FlatSchema,
  schema: FlatSchema,
  describe: (part: FlatSchema) => Shape,
): Shape {
  if (typeof schema === 'boolean') return schema ? ANYTHING : { ...ANYTHING, kinds: new Set() };
  const parts = listSchemas(schema.allOf).map(describe);
  if (typeof schema.$ref === 'string') parts.unshift(describe(resolveReference(root, schema.$ref)));
  for (const alternatives of [schema.anyOf, schema.oneOf]) {
    const shapes = listSchemas(alternatives).map(describe);
    if (shapes.length === 0) continue;
    parts.push({ ...ANYTHING, kinds: new Set(shapes.flatMap(({ kinds }) => [...kinds])) });
  }
  return parts.reduce(merge, describeOwn(root, schema));
}

function describeOwn(root: FlatSchema, schema: JsonObject): Shape {
  const { type, properties, required, additionalProperties, patternProperties } = schema as Record<
    string,
    Json | undefined
  >;
  const values = listValues(schema);
  const types = type === undefined ? ANY_KIND : new Set([type as string].flat().map(kindOfType));
  const members = listNamed(properties);
  const isClosed = additionalProperties === false && patternProperties === undefined;
  return {
    kinds: values === undefined ? types : intersect(types, new Set(values.map(kindOf))),
    required: new Set(listNames(required)),
    tags: new Map(
      members.flatMap(([name, member]) => {
        const listed = isInherited(name) ? undefined : findValues(root, member);
        return listed?.every(isPlain) === true ? [[name, listed]] : [];
      }),
    ),
    known: isClosed ? new Set(members.map(([name]) => name)) : undefined,
  };
}

function merge(left: Shape, right: Shape): Shape {
  return {
    kinds: intersect(left.kinds, right.kinds),
    required: new Set([...left.required, ...right.required]),
    tags: new Map([...right.tags, ...left.tags]),
    known: left.known ?? right.known,
  };
}

/** Whether no value is valid against both schemas that have these shapes. */
export function isExclusive(left: Shape, right: Shape): boolean {
  const common = intersect(left.kinds, right.kinds);
  if (common.size === 0) return true;
  if (common.size > 1 || !common.has('object')) return false;
  if (lacksRequired(left, right) || lacksRequired(right, left)) return true;
  return [...intersect(left.required, right.required)].some((name) => {
    const [ours, theirs] = [left.tags.get(name), right.tags.get(name)];
    return ours !== undefined && theirs !== undefined && !ours.some((tag) => theirs.includes(tag));
  });
}

function lacksRequired({ known }: Shape, { required }: Shape): boolean {
  return known !== undefined && [...required].some((name) => !known.has(name));
}

/** The values that a schema's own `const` and `enum` leave; undefined without either. */
function listValues(schema: JsonObject): readonly Json[] | undefined {
  if (schema.const !== undefined) return [schema.const];
  return isArray(schema.enum) ? schema.enum : undefined;
}

/** The values that a schema lists, by itself or where its references lead. */
function findValues(
  root: FlatSchema,
  schema: Json,
  seen: readonly Json[] = [],
): readonly Json[] | undefined {
  if (!isObject(schema) || seen.includes(schema)) return undefined;
  const values = listValues(schema);
  if (values !== undefined || typeof schema.$ref !== 'string') return values;
  return findValues(root, resolveReference(root, schema.$ref), [...seen, schema]);
}

/** The kind of a value. */
export function kindOf(value: Json): Kind {
  if (value === null) return 'null';
  return isArray(value) ? 'array' : (typeof value as Kind);
}

/** Whether `===` tells a value from all others. */
export function isPlain(value: Json): boolean {
  return typeof value !== 'object' || value === null;
}
