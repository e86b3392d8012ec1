/** Arrays and tuples. */
import type { TypeTable } from './type-table.ts';

export const arrays: TypeTable = [
  [
    'any array',
    {
      given: { type: 'array' },
      want: `
export type Root = unknown[];
`,
    },
  ],
  [
    'an array',
    {
      given: { type: 'array', items: { type: 'string' } },
      want: `
export type Root = string[];
`,
    },
  ],
  [
    'an array of a union',
    {
      given: { type: 'array', items: { type: ['string', 'number'] } },
      want: `
export type Root = (string | number)[];
`,
    },
  ],
  [
    'arrays in an array',
    {
      given: { type: 'array', items: { type: 'array', items: { enum: ['a', 'b'] } } },
      want: `
export type Root = ("a" | "b")[][];
`,
    },
  ],
  [
    'an array that must be empty',
    {
      given: { type: 'array', items: false },
      want: `
export type Root = [];
`,
    },
  ],
  [
    'an open tuple',
    {
      given: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] },
      want: `
export type Root = [string?, number?, ...unknown[]];
`,
    },
  ],
  [
    'a closed tuple',
    {
      given: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false },
      want: `
export type Root = [string?, number?];
`,
    },
  ],
  [
    'a whole tuple',
    {
      given: {
        type: 'array',
        prefixItems: [{ type: 'string' }, { type: 'number' }],
        items: false,
        minItems: 2,
      },
      want: `
/** @minItems 2 */
export type Root = [string, number];
`,
    },
  ],
  [
    'a tuple with one required element',
    {
      given: {
        type: 'array',
        prefixItems: [{ type: 'string' }, { type: 'number' }],
        items: false,
        minItems: 1,
      },
      want: `
/** @minItems 1 */
export type Root = [string, number?];
`,
    },
  ],
  [
    'a tuple and a rest',
    {
      given: {
        type: 'array',
        prefixItems: [{ type: 'string' }],
        items: { type: 'boolean' },
        minItems: 1,
      },
      want: `
/** @minItems 1 */
export type Root = [string, ...boolean[]];
`,
    },
  ],
  [
    'an optional element that is a union',
    {
      given: { type: 'array', prefixItems: [{ type: ['string', 'null'] }], items: false },
      want: `
export type Root = [(string | null)?];
`,
    },
  ],
  [
    'a place that must stay empty',
    {
      given: { type: 'array', prefixItems: [{ type: 'string' }, false] },
      want: `
export type Root = [string?];
`,
    },
  ],
  [
    'a place that must stay empty and must not',
    {
      given: { type: 'array', prefixItems: [{ type: 'string' }, false], minItems: 2 },
      want: `
/** @minItems 2 */
export type Root = never;
`,
    },
  ],
  [
    'minItems',
    {
      given: { type: 'array', items: { type: 'string' }, minItems: 2 },
      want: `
/** @minItems 2 */
export type Root = [string, string, ...string[]];
`,
    },
  ],
  [
    'maxItems',
    {
      given: { type: 'array', items: { type: 'string' }, maxItems: 2 },
      want: `
/** @maxItems 2 */
export type Root = [string?, string?];
`,
    },
  ],
  [
    'maxItems beyond what is written out',
    {
      given: { type: 'array', items: { type: 'string' }, maxItems: 200 },
      want: `
/** @maxItems 200 */
export type Root = string[];
`,
    },
  ],
  [
    'minItems beyond what is written out',
    {
      given: { type: 'array', items: { type: 'string' }, minItems: 20 },
      want: `
/** @minItems 20 */
export type Root = [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  ...string[],
];
`,
    },
  ],
  [
    'minItems above maxItems',
    {
      given: { type: 'array', minItems: 3, maxItems: 1 },
      want: `
/**
 * @minItems 3
 * @maxItems 1
 */
export type Root = never;
`,
    },
  ],
  [
    'contains',
    {
      given: { type: 'array', contains: { type: 'string' } },
      want: `
export type Root = [unknown, ...unknown[]];
`,
    },
  ],
  [
    'contains nothing needs',
    {
      given: { type: 'array', contains: { type: 'string' }, minContains: 0 },
      want: `
export type Root = unknown[];
`,
    },
  ],
  [
    'contains several',
    {
      given: { type: 'array', items: { type: 'string' }, contains: { const: 'a' }, minContains: 2 },
      want: `
export type Root = [string, string, ...string[]];
`,
    },
  ],
  [
    'unevaluatedItems false beside nothing',
    {
      given: { type: 'array', prefixItems: [{ type: 'string' }], unevaluatedItems: false },
      want: `
export type Root = [string?];
`,
    },
  ],
  [
    'unevaluatedItems false over allOf',
    {
      given: {
        type: 'array',
        allOf: [{ prefixItems: [{ type: 'string' }] }],
        unevaluatedItems: false,
      },
      want: `
export type Root = [string?, ...unknown[]];
`,
    },
  ],
  [
    'objects in a tuple, a line each',
    {
      given: {
        type: 'array',
        prefixItems: [
          { type: 'object', additionalProperties: false, properties: { x: { type: 'string' } } },
        ],
        items: false,
        minItems: 1,
      },
      want: `
/** @minItems 1 */
export type Root = [
  {
    x?: string;
  },
];
`,
    },
  ],
];
