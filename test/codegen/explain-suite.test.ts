/**
 * The interpreter's verdict, held against two judges: the JSON-Schema-Test-Suite (draft 2020-12), and
 * Ajv on random schemas and values.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { followPointer } from '../../codegen/json.ts';
import type { Json } from '../../codegen/json.ts';
import { explain, isValid } from '../../codegen/runtime/explain.js';
import type { FlatSchema } from '../../codegen/runtime/shape.js';

interface Group {
  readonly description: string;
  readonly schema: FlatSchema;
  readonly tests: readonly { description: string; data: unknown; valid: boolean }[];
}

const suite = fileURLToPath(
  new URL('../../../shared/corpora/json-schema-test-suite/draft2020-12/', import.meta.url),
);

/** How many of the suite's cases have a flat schema; fewer would mean that the filter lost some. */
const FLAT_CASES = 1153;

/** Keywords that lead elsewhere when they hold a string; as property names they hold schemas. */
const LEADS_ELSEWHERE = /^\$(?:id|anchor|dynamicRef|dynamicAnchor)$/;
const FLAT_REFERENCE = /^#(?:\/\$defs\/[^/]+)?$/;
const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

function isFlat(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return true;
  return Object.entries(schema).every(([key, value]: [string, unknown]) => {
    if (typeof value !== 'string') return isFlat(value);
    if (key === '$schema') return value === DIALECT;
    return !LEADS_ELSEWHERE.test(key) && (key !== '$ref' || FLAT_REFERENCE.test(value));
  });
}

function readGroups(): [file: string, groups: Group[]][] {
  return readdirSync(suite).map((file) => {
    const groups = JSON.parse(readFileSync(suite + file, 'utf8')) as Group[];
    return [file, groups.filter(({ schema }) => isFlat(schema))];
  });
}

const present = existsSync(suite);

describe.skipIf(!present)(
  `the JSON-Schema-Test-Suite${present ? '' : ` (skipped: it is not at ${suite})`}`,
  () => {
    const files = present ? readGroups() : [];

    it.each(files)('%s', (_file, groups) => {
      const wrong = groups.flatMap(({ description, schema, tests }) =>
        tests
          .filter(({ data, valid }) => (explain(schema, data).length === 0) !== valid)
          .map((test) => `${description}: ${test.description} is ${String(test.valid)}`),
      );
      expect(wrong).toEqual([]);
    });

    it('has as many flat cases as ever', () => {
      const cases = files.flatMap(([, groups]) => groups.flatMap(({ tests }) => tests));
      expect(cases.length).toBeGreaterThanOrEqual(FLAT_CASES);
    });
  },
);

const names = fc.constantFrom('a', 'b', 'ab', 'constructor', 'a/b', '~ b');
const scalar = fc.oneof(
  fc.constantFrom(null, true, false, '', 'a', 'ab', 'ba', '😀', 0, 1, 2, -1, 1.5, 4, 1e20),
);

/** JSON objects as JSON.parse makes them: every name is an own property, `__proto__` too. */
function dictionary<T>(value: fc.Arbitrary<T>): fc.Arbitrary<Record<string, T>> {
  return fc
    .uniqueArray(fc.tuple(names, value), { maxLength: 4, selector: ([name]) => name })
    .map((entries) => Object.fromEntries(entries));
}

const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    fc.array(tie('json'), { maxLength: 4 }),
    dictionary(tie('json')),
  ),
}));

const patterns = fc.constantFrom('^a', 'b$', '^.$', '[^a]');
const types = fc.constantFrom('null', 'boolean', 'number', 'integer', 'string', 'array', 'object');

/**
 * Schemas over few names and values, so that they often say something of what the values hold. A
 * reference stands only where it takes a step down the value, so that no check can go in circles.
 */
