/** A schema that is spread over several documents means what it means in one. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../codegen/json.ts';
import { SampleImporter } from '../support/sample-modules.ts';
import { effort } from './effort.ts';
import { schemas } from './random-schemas.ts';
import { Sampler } from './random-values.ts';

const importer = new SampleImporter();
afterAll(() => {
  importer.remove();
}, 120_000);

const VALUES = 16;

describe('for any schema', { timeout: 300_000 }, () => {
  it('validators, parsers and bundled schemas do not depend on where definitions stand', async () => {
    const property = fc.asyncProperty(schemas, fc.nat(), async (schema, seed) => {
      const [whole] = await importer.import([schema]);
      const spread = await importer.importSpread(schema);
      const ajv = new Ajv2020({ strict: false, ownProperties: true, allErrors: true });
      const bundled = ajv.compile(spread.bundled);
      const sampler = new Sampler(schema, seed);
      const good = Array.from({ length: VALUES }, () => sampler.sample());
      for (const value of [...good, ...good.map((each) => sampler.change(each))]) {
        const about = `${JSON.stringify(value)} against ${JSON.stringify(schema)}`;
        expect(spread.validate(value), about).toBe(whole!.validate(value));
        expect(shape(spread.parse(value)), about).toEqual(shape(whole!.parse(value)));
        if (!misleads(schema, value)) expect(bundled(value), about).toBe(whole!.validate(value));
      }
    });
    await fc.assert(property, { numRuns: 30 * effort });
  });
});

/** Ajv takes own members called as methods for those where it compares items. */
function misleads(schema: JsonObject, value: Json): boolean {
  const compares = JSON.stringify(schema).includes('"uniqueItems"');
  return compares && /"(?:constructor|toString)"/.test(JSON.stringify(value));
}

/** Errors name places of the schema, which differ. */
function shape(result: { readonly ok: boolean; readonly value?: Json }): Json {
  return result.ok ? { ok: true, value: result.value! } : { ok: false };
}
