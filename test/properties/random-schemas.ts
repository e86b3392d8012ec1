/**
 * Random schemas as people write them, within what the lint rules allow: closed and open objects,
 * references (recursive ones too), unions, defaults, read-only members.
 */
import fc from 'fast-check';
import type { Json, JsonObject } from '../../codegen/json.ts';
import { isArray, isObject } from '../../codegen/json.ts';
import type { FlatSchema } from '../../codegen/runtime/shape.js';
import { isValid } from '../../codegen/runtime/explain.js';
import { Sampler } from './random-values.ts';

const names = ['a', 'b', 'c', 'kind', 'x-y', 'toString', 'constructor'] as const;
const name = fc.constantFrom(...names);

const count = fc.nat(3);
const patterns = fc.constantFrom('^a', 'b$', '^[ab]*$');
const words = fc.constantFrom('', 'a', 'b', 'ab', 'abc', 'x');
const numbers = fc.constantFrom(-1, 0, 1, 1.5, 2, 10);
const scalars = fc.oneof(words, numbers, fc.boolean(), fc.constant(null));

/** Some of the members of a record, each left out half of the time. */
function some(members: Readonly<Record<string, fc.Arbitrary<Json>>>): fc.Arbitrary<JsonObject> {
  return fc.record(members, { requiredKeys: [] }) as fc.Arbitrary<JsonObject>;
}

function withMembers(
  fixed: JsonObject,
  members: Readonly<Record<string, fc.Arbitrary<Json>>>,
): fc.Arbitrary<JsonObject> {
  return some(members).map((chosen) => ({ ...fixed, ...chosen }));
}

const strings = withMembers(
  { type: 'string' },
  { minLength: fc.nat(2), maxLength: fc.integer({ min: 2, max: 4 }), pattern: patterns },
);
const integers = withMembers(
  { type: 'integer' },
  {
    minimum: fc.constantFrom(-1, 0, 1),
    maximum: fc.constantFrom(2, 10),
    multipleOf: fc.constantFrom(1, 2),
  },
);
const reals = withMembers(
  { type: 'number' },
  { exclusiveMinimum: fc.constantFrom(-1, 0.5), exclusiveMaximum: fc.constantFrom(2, 10) },
);
const lists = fc.uniqueArray(scalars, { minLength: 1, maxLength: 4 });
const leaves: fc.Arbitrary<JsonObject> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ type: 'string' }) },
  strings,
  integers,
  reals,
  fc.constant({ type: 'boolean' }),
  lists.map((values) => ({ enum: values })),
  scalars.map((value) => ({ const: value })),
  fc.constant({ type: ['string', 'null'] }),
  fc.constant({ type: 'object', additionalProperties: true }),
);

/** Definitions by name; a definition may refer in place only to those before it. */
const definitions = ['A', 'B', 'C'] as const;

interface Ties {
  /** Stands where its own references would be another value: a member, an item. */
  readonly step: fc.Arbitrary<JsonObject>;
  /** Refers to nothing in place, so that definitions made of it never lead in circles. */
  readonly still: fc.Arbitrary<JsonObject>;
  readonly object: fc.Arbitrary<JsonObject>;
}

const reference = fc.constantFrom(...definitions).map((key) => ({ $ref: `#/$defs/${key}` }));
const nullable = (schema: JsonObject): JsonObject => ({ anyOf: [schema, { type: 'null' }] });

const ties = fc.letrec<Record<keyof Ties, JsonObject>>((tie) => {
  const step = tie('step');
  const still = tie('still');
  const parts = tie('object');
  const unions = fc.array(still, { minLength: 2, maxLength: 3 }).map((anyOf) => ({ anyOf }));
  return {
    step: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      { weight: 5, arbitrary: still },
      { weight: 2, arbitrary: reference },
      reference.map(nullable),
      fc.array(reference, { minLength: 2, maxLength: 2 }).map((anyOf) => ({ anyOf })),
      fc
        .tuple(reference, parts)
        .map(([each, part]) => ({ ...part, additionalProperties: true, ...each })),
    ),
    still: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      { weight: 4, arbitrary: leaves },
      { weight: 3, arbitrary: parts },
      { weight: 2, arbitrary: arraysOf(step) },
      still.map(nullable),
      unions,
      choicesOf(parts),
      extendedOf(parts),
    ),
    object: objectsOf(step),
  };
});

