/** Comments: descriptions that nothing breaks out of, and tags. */
import type { TypeTable } from './type-table.ts';

export const comments: TypeTable = [
  [
    'a description',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: { a: { type: 'string', description: 'What it is.' } },
        description: 'A thing.',
      },
      want: `
/** A thing. */
export interface Root {
  /** What it is. */
  a?: string;
}
`,
    },
  ],
  [
    'a comment cannot be closed',
    {
      given: {
        description: 'Matches src/**/*.ts and */ too',
        type: 'object',
        additionalProperties: false,
        properties: { g: { type: 'string', description: 'e.g. **/*.test.ts' } },
      },
      want: `
/** Matches src/**\\/*.ts and *\\/ too */
export interface Root {
  /** e.g. **\\/*.test.ts */
  g?: string;
}
`,
    },
  ],
  [
    'several lines, lists and trailing space',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: {
          a: { type: 'string', description: '  Line one.\r\n\r\nLine  two:\n  - item\n' },
        },
      },
      want: `
export interface Root {
  /**
   * Line one.
   *
   * Line  two:
   *   - item
   */
  a?: string;
}
`,
    },
  ],
  [
    'long lines are broken',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: {
          a: {
            type: 'string',
            description:
              'word word word word word word word word word word word word word word word word word word word word word word word word word end.',
          },
        },
      },
      want: `
export interface Root {
  /**
   * word word word word word word word word word word word word word word word word word word word
   * word word word word word word end.
   */
  a?: string;
}
`,
    },
  ],
  [
    'a word that would be a tag',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: {
          a: { type: 'string', description: '@deprecated is not meant\nnor is\n  @internal here' },
        },
      },
      want: `
export interface Root {
  /**
   * \\@deprecated is not meant
   * nor is
   *   \\@internal here
   */
  a?: string;
}
`,
    },
  ],
  [
    'a word that would be a tag after a line break',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: {
          a: {
            type: 'string',
            description:
              'word word word word word word word word word word word word word word word word word word @acme/contract is a package.',
          },
        },
      },
      want: `
export interface Root {
  /**
   * word word word word word word word word word word word word word word word word word word
   * \\@acme/contract is a package.
   */
  a?: string;
}
`,
    },
  ],
  [
    'markup',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: {
          a: { type: 'string', description: '<b>bold</b> {@link nothing} `code` | pipe' },
        },
      },
      want: `
export interface Root {
  /** <b>bold</b> {@link nothing} \`code\` | pipe */
  a?: string;
}
`,
    },
  ],
  [
    'constraints as tags',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: {
          a: {
            type: 'integer',
            minimum: 1,
            maximum: 10,
            exclusiveMinimum: 0,
            exclusiveMaximum: 11,
            multipleOf: 1,
            default: 5,
            examples: [3, 4],
            deprecated: true,
            format: 'int32',
          },
        },
      },
      want: `
export interface Root {
  /**
   * @default 5
   * @format int32
   * @minimum 1
   * @maximum 10
   * @exclusiveMinimum 0
   * @exclusiveMaximum 11
   * @multipleOf 1
   * @example 3
   * @example 4
   * @deprecated
   */
  a: number;
}

/** What a client may send as {@link Root}. */
export interface RootInput {
  /**
   * @default 5
   * @format int32
   * @minimum 1
   * @maximum 10
   * @exclusiveMinimum 0
   * @exclusiveMaximum 11
   * @multipleOf 1
   * @example 3
   * @example 4
   * @deprecated
   */
  a?: number;
}
`,
    },
  ],
  [
    'constraints on strings and arrays',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: {
          a: { type: 'string', pattern: '^[a-z]*/$', minLength: 1, maxLength: 2, format: 'date' },
          b: {
            type: 'array',
            items: { type: 'string' },
            minItems: 1,
            maxItems: 99,
            uniqueItems: true,
          },
          c: {
            type: 'object',
            additionalProperties: { type: 'number' },
            minProperties: 1,
            maxProperties: 2,
          },
        },
      },
      want: `
export interface Root {
  /**
   * @format date
   * @pattern ^[a-z]*\\/$
   * @minLength 1
   * @maxLength 2
   */
  a?: string;
  /**
   * @minItems 1
   * @maxItems 99
   * @uniqueItems true
   */
  b?: [string, ...string[]];
  /**
   * @minProperties 1
   * @maxProperties 2
   */
  c?: { [key: string]: number };
}
`,
    },
  ],
  [
    'a default that is a text',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: {
          a: { type: 'string', default: 'x' },
          b: { type: 'string', default: 'two words' },
          c: { type: 'string', default: '' },
        },
      },
      want: `
export interface Root {
  /** @default x */
  a: string;
  /** @default "two words" */
  b: string;
  /** @default "" */
  c: string;
}

/** What a client may send as {@link Root}. */
export interface RootInput {
  /** @default x */
  a?: string;
  /** @default "two words" */
  b?: string;
  /** @default "" */
  c?: string;
}
`,
    },
  ],
  [
    'a long example is left out',
    {
      given: {
        enum: ['a', 'b'],
        examples: [
          'a',
          'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
        ],
      },
      want: `
/** @example a */
export type Root = "a" | "b";
`,
    },
  ],
  [
    'deprecated',
    {
      given: { enum: ['a', 'b'], deprecated: true, description: 'Old.' },
      want: `
/**
 * Old.
 *
 * @deprecated
 */
export type Root = "a" | "b";
`,
    },
  ],
  [
    'a title of several words',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: { x: { type: 'string' } },
        title: 'A Nice Thing',
      },
      want: `
/** A Nice Thing */
export interface Root {
  x?: string;
}
`,
    },
  ],
  [
    'a title is no alias',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: { id: { type: 'string', title: 'Id' }, at: { title: 'Any' } },
      },
      want: `
export interface Root {
  id?: string;
  at?: unknown;
}
`,
    },
  ],
  [
    'the same title twice',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: {
          from: {
            title: 'Coord',
            type: 'object',
            additionalProperties: false,
            properties: { x: { type: 'number' } },
          },
          to: {
            title: 'Coord',
            type: 'object',
            additionalProperties: false,
            properties: { x: { type: 'number' } },
          },
        },
      },
      want: `
export interface Root {
  from?: {
    x?: number;
  };
  to?: {
    x?: number;
  };
}
`,
    },
  ],
];
