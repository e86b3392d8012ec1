/**
 * Compiled validators on random schemas and values, held against two judges: the interpreter that words
 * errors, on all of the dialect, and Ajv where it is right.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compileValidator } from '../../codegen/emitters/validator/index.ts';
import type { FlatSchema } from '../../codegen/flatten.ts';
import type { Json } from '../../codegen/json.ts';
import { explain, isValid } from '../../codegen/runtime/explain.js';
import { flatSchemas, jsonValues } from './flat-schemas.ts';

const checksPath = new URL('../../codegen/runtime/checks.js', import.meta.url).href;

async function load(schema: FlatSchema): Promise<(value: unknown) => unknown> {
  const text = compileValidator(schema, { checksPath, name: 'isIt' });
  const url = `data:text/javascript,${encodeURIComponent(text)}`;
  const module = (await import(/* @vite-ignore */ url)) as { isIt: (value: unknown) => unknown };
  return module.isIt;
}

/**
 * Ajv 8.20 keeps what `contains` found from one array to the next, forgets what was evaluated, passes over
 * properties called `__proto__`, and judges multiples of large numbers and fractions by binary division.
 */
const MISJUDGED = /"(?:contains|unevaluated\w+|__proto__)"|"multipleOf"/;

/** Ajv's verdicts; undefined where it has none, or where its equality calls a member `toString`. */
function judgeWithAjv(schema: FlatSchema, values: readonly Json[]): (boolean | undefined)[] {
  if (MISJUDGED.test(JSON.stringify(schema))) return values.map(() => undefined);
  // Failing fast, it passes over keywords that follow `prefixItems` when the array is empty.
  const options = { strict: false, validateSchema: false, allErrors: true, ownProperties: true };
  const validate = new Ajv2020(options).compile(schema);
  return values.map((value) => {
    try {
      return validate(value);
    } catch (error) {
      if (error instanceof TypeError) return undefined;
      throw error;
    }
  });
}

it(
  'gives the verdicts of the interpreter and of Ajv, as true or false',
  { timeout: 60_000 },
  async () => {
    const values = fc.array(jsonValues, { minLength: 4, maxLength: 12 });
    const property = fc.asyncProperty(flatSchemas, values, async (schema, list) => {
      const validate = await load(schema);
      const verdicts = list.map((value) => validate(value));
      expect(verdicts).toEqual(list.map((value) => isValid(schema, value)));
      const expected = judgeWithAjv(schema, list).map(
        (verdict, index) => verdict ?? verdicts[index],
      );
      expect(verdicts).toEqual(expected);
    });
    await fc.assert(property, { numRuns: 400 });
  },
);

it('takes NaN and Infinity for no numbers, as the interpreter does', async () => {
  const values = [NaN, Infinity, -Infinity, 1, 'a'];
  const judged: readonly (readonly [FlatSchema, readonly boolean[]])[] = [
    [{ type: 'number' }, [false, false, false, true, false]],
    [{ type: 'integer' }, [false, false, false, true, false]],
    [{ type: ['number', 'string'], minimum: 0 }, [false, false, false, true, true]],
    [{ not: { type: 'number' } }, [true, true, true, false, true]],
    [{ minimum: 2 }, [true, true, true, false, true]],
    [{ multipleOf: 2 }, [true, true, true, false, true]],
  ];
  for (const [schema, verdicts] of judged) {
    const validate = await load(schema);
    expect(values.map(validate), JSON.stringify(schema)).toEqual(verdicts);
    expect(
      values.map((value) => isValid(schema, value)),
      JSON.stringify(schema),
    ).toEqual(verdicts);
  }
  const messages = explain({ type: 'number' }, NaN).map(({ message }) => message);
  expect(messages).toEqual(['the value must be a number; got NaN']);
});
