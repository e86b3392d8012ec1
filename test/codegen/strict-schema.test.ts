/** What becomes of a schema where a model is to be held to it. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../codegen/json.ts';
import type { ContractPackage } from '../support/contract-package.ts';
import { writePackage } from '../support/contract-package.ts';
import type { ProjectFiles } from '../support/projects.ts';
import { toFiles } from '../support/projects.ts';
import type { Forms } from '../support/tool-forms.ts';
import { loadForms } from '../support/tool-forms.ts';

type Want = JsonObject | string;
/** A member `it` of a tool's input, whether it is required, and what strict modes are given for it. */
const cases: [what: string, given: Json, optional: boolean, openai: Want, anthropic: Want][] = [
  [
    'constraints are enforced or said',
    { description: 'A.', type: 'string', minLength: 2, pattern: '^a' },
    false,
    { type: 'string', description: 'A. At least 2 characters.', pattern: '^a' },
    { type: 'string', description: 'A. Matches the regular expression ^a At least 2 characters.' },
  ],
  [
    'an optional member with a default',
    { description: 'A.', type: 'integer', default: 3, examples: [4], title: 'T' },
    true,
    { type: ['integer', 'null'], description: 'A. Null stands for 3.' },
    { type: 'integer', description: 'A. Default: 3.' },
  ],
  [
    'an optional choice',
    { description: 'A.', enum: ['a', 'b'] },
    true,
    { type: ['string', 'null'], description: 'A. Null leaves it out.', enum: ['a', 'b', null] },
    { type: 'string', description: 'A.', enum: ['a', 'b'] },
  ],
  [
    'null that has a meaning stays as it is',
    { description: 'A.', type: ['string', 'null'] },
    true,
    { type: ['string', 'null'], description: 'A.' },
    { type: ['string', 'null'], description: 'A.' },
  ],
  [
    'a constant',
    { description: 'A.', const: true },
    false,
    { type: 'boolean', description: 'A.', enum: [true] },
    { type: 'boolean', description: 'A.', enum: [true] },
  ],
  [
    'a description beside a reference',
    { description: 'A.', $ref: '#/$defs/Thing' },
    false,
    {
      type: 'object',
      description: 'A.',
      properties: {},
      required: [],
      additionalProperties: false,
    },
    {
      type: 'object',
      description: 'A.',
      properties: {},
      required: [],
      additionalProperties: false,
    },
  ],
  [
    'oneOf',
    { description: 'A.', oneOf: [{ type: 'string' }, { $ref: '#/$defs/Thing' }] },
    true,
    {
      description: 'A. Null leaves it out.',
      anyOf: [{ type: 'string' }, { $ref: '#/$defs/Thing' }, { type: 'null' }],
    },
    { description: 'A.', anyOf: [{ type: 'string' }, { $ref: '#/$defs/Thing' }] },
  ],
  [
    'a list of types with keywords of their own',
    { description: 'A.', type: ['array', 'null'], items: { type: 'string' } },
    false,
    { description: 'A.', anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }] },
    { description: 'A.', anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }] },
  ],
  [
    'a recursive schema',
    { description: 'A.', type: 'array', items: { $ref: '#/$defs/Tree' } },
    false,
    { type: 'array', description: 'A.', items: { $ref: '#/$defs/Tree' } },
    '`it[].children[]` contains itself',
  ],
  [
    'a recursive schema with a description of its own',
    { description: 'A.', $ref: '#/$defs/Tree' },
    false,
    {
      type: 'object',
      description: 'A.',
      properties: {
        children: { type: 'array', description: 'C.', items: { $ref: '#/$defs/Tree' } },
      },
      required: ['children'],
      additionalProperties: false,
    },
    '`it.children[]` contains itself',
  ],
  ['anything', { description: 'A.' }, false, '`it` may be anything', '`it` may be anything'],
  [
    'an open object',
    { description: 'A.', type: 'object', additionalProperties: { type: 'string' } },
    false,
    '`it` is an object with any members',
    '`it` is an object with any members',
  ],
  [
    'an object with further members',
    {
      description: 'A.',
      type: 'object',
      additionalProperties: true,
      properties: { a: { description: 'B.', type: 'null' } },
    },
    false,
    '`it` is an object with further members',
    '`it` is an object with further members',
  ],
  [
    'a tuple',
    { description: 'A.', type: 'array', prefixItems: [{ type: 'string' }] },
    false,
    '`it` is a list whose places have schemas of their own',
    '`it` is a list whose places have schemas of their own',
  ],
];

describe('a member of a strict schema', () => {
  let made: ContractPackage;
  let strict: Forms;
  beforeAll(async () => {
    made = writePackage(
      projectOf(cases.map(([, given, optional]) => ({ given, optional }))),
      '@acme/contract',
    );
    strict = await loadForms(made);
  });
  afterAll(() => {
    made.remove();
  });

  it.each(cases.map((each, index) => [...each, index] as const))(
    '%s',
    (_what, _given, _optional, openai, anthropic, index) => {
      const name = nameOf(index);
      const { parameters } = strict.OPENAI_STRICT_TOOLS[index]!.function;
      const { input_schema, strict: flag } = strict.ANTHROPIC_STRICT_TOOLS[index]!;
      const of = (schema: JsonObject): unknown => (schema.properties as JsonObject).it;
      if (typeof openai === 'string')
        expectReason('openai', `\`${name}\` is not strict: ${openai}.`);
      else expect(of(parameters)).toEqual(openai);
      if (typeof anthropic === 'string') {
        expect(flag).toBe(false);
        expectReason('anthropic', `\`${name}\` is not strict: ${anthropic}.`);
      } else expect(of(input_schema)).toEqual(anthropic);
    },
  );

  function expectReason(form: string, reason: string): void {
    const text = (made.files.get(`tools/${form}.d.ts`) ?? '').replaceAll(/\n \* /g, ' ');
    expect(text).toContain(reason);
  }

  it('refers to definitions that are there', () => {
    const all = [
      ...strict.OPENAI_STRICT_TOOLS.map((tool) => tool.function.parameters),
      ...strict.ANTHROPIC_STRICT_TOOLS.map((tool) => tool.input_schema),
    ];
    const ajv = new Ajv2020({ strict: false });
    for (const schema of all) expect(() => ajv.compile(schema)).not.toThrow();
  });
});

function nameOf(index: number): string {
  return `case_${String(index).padStart(2, '0')}`;
}

function projectOf(members: readonly { given: Json; optional: boolean }[]): ProjectFiles {
  const tools = members.map(({ given, optional }, index): [string, Json] => {
    const $defs = {
      Thing: { description: 'T.', type: 'object', additionalProperties: false, properties: {} },
      Tree: {
        description: 'T.',
        type: 'object',
        additionalProperties: false,
        required: ['children'],
        properties: {
          children: { description: 'C.', type: 'array', items: { $ref: '#/$defs/Tree' } },
        },
      },
    };
    const input_schema = {
      title: `Case${String(index)}Arguments`,
      description: 'Arguments.',
      type: 'object',
      additionalProperties: false,
      required: optional ? [] : ['it'],
      properties: { it: given },
      $defs,
    };
    const name = nameOf(index);
    const rest = { execution: 'intrinsic', idempotency: 'idempotent', output_schema: null };
    return [`schemas/tools/${name}.json`, { name, description: 'D.', ...rest, input_schema }];
  });
  const config = {
    name: '@acme/contract',
    description: 'C',
    license: 'MIT',
    baseUrl: 'https://acme.example/a2a',
  };
  return toFiles({ 'schemas/contract.json': config, ...Object.fromEntries(tools) });
}