function arraysOf(item: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> {
  const plain = withMembers(
    { type: 'array' },
    {
      items: item,
      minItems: fc.nat(1),
      maxItems: fc.integer({ min: 2, max: 4 }),
      uniqueItems: fc.constant(true),
    },
  );
  const tuples = fc
    .tuple(
      fc.array(item, { minLength: 1, maxLength: 3 }),
      fc.constantFrom(undefined, false, { type: 'string' }),
      count,
    )
    .map(([prefixItems, items, minItems]) => ({
      type: 'array',
      prefixItems,
      ...(items === undefined ? {} : { items }),
      minItems,
    }));
  return fc.oneof({ weight: 3, arbitrary: plain }, tuples);
}

/** A member: a schema that says what it is, perhaps with a default, perhaps the server's own. */
function memberOf(schema: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> {
  const defaults = fc.oneof(scalars, fc.constantFrom([], {}, ['a'], { a: 'a' }));
  return fc
    .tuple(
      schema,
      fc.option(defaults, { freq: 2, nil: undefined }),
      fc.oneof({ weight: 6, arbitrary: fc.constant(false) }, fc.constant(true)),
    )
    .map(([each, value, readOnly]) => ({
      description: 'A member.',
      ...each,
      ...(value === undefined ? {} : { default: value }),
      ...(readOnly ? { readOnly } : {}),
    }));
}

function objectsOf(value: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> {
  const members = fc.uniqueArray(fc.tuple(name, memberOf(value)), {
    maxLength: 3,
    selector: ([key]) => key,
  });
  const rest = fc.oneof(
    { weight: 5, arbitrary: fc.constant<Json>(false) },
    { weight: 2, arbitrary: fc.constant<Json>(true) },
    { weight: 1, arbitrary: value },
  );
  return fc
    .tuple(
      members,
      fc.uniqueArray(name, { maxLength: 3 }),
      rest,
      some({
        minProperties: fc.nat(1),
        maxProperties: fc.integer({ min: 3, max: 6 }),
        patternProperties: value.map((each) => ({ '^x-': each })),
        dependentRequired: fc.tuple(name, name).map(([from, to]) => ({ [from]: [to] })),
      }),
      fc.nat(7),
    )
    .map(([entries, wanted, additionalProperties, more, dice]) => {
      const properties = Object.fromEntries(entries);
      const required = wanted.filter(
        (key) => (dice === 0 && additionalProperties !== false) || Object.hasOwn(properties, key),
      );
      return {
        type: 'object',
        additionalProperties,
        ...(entries.length > 0 ? { properties } : {}),
        ...(required.length > 0 ? { required } : {}),
        // Rare keywords come rarely, one at a time.
        ...(dice > 4 ? Object.fromEntries(Object.entries(more).slice(0, 1)) : {}),
      };
    });
}

/** A choice of objects told apart by `kind`; now and then two share one. */
function choicesOf(branch: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> {
  const kinds = fc.oneof(
    { weight: 5, arbitrary: fc.constant(['p', 'q', 'r']) },
    fc.constant(['p', 'p', 'r']),
  );
  return fc
    .tuple(
      fc.constantFrom('oneOf', 'anyOf'),
      fc.array(branch, { minLength: 2, maxLength: 3 }),
      kinds,
    )
    .map(([keyword, branches, values]) => ({
      [keyword]: branches.map((each, index) => withKind(each, values[index] ?? 'p')),
    }));
}

function withKind(schema: JsonObject, value: string): JsonObject {
  const properties = schema.properties as JsonObject | undefined;
  const required = (schema.required ?? []) as readonly string[];
  const kind = { description: 'Which it is.', const: value };
  return {
    ...schema,
    properties: { ...properties, kind },
    required: [...new Set([...required, 'kind'])],
  };
}

/** Objects made of several: `allOf`, a condition, something that may not be. */
function extendedOf(part: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> {
  const open = part.map((each) => ({ ...each, additionalProperties: true }));
  const late = fc.tuple(open, open, fc.boolean()).map(([left, right, closed]) => ({
    allOf: closed ? [withoutRest(left), withoutRest(right)] : [left, right],
    ...(closed ? { type: 'object', unevaluatedProperties: false } : {}),
  }));
  const conditional = fc
    .tuple(open, name, scalars, open, open)
    .map(([base, key, value, yes, no]) => ({
      ...base,
      if: { properties: { [key]: { description: 'A condition.', const: value } }, required: [key] },
      then: yes,
      else: no,
    }));
  const without = fc
    .tuple(open, name)
    .map(([base, key]) => ({ ...base, not: { required: [key] } }));
  return fc.oneof({ weight: 3, arbitrary: late }, conditional, without);
}

function withoutRest(schema: JsonObject): JsonObject {
  const others = Object.entries(schema).filter(([keyword]) => keyword !== 'additionalProperties');
  return Object.fromEntries(others);
}

/** A definition that extends one before it. */
function extensionOf(before: string): fc.Arbitrary<JsonObject> {
  return fc.tuple(ties.object, fc.boolean()).map(([part, closed]) => ({
    allOf: [{ $ref: `#/$defs/${before}` }, closed ? withoutRest(part) : part],
    ...(closed ? { type: 'object', unevaluatedProperties: false } : {}),
  }));
}

/** A whole document. */
export const schemas: fc.Arbitrary<JsonObject> = fc
  .tuple(
    fc.oneof(
      { weight: 3, arbitrary: ties.object },
      ties.step,
      choicesOf(ties.object),
      extendedOf(ties.object),
    ),
    fc.tuple(
      ties.still,
      fc.oneof({ weight: 3, arbitrary: ties.still }, extensionOf('A')),
      fc.oneof({ weight: 3, arbitrary: ties.still }, extensionOf('B')),
    ),
  )
  .map(([root, list]) => {
    const described = list.map((each) => ({ description: 'A definition.', ...each }));
    const $defs = Object.fromEntries(definitions.map((key, index) => [key, described[index]!]));
    const draft: JsonObject = { description: 'A document.', ...root, $defs };
    return mendMembers(draft, $defs);
  });

/** The same without an annotation of members. */
export function without(keyword: 'default' | 'readOnly'): fc.Arbitrary<JsonObject> {
  const strip = (node: Json): Json => {
    if (isArray(node)) return node.map(strip);
    if (!isObject(node)) return node;
    const kept = Object.entries(node).filter(([key]) => key !== keyword || !isMember(node));
    return Object.fromEntries(kept.map(([key, value]) => [key, strip(value)]));
  };
  return schemas.map((schema) => strip(schema) as JsonObject);
}

/** Puts a valid default where one is not valid, or none where that is not found. */
function mendDefaults(node: Json, $defs: JsonObject): Json {
  if (isArray(node)) return node.map((each) => mendDefaults(each, $defs));
  return isObject(node) ? mendMembers(node, $defs) : node;
}

function mendMembers(node: JsonObject, $defs: JsonObject): JsonObject {
  const entries = Object.entries(node).flatMap(([key, value]): [string, Json][] => {
    if (key !== 'default' || !isMember(node)) return [[key, mendDefaults(value, $defs)]];
    const schema = { ...node, $defs };
    const sampler = new Sampler(schema, JSON.stringify(node).length);
    const candidates = [value, sampler.sample(), sampler.sample(), sampler.sample()];
    const good = candidates.find((candidate) => isValid(schema as FlatSchema, candidate));
    return good === undefined ? [] : [[key, good]];
  });
  return Object.fromEntries(entries);
}

/** Whether an object is a schema as `memberOf` makes them, and not the value of one of its keywords. */
function isMember(node: JsonObject): boolean {
  return typeof node.description === 'string';
}
