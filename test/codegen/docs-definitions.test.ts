/** What a page says about a schema: types, constraints, values, alternatives, openness. */
import { describe, expect, test } from 'vitest';
import type { Json } from '../../codegen/json.ts';
import { createProject, renderAll } from '../support/projects.ts';

const definitions = {
  Box: {
    description: 'A box.',
    type: 'object',
    additionalProperties: false,
    properties: { size: { description: 'Its size.', type: 'number' } },
  },
  Colour: { description: 'A colour.', type: 'string', enum: ['red', 'blue'] },
};

/** The section of a definition on the page of a project that has it. */
function sectionOf(schema: object): string {
  const project = createProject({
    'thing.schema': {
      title: 'Thing',
      description: 'A thing.',
      $defs: definitions,
      ...schema,
    },
  });
  const page = renderAll(project).get('docs/a2a/ext/sample/v1/index.md') ?? '';
  return /\n### Thing\n\n([^]*?)\n\n##/.exec(page)?.[1] ?? '';
}

/** The cells of the row of a property, by the head of their column. */
function rowOf(property: object, required = false): Readonly<Record<string, string>> {
  const section = sectionOf({
    type: 'object',
    additionalProperties: false,
    properties: { p: { description: 'It.', ...property } },
    ...(required ? { required: ['p'] } : {}),
  });
  const [head = [], , row = []] = section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.slice(2, -2).split(/ (?<!\\)\| /));
  return Object.fromEntries(head.map((name, index) => [name, row[index] ?? '']));
}

describe('types', () => {
  test.each<[object, string]>([
    [{ type: 'string' }, '`string`'],
    [{ type: 'integer' }, '`integer`'],
    [
      { type: 'array', items: { type: ['integer', 'null'] } },
      '<code>(integer &#124; null)&#91;&#93;</code>',
    ],
    [{ anyOf: [{ type: 'integer' }, { type: 'number' }] }, '`number`'],
    [{ type: 'number', allOf: [{ type: 'integer' }] }, '`integer`'],
    [{ type: 'object', additionalProperties: { type: 'integer' } }, '`{ [key: string]: integer }`'],
    [{ type: ['string', 'null'] }, '`string` \\| `null`'],
    [{ enum: ['a', 'b|c', 3] }, '`"a"` \\| <code>"b&#124;c"</code> \\| `3`'],
    [{ const: true }, '`true`'],
    [{}, '`any`'],
    [{ $ref: '#/$defs/Box' }, '[`Box`](#box)'],
    [{ type: 'array', items: { $ref: '#/$defs/Box' } }, '[`Box`](#box)`[]`'],
    [
      { type: 'array', items: { type: ['string', 'null'] } },
      '<code>(string &#124; null)&#91;&#93;</code>',
    ],
    [
      { type: 'array', items: { anyOf: [{ $ref: '#/$defs/Box' }, { type: 'null' }] } },
      '([`Box`](#box) \\| `null`)`[]`',
    ],
    [{ type: 'array', items: { enum: ['a', 'b'] } }, '<code>("a" &#124; "b")&#91;&#93;</code>'],
    [{ type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 3 }, '`string[]`'],
    [
      {
        type: 'array',
        prefixItems: [{ type: 'string' }, { type: 'number' }],
        items: false,
        minItems: 1,
      },
      '`[string, number?]`',
    ],
    [{ type: 'object', additionalProperties: true }, '`object`'],
    [
      { type: 'object', additionalProperties: { $ref: '#/$defs/Box' } },
      '`{ [key: string]:` [`Box`](#box) `}`',
    ],
    [
      { anyOf: [{ $ref: '#/$defs/Colour' }, { type: 'string' }] },
      '[`Colour`](#colour) \\| `string`',
    ],
  ])('%j', (property, type) => {
    expect(rowOf(property).Type).toBe(type);
  });

  test('list the properties of an object that is written out inside another', () => {
    const section = sectionOf({
      type: 'object',
      additionalProperties: false,
      properties: {
        list: {
          description: 'Some.',
          type: 'array',
          items: {
            type: 'object',
            additionalProperties: false,
            required: ['id'],
            properties: { id: { description: 'The id.', type: 'string' } },
          },
        },
      },
    });
    expect(section).toContain('| `list` | `object[]` | Some. |');
    expect(section).toContain('| `list[].id`<br>**required** | `string` | The id. |');
  });
});

describe('constraints', () => {
  test.each<[object, string]>([
    [{ type: 'string', minLength: 1 }, 'at least 1 character'],
    [{ type: 'string', minLength: 1, maxLength: 256 }, '1 to 256 characters'],
    [{ type: 'string', minLength: 3, maxLength: 3 }, 'exactly 3 characters'],
    [{ type: 'string', pattern: '^(80|443)$' }, 'matches <code>^(80&#124;443)&#36;</code>'],
    [{ type: 'string', format: 'date-time' }, 'format `date-time`'],
    [{ type: 'integer', minimum: 0 }, 'at least 0'],
    [{ type: 'number', minimum: 1, maximum: 5 }, 'from 1 to 5'],
    [{ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }, 'more than 0<br>less than 1'],
    [{ type: 'number', multipleOf: 0.5 }, 'a multiple of 0.5'],
    [
      { type: 'array', items: { type: 'string', minLength: 1 }, minItems: 1, uniqueItems: true },
      'at least 1 item<br>no item twice<br>each item: at least 1 character',
    ],
    [
      { type: 'object', additionalProperties: { type: 'number', minimum: 0 }, maxProperties: 2 },
      'at most 2 properties<br>each value: at least 0',
    ],
    [
      { type: 'object', additionalProperties: true, propertyNames: { pattern: '^x' } },
      'each name: matches `^x`',
    ],
    [{ anyOf: [{ type: 'string', maxLength: 9 }, { type: 'null' }] }, 'at most 9 characters'],
    [{ type: 'string', not: { const: 'x' } }, 'more in the schema (`not`)'],
  ])('%j', (property, constraints) => {
    expect(rowOf(property).Constraints).toBe(constraints);
  });
});

