/** What the generated types say where other generators were reported to go wrong, fault by fault. */

/** Texts that the generated module has, patterns that it lacks, and the names of all its types. */
export interface Expectation {
  readonly has?: readonly string[];
  readonly lacks?: readonly RegExp[];
  readonly types?: readonly string[];
}

const NUMBERED = /\b[A-Za-z_]+\d+\b/;

export const expectedTypes: ReadonlyMap<string, Expectation> = new Map<string, Expectation>([
  [
    '01-pydantic-title-alias-noise',
    { types: ['Root', 'Owner'], has: ['  id: string;', '  name?: string;'], lacks: [NUMBERED] },
  ],
  ['02-same-title-same-shape', { types: ['Root'], lacks: [/Coord/, NUMBERED] }],
  [
    '03-ref-with-sibling-description',
    {
      types: ['Root', 'Money'],
      has: ['  /** before tax */\n  net?: Money;', '  /** after tax */\n  gross?: Money;'],
      lacks: [NUMBERED],
    },
  ],
  ['05-prefix-items-tuple', { has: ['export type Root = [number, string];'] }],
  ['06-prefix-items-items-false', { has: ['export type Root = [number?, string?];'] }],
  [
    '08-recursive-json-value',
    {
      types: ['Root', 'JsonValue'],
      has: ['  | JsonValue[]\n', '  | { [key: string]: JsonValue }\n', '  value?: JsonValue;'],
    },
  ],
  [
    '09-root-recursive-ref',
    { types: ['Root', 'Tree'], has: ['export type Root = Tree;', '  kids: Tree[];'] },
  ],
  [
    '11-default-input-vs-output',
    { types: ['Root', 'RootInput'], has: ['  retries: number;', '  retries?: number;'] },
  ],
  ['12-nullable-anyof-default-null', { has: ['  note?: string | null;'], lacks: [/Note/] }],
  [
    '14-ajv-discriminator-mapping',
    { types: ['Root', 'A', 'B'], has: ['export type Root = A | B;', '  t: "a";', '  t: "b";'] },
  ],
  [
    '15-read-only-property',
    { has: ['  readonly id: string;', 'export type RootInput = { [key: string]: never };'] },
  ],
  [
    '17-additional-properties-vs-named',
    { has: ['  [key: string]: { [key: string]: number } | string | undefined;'] },
  ],
  ['18-ref-by-id', { has: ['  item?: Item;', 'export interface Item {\n  sku: string;'] }],
  [
    '20-unreachable-defs-plain-root',
    { types: ['Root', 'Used'], has: ['export type Root = unknown;'] },
  ],
  [
    '22-description-closes-comment',
    { has: ['src/**\\/*.ts and *\\/ too */\nexport'], lacks: [/\*\*\/\*/] },
  ],
  ['24-enum-key-names', { has: ['export type Root = "<" | "<=" | "" | "1st" | "a-b" | "a_b";'] }],
  [
    '25-property-names-needing-quotes',
    { has: ['  "a-b": string;', '  "1x": string;', '  "new\\nline"?: string;', '  ünï?: string;'] },
  ],
  [
    '26-prototype-named-properties',
    { has: ['  constructor: number;', '  __proto__?: string;', '  toString?: boolean'] },
  ],
  [
    '28-max-items-tuple-blowup',
    { has: ['export type Root = [[string, ...string[]], ...[string, ...string[]][]];'] },
  ],
  [
    '30-type-array-with-sibling-oneof',
    { types: ['Root', 'Cfg'], has: ['export type Root = string | Cfg | Cfg[];'] },
  ],
  ['31-if-then-else', { has: ['  sub: boolean;', '  host?: string;'], lacks: [/\[key: string\]/] }],
  ['33-typeless-property', { has: ['  any?: unknown;', '  titled?: unknown;'], lacks: [/Titled/] }],
  ['35-const-object-literal', { has: ['  a: [1, "x"];\n  b: null;'] }],
  ['36-boolean-schemas', { has: ['  yes?: unknown;\n  no?: never;'] }],
  // Of the docs, whose tests show how such texts are escaped there.
  ['39-docs-table-metacharacters', { has: ['/** a|b <b>bold</b> {x} `code|pipe` */', '"p|q": '] }],
  // Of validators, whose tests import them as modules.
  ['41-ajv-standalone-esm-require', { has: ['  tags?: { [key: string]: unknown }[];'] }],
  [
    '42-ajv-default-beside-ref',
    { types: ['Root', 'RootInput', 'St'], has: ['  state: St;', '  x: number;', '  x?: number;'] },
  ],
  ['43-zod-ref-becomes-any', { types: ['Root', 'U'], has: ['  u: U;', '  k: "a";', '  k: "b";'] }],
  ['44-quicktype-merges-enums', { types: ['Root', 'First', 'Second'] }],
  [
    '46-integer-bounds-and-format-annotations',
    {
      has: ['@default 5\n', '@minimum 1\n', '@maximum 10\n', '@example 3\n', '@deprecated\n'],
    },
  ],
]);
