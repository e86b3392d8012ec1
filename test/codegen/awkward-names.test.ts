/** Schemas and tools that are called as something in the generated code is. */
import { afterAll, describe, expect, it } from 'vitest';
import type { Json } from '../../codegen/json.ts';
import { declarationsOf, writePackage } from '../support/contract-package.ts';
import { createProject, toFiles } from '../support/projects.ts';
import { checkTypes } from '../support/type-check.ts';

/** An object with a default and a member that only the server sets: it needs every helper. */
const schema = (title: string): Json => ({
  title,
  description: 'An object.',
  type: 'object',
  additionalProperties: false,
  properties: {
    size: { description: 'A size.', type: 'integer', default: 1 },
    id: { description: 'An id.', type: 'string', readOnly: true },
  },
});

const TITLES = ['Object', 'Input', 'Own', 'Member', 'Value', 'Parse', 'Result_', 'Array', 'Fill'];
const TOOLS = ['parsers', 'freeze_deep', 'drop_nulls', 'tools', 'tool_names', 'index_'];

const tool = (name: string): Json => ({
  name,
  description: 'Does it.',
  execution: 'intrinsic',
  idempotency: 'idempotent',
  input_schema: schema(`T${String(TOOLS.indexOf(name))}Arguments`),
  output_schema: null,
});

const schemas = createProject(
  Object.fromEntries(TITLES.map((title) => [title.toLowerCase(), schema(title)])),
);
const tools = toFiles(
  Object.fromEntries(TOOLS.map((name) => [`schemas/tools/${name}.json`, tool(name)])),
);
const contract = writePackage(
  { files: new Map([...schemas.files, ...tools.files]), outside: [] },
  '@acme/contract',
);
afterAll(() => {
  contract.remove();
});

type Parsers = Record<string, (value: unknown) => { ok: boolean; value?: unknown }>;

describe('a type called as what its module uses', () => {
  it.each(TITLES)('%s is parsed', async (title) => {
    const index = (await contract.load('extensions/sample/v1/index.js')) as Parsers;
    expect(index[`parse${title}`]?.({ id: 'a' })).toEqual({
      ok: true,
      value: { size: 1, id: 'a' },
    });
    expect(index[`parse${title}Input`]?.({ id: 'a' })).toMatchObject({ ok: false });
    expect(index[`is${title}`]?.({ size: 'a' })).toBe(false);
  });
});

it('tools called as what their index uses are parsed', async () => {
  const index = (await contract.load('tools/index.js')) as {
    readonly parseToolInput: (name: string, value: unknown) => unknown;
  };
  for (const name of TOOLS) {
    expect(index.parseToolInput(name, {})).toEqual({ ok: true, value: { size: 1 } });
  }
});

it('all of them have types that compile', () => {
  expect(checkTypes(declarationsOf(contract))).toEqual([]);
});
