/** Names of types and members. */
import type { JsonObject } from '../../../codegen/json.ts';
import type { TypeTable } from './type-table.ts';

export const names: TypeTable = [
  [
    'members that need quotes',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: {
          'a-b': { type: 'string' },
          '1x': { type: 'string' },
          'q"uote': { type: 'string' },
          'back\\slash': { type: 'string' },
          'new\nline': { type: 'string' },
          '': { type: 'string' },
          ünï: { type: 'string' },
          class: { type: 'string' },
          '\u2028': { type: 'string' },
        },
      },
      want: `
export interface Root {
  "a-b"?: string;
  "1x"?: string;
  "q\\"uote"?: string;
  "back\\\\slash"?: string;
  "new\\nline"?: string;
  ""?: string;
  ünï?: string;
  class?: string;
  "\\u2028"?: string;
}
`,
    },
  ],
  [
    'members that every object inherits',
    {
      given: JSON.parse(
        '{"type":"object","additionalProperties":false,"required":["constructor"],"properties":{"constructor":{"type":"number"},"__proto__":{"type":"string"},"toString":{"type":"boolean"},"hasOwnProperty":{"type":"string"}}}',
      ) as JsonObject,
      want: `
export interface Root {
  constructor: number;
  __proto__?: string;
  toString?: boolean | Object["toString"];
  hasOwnProperty?: string | Object["hasOwnProperty"];
}
`,
    },
  ],
  [
    'an inherited name beside a map',
    {
      given: {
        type: 'object',
        properties: { toString: { type: 'string' } },
        additionalProperties: { type: 'number' },
      },
      want: `
export interface Root {
  toString?: string | Object["toString"];
  [key: string]: number | string | undefined | Object["toString"];
}
`,
    },
  ],
  [
    'an inherited name that must not be there',
    {
      given: {
        type: 'object',
        properties: { valueOf: false },
        additionalProperties: { type: 'number' },
      },
      want: `
export interface Root {
  valueOf?: never | Object["valueOf"];
  [key: string]: number | undefined | Object["valueOf"];
}
`,
    },
  ],
  [
    'a constant with __proto__',
    {
      given: JSON.parse('{"const":{"__proto__":1}}') as JsonObject,
      want: `
export interface Root {
  __proto__: 1;
}
`,
    },
  ],
  [
    'required names that every object inherits',
    {
      given: JSON.parse('{"type":"object","required":["__proto__","toString"]}') as JsonObject,
      want: `
export interface Root {
  __proto__: unknown;
  toString: unknown;
  [key: string]: unknown;
}
`,
    },
  ],
  [
    'definitions with inherited names',
    {
      given: JSON.parse(
        '{"$ref":"#/$defs/__proto__","$defs":{"__proto__":{"type":"object","properties":{"a":{"type":"string"}}},"constructor":{"enum":["a"]}}}',
      ) as JsonObject,
      want: `
export type Root = __proto__;

export interface __proto__ {
  a?: string;
  [key: string]: unknown;
}

export type Constructor = "a";
`,
    },
  ],
  [
    'names that differ in JSON alone: no numbers',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: { a: { $ref: '#/$defs/foo-bar' }, b: { $ref: '#/$defs/FooBar' } },
        $defs: {
          'foo-bar': {
            type: 'object',
            additionalProperties: false,
            properties: { x: { type: 'string' } },
          },
          FooBar: {
            type: 'object',
            additionalProperties: false,
            properties: { y: { type: 'string' } },
          },
        },
      },
      want: `
export interface Root {
  a?: FooBar;
  b?: RootFooBar;
}

export interface FooBar {
  x?: string;
}

export interface RootFooBar {
  y?: string;
}
`,
    },
  ],
  [
    'a definition called as the root',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: { a: { $ref: '#/$defs/Root' } },
        $defs: {
          Root: {
            type: 'object',
            additionalProperties: false,
            properties: { x: { type: 'string' } },
          },
        },
      },
      want: `
export interface Root {
  a?: RootRoot;
}

export interface RootRoot {
  x?: string;
}
`,
    },
  ],
  [
    'equal definitions keep their names',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: { a: { $ref: '#/$defs/First' }, b: { $ref: '#/$defs/Second' } },
        $defs: {
          First: {
            type: 'object',
            additionalProperties: false,
            properties: { x: { type: 'string' } },
          },
          Second: {
            type: 'object',
            additionalProperties: false,
            properties: { x: { type: 'string' } },
          },
        },
      },
      want: `
export interface Root {
  a?: First;
  b?: Second;
}

export interface First {
  x?: string;
}

export interface Second {
  x?: string;
}
`,
    },
  ],
  [
    'reserved words, digits, other scripts',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: {
          a: { $ref: '#/$defs/string' },
          b: { $ref: '#/$defs/1st' },
          c: { $ref: '#/$defs/日本' },
          d: { $ref: '#/$defs/A2a' },
        },
        $defs: {
          string: {
            type: 'object',
            additionalProperties: false,
            properties: { x: { type: 'string' } },
          },
          '1st': {
            type: 'object',
            additionalProperties: false,
            properties: { x: { type: 'string' } },
          },
          日本: {
            type: 'object',
            additionalProperties: false,
            properties: { x: { type: 'string' } },
          },
          A2a: {
            type: 'object',
            additionalProperties: false,
            properties: { x: { type: 'string' } },
          },
        },
      },
      want: `
export interface Root {
  a?: String;
  b?: Schema1st;
  c?: 日本;
  d?: A2a;
}

export interface String {
  x?: string;
}

export interface Schema1st {
  x?: string;
}

export interface 日本 {
  x?: string;
}

export interface A2a {
  x?: string;
}
`,
    },
  ],
  [
    'definitions that are enums and constants',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: { e: { $ref: '#/$defs/E' }, k: { $ref: '#/$defs/K' } },
        $defs: { E: { enum: ['<', '<=', ''] }, K: { const: 'x' } },
      },
      want: `
export interface Root {
  e?: E;
  k?: K;
}

export type E = "<" | "<=" | "";

export type K = "x";
`,
    },
  ],
];