describe('properties', () => {
  test('say what is required, what is filled in, and what is over', () => {
    expect(rowOf({ type: 'string' }, true).Property).toBe('`p`<br>**required**');
    expect(rowOf({ type: 'string', default: 'a|b' })).toEqual({
      Property: '`p`',
      Type: '`string`',
      Default: '<code>"a&#124;b"</code>',
      Description: 'It.',
    });
    const old = rowOf({ type: 'string', deprecated: true, examples: ['x', 'y'] });
    expect(old.Description).toBe('**Deprecated.** It.<br>For example `"x"`, `"y"`.');
  });

  test('say who sets them, in a column only where that differs', () => {
    const page = renderAll(createProject({ schema: sharedSchema })).get(
      'docs/a2a/ext/sample/v1/index.md',
    );
    expect(page).toContain('A client finds the properties of the server in what it reads;');
    expect(page).toContain('| Property | Type | Set by | Description |');
    expect(page).toContain('| `mine` | `string` | agent, client | Mine. |');
    expect(page).toContain('| `yours` | `string` | server | Yours. |');
    expect(page).toContain('Set by the agent or the client. No other properties.');
  });
});

/** A string as in the sample's examples, or an object of two properties. */
const sharedSchema: Json = {
  title: 'Sample',
  description: 'A sample.',
  anyOf: [{ type: 'string' }, { $ref: '#/$defs/Both' }, { $ref: '#/$defs/Only' }],
  $defs: {
    Both: {
      description: 'Both.',
      type: 'object',
      additionalProperties: false,
      properties: {
        mine: { description: 'Mine.', type: 'string' },
        yours: { description: 'Yours.', type: 'string', readOnly: true },
      },
    },
    Only: {
      description: 'Only.',
      type: 'object',
      additionalProperties: false,
      properties: { mine: { description: 'Mine.', type: 'string' } },
    },
  },
};

describe('definitions', () => {
  test.each<[string, object, string]>([
    ['values', { enum: ['a', 'b'] }, 'A thing.\n\n- `"a"`\n- `"b"`'],
    ['one value', { const: 1 }, 'A thing.\n\nAlways `1`.'],
    [
      'a plain type',
      { type: 'string', maxLength: 2 },
      'A thing.\n\nType: `string`\n\nConstraints: at most 2 characters.',
    ],
    [
      'a list',
      { type: 'array', items: { $ref: '#/$defs/Box' } },
      'A thing.\n\nType: [`Box`](#box)`[]`',
    ],
    [
      'an open map',
      { type: 'object', additionalProperties: { type: 'number' } },
      'A thing.\n\nProperties of any name, each `number`.',
    ],
    [
      'an open object',
      { type: 'object', additionalProperties: true },
      'A thing.\n\nProperties of any name are allowed.',
    ],
    [
      'an empty object',
      { type: 'object', additionalProperties: false },
      'A thing.\n\nNo properties.',
    ],
  ])('%s', (_name, schema, section) => {
    expect(sectionOf(schema)).toBe(section);
  });

  test('tell alternatives apart by the value of a property', () => {
    const branch = (kind: string): object => ({
      type: 'object',
      additionalProperties: false,
      required: ['kind'],
      properties: { kind: { description: 'Which.', const: kind } },
    });
    const section = sectionOf({ oneOf: [branch('a'), branch('b|c')] });
    expect(section).toContain('One of these:\n\n- `{ kind: "a" }`, when `kind` is `"a"`\n');
    expect(section).toContain('when `kind` is <code>"b&#124;c"</code>');
  });

  test('tell alternatives apart by the property that they have', () => {
    const branch = (name: string): object => ({
      type: 'object',
      additionalProperties: false,
      required: [name],
      properties: { [name]: { description: 'It.', type: 'string' } },
    });
    const section = sectionOf({ oneOf: [branch('a'), branch('b')] });
    expect(section).toContain('- `{ a: string }`, with `a`\n- `{ b: string }`, with `b`');
  });

  test('merge alternatives that only require different properties', () => {
    const section = sectionOf({
      type: 'object',
      additionalProperties: false,
      properties: {
        a: { description: 'A.', type: 'string' },
        b: { description: 'B.', type: 'string' },
      },
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
    });
    expect(section).toContain('It also needs `a` or `b`. No other properties.');
    expect(section).toContain('| `a` | `string` | A. |\n| `b` | `string` | B. |');
  });

  test('allow no other properties where there is no room for any', () => {
    const open = {
      type: 'object',
      properties: {
        a: { description: 'A.', type: 'string' },
        b: { description: 'B.', type: 'string' },
        c: { description: 'C.', type: 'string' },
      },
      required: ['c'],
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
      additionalProperties: true,
    };
    expect(sectionOf({ ...open, minProperties: 2, maxProperties: 2 })).toContain(
      'It also needs `a` or `b`. No other properties.',
    );
    expect(sectionOf({ ...open, maxProperties: 3 })).toContain('Other properties are allowed.');
  });
});
