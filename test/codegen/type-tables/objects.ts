/** Members in the order of the schema, and what is said of all others. */
import type { TypeTable } from './type-table.ts';

export const objects: TypeTable = [
  [
    'any object',
    {
      given: { type: 'object' },
      want: `
export type Root = { [key: string]: unknown };
`,
    },
  ],
  [
    'a closed object',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: { a: { type: 'string' }, b: { type: 'number' } },
        required: ['a'],
      },
      want: `
export interface Root {
  a: string;
  b?: number;
}
`,
    },
  ],
  [
    'an open object',
    {
      given: { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: true },
      want: `
export interface Root {
  a?: string;
  [key: string]: unknown;
}
`,
    },
  ],
  [
    'the order of the schema',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: { z: { type: 'string' }, a: { type: 'string' }, m: { type: 'string' } },
        required: ['m'],
      },
      want: `
export interface Root {
  z?: string;
  a?: string;
  m: string;
}
`,
    },
  ],
  [
    'a required member that is not declared',
    {
      given: { type: 'object', required: ['x'], properties: { a: { type: 'string' } } },
      want: `
export interface Root {
  a?: string;
  x: unknown;
  [key: string]: unknown;
}
`,
    },
  ],
  [
    'a required member that is forbidden',
    {
      given: { type: 'object', required: ['x'], additionalProperties: false },
      want: `
export type Root = never;
`,
    },
  ],
  [
    'a map',
    {
      given: { type: 'object', additionalProperties: { type: 'number' } },
      want: `
export type Root = { [key: string]: number };
`,
    },
  ],
  [
    'a map beside an optional member',
    {
      given: {
        type: 'object',
        properties: { a: { type: 'string' } },
        additionalProperties: { type: 'number' },
      },
      want: `
export interface Root {
  a?: string;
  [key: string]: number | string | undefined;
}
`,
    },
  ],
  [
    'a map beside a required member',
    {
      given: {
        type: 'object',
        properties: { a: { type: 'string' } },
        required: ['a'],
        additionalProperties: { type: 'number' },
      },
      want: `
export interface Root {
  a: string;
  [key: string]: number | string;
}
`,
    },
  ],
  [
    'an object without members',
    {
      given: { type: 'object', additionalProperties: false },
      want: `
export type Root = { [key: string]: never };
`,
    },
  ],
  [
    'an object that must be empty',
    {
      given: { type: 'object', maxProperties: 0 },
      want: `
/** @maxProperties 0 */
export type Root = { [key: string]: never };
`,
    },
  ],
  [
    'more required members than are allowed',
    {
      given: { type: 'object', required: ['a', 'b'], maxProperties: 1 },
      want: `
/** @maxProperties 1 */
export type Root = never;
`,
    },
  ],
  [
    'true and false members',
    {
      given: { type: 'object', additionalProperties: false, properties: { yes: true, no: false } },
      want: `
export interface Root {
  yes?: unknown;
  no?: never;
}
`,
    },
  ],
  [
    'a prefix as a template key',
    {
      given: {
        type: 'object',
        patternProperties: { '^x-': { type: 'string' } },
        additionalProperties: false,
      },
      want: `
export type Root = { [key: \`x-\${string}\`]: string };
`,
    },
  ],
  [
    'a prefix beside members',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: { a: { type: 'number' } },
        patternProperties: { '^x-': { type: 'string' } },
      },
      want: `
export interface Root {
  a?: number;
  [key: \`x-\${string}\`]: string;
}
`,
    },
  ],
  [
    'a prefix that a member has',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: { 'x-a': { type: 'string' } },
        patternProperties: { '^x-': { type: 'string' } },
      },
      want: `
export interface Root {
  "x-a"?: string;
  [key: string]: string | undefined;
}
`,
    },
  ],
  [
    'two patterns',
    {
      given: {
        type: 'object',
        patternProperties: { '^x-': { type: 'string' }, '^y-': { type: 'number' } },
        additionalProperties: false,
      },
      want: `
export type Root = { [key: string]: string | number };
`,
    },
  ],
  [
    'a pattern that is no prefix',
    {
      given: {
        type: 'object',
        patternProperties: { '[0-9]+$': { type: 'string' } },
        additionalProperties: false,
      },
      want: `
export type Root = { [key: string]: string };
`,
    },
  ],
  [
    'a pattern and an open rest',
    {
      given: {
        type: 'object',
        patternProperties: { '^x-': { type: 'string' } },
        additionalProperties: true,
      },
      want: `
export type Root = { [key: string]: unknown };
`,
    },
  ],
  [
    'a pattern narrows a member',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: { 'x-a': { enum: ['a', 'b'] } },
        patternProperties: { '^x-': { enum: ['b', 'c'] } },
      },
      want: `
export interface Root {
  "x-a"?: "b";
  [key: string]: "b" | "c" | undefined;
}
`,
    },
  ],
  [
    'names from a list',
    {
      given: {
        type: 'object',
        propertyNames: { enum: ['a', 'b'] },
        additionalProperties: { type: 'number' },
      },
      want: `
export interface Root {
  a?: number;
  b?: number;
}
`,
    },
  ],
  [
    'one name',
    {
      given: { type: 'object', propertyNames: { const: 'a' }, required: ['a'] },
      want: `
export interface Root {
  a: unknown;
}
`,
    },
  ],
  [
    'names by a pattern',
    {
      given: { type: 'object', propertyNames: { pattern: '^a' } },
      want: `
export type Root = { [key: string]: unknown };
`,
    },
  ],
  [
    'no names',
    {
      given: { type: 'object', propertyNames: false },
      want: `
export type Root = { [key: string]: never };
`,
    },
  ],
  [
    'a member that depends on another',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: { a: { type: 'string' }, b: { type: 'string' } },
        dependentRequired: { a: ['b'] },
      },
      want: `
export type Root =
  | {
      a?: never;
      b?: string;
    }
  | {
      a: string;
      b: string;
    };
`,
    },
  ],
  [
    'too many dependencies to write out',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: {
          a: { type: 'string' },
          b: { type: 'string' },
          c: { type: 'string' },
          d: { type: 'string' },
          e: { type: 'string' },
        },
        dependentRequired: { a: ['b'], b: ['c'], c: ['d'], d: ['e'] },
      },
      want: `
export interface Root {
  a?: string;
  b?: string;
  c?: string;
  d?: string;
  e?: string;
}
`,
    },
  ],
  [
    'a schema that depends on a member',
    {
      given: {
        type: 'object',
        properties: { a: { type: 'string' } },
        dependentSchemas: { a: { properties: { b: { type: 'number' } }, required: ['b'] } },
      },
      want: `
export type Root =
  | {
      a?: never;
      [key: string]: unknown;
    }
  | {
      a: string;
      b: number;
      [key: string]: unknown;
    };
`,
    },
  ],
  [
    'unevaluatedProperties false beside nothing',
    {
      given: {
        type: 'object',
        properties: { a: { type: 'string' } },
        unevaluatedProperties: false,
      },
      want: `
export interface Root {
  a?: string;
}
`,
    },
  ],
  [
    'unevaluatedProperties false over allOf',
    {
      given: {
        allOf: [
          { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
          { type: 'object', properties: { b: { type: 'number' } } },
        ],
        unevaluatedProperties: false,
      },
      want: `
export interface Root {
  a: string;
  b?: number;
}
`,
    },
  ],
  [
    'unevaluatedProperties false over a reference',
    {
      given: {
        $ref: '#/$defs/Base',
        type: 'object',
        properties: { b: { type: 'number' } },
        unevaluatedProperties: false,
        $defs: { Base: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } },
      },
      want: `
export interface Root {
  b?: number;
  a: string;
}

export interface Base {
  a: string;
  [key: string]: unknown;
}
`,
    },
  ],
  [
    'unevaluatedProperties false over an open object',
    {
      given: {
        allOf: [
          { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: true },
        ],
        unevaluatedProperties: false,
      },
      want: `
export interface Root {
  a?: string;
  [key: string]: unknown;
}
`,
    },
  ],
  [
    'unevaluatedProperties false over oneOf',
    {
      given: {
        type: 'object',
        oneOf: [
          { properties: { a: { type: 'string' } }, required: ['a'] },
          { properties: { b: { type: 'number' } }, required: ['b'] },
        ],
        unevaluatedProperties: false,
      },
      want: `
export type Root =
  | {
      a: string;
      b?: unknown;
    }
  | {
      a?: unknown;
      b: number;
    };
`,
    },
  ],
  [
    'unevaluatedProperties with a schema',
    {
      given: {
        type: 'object',
        properties: { a: { type: 'string' } },
        unevaluatedProperties: { type: 'number' },
      },
      want: `
export interface Root {
  a?: string;
  [key: string]: number | string | undefined;
}
`,
    },
  ],
];
