/** Unions, intersections, conditions. */
import type { TypeTable } from './type-table.ts';

export const combinations: TypeTable = [
  [
    'null beside a type',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: {
          a: { anyOf: [{ type: 'null' }, { type: 'string' }] },
          b: { anyOf: [{ $ref: '#/$defs/A' }, { type: 'null' }] },
        },
        $defs: {
          A: { type: 'object', additionalProperties: false, properties: { x: { type: 'string' } } },
        },
      },
      want: `
export interface Root {
  a?: string | null;
  b?: A | null;
}

export interface A {
  x?: string;
}
`,
    },
  ],
  [
    'the same twice',
    {
      given: { anyOf: [{ type: 'string' }, { type: 'string' }, { type: 'number' }] },
      want: `
export type Root = string | number;
`,
    },
  ],
  [
    'a branch that admits everything',
    {
      given: { anyOf: [{ type: 'string' }, true] },
      want: `
export type Root = unknown;
`,
    },
  ],
  [
    'a branch that admits nothing',
    {
      given: { anyOf: [{ type: 'string' }, false] },
      want: `
export type Root = string;
`,
    },
  ],
  [
    'oneOf',
    {
      given: {
        oneOf: [
          {
            type: 'object',
            additionalProperties: false,
            properties: { a: { type: 'string' } },
            required: ['a'],
          },
          {
            type: 'object',
            additionalProperties: false,
            properties: { b: { type: 'number' } },
            required: ['b'],
          },
        ],
      },
      want: `
export type Root =
  | {
      a: string;
    }
  | {
      b: number;
    };
`,
    },
  ],
  [
    'oneOf of required names: each keeps the others out',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: { a: { type: 'string' }, b: true, c: { type: 'number' } },
        oneOf: [{ required: ['a'] }, { required: ['b'] }],
      },
      want: `
export type Root =
  | {
      a: string;
      b?: never;
      c?: number;
    }
  | {
      a?: never;
      b: unknown;
      c?: number;
    };
`,
    },
  ],
  [
    'oneOf of required names and more: nothing is kept out',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: { a: { type: 'string' }, b: { type: 'string' } },
        oneOf: [{ required: ['a'] }, { required: ['b'], minProperties: 2 }],
      },
      want: `
export type Root =
  | {
      a: string;
      b?: string;
    }
  | {
      a?: string;
      b: string;
    };
`,
    },
  ],
  [
    'members beside oneOf are in each branch',
    {
      given: {
        type: 'object',
        properties: { id: { type: 'string' } },
        required: ['id'],
        oneOf: [
          { properties: { a: { type: 'string' } }, required: ['a'] },
          { properties: { b: { type: 'number' } }, required: ['b'] },
        ],
      },
      want: `
export type Root =
  | {
      id: string;
      a: string;
      [key: string]: unknown;
    }
  | {
      id: string;
      b: number;
      [key: string]: unknown;
    };
`,
    },
  ],
  [
    'a choice told apart by a constant',
    {
      given: {
        oneOf: [{ $ref: '#/$defs/Cat' }, { $ref: '#/$defs/Dog' }],
        $defs: {
          Cat: {
            type: 'object',
            additionalProperties: false,
            properties: { kind: { const: 'cat' }, lives: { type: 'number' } },
            required: ['kind'],
          },
          Dog: {
            type: 'object',
            additionalProperties: false,
            properties: { kind: { const: 'dog' }, good: { type: 'boolean' } },
            required: ['kind'],
          },
        },
      },
      want: `
export type Root = Cat | Dog;

export interface Cat {
  kind: "cat";
  lives?: number;
}

export interface Dog {
  kind: "dog";
  good?: boolean;
}
`,
    },
  ],
  [
    'a choice keeps its names beside what each branch says',
    {
      given: {
        type: 'object',
        required: ['kind'],
        oneOf: [{ $ref: '#/$defs/Cat' }, { $ref: '#/$defs/Dog' }],
        discriminator: { propertyName: 'kind' },
        $defs: {
          Cat: { type: 'object', properties: { kind: { const: 'cat' } }, required: ['kind'] },
          Dog: { type: 'object', properties: { kind: { const: 'dog' } }, required: ['kind'] },
        },
      },
      want: `
export type Root = Cat | Dog;

export interface Cat {
  kind: "cat";
  [key: string]: unknown;
}

export interface Dog {
  kind: "dog";
  [key: string]: unknown;
}
`,
    },
  ],
  [
    'a type list beside a choice',
    {
      given: {
        type: ['object', 'string'],
        oneOf: [{ $ref: '#/$defs/A' }, { type: 'string' }],
        $defs: {
          A: { type: 'object', additionalProperties: false, properties: { x: { type: 'string' } } },
        },
      },
      want: `
export type Root = string | A;

export interface A {
  x?: string;
}
`,
    },
  ],
  [
    'allOf',
    {
      given: {
        allOf: [
          { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
          { type: 'object', properties: { b: { type: 'number' } } },
        ],
      },
      want: `
export interface Root {
  a: string;
  b?: number;
  [key: string]: unknown;
}
`,
    },
  ],
  [
    'allOf of definitions',
    {
      given: {
        allOf: [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/B' }],
        $defs: {
          A: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
          B: { type: 'object', properties: { b: { type: 'number' } } },
        },
      },
      want: `
export interface Root {
  a: string;
  b?: number;
  [key: string]: unknown;
}

export interface A {
  a: string;
  [key: string]: unknown;
}

export interface B {
  b?: number;
  [key: string]: unknown;
}
`,
    },
  ],
  [
    'allOf with a choice keeps its name',
    {
      given: {
        allOf: [
          { $ref: '#/$defs/Choice' },
          { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
        ],
        $defs: {
          Choice: {
            oneOf: [
              { type: 'object', properties: { kind: { const: 'a' } }, required: ['kind'] },
              { type: 'object', properties: { kind: { const: 'b' } }, required: ['kind'] },
            ],
          },
        },
      },
      want: `
export type Root = Choice & {
  id: string;
  [key: string]: unknown;
};

export type Choice =
  | {
      kind: "a";
      [key: string]: unknown;
    }
  | {
      kind: "b";
      [key: string]: unknown;
    };
`,
    },
  ],
  [
    'allOf that nothing satisfies',
    {
      given: { allOf: [{ type: 'string' }, { type: 'number' }] },
      want: `
export type Root = never;
`,
    },
  ],
  [
    'allOf of closed objects',
    {
      given: {
        allOf: [
          { type: 'object', additionalProperties: false, properties: { a: { type: 'string' } } },
          { type: 'object', additionalProperties: false, properties: { b: { type: 'number' } } },
        ],
      },
      want: `
export interface Root {
  a?: never;
  b?: never;
}
`,
    },
  ],
  [
    'allOf of enums',
    {
      given: { allOf: [{ enum: ['a', 'b', 'c'] }, { enum: ['b', 'c', 'd'] }] },
      want: `
export type Root = "b" | "c";
`,
    },
  ],
  [
    'allOf narrows a member',
    {
      given: {
        allOf: [
          { type: 'object', properties: { a: { enum: ['x', 'y'] } } },
          { type: 'object', properties: { a: { enum: ['y', 'z'] } }, required: ['a'] },
        ],
      },
      want: `
export interface Root {
  a: "y";
  [key: string]: unknown;
}
`,
    },
  ],
  [
    'if, then, else',
    {
      given: {
        type: 'object',
        properties: { k: { type: 'string' } },
        required: ['k'],
        if: { properties: { k: { const: 'a' } } },
        then: { properties: { x: { type: 'number' } }, required: ['x'] },
        else: { properties: { y: { type: 'number' } }, required: ['y'] },
      },
      want: `
export type Root =
  | {
      k: string;
      x: number;
      [key: string]: unknown;
    }
  | {
      k: string;
      y: number;
      [key: string]: unknown;
    };
`,
    },
  ],
  [
    'if, then',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: { proxied: { type: 'boolean' }, host: { type: 'string' } },
        required: ['proxied'],
        allOf: [{ if: { properties: { proxied: { const: true } } }, then: { required: ['host'] } }],
      },
      want: `
export interface Root {
  proxied: boolean;
  host?: string;
}
`,
    },
  ],
  [
    'if that is true',
    {
      given: { if: true, then: { type: 'string' }, else: { type: 'number' } },
      want: `
export type Root = string;
`,
    },
  ],
  [
    'if that is false',
    {
      given: { if: false, then: { type: 'string' }, else: { type: 'number' } },
      want: `
export type Root = number;
`,
    },
  ],
  [
    'not a type',
    {
      given: { not: { type: ['string', 'null'] } },
      want: `
export type Root = number | boolean | { [key: string]: unknown } | unknown[];
`,
    },
  ],
  [
    'not a constant',
    {
      given: { enum: ['a', 'b'], not: { const: 'a' } },
      want: `
export type Root = "b";
`,
    },
  ],
  [
    'not of an enum',
    {
      given: { enum: ['a', 'b', 'c'], not: { enum: ['a', 'b'] } },
      want: `
export type Root = "c";
`,
    },
  ],
  [
    'not a member',
    {
      given: {
        type: 'object',
        properties: { a: { type: 'string' }, b: { type: 'string' } },
        not: { required: ['b'] },
      },
      want: `
export interface Root {
  a?: string;
  b?: never;
  [key: string]: unknown;
}
`,
    },
  ],
  [
    'not anything',
    {
      given: { not: true },
      want: `
export type Root = never;
`,
    },
  ],
  [
    'not something a type cannot say',
    {
      given: { type: 'string', not: { pattern: '^a' } },
      want: `
export type Root = string;
`,
    },
  ],
];
