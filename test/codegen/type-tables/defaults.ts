/** `X` and `XInput`: defaults, read-only members. */
import type { TypeTable } from './type-table.ts';

export const defaults: TypeTable = [
  [
    'a default',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: { name: { type: 'string' }, retries: { type: 'integer', default: 3 } },
        required: ['name'],
      },
      want: `
export interface Root {
  name: string;
  /** @default 3 */
  retries: number;
}

/** What a client may send as {@link Root}. */
export interface RootInput {
  name: string;
  /** @default 3 */
  retries?: number;
}
`,
    },
  ],
  [
    'a default null',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: { note: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null } },
      },
      want: `
export interface Root {
  /** @default null */
  note: string | null;
}

/** What a client may send as {@link Root}. */
export interface RootInput {
  /** @default null */
  note?: string | null;
}
`,
    },
  ],
  [
    'a default beside a reference',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: { state: { $ref: '#/$defs/State', default: 'on' } },
        $defs: { State: { enum: ['on', 'off'] } },
      },
      want: `
export interface Root {
  /** @default on */
  state: State;
}

/** What a client may send as {@link Root}. */
export interface RootInput {
  /** @default on */
  state?: State;
}

export type State = "on" | "off";
`,
    },
  ],
  [
    'a default of what is referred to',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: { state: { $ref: '#/$defs/State' } },
        $defs: { State: { enum: ['on', 'off'], default: 'off' } },
      },
      want: `
export interface Root {
  state: State;
}

/** What a client may send as {@link Root}. */
export interface RootInput {
  state?: State;
}

/** @default off */
export type State = "on" | "off";
`,
    },
  ],
  [
    'a default inside',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: {
          a: { $ref: '#/$defs/A' },
          list: { type: 'array', items: { $ref: '#/$defs/A' }, default: [] },
        },
        $defs: {
          A: {
            type: 'object',
            additionalProperties: false,
            properties: { x: { type: 'string', default: '' } },
          },
        },
      },
      want: `
export interface Root {
  a?: A;
  /** @default [] */
  list: A[];
}

/** What a client may send as {@link Root}. */
export interface RootInput {
  a?: AInput;
  /** @default [] */
  list?: AInput[];
}

export interface A {
  /** @default "" */
  x: string;
}

/** What a client may send as {@link A}. */
export interface AInput {
  /** @default "" */
  x?: string;
}
`,
    },
  ],
  [
    'a default behind null',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: { a: { anyOf: [{ $ref: '#/$defs/A' }, { type: 'null' }], default: null } },
        $defs: {
          A: {
            type: 'object',
            additionalProperties: false,
            properties: { x: { type: 'string', default: '' } },
          },
        },
      },
      want: `
export interface Root {
  /** @default null */
  a: A | null;
}

/** What a client may send as {@link Root}. */
export interface RootInput {
  /** @default null */
  a?: AInput | null;
}

export interface A {
  /** @default "" */
  x: string;
}

/** What a client may send as {@link A}. */
export interface AInput {
  /** @default "" */
  x?: string;
}
`,
    },
  ],
  [
    'defaults in a choice that can be told',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: { u: { oneOf: [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/B' }] } },
        $defs: {
          A: {
            type: 'object',
            additionalProperties: false,
            properties: { k: { const: 'a' }, x: { type: 'string', default: '' } },
            required: ['k'],
          },
          B: {
            type: 'object',
            additionalProperties: false,
            properties: { k: { const: 'b' }, x: { type: 'string', default: '' } },
            required: ['k'],
          },
        },
      },
      want: `
export interface Root {
  u?: A | B;
}

/** What a client may send as {@link Root}. */
export interface RootInput {
  u?: AInput | BInput;
}

export interface A {
  k: "a";
  /** @default "" */
  x: string;
}

/** What a client may send as {@link A}. */
export interface AInput {
  k: "a";
  /** @default "" */
  x?: string;
}

export interface B {
  k: "b";
  /** @default "" */
  x: string;
}

/** What a client may send as {@link B}. */
export interface BInput {
  k: "b";
  /** @default "" */
  x?: string;
}
`,
    },
  ],
  [
    'defaults in a choice that cannot be told are not filled in',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: { u: { anyOf: [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/B' }] } },
        $defs: {
          A: {
            type: 'object',
            additionalProperties: false,
            properties: { x: { type: 'string', default: '' } },
          },
          B: {
            type: 'object',
            additionalProperties: false,
            properties: { y: { type: 'string', default: '' } },
          },
        },
      },
      want: `
export interface Root {
  u?: AInput | BInput;
}

export interface A {
  /** @default "" */
  x: string;
}

/** What a client may send as {@link A}. */
export interface AInput {
  /** @default "" */
  x?: string;
}

export interface B {
  /** @default "" */
  y: string;
}

/** What a client may send as {@link B}. */
export interface BInput {
  /** @default "" */
  y?: string;
}
`,
    },
  ],
  [
    'a default that could make the value invalid is not filled in',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: { a: { type: 'string', default: '' }, b: { type: 'string' } },
        dependentRequired: { a: ['b'] },
      },
      want: `
export type Root =
  | {
      a?: never;
      b?: string;
    }
  | {
      /** @default "" */
      a: string;
      b: string;
    };
`,
    },
  ],
  [
    'a default that holds only sometimes is not filled in',
    {
      given: {
        type: 'object',
        properties: { k: { type: 'string' } },
        required: ['k'],
        if: { properties: { k: { const: 'a' } } },
        then: { properties: { x: { type: 'number', default: 1 } } },
        else: { properties: { y: { type: 'number' } } },
      },
      want: `
export type Root =
  | {
      k: string;
      /** @default 1 */
      x?: number;
      [key: string]: unknown;
    }
  | {
      k: string;
      y?: number;
      [key: string]: unknown;
    };
`,
    },
  ],
  [
    'a default that holds itself is not filled in',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: { next: { $ref: '#', default: {} } },
      },
      want: `
export interface Root {
  /** @default {} */
  next?: Root;
}
`,
    },
  ],
  [
    'a default in other members',
    {
      given: {
        type: 'object',
        additionalProperties: {
          type: 'object',
          additionalProperties: false,
          properties: { x: { type: 'string', default: '' } },
        },
      },
      want: `
export type Root = {
  [key: string]: {
    /** @default "" */
    x: string;
  };
};

/** What a client may send as {@link Root}. */
export type RootInput = {
  [key: string]: {
    /** @default "" */
    x?: string;
  };
};
`,
    },
  ],
  [
    'a default in a tuple',
    {
      given: {
        type: 'array',
        prefixItems: [
          {
            type: 'object',
            additionalProperties: false,
            properties: { x: { type: 'string', default: '' } },
          },
        ],
        items: false,
      },
      want: `
export type Root = [
  {
    /** @default "" */
    x: string;
  }?,
];

/** What a client may send as {@link Root}. */
export type RootInput = [
  {
    /** @default "" */
    x?: string;
  }?,
];
`,
    },
  ],
  [
    'a recursive type with a default',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: {
          x: { type: 'string', default: '' },
          kids: { type: 'array', items: { $ref: '#' } },
        },
      },
      want: `
export interface Root {
  /** @default "" */
  x: string;
  kids?: Root[];
}

/** What a client may send as {@link Root}. */
export interface RootInput {
  /** @default "" */
  x?: string;
  kids?: RootInput[];
}
`,
    },
  ],
  [
    'a read-only member',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: { id: { type: 'string', readOnly: true }, name: { type: 'string' } },
        required: ['id', 'name'],
      },
      want: `
export interface Root {
  readonly id: string;
  name: string;
}

/** What a client may send as {@link Root}. */
export interface RootInput {
  name: string;
}
`,
    },
  ],
  [
    'a read-only definition',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: { id: { $ref: '#/$defs/Id' } },
        $defs: {
          Id: {
            type: 'object',
            additionalProperties: false,
            properties: { x: { type: 'string' } },
            readOnly: true,
          },
        },
      },
      want: `
export interface Root {
  readonly id?: Id;
}

/** What a client may send as {@link Root}. */
export type RootInput = { [key: string]: never };

export interface Id {
  x?: string;
}
`,
    },
  ],
  [
    'a read-only member deep inside',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: {
          list: {
            type: 'array',
            items: {
              type: 'object',
              additionalProperties: false,
              properties: { id: { type: 'string', readOnly: true }, name: { type: 'string' } },
            },
          },
        },
      },
      want: `
export interface Root {
  list?: {
    readonly id?: string;
    name?: string;
  }[];
}

/** What a client may send as {@link Root}. */
export interface RootInput {
  list?: {
    name?: string;
  }[];
}
`,
    },
  ],
  [
    'a read-only member with a default',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: { v: { type: 'number', readOnly: true, default: 1 }, name: { type: 'string' } },
      },
      want: `
export interface Root {
  /** @default 1 */
  readonly v: number;
  name?: string;
}

/** What a client may send as {@link Root}. */
export interface RootInput {
  name?: string;
}
`,
    },
  ],
  [
    'nothing but read-only members',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: { id: { type: 'string', readOnly: true } },
      },
      want: `
export interface Root {
  readonly id?: string;
}

/** What a client may send as {@link Root}. */
export type RootInput = { [key: string]: never };
`,
    },
  ],
  [
    'a read-only member of an open object',
    {
      given: { type: 'object', properties: { id: { type: 'string', readOnly: true } } },
      want: `
export interface Root {
  readonly id?: string;
  [key: string]: unknown;
}

/** What a client may send as {@link Root}. */
export type RootInput = { [key: string]: unknown };
`,
    },
  ],
  [
    'a read-only member beside a map',
    {
      given: {
        type: 'object',
        properties: { id: { type: 'string', readOnly: true } },
        additionalProperties: { type: 'number' },
      },
      want: `
export interface Root {
  readonly id?: string;
  [key: string]: number | string | undefined;
}

/** What a client may send as {@link Root}. */
export type RootInput = { [key: string]: number };
`,
    },
  ],
  [
    'a read-only member stays where no default can be filled in',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: {
          a: {
            type: 'object',
            additionalProperties: false,
            properties: {
              id: { type: 'string', readOnly: true },
              x: { type: 'string', default: '' },
            },
            maxProperties: 2,
          },
        },
      },
      want: `
export interface Root {
  /** @maxProperties 2 */
  a?: {
    readonly id?: string;
    /** @default "" */
    x?: string;
  };
}

/** What a client may send as {@link Root}. */
export interface RootInput {
  /** @maxProperties 2 */
  a?: {
    /** @default "" */
    x?: string;
  };
}
`,
    },
  ],
  [
    'writeOnly changes no type',
    {
      given: {
        type: 'object',
        additionalProperties: false,
        properties: { password: { type: 'string', writeOnly: true } },
      },
      want: `
export interface Root {
  password?: string;
}
`,
    },
  ],
];
