/**
 * What holds for the types of any schema: a type may be looser than its schema, it never refuses a
 * valid value. `X` takes what parsing gives, `XInput` what a client may send.
 */
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { Json } from '../../codegen/json.ts';
import { emitContext } from '../support/projects.ts';
import { checkTypes, literalType } from '../support/type-check.ts';
import { effort } from './effort.ts';
import { without } from './random-schemas.ts';
import { Sampler } from './random-values.ts';
import type { SampleModule } from '../support/sample-modules.ts';
import { SampleImporter } from '../support/sample-modules.ts';

const importer = new SampleImporter();
afterAll(() => {
  importer.remove();
}, 120_000);

const VALUES = 10;

const runtime = [...emitContext.runtime]
  .filter(([name]) => name.endsWith('.d.ts'))
  .map(([name, text]): [string, string] => [`runtime/${name}`, text]);

/** A module that says of each value that it has a type; line by line what is claimed, in words. */
function claimTypes(
  module: SampleModule,
  name: string,
  seed: number,
): { readonly text: string; readonly claims: readonly string[] } {
  const { schema, typeName, types, parse, parseInput } = module;
  const sent = types.includes(` ${typeName}Input `) ? `${typeName}Input` : typeName;
  const lines = [`import type { ${typeName} as Held, ${sent} as Sent } from './${name}.js';`];
  const claims = [`the types of ${JSON.stringify(schema)}`];
  const claim = (value: Json, type: 'Held' | 'Sent'): void => {
    const which = `v${String(lines.length)}`;
    // A declared value has no freshness: what counts is its type, not how it is written.
    lines.push(
      `declare const ${which}: ${literalType(value)}; export const t${which}: ${type} = ${which};`,
    );
    claims.push(`${type}: ${JSON.stringify(value)} of ${JSON.stringify(schema)}`);
  };
  const sampler = new Sampler(schema, seed);
  for (let turn = 0; turn < VALUES; turn++) {
    const value = sampler.sample();
    const parsed = parse(value);
    if (parsed.ok) claim(parsed.value, 'Held');
    if (parseInput(value).ok) claim(value, 'Sent');
  }
  return { text: `${lines.join('\n')}\n`, claims };
}

describe('for any schema', { timeout: 300_000 }, () => {
  it('the types compile, and take every valid value', async () => {
    // Where a type is named, has both, and stands where nothing can be filled in, it is the input's.
    const either = fc.oneof(without('default'), without('readOnly'));
    const batches = fc.array(either, { minLength: 1, maxLength: 60, size: 'max' });
    const property = fc.asyncProperty(batches, fc.nat(), async (batch, seed) => {
      const files = new Map(runtime);
      const known = new Map<string, string>();
      const modules = await importer.import(batch);
      for (const [index, module] of modules.entries()) {
        const place = `extensions/sample/v1`;
        const name = `root${String(index)}`;
        files.set(`${place}/${name}.d.ts`, module.types);
        const { text, claims } = claimTypes(module, name, seed);
        files.set(`${place}/${name}-claims.ts`, text);
        claims.forEach((words, line) =>
          known.set(`${place}/${name}-claims.ts:${String(line + 1)}`, words),
        );
      }
      const complaints = checkTypes(files).map(({ file, line, message }) => {
        const place = `${file}:${String(line)}`;
        return `${known.get(place) ?? place}\n${message}`;
      });
      expect(complaints).toEqual([]);
    });
    await fc.assert(property, { numRuns: 3 * effort });
  });
});
