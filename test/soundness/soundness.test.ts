/**
 * How well generated types agree with their schemas, measured with the compiler: on the
 * JSON-Schema-Test-Suite, on the suite with explicit types, and on faults reported of other generators.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { generateTypes } from '../../codegen/index.ts';
import type { Json, JsonObject } from '../../codegen/json.ts';
import { findCorpus } from '../support/corpora.ts';
import { makeFolder, repository } from '../support/projects.ts';
import { expectedTypes } from './expected-types.ts';

interface Shares {
  readonly crash: number;
  readonly invalidTs: number;
  readonly validTotal: number;
  readonly pctValidAcceptedAll: number;
  readonly pctInvalidRejectedAll: number;
}

interface Measured {
  readonly summary: {
    readonly all: Shares;
    readonly input: Shares;
    readonly mutatesInput: number;
    readonly nonDeterministic: number;
  };
  readonly records: readonly {
    readonly id: string;
    readonly test: string;
    readonly valid: boolean;
    readonly accepted: boolean;
    /** `out` is what is held, `in` what may be sent. */
    readonly dir: 'out' | 'in';
  }[];
}

const harness = findCorpus('tools/soundness/soundness.mjs');
const folder = makeFolder('soundness');
afterAll(folder.remove);

function measure(suite: string): Measured {
  const file = join(folder.path, 'result.json');
  const { path } = findCorpus(suite);
  execFileSync(
    process.execPath,
    [harness.path, 'test/soundness/generator.mjs', '--suite', path, '--out', file],
    { cwd: repository, stdio: 'pipe' },
  );
  return JSON.parse(readFileSync(file, 'utf8')) as Measured;
}

function expectFaultless({ summary }: Measured): void {
  expect(summary).toMatchObject({ mutatesInput: 0, nonDeterministic: 0 });
  for (const shares of [summary.all, summary.input]) {
    expect(shares).toMatchObject({ crash: 0, invalidTs: 0 });
  }
}

describe.skipIf(harness.missing)(`agreement of types${harness.note}`, { timeout: 120_000 }, () => {
  it.each([
    { suite: 'corpora/json-schema-test-suite/draft2020-12', values: 749, rejected: 57 },
    { suite: 'corpora/json-schema-test-suite/typed', values: 519, rejected: 70 },
  ])('on $suite', ({ suite, values, rejected }) => {
    const measured = measure(suite);
    expectFaultless(measured);
    const { all, input } = measured.summary;
    expect(all.validTotal).toBeGreaterThanOrEqual(values);
    expect(all.pctValidAcceptedAll).toBeGreaterThanOrEqual(99);
    expect(all.pctInvalidRejectedAll).toBeGreaterThanOrEqual(rejected);
    // What may be sent is what the suite speaks of: nothing is filled in.
    expect(input.pctValidAcceptedAll).toBe(100);
    expect(input.pctInvalidRejectedAll).toBeGreaterThanOrEqual(rejected);
  });

  it('on the reported faults', () => {
    const measured = measure('corpora/cases');
    expectFaultless(measured);
    const wrong = measured.records
      .filter(({ valid, accepted }) => valid !== accepted)
      .map(({ id, test, dir, valid }) => `${id} ${test} ${dir}: ${valid ? 'refused' : 'accepted'}`);
    expect(wrong).toEqual([
      // Held values have their defaults.
      'case_11_default_input_vs_output #0 out: refused',
      'case_12_nullable_anyof_default_null #0 out: refused',
      // A client does not send what only the server may set.
      'case_15_read_only_property #0 in: refused',
      'case_15_read_only_property #1 in: accepted',
      // No type says how long a string is.
      'case_41_ajv_standalone_esm_require #1 out: accepted',
      'case_41_ajv_standalone_esm_require #1 in: accepted',
      'case_42_ajv_default_beside_ref #0 out: refused',
    ]);
  });
});

interface Fault {
  readonly title: string;
  readonly schema: JsonObject;
  readonly instances: readonly { readonly value: Json; readonly valid: boolean }[];
}

const cases = findCorpus('corpora/cases');

describe.skipIf(cases.missing)(`the types of reported faults${cases.note}`, () => {
  const files = cases.missing
    ? []
    : readdirSync(cases.path).filter((file) => file.endsWith('.json'));

  it('are all expected', () => {
    expect(files.filter((file) => !expectedTypes.has(file.replace('.json', '')))).toEqual([]);
  });

  it.each(files)('%s', (file) => {
    const { schema } = JSON.parse(readFileSync(join(cases.path, file), 'utf8')) as Fault;
    const { code } = generateTypes(schema);
    const { has = [], lacks = [], types } = expectedTypes.get(file.replace('.json', '')) ?? {};
    for (const text of has) expect(code).toContain(text);
    for (const text of lacks) expect(code).not.toMatch(text);
    if (types !== undefined) {
      const names = [...code.matchAll(/^export (?:type|interface) (\S+)/gm)].map(
        ([, name]) => name,
      );
      expect(names).toEqual(types);
    }
  });
});
