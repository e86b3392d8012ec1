/** References, and what stands beside them. */
import type { TypeTable } from './type-table.ts';

export const references: TypeTable = [
  [
    'a definition',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: { a: { $ref: '#/$defs/A' } },
        $defs: {
          A: { type: 'object', additionalProperties: false, properties: { x: { type: 'string' } } },
        },
      },
      want: `
export interface Root {
  a?: A;
}

export interface A {
  x?: string;
}
`,
    },
  ],
  [
    'a definition that is a plain scalar has no name',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: { a: { $ref: '#/$defs/Name' } },
        $defs: { Name: { type: 'string', title: 'Name', minLength: 1 } },
      },
      want: `
export interface Root {
  a?: string;
}
`,
    },
  ],
  [
    'a description beside a reference',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: {
          net: { $ref: '#/$defs/Money', description: 'before tax' },
          gross: { $ref: '#/$defs/Money', description: 'after tax' },
        },
        $defs: {
          Money: {
            type: 'object',
            additionalProperties: false,
            properties: { cents: { type: 'integer' } },
            description: 'An amount.',
          },
        },
      },
      want: `
export interface Root {
  /** before tax */
  net?: Money;
  /** after tax */
  gross?: Money;
}

/** An amount. */
export interface Money {
  cents?: number;
}
`,
    },
  ],
  [
    'constraints beside a reference',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: { a: { $ref: '#/$defs/A', required: ['x'] } },
        $defs: {
          A: { type: 'object', additionalProperties: false, properties: { x: { type: 'string' } } },
        },
      },
      want: `
export interface Root {
  a?: {
    x: string;
  };
}

export interface A {
  x?: string;
}
`,
    },
  ],
  [
    'a type beside a reference that has it',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: { a: { $ref: '#/$defs/A', type: 'object' } },
        $defs: {
          A: { type: 'object', additionalProperties: false, properties: { x: { type: 'string' } } },
        },
      },
      want: `
export interface Root {
  a?: A;
}

export interface A {
  x?: string;
}
`,
    },
  ],
  [
    'an enum beside a reference',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: { a: { $ref: '#/$defs/E', enum: ['a'] } },
        $defs: { E: { enum: ['a', 'b'] } },
      },
      want: `
export interface Root {
  a?: "a";
}

export type E = "a" | "b";
`,
    },
  ],
  [
    'members beside a reference',
    {
      given: {
        $ref: '#/$defs/A',
        properties: { y: { type: 'number' } },
        required: ['y'],
        $defs: { A: { type: 'object', properties: { x: { type: 'string' } }, required: ['x'] } },
      },
      want: `
export interface Root {
  y: number;
  x: string;
  [key: string]: unknown;
}

export interface A {
  x: string;
  [key: string]: unknown;
}
`,
    },
  ],
  [
    'a definition that nothing refers to',
    {
      given: {
        $defs: {
          Unused: {
            type: 'object',
            additionalProperties: false,
            properties: { x: { type: 'string' } },
          },
        },
      },
      want: `
export type Root = unknown;

export interface Unused {
  x?: string;
}
`,
    },
  ],
  [
    'a root that is a reference',
    {
      given: {
        $ref: '#/$defs/Tree',
        $defs: {
          Tree: {
            type: 'object',
            additionalProperties: false,
            properties: { kids: { type: 'array', items: { $ref: '#/$defs/Tree' } } },
            required: ['kids'],
          },
        },
      },
      want: `
export type Root = Tree;

export interface Tree {
  kids: Tree[];
}
`,
    },
  ],
  [
    'a root that holds itself',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: { children: { type: 'array', items: { $ref: '#' } } },
      },
      want: `
export interface Root {
  children?: Root[];
}
`,
    },
  ],
  [
    'any JSON value',
    {
      given: {
        $ref: '#/$defs/Json',
        $defs: {
          Json: {
            anyOf: [
              { type: 'string' },
              { type: 'number' },
              { type: 'boolean' },
              { type: 'null' },
              { type: 'array', items: { $ref: '#/$defs/Json' } },
              { type: 'object', additionalProperties: { $ref: '#/$defs/Json' } },
            ],
          },
        },
      },
      want: `
export type Root = Json;

export type Json = string | number | boolean | Json[] | { [key: string]: Json } | null;
`,
    },
  ],
  [
    'definitions that hold each other',
    {
      given: {
        $ref: '#/$defs/A',
        $defs: {
          A: {
            type: 'object',
            additionalProperties: false,
            properties: { b: { $ref: '#/$defs/B' } },
          },
          B: {
            type: 'object',
            additionalProperties: false,
            properties: { a: { $ref: '#/$defs/A' } },
          },
        },
      },
      want: `
export type Root = A;

export interface A {
  b?: B;
}

export interface B {
  a?: A;
}
`,
    },
  ],
  [
    'definitions that are each other',
    {
      given: {
        $ref: '#/$defs/A',
        $defs: {
          A: { anyOf: [{ type: 'string' }, { $ref: '#/$defs/B' }] },
          B: { anyOf: [{ type: 'number' }, { $ref: '#/$defs/A' }] },
        },
      },
      want: `
export type Root = A;

export type A = unknown;

export type B = unknown;
`,
    },
  ],
  [
    'a definition that extends itself',
    {
      given: {
        $ref: '#/$defs/A',
        $defs: {
          A: {
            type: 'object',
            properties: { x: { type: 'string' } },
            allOf: [{ $ref: '#/$defs/A' }],
          },
        },
      },
      want: `
export type Root = A;

export interface A {
  x?: string;
  [key: string]: unknown;
}
`,
    },
  ],
  [
    'a member that extends what it stands in',
    {
      given: {
        $ref: '#/$defs/A',
        $defs: {
          A: {
            type: 'object',
            properties: { a: { $ref: '#/$defs/A', properties: { x: { type: 'string' } } } },
          },
        },
      },
      want: `
export type Root = A;

export interface A {
  a?: {
    x?: string;
    a?: A;
    [key: string]: unknown;
  };
  [key: string]: unknown;
}
`,
    },
  ],
  [
    'a schema deep inside',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: {
          a: {
            type: 'object',
            additionalProperties: false,
            properties: {
              b: {
                type: 'object',
                additionalProperties: false,
                properties: { c: { type: 'string' } },
              },
            },
          },
          d: { $ref: '#/properties/a/properties/b' },
        },
      },
      want: `
export interface Root {
  a?: {
    b?: B;
  };
  d?: B;
}

export interface B {
  c?: string;
}
`,
    },
  ],
  [
    'an anchor',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: { a: { $ref: '#money' } },
        $defs: {
          Money: {
            type: 'object',
            additionalProperties: false,
            properties: { cents: { type: 'number' } },
            $anchor: 'money',
          },
        },
      },
      want: `
export interface Root {
  a?: Money;
}

export interface Money {
  cents?: number;
}
`,
    },
  ],
  [
    'an embedded document',
    {
      given: {
        $id: 'https://example.test/order.json',
        type: 'object',
        additionalProperties: false,
        properties: { item: { $ref: 'item.json' } },
        $defs: {
          item: {
            $id: 'item.json',
            type: 'object',
            additionalProperties: false,
            properties: { sku: { type: 'string' } },
          },
        },
      },
      want: `
export interface Root {
  item?: Item;
}

export interface Item {
  sku?: string;
}
`,
    },
  ],
  [
    'an escaped pointer',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: { a: { $ref: '#/$defs/a~1b%20c~0d' } },
        $defs: {
          'a/b c~d': {
            type: 'object',
            additionalProperties: false,
            properties: { x: { type: 'string' } },
          },
        },
      },
      want: `
export interface Root {
  a?: ABCD;
}

export interface ABCD {
  x?: string;
}
`,
    },
  ],
  [
    'a dynamic reference says nothing',
    {
      given: {
        type: 'object',
        properties: { kids: { type: 'array', items: { $dynamicRef: '#node' } } },
        $dynamicAnchor: 'node',
      },
      want: `
export interface Root {
  kids?: unknown[];
  [key: string]: unknown;
}
`,
    },
  ],
];
