/**
 * Random flat schemas of the whole dialect, and values that say something about them: few names, few
 * scalars, so that alternatives, dependencies and what is left unevaluated are met often.
 */
import fc from 'fast-check';
import type { FlatSchema } from '../../codegen/flatten.ts';
import type { Json } from '../../codegen/json.ts';

type Schemas = fc.Arbitrary<FlatSchema>;

const names = fc.constantFrom('kind', 'a', 'b', 'data', 'a-b', 'toString', '__proto__');
const tags = fc.constantFrom('x', 'y', 'z');
const numbers = fc.constantFrom(-1, 0, 0.3, 1, 1.5, 2, 3, 1e21);
const strings = fc.oneof(tags, fc.constantFrom('', 'kind', 'xy', '😀', '😀y'));
const scalars = fc.oneof(strings, numbers, fc.constantFrom(null, true, false));
const counts = fc.nat(3);
const patterns = fc.constantFrom('^a', 'd', '^.$', '__proto__', '^[-x]');
const types = fc.constantFrom('null', 'boolean', 'number', 'integer', 'string', 'array', 'object');

/** An object whose names are all its own, as JSON.parse makes them. */
function record<T>(key: fc.Arbitrary<string>, value: fc.Arbitrary<T>, maxLength = 3) {
  return fc
    .uniqueArray(fc.tuple(key, value), { maxLength, selector: ([name]) => name })
    .map((entries): Readonly<Record<string, T>> => Object.fromEntries(entries));
}

/** JSON values; many of the objects carry the tag that schemas tell apart. */
export const jsonValues = fc.letrec<{ value: Json; object: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    scalars,
    fc.array(tie('value'), { maxLength: 3 }),
    { weight: 3, arbitrary: tie('object') },
  ),
  object: fc
    .tuple(fc.option(tags), record(names, tie('value'), 4))
    .map(([kind, members]) => (kind === null ? members : { kind, ...members })),
})).value;

interface Parts {
  /** A schema for the same value. */
  readonly same: Schemas;
  /** A schema for a part of it, where any reference may stand. */
  readonly part: Schemas;
}

function someOf(items: Schemas): fc.Arbitrary<readonly FlatSchema[]> {
  return fc.array(items, { minLength: 1, maxLength: 3 });
}

function listKeywords({ same, part }: Parts): Readonly<Record<string, fc.Arbitrary<unknown>>> {
  return {
    type: fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 3 })),
    enum: fc.array(jsonValues, { minLength: 1, maxLength: 3 }),
    const: jsonValues,
    multipleOf: fc.constantFrom(0.1, 0.5, 1, 2),
    minimum: numbers,
    maximum: numbers,
    exclusiveMinimum: numbers,
    exclusiveMaximum: numbers,
    minLength: counts,
    maxLength: counts,
    pattern: patterns,
    prefixItems: someOf(part),
    items: part,
    contains: part,
    minContains: counts,
    maxContains: counts,
    minItems: counts,
    maxItems: counts,
    uniqueItems: fc.boolean(),
    required: fc.uniqueArray(names, { maxLength: 2 }),
    properties: record(names, part),
    patternProperties: record(patterns, part),
    additionalProperties: part,
    propertyNames: same,
    minProperties: counts,
    maxProperties: counts,
    dependentRequired: record(names, fc.uniqueArray(names, { maxLength: 2 })),
    dependentSchemas: record(names, same),
    allOf: someOf(same),
    anyOf: someOf(same),
    oneOf: someOf(same),
    not: same,
    if: same,
    then: same,
    else: same,
    unevaluatedProperties: part,
    unevaluatedItems: part,
  };
}

/** Objects that are told apart by their tag, in different ways, and what may stand beside them. */
function taggedUnions({ same, part }: Parts): Schemas {
  const tag = fc.oneof(
    tags.map((value) => ({ const: value })),
    fc.uniqueArray(tags, { minLength: 1, maxLength: 2 }).map((values) => ({ enum: values })),
  );
  const branch = fc
    .tuple(tag, part, names, fc.constantFrom({}, { additionalProperties: false }))
    .map(([kind, member, name, closed]) => ({
      type: 'object',
      required: ['kind'],
      properties: Object.fromEntries([
        [name, member],
        ['kind', kind],
      ]),
      ...closed,
    }));
  const options = fc.array(fc.oneof({ weight: 4, arbitrary: branch }, same), {
    minLength: 2,
    maxLength: 4,
  });
  return fc.tuple(fc.constantFrom('anyOf', 'oneOf'), options).map(([keyword, list]) => ({
    [keyword]: list,
  }));
}

/** Schemas in which, for the same value, only the given references stand, so that none goes in circles. */
function schemasWith(inPlace: readonly string[]): Schemas {
  const toSchema = ($ref: string): FlatSchema => ({ $ref });
  const anywhere = fc.constantFrom('#', '#/$defs/A', '#/$defs/B').map(toSchema);
  return fc.letrec<{ same: FlatSchema; part: FlatSchema; keywords: FlatSchema }>((tie) => {
    const parts: Parts = { same: tie('same'), part: tie('part') };
    const rows = Object.entries(listKeywords(parts)).map(([keyword, value]) =>
      fc.tuple(fc.constant(keyword), value),
    );
    const keywords = fc
      .uniqueArray(fc.oneof(...rows), { maxLength: 4, selector: ([keyword]) => keyword })
      .map((entries) => Object.fromEntries(entries) as FlatSchema);
    const same = [
      keywords,
      taggedUnions(parts),
      ...inPlace.map((ref) => fc.constant(toSchema(ref))),
    ];
    return {
      keywords,
      same: fc.oneof({ maxDepth: 3, withCrossShrink: true }, fc.boolean(), ...same),
      part: fc.oneof({ maxDepth: 3 }, anywhere, { weight: 4, arbitrary: tie('same') }),
    };
  }).same;
}

/** Flat schemas; those with definitions may recurse, but only down the value. */
export const flatSchemas: Schemas = fc
  .tuple(schemasWith(['#/$defs/A', '#/$defs/B']), schemasWith([]), schemasWith(['#/$defs/A']))
  .map(([root, a, b]) => (typeof root === 'boolean' ? root : { ...root, $defs: { A: a, B: b } }));
