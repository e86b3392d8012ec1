/** Defaults, schema by schema: what parsing fills in, and where it leaves a value alone. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../codegen/json.ts';
import type { SampleModule } from '../support/sample-modules.ts';
import { SampleImporter } from '../support/sample-modules.ts';

interface Case {
  readonly schema: JsonObject;
  readonly given: Json;
  readonly want: Json;
}
type Table = readonly (readonly [name: string, Case])[];

/** A member; lint asks for a description. */
const m = (schema: JsonObject): JsonObject => ({ description: 'A member.', ...schema });
const closed = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  additionalProperties: false,
  properties,
  ...more,
});
const open = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  ...closed(properties, more),
  additionalProperties: true,
});
const x = m({ type: 'string', default: 'x' });
const kind = (value: string): JsonObject => m({ const: value });

const filled: Table = [
  ['a member', { schema: closed({ x }), given: {}, want: { x: 'x' } }],
  ['not a member that is there', { schema: closed({ x }), given: { x: '' }, want: { x: '' } }],
  [
    'not a member that is null',
    {
      schema: closed({ x: m({ type: ['string', 'null'], default: 'x' }) }),
      given: { x: null },
      want: { x: null },
    },
  ],
  [
    'a null',
    {
      schema: closed({ x: m({ type: ['string', 'null'], default: null }) }),
      given: {},
      want: { x: null },
    },
  ],
  [
    'through a reference',
    {
      schema: closed(
        { x: m({ $ref: '#/$defs/D' }) },
        { $defs: { D: m({ enum: ['a', 'b'], default: 'b' }) } },
      ),
      given: {},
      want: { x: 'b' },
    },
  ],
  [
    'the default beside a reference, not that of its target',
    {
      schema: closed(
        { x: m({ $ref: '#/$defs/D', default: 'a' }) },
        { $defs: { D: m({ enum: ['a', 'b'], default: 'b' }) } },
      ),
      given: {},
      want: { x: 'a' },
    },
  ],
  [
    'inside a member',
    { schema: closed({ a: m(closed({ x })) }), given: { a: {} }, want: { a: { x: 'x' } } },
  ],
  [
    'inside a default',
    {
      schema: closed({ a: m(closed({ x }, { default: {} })) }),
      given: {},
      want: { a: { x: 'x' } },
    },
  ],
  [
    'inside the items of a default',
    {
      schema: closed({ a: m({ type: 'array', items: closed({ x }), default: [{}] }) }),
      given: {},
      want: { a: [{ x: 'x' }] },
    },
  ],
  [
    'inside items',
    {
      schema: { type: 'array', items: closed({ x }) },
      given: [{}, { x: '' }],
      want: [{ x: 'x' }, { x: '' }],
    },
  ],
  [
    'inside the places of a tuple and what follows',
    {
      schema: {
        type: 'array',
        prefixItems: [{ type: 'string' }, closed({ x })],
        items: closed({ x }),
      },
      given: ['a', {}, {}],
      want: ['a', { x: 'x' }, { x: 'x' }],
    },
  ],
  [
    'inside other members',
    {
      schema: { type: 'object', additionalProperties: closed({ x }) },
      given: { a: {}, b: {} },
      want: { a: { x: 'x' }, b: { x: 'x' } },
    },
  ],
  [
    'inside members that match a pattern',
    {
      schema: {
        type: 'object',
        patternProperties: { '^a': closed({ x }) },
        additionalProperties: true,
      },
      given: { ab: {}, b: {} },
      want: { ab: { x: 'x' }, b: {} },
    },
  ],
  [
    'through allOf',
    {
      schema: { ...open({}), allOf: [open({ x }), open({ y: m({ default: 1 }) })] },
      given: {},
      want: { x: 'x', y: 1 },
    },
  ],
  [
    'in the branch that the value took',
    {
      schema: {
        oneOf: [
          closed({ kind: kind('a'), x }, { required: ['kind'] }),
          closed({ kind: kind('b') }, { required: ['kind'] }),
        ],
      },
      given: { kind: 'a' },
      want: { kind: 'a', x: 'x' },
    },
  ],
  [
    'in the object of a choice between kinds',
    {
      schema: { anyOf: [closed({ x }), { type: 'string' }, { type: 'null' }] },
      given: {},
      want: { x: 'x' },
    },
  ],
  [
    'on every level of a recursive schema',
    {
      schema: closed({ x, next: m({ $ref: '#' }) }),
      given: { next: { next: {} } },
      want: { x: 'x', next: { x: 'x', next: { x: 'x' } } },
    },
  ],
  [
    'names that every object inherits',
    {
      schema: closed({ toString: x, constructor: m({ default: 1 }) }),
      given: {},
      want: { toString: 'x', constructor: 1 },
    },
  ],
  [
    'numbers and booleans as they are',
    {
      schema: closed({ n: m({ default: 0 }), b: m({ default: false }) }),
      given: {},
      want: { n: 0, b: false },
    },
  ],
];

