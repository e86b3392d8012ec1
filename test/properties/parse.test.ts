/**
 * What holds for the validators and parsers of any schema: the verdict is that of JSON Schema as Ajv
 * interprets it, and parsing a valid value fills in defaults, changes nothing else and nobody's value.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../codegen/json.ts';
import { effort } from './effort.ts';
import { schemas } from './random-schemas.ts';
import { Sampler } from './random-values.ts';
import type { SampleModule } from '../support/sample-modules.ts';
import { SampleImporter } from '../support/sample-modules.ts';

const importer = new SampleImporter();
afterAll(() => {
  importer.remove();
}, 120_000);

const VALUES = 12;

/** Values that are often valid, and as many with something changed. */
function sampleValues(schema: JsonObject, seed: number): readonly Json[] {
  const sampler = new Sampler(schema, seed);
  const good = Array.from({ length: VALUES }, () => sampler.sample());
  return [...good, ...good.map((value) => sampler.change(value))];
}

/** Ajv's verdicts, names such as `constructor` taken for what they are; undefined where it errs. */
function createJudge(schema: JsonObject): (value: Json) => boolean | undefined {
  const ajv = new Ajv2020({ strict: false, ownProperties: true, allErrors: true });
  const validate = ajv.compile(schema);
  // Comparing items it takes members of that name for the methods.
  const compares = JSON.stringify(schema).includes('"uniqueItems"');
  const misleads = (value: Json): boolean =>
    /"(?:constructor|toString)"/.test(JSON.stringify(value));
  return (value) => (compares && misleads(value) ? undefined : validate(value));
}

/** A module and a value, with Ajv's verdict of values and a text that tells what is at hand. */
interface Trial extends SampleModule {
  readonly value: Json;
  readonly judge: (value: Json) => boolean | undefined;
  readonly about: string;
}

/** Runs a check on random schemas and values. Rendering a project costs more than a schema in it. */
async function holds(check: (trial: Trial) => void): Promise<void> {
  const batches = fc.array(schemas, { minLength: 1, maxLength: 12, size: 'max' });
  const property = fc.asyncProperty(batches, fc.nat(), async (batch, seed) => {
    for (const module of await importer.import(batch)) {
      const judge = createJudge(module.schema);
      for (const value of sampleValues(module.schema, seed)) {
        const about = `${JSON.stringify(value)} against ${JSON.stringify(module.schema)}`;
        check({ ...module, value, judge, about });
      }
    }
  });
  await fc.assert(property, { numRuns: 25 * effort });
}

describe('for any schema', { timeout: 300_000 }, () => {
  it('the emitted validator gives the verdict of Ajv', async () => {
    await holds(({ value, judge, about, ...module }) => {
      const verdict = judge(value);
      if (verdict !== undefined) expect(module.validate(value), about).toBe(verdict);
      expect(module.parse(value).ok, about).toBe(module.validate(value));
    });
  });

  it('parsing fills defaults into a copy, once and for all, and the result is valid', async () => {
    await holds(({ parse, validate, value, judge, about }) => {
      const before = JSON.stringify(value);
      const frozen = freeze(value);
      const first = parse(frozen);
      expect(JSON.stringify(value), about).toBe(before);
      if (!first.ok) return;
      expect(
        judge(first.value) ?? validate(first.value),
        `${JSON.stringify(first.value)} from ${about}`,
      ).toBe(true);
      const second = parse(first.value);
      expect(second, about).toEqual({ ok: true, value: first.value });
      // What needs nothing filled in comes back as it is, not as a copy.
      expect(second.ok && second.value === first.value, about).toBe(true);
    });
  });

  it('values that are refused get reasons', async () => {
    await holds(({ parse, value, about }) => {
      const result = parse(value);
      if (result.ok) return;
      expect(result.errors.length, about).toBeGreaterThan(0);
      for (const { message } of result.errors) expect(message, about).toMatch(/^[^\n]{1,500}$/);
    });
  });
});

function freeze<T extends Json>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  Object.values(value).forEach((member) => freeze(member));
  return Object.freeze(value);
}
