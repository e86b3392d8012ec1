/** What scalars, literals and schemas without a type become. */
import type { TypeTable } from './type-table.ts';

export const values: TypeTable = [
  [
    'a string',
    {
      given: { type: 'string' },
      want: `
export type Root = string;
`,
    },
  ],
  [
    'an integer',
    {
      given: { type: 'integer' },
      want: `
export type Root = number;
`,
    },
  ],
  [
    'a boolean',
    {
      given: { type: 'boolean' },
      want: `
export type Root = boolean;
`,
    },
  ],
  [
    'null',
    {
      given: { type: 'null' },
      want: `
export type Root = null;
`,
    },
  ],
  [
    'several types, null last',
    {
      given: { type: ['null', 'string', 'integer'] },
      want: `
export type Root = string | number | null;
`,
    },
  ],
  [
    'true',
    {
      given: true,
      want: `
export type Root = unknown;
`,
    },
  ],
  [
    'false',
    {
      given: false,
      want: `
export type Root = never;
`,
    },
  ],
  [
    'a schema that says nothing',
    {
      given: {},
      want: `
export type Root = unknown;
`,
    },
  ],
  [
    'a constraint on strings alone: every other kind is admitted',
    {
      given: { minLength: 3 },
      want: `
/** @minLength 3 */
export type Root = unknown;
`,
    },
  ],
  [
    'properties without a type',
    {
      given: { properties: { a: { type: 'string' } } },
      want: `
export type Root =
  | string
  | number
  | boolean
  | {
      a?: string;
      [key: string]: unknown;
    }
  | unknown[]
  | null;
`,
    },
  ],
  [
    'items without a type',
    {
      given: { items: { type: 'string' } },
      want: `
export type Root = string | number | boolean | { [key: string]: unknown } | string[] | null;
`,
    },
  ],
  [
    'an enum of strings',
    {
      given: { enum: ['a', 'b'] },
      want: `
export type Root = "a" | "b";
`,
    },
  ],
  [
    'an enum of several kinds',
    {
      given: { enum: [null, 'a', 1, true] },
      want: `
export type Root = "a" | 1 | true | null;
`,
    },
  ],
  [
    'an enum with objects and arrays in it',
    {
      given: { enum: ['s', { a: 1 }, [1, 'x']] },
      want: `
export type Root =
  | "s"
  | {
      a: 1;
    }
  | [1, "x"];
`,
    },
  ],
  [
    'both booleans',
    {
      given: { enum: [true, false] },
      want: `
export type Root = boolean;
`,
    },
  ],
  [
    'an enum beside a type',
    {
      given: { type: 'string', enum: ['a', 1] },
      want: `
export type Root = "a";
`,
    },
  ],
  [
    'an enum of integers',
    {
      given: { type: 'integer', enum: [1, 2.5] },
      want: `
export type Root = 1;
`,
    },
  ],
  [
    'an enum of nothing',
    {
      given: { enum: [] },
      want: `
export type Root = never;
`,
    },
  ],
  [
    'a constant',
    {
      given: { const: 'x' },
      want: `
export type Root = "x";
`,
    },
  ],
  [
    'a constant null',
    {
      given: { const: null },
      want: `
export type Root = null;
`,
    },
  ],
  [
    'a negative number',
    {
      given: { const: -1 },
      want: `
export type Root = -1;
`,
    },
  ],
  [
    'a large number',
    {
      given: { const: 1e21 },
      want: `
export type Root = 1e+21;
`,
    },
  ],
  [
    'a constant object',
    {
      given: { const: { a: [1, 'x'], b: null } },
      want: `
export interface Root {
  a: [1, "x"];
  b: null;
}
`,
    },
  ],
  [
    'a constant empty object',
    {
      given: { const: {} },
      want: `
export type Root = { [key: string]: never };
`,
    },
  ],
  [
    'a constant empty array',
    {
      given: { const: [] },
      want: `
export type Root = [];
`,
    },
  ],
  [
    'text that needs escapes',
    {
      given: { enum: ['"', '\\', '\n', '\u2028', '`${x}`', '日本'] },
      want: `
export type Root = "\\"" | "\\\\" | "\\n" | "\\u2028" | "\`\${x}\`" | "日本";
`,
    },
  ],
  [
    'a long enum, a line each',
    {
      given: {
        enum: [
          'the-first-value',
          'the-second-value',
          'the-third-value',
          'the-fourth-value',
          'the-fifth-value',
        ],
      },
      want: `
export type Root =
  | "the-first-value"
  | "the-second-value"
  | "the-third-value"
  | "the-fourth-value"
  | "the-fifth-value";
`,
    },
  ],
  [
    'an open string keeps its known values',
    {
      given: { anyOf: [{ enum: ['a', 'b'] }, { type: 'string' }] },
      want: `
export type Root = "a" | "b" | (string & {});
`,
    },
  ],
];