/** Each of these would be invalid, or another branch's, with the default in it. */
const leftAlone: Table = [
  [
    'members are counted',
    { schema: open({ x }, { maxProperties: 1 }), given: { a: 1 }, want: { a: 1 } },
  ],
  [
    'the name is not allowed',
    { schema: open({ x }, { propertyNames: { maxLength: 0 } }), given: {}, want: {} },
  ],
  [
    'others depend on the member',
    { schema: closed({ x, y: m({}) }, { dependentRequired: { x: ['y'] } }), given: {}, want: {} },
  ],
  [
    'a schema depends on the member',
    {
      schema: closed({ x, y: m({}) }, { dependentSchemas: { x: { required: ['y'] } } }),
      given: {},
      want: {},
    },
  ],
  [
    'the member must not be there',
    { schema: open({ x }, { not: { required: ['x'] } }), given: {}, want: {} },
  ],
  [
    'a condition asks for the member',
    {
      schema: open({ x }, { if: { required: ['x'] }, then: { required: ['y'] } }),
      given: {},
      want: {},
    },
  ],
  [
    'a consequence narrows the member',
    {
      schema: open(
        { x, k: m({}) },
        { if: { properties: { k: { const: 1 } } }, then: { properties: { x: { const: 'z' } } } },
      ),
      given: {},
      want: {},
    },
  ],
  [
    'another schema narrows the member',
    { schema: { ...open({ x }), allOf: [open({ x: m({ minLength: 2 }) })] }, given: {}, want: {} },
  ],
  [
    'a pattern narrows the member',
    { schema: open({ x }, { patternProperties: { '^x': { const: 'z' } } }), given: {}, want: {} },
  ],
  [
    'another schema is closed',
    { schema: { ...open({}), allOf: [open({ x }), closed({ y: m({}) })] }, given: {}, want: {} },
  ],
  ['whole values are listed', { schema: { enum: [{}], ...open({ x }) }, given: {}, want: {} }],
  [
    'items must differ',
    {
      schema: { type: 'array', items: closed({ x }), uniqueItems: true },
      given: [{}, { x: 'x' }],
      want: [{}, { x: 'x' }],
    },
  ],
  [
    'items are looked for',
    {
      schema: { type: 'array', items: closed({ x }), contains: { maxProperties: 0 } },
      given: [{}],
      want: [{}],
    },
  ],
  [
    'exactly one branch may match',
    {
      schema: open({ x }, { oneOf: [{ required: ['x'] }, { required: ['y'] }] }),
      given: { y: 1 },
      want: { y: 1 },
    },
  ],
  [
    'nothing tells the branches apart',
    {
      schema: { anyOf: [closed({ x }), closed({ x: m({ type: 'number', default: 1 }) })] },
      given: {},
      want: {},
    },
  ],
  [
    'a branch that fills never matches',
    {
      schema: {
        anyOf: [closed({}), { type: 'object', allOf: [{ type: 'string' }], ...closed({ x }) }],
      },
      given: {},
      want: {},
    },
  ],
  [
    'a branch that extends another kind never matches',
    {
      schema: { anyOf: [open({}), { allOf: [{ type: 'boolean' }, open({ x })] }] },
      given: {},
      want: {},
    },
  ],
  [
    'the default holds itself',
    { schema: closed({ next: m({ $ref: '#', default: {} }) }), given: {}, want: {} },
  ],
  [
    'two defaults hold each other',
    {
      schema: closed(
        { a: m({ $ref: '#/$defs/A' }) },
        {
          $defs: {
            A: m(closed({ b: m({ $ref: '#/$defs/B', default: {} }) })),
            B: m(closed({ a: m({ $ref: '#/$defs/A', default: {} }) })),
          },
        },
      ),
      given: { a: {} },
      want: { a: {} },
    },
  ],
];

const importer = new SampleImporter();
const modules = new Map<Case, SampleModule>();
beforeAll(async () => {
  const cases = [...filled, ...leftAlone].map(([, each]) => each);
  const imported = await importer.import(
    cases.map(({ schema }) => ({ description: 'A document.', ...schema })),
  );
  cases.forEach((each, index) => modules.set(each, imported[index]!));
});
afterAll(() => {
  importer.remove();
});

function parseFrozen(each: Case): Json {
  const text = JSON.stringify(each.given);
  const result = modules.get(each)!.parse(each.given);
  expect(JSON.stringify(each.given)).toBe(text);
  if (!result.ok) throw new Error(result.errors.map(({ message }) => message).join('\n'));
  const again = modules.get(each)!.parse(result.value);
  expect(again).toEqual({ ok: true, value: result.value });
  return result.value;
}

describe('a default is filled in', () => {
  it.each(filled)('%s', (_name, each) => {
    expect(parseFrozen(each)).toEqual(each.want);
  });
});

describe('a default is left out where', () => {
  it.each(leftAlone)('%s', (_name, each) => {
    const { value } = modules.get(each)!.parse(each.given) as { value: Json };
    expect(parseFrozen(each)).toEqual(each.want);
    expect(value).toBe(each.given);
  });
});

describe('a value that lacks nothing', () => {
  it('comes back as it is, with all that it shares', () => {
    const [, each] = filled.find(([name]) => name === 'inside items')!;
    const given = [{ x: 'a' }, { x: 'b' }];
    expect(modules.get(each)!.parse(given)).toEqual({ ok: true, value: given });
    const shared = [{ x: 'a' }, {}];
    const { value } = modules.get(each)!.parse(shared) as unknown as { value: Json[] };
    expect(value).not.toBe(shared);
    expect(value[0]).toBe(shared[0]);
  });

  it('keeps an own member called __proto__', () => {
    const [, each] = filled.find(([name]) => name === 'through allOf')!;
    const given = JSON.parse('{ "__proto__": { "polluted": 1 } }') as Json;
    const { value } = modules.get(each)!.parse(given) as { value: JsonObject };
    expect(JSON.stringify(value)).toBe('{"__proto__":{"polluted":1},"x":"x","y":1}');
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });
});