function anySchema(): fc.Arbitrary<FlatSchema> {
  const { schema: whole } = fc.letrec<{ schema: FlatSchema; step: FlatSchema }>((tie) => {
    const schema = tie('schema');
    const keywords = Object.entries(keywordsOf(schema, tie('step')));
    const record = fc
      .uniqueArray(fc.constantFrom(...keywords), { maxLength: 4, selector: ([keyword]) => keyword })
      .chain((chosen) => fc.record(Object.fromEntries(chosen)));
    const reference = fc.constantFrom({ $ref: '#' }, { $ref: '#/$defs/x' });
    return {
      schema: fc.oneof({ maxDepth: 4, withCrossShrink: true }, fc.boolean(), record),
      step: fc.oneof({ weight: 4, arbitrary: schema }, { weight: 1, arbitrary: reference }),
    };
  });
  return fc
    .tuple(whole, whole)
    .map(([root, x]) => (typeof root === 'boolean' ? root : { ...root, $defs: { x } }));
}

function keywordsOf(
  schema: fc.Arbitrary<FlatSchema>,
  step: fc.Arbitrary<FlatSchema>,
): Record<string, fc.Arbitrary<unknown>> {
  const some = fc.array(schema, { minLength: 1, maxLength: 3 });
  const count = fc.nat(3);
  const number = fc.constantFrom(-1, 0, 1, 1.5, 2);
  return {
    type: fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 3 })),
    enum: fc.array(json, { minLength: 1, maxLength: 3 }),
    const: json,
    multipleOf: fc.constantFrom(1, 2, 0.5),
    minimum: number,
    maximum: number,
    exclusiveMinimum: number,
    exclusiveMaximum: number,
    minLength: count,
    maxLength: count,
    pattern: patterns,
    items: step,
    prefixItems: fc.array(step, { minLength: 1, maxLength: 2 }),
    uniqueItems: fc.boolean(),
    minItems: count,
    maxItems: count,
    contains: step,
    minContains: count,
    maxContains: count,
    required: fc.uniqueArray(names, { maxLength: 2 }),
    properties: dictionary(step),
    patternProperties: fc.dictionary(patterns, step, { maxKeys: 2 }),
    additionalProperties: step,
    propertyNames: schema,
    minProperties: count,
    maxProperties: count,
    dependentRequired: dictionary(fc.uniqueArray(names, { maxLength: 2 })),
    dependentSchemas: dictionary(schema),
    allOf: some,
    anyOf: some,
    oneOf: some,
    not: schema,
    if: schema,
    then: schema,
    else: schema,
    unevaluatedItems: step,
    unevaluatedProperties: step,
  };
}

/**
 * What Ajv 8.20 judges wrong, so that the suite above is the only judge: it keeps what `contains` found
 * from one array of a loop to the next, and does not count what `contains`, a nested `unevaluated…` or a
 * name such as `constructor` has seen.
 */
const MISJUDGED = /"(?:contains|unevaluated\w+)":/;

/** Ajv's verdicts; undefined where it has none, or where its own code for annotations breaks. */
function judge(schema: FlatSchema, values: readonly Json[]): (boolean | undefined)[] {
  if (MISJUDGED.test(JSON.stringify(schema))) return values.map(() => undefined);
  // Failing fast, it passes over keywords that follow `prefixItems` when the array is empty.
  const options = { strict: false, validateSchema: false, allErrors: true, ownProperties: true };
  const validate = new Ajv2020(options).compile(schema as object);
  return values.map((value) => {
    try {
      return validate(value);
    } catch (error) {
      if (error instanceof TypeError || error instanceof ReferenceError) return undefined;
      throw error;
    }
  });
}

describe('random schemas and values', () => {
  it('get the verdict that Ajv gives, and errors that keep their form', () => {
    const values = fc.array(json, { minLength: 1, maxLength: 8 });
    const property = fc.property(anySchema(), values, (schema, list) => {
      for (const [index, verdict] of judge(schema, list).entries()) {
        const value = list[index]!;
        const errors = explain(schema, value);
        const isRight = verdict === undefined || verdict === (errors.length === 0);
        expect(isRight, JSON.stringify({ schema, value, errors })).toBe(true);
        expect(isValid(schema, value)).toBe(errors.length === 0);
        for (const error of errors) {
          expect(followPointer(value, error.path)).toBeDefined();
          expect(error.message).toMatch(/^[^\n]{1,500}$/);
          expect(error.value.length).toBeLessThanOrEqual(60);
        }
      }
    });
    fc.assert(property, { numRuns: 500 });
  });
});
