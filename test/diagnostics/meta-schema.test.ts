/**
 * META_SCHEMA, held against the meta-schema itself as Ajv runs it: on the schemas of the
 * JSON-Schema-Test-Suite, nearly all of them valid, and on mutations of a real schema, most of them not.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../codegen/json.ts';
import { isObject, parseJson } from '../../codegen/json.ts';
import type { SchemaDocument } from '../../codegen/resolution.ts';
import { createResolution } from '../../codegen/resolution.ts';
import { checkSchema } from '../../codegen/rules/meta-schema.ts';
import type { Visit } from '../../codegen/rules/walk.ts';
import { walkDocument } from '../../codegen/rules/walk.ts';
import { KEYWORDS } from '../../codegen/vocabulary.ts';
import taskSchema from '../../schemas/extensions/task/v1/schema.json' with { type: 'json' };

const suite = fileURLToPath(
  new URL('../../../shared/corpora/json-schema-test-suite/draft2020-12/', import.meta.url),
);
const present = existsSync(suite);

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
const ajv = new Ajv2020({ strict: false, logger: false });

function walk(root: Json): readonly Visit[] {
  const file = { path: 'schema.json', text: '', json: parseJson('{}') };
  const place = { uri: 'schema:/', aliases: [], file, prefix: '', origin: 'own' } as const;
  const document: SchemaDocument = { ...place, root };
  return walkDocument(createResolution([document]), document);
}

function findFaults(schema: Json): string[] {
  return walk(schema)
    .flatMap(checkSchema)
    .map(({ pointer, message }) => `${pointer}: ${message}`);
}

function isValidForAjv(schema: Json): boolean {
  return ajv.validateSchema(schema as boolean | JsonObject) === true;
}

describe.skipIf(!present)(
  `the JSON-Schema-Test-Suite${present ? '' : ` (skipped: it is not at ${suite})`}`,
  () => {
    const groups = (present ? readdirSync(suite) : []).flatMap(
      (file) => JSON.parse(readFileSync(suite + file, 'utf8')) as { schema: Json }[],
    );
    const ofDialect = groups.filter(
      ({ schema }) => !isObject(schema) || schema.$schema === DIALECT || !('$schema' in schema),
    );

    it('gets the same verdict on every schema', () => {
      const judged = ofDialect.map(({ schema }) => ({ schema, faults: findFaults(schema) }));
      const differ = judged.filter(
        ({ schema, faults }) => (faults.length === 0) !== isValidForAjv(schema),
      );
      expect(differ).toEqual([]);
      expect(judged.length).toBeGreaterThan(300);
    });

    it('has another dialect only where a schema names one', () => {
      const others = groups.filter((group) => !ofDialect.includes(group));
      expect(others.length).toBeGreaterThan(0);
      for (const { schema } of others) {
        expect(findFaults(schema).join()).toMatch(
          /^\/\$schema: the dialect "[^"]+" is not supported/,
        );
      }
    });
  },
);

describe('mutations of the task schema', () => {
  // A dialect that Ajv does not know makes it throw; what a pattern means is no matter of the meta-schema.
  const keywords = [...KEYWORDS.keys()].filter((name) => name !== '$schema');
  const scalars: Json[] = [null, true, false, 0, 1, -1, 1.5, '', 'a', 'string', 'a b', 'a#', 'a#b'];
  const values: Json[] = [
    ...scalars,
    ...scalars.map((value) => [value]),
    ...scalars.map((value) => ({ a: value })),
    ...[[], {}, ['a', 'a'], ['string', 'null'], [{}], [{}, 1], { a: {} }],
    ...[{ a: ['b'] }, { a: ['b', 'b'] }, { a: [1] }, { a: [] }, { a: {}, b: 'string' }],
  ];
  const mutation = fc.record({
    place: fc.nat(),
    keyword: fc.constantFrom(...keywords),
    value: fc.constantFrom(...values),
  });

  it('get the same verdict', () => {
    const verdicts = { valid: 0, invalid: 0 };
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 1, maxLength: 3 }), (mutations) => {
        const schema = structuredClone(taskSchema) as Record<string, Json>;
        const objects = walk(schema).flatMap(({ schema: each }) => (isObject(each) ? [each] : []));
        for (const { place, keyword, value } of mutations) {
          (objects[place % objects.length] as Record<string, Json>)[keyword] = value;
        }
        const valid = isValidForAjv(schema);
        verdicts[valid ? 'valid' : 'invalid'] += 1;
        expect({ valid: findFaults(schema).length === 0 }).toEqual({ valid });
      }),
      { numRuns: 2000 },
    );
    expect(Math.min(verdicts.valid, verdicts.invalid)).toBeGreaterThan(50);
  });
});
