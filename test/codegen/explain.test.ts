/**
 * What the errors say, word for word: each row is a schema, a value, and the messages it gets.
 */
import { describe, expect, it } from 'vitest';

import { codePointLength, deepEqual } from '../../codegen/runtime/checks.js';
import { explain, findReadOnly, isValid } from '../../codegen/runtime/explain.js';
import { ContractError, formatErrors, unwrap } from '../../codegen/runtime/result.js';
import type { FlatSchema } from '../../codegen/runtime/shape.js';

type Row = readonly [schema: FlatSchema, value: unknown, messages: readonly string[]];

function itSays(rows: readonly Row[]): void {
  it.each(rows.map((row) => [JSON.stringify(row.slice(0, 2)).slice(0, 120), ...row] as const))(
    '%s',
    (_name, schema, value, messages) => {
      expect(explain(schema, value).map(({ message }) => message)).toEqual(messages);
    },
  );
}

const participant = {
  type: 'object',
  required: ['id', 'role'],
  properties: {
    id: { type: 'string', minLength: 1 },
    role: { $ref: '#/$defs/Role' },
    nick: { anyOf: [{ type: 'string', maxLength: 5 }, { type: 'null' }] },
  },
} as const;

const task = {
  type: 'object',
  additionalProperties: false,
  required: ['goal'],
  properties: {
    goal: { type: 'string' },
    priority: { type: 'integer', minimum: 1 },
    participants: { type: 'array', items: { $ref: '#/$defs/Participant' } },
  },
  $defs: {
    Role: { type: 'string', enum: ['assignee', 'reporter', 'watcher', 'admin'] },
    Participant: participant,
  },
} as const;

describe('a wrong value', () => {
  itSays([
    [task, { goal: 'g', participants: [{ id: 'a', role: 'admin' }] }, []],
    [task, [], ['the value must be an object; got an array']],
    [task, null, ['the value must be an object; got null']],
    [task, undefined, ['the value must be an object; got undefined']],
    [
      task,
      { goal: 'g', participants: [{ id: 'a', role: 'owner' }] },
      ['participants/0/role must be one of assignee, reporter, watcher, admin; got "owner"'],
    ],
    [
      task,
      { goal: 'g', participants: [{ id: 'a', role: 7 }] },
      ['participants/0/role must be one of assignee, reporter, watcher, admin; got 7'],
    ],
    [{ const: 'task' }, 'tsak', ['the value must be "task"; got "tsak"']],
    [{ const: { a: [1] } }, { a: [2] }, ['the value must be {"a":[1]}; got {"a":[2]}']],
    [
      { enum: ['a b', '5', 5, null] },
      'x',
      ['the value must be one of "a b", "5", 5, null; got "x"'],
    ],
    [{ type: ['string', 'null'] }, 5, ['the value must be a string or null; got 5']],
    [{ type: 'integer' }, 1.5, ['the value must be an integer; got 1.5']],
    [{ type: 'integer' }, 1.0, []],
    [{ type: 'boolean' }, 'yes', ['the value must be a boolean; got "yes"']],
    [{ properties: { a: false } }, { a: 1 }, ['a is not allowed']],
    [false, 1, ['the value is not allowed']],
    [{ not: { type: 'string' } }, 'a', ['the value must not be a string; got "a"']],
    [
      { not: { required: ['a', 'b'] } },
      { a: 1, b: 2 },
      ['the value must not have a and b; got an object'],
    ],
    [{ not: { minLength: 1 } }, 'a', ['the value must not be what the schema excludes; got "a"']],
    [
      { if: { type: 'string' }, then: { minLength: 3 }, else: { minimum: 3 } },
      1,
      ['the value must be at least 3; got 1'],
    ],
  ]);

  it('has a list of allowed values that ends', () => {
    const values = Array.from({ length: 25 }, (_, index) => `v${String(index)}`);
    const [error] = explain({ enum: values }, 1);
    expect(error?.message).toMatch(/^the value must be one of v0, .*, v19 and 5 more; got 1$/);
  });
});

describe('a number, a string', () => {
  itSays([
    [{ minimum: 1 }, 0, ['the value must be at least 1; got 0']],
    [{ exclusiveMinimum: 0 }, 0, ['the value must be more than 0; got 0']],
    [{ maximum: 1 }, 2, ['the value must be at most 1; got 2']],
    [{ exclusiveMaximum: 1 }, 1, ['the value must be less than 1; got 1']],
    [{ multipleOf: 0.01 }, 1.005, ['the value must be a multiple of 0.01; got 1.005']],
    [{ multipleOf: 0.1 }, 0.3, []],
    [{ multipleOf: 1e-8 }, 1.5e-7, []],
    [{ multipleOf: 0.5 }, 1e308, []],
    [{ multipleOf: 5 }, -15, []],
    [{ minLength: 1 }, '', ['the value must not be empty']],
    [{ minLength: 3 }, 'ab', ['the value must have at least 3 characters; got 2: "ab"']],
    [{ maxLength: 1 }, '😀', []],
    [{ maxLength: 1 }, '😀😀', ['the value must have at most 1 character; got 2: "😀😀"']],
    [{ pattern: '^[a-z]+$' }, 'A', ['the value must match the pattern ^[a-z]+$; got "A"']],
    [{ pattern: '^\\p{Lu}$' }, 'É', []],
    // What a pattern is for, where something beside it says so.
    [{ pattern: '\\S' }, ' ', ['the value must not be blank; got " "']],
    [{ pattern: '^$|\\S' }, ' ', ['the value must not be only white space; got " "']],
    [
      { pattern: '^[a-z]+$', examples: ['abc', 'x'] },
      'A',
      ['the value must match the pattern ^[a-z]+$, such as "abc"; got "A"'],
    ],
    [
      { pattern: '^[A-Z]*$', contentEncoding: 'base64' },
      '!',
      ['the value must be base64; got "!"'],
    ],
    [
      { pattern: 'Z$', format: 'date-time', examples: ['2025-10-28T10:30:00Z'] },
      'now',
      ['the value must be of the format date-time, such as "2025-10-28T10:30:00Z"; got "now"'],
    ],
    // Valid without the `u` flag only; and not valid at all, which says nothing.
    [{ pattern: '^\\-$' }, 'a', ['the value must match the pattern ^\\-$; got "a"']],
    [{ pattern: '(' }, 'a', []],
    [{ format: 'email', contentMediaType: 'application/json' }, 'neither', []],
  ]);
});

describe('an array', () => {
  itSays([
    [{ minItems: 1 }, [], ['the value must not be empty']],
    [{ maxItems: 1 }, [1, 2], ['the value must have at most 1 item; got 2']],
    [
      { properties: { tags: { uniqueItems: true } } },
      { tags: [{ a: 1, b: 2 }, 0, { b: 2, a: 1 }] },
      ['tags must not repeat an item; items 0 and 2 are both {"b":2,"a":1}'],
    ],
    [{ uniqueItems: true }, [1, '1', true, [1], { 0: 1 }, null], []],
    [
      { prefixItems: [{ type: 'string' }], items: false },
      [1, 2],
      ['0 must be a string; got 1', 'the value must have at most 1 item; got 2'],
    ],
    [
      { contains: { type: 'string' } },
      [1],
      ['the value must contain at least 1 matching item (a string); got 0'],
    ],
    [
      { contains: { minimum: 2 }, minContains: 0, maxContains: 1 },
      [2, 3],
      ['the value must contain at most 1 matching item; got 2'],
    ],
    [{ prefixItems: [true], unevaluatedItems: false }, [1, 2], ['1 is not allowed']],
  ]);
});

describe('an object', () => {
  itSays([
    [task, {}, ['goal is missing (a string)']],
    [
      task,
      { goal: 'g', participants: [{}] },
      [
        'participants/0/id is missing (a string)',
        'participants/0/role is missing (one of assignee, reporter, watcher, admin)',
      ],
    ],
    [{ required: ['a'] }, {}, ['a is missing']],
    [
      task,
      { goal: 'g', priorty: 1 },
      ['"priorty" is not a known property; did you mean "priority"?'],
    ],
    [
      task,
      { goal: 'g', owner: 1 },
      ['"owner" is not a known property (known: goal, priority, participants)'],
    ],
    // What is there already was not meant.
    [
      { properties: { name: true }, additionalProperties: false },
      { name: 1, nam: 2 },
      ['"nam" is not a known property (known: name)'],
    ],
    [
      {
        items: {
          properties: { 'a b': true },
          patternProperties: { '^x-': true },
          additionalProperties: false,
        },
      },
      [{ foo: 1 }],
      ['0: "foo" is not a known property (known: "a b", names like ^x-)'],
    ],
    [{ additionalProperties: false }, { a: 1 }, ['"a" is not a known property']],
    [
      { allOf: [{ properties: { abc: true } }], unevaluatedProperties: false },
      { abc: 1, abd: 1 },
      ['"abd" is not a known property (known: abc)'],
    ],
    [
      { propertyNames: { pattern: '^[a-z]+$' } },
      { A: 1 },
      ['the property name "A" must match the pattern ^[a-z]+$; got "A"'],
    ],
    [{ minProperties: 2 }, { a: 1 }, ['the value must have at least 2 properties; got 1']],
    [{ maxProperties: 1 }, { a: 1, b: 1 }, ['the value must have at most 1 property; got 2']],
    [
      { dependentRequired: { card: ['address'] } },
      { card: 1 },
      ['address is missing; card needs it'],
    ],
    [{ dependencies: { card: ['address'] } }, { card: 1 }, ['address is missing; card needs it']],
    [{ dependentSchemas: { a: { required: ['b'] } } }, { a: 1 }, ['b is missing']],
    [
      { required: ['constructor', 'toString'] },
      {},
      ['constructor is missing', 'toString is missing'],
    ],
    [
      { properties: { ['__proto__']: { type: 'string' }, constructor: { type: 'string' } } },
      JSON.parse('{ "__proto__": 1, "constructor": 2 }'),
      ['__proto__ must be a string; got 1', 'constructor must be a string; got 2'],
    ],
  ]);
});

const event: FlatSchema = {
  oneOf: [
    { $ref: '#/$defs/Task' },
    {
      type: 'object',
      required: ['kind', 'payload'],
      properties: {
        kind: { enum: ['status_update', 'artifact_update'] },
        payload: { type: 'object' },
      },
      additionalProperties: false,
    },
    {
      type: 'object',
      required: ['kind', 'action'],
      properties: { kind: { const: 'control' }, action: { const: 'complete' } },
      additionalProperties: false,
    },
  ],
  $defs: {
    Task: {
      type: 'object',
      required: ['kind', 'payload'],
      properties: {
        kind: { const: 'task' },
        payload: { anyOf: [{ $ref: '#/$defs/New' }, { $ref: '#/$defs/Changes' }] },
      },
      additionalProperties: false,
    },
    New: {
      type: 'object',
      required: ['name', 'goal'],
      properties: {
        name: { type: 'string' },
        goal: { type: 'string' },
        state: { type: 'string', readOnly: true },
      },
      additionalProperties: false,
    },
    Changes: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        goal: { type: 'string', readOnly: true },
        state: { type: 'string', readOnly: true },
      },
      additionalProperties: false,
    },
  },
};

/** A part is told from the others by which property it has. */
const part: FlatSchema = {
  oneOf: ['text', 'raw', 'url'].map((name) => ({
    type: 'object',
    required: [name],
    properties: { [name]: { type: 'string' } },
    additionalProperties: false,
  })),
};

const rivals: FlatSchema = {
  properties: { p: { items: { oneOf: ['a', 'b', 'c'].map((name) => ({ required: [name] })) } } },
};

describe('alternatives', () => {
  itSays([
    [
      event,
      { kind: 'tsak' },
      ['kind must be one of task, status_update, artifact_update, control; got "tsak"'],
    ],
    [event, {}, ['kind is missing (one of task, status_update, artifact_update, control)']],
    [event, 5, ['the value must be an object; got 5']],
    [event, { kind: 'control', action: 'stop' }, ['action must be "complete"; got "stop"']],
    [
      event,
      { kind: 'control', action: 'complete', payload: {} },
      ['"payload" is not a known property (known: kind, action)'],
    ],
    // Nothing of `goal`: the payload fits the changes better.
    [
      event,
      { kind: 'task', payload: { nam: 'x' } },
      ['payload: "nam" is not a known property; did you mean "name"?'],
    ],
    [event, { kind: 'task', payload: { name: 1 } }, ['payload/name must be a string; got 1']],
    [
      task,
      { goal: 'g', participants: [{ id: 'a', role: 'admin', nick: 5 }] },
      ['participants/0/nick must be a string or null; got 5'],
    ],
    [
      task,
      { goal: 'g', participants: [{ id: 'a', role: 'admin', nick: 'too long' }] },
      ['participants/0/nick must have at most 5 characters; got 8: "too long"'],
    ],
    [part, { text: 'a' }, []],
    [part, { url: 1 }, ['url must be a string; got 1']],
    [part, {}, ['text, raw or url is missing']],
    [
      part,
      { data: 1 },
      ['text, raw or url is missing', '"data" is not a known property (known: text, raw, url)'],
    ],
    [
      { anyOf: [{ const: 'a' }, { enum: ['b', 'c'] }] },
      'd',
      ['the value must be one of a, b, c; got "d"'],
    ],
    [
      { anyOf: [{ enum: ['a', 'b'] }, { type: 'string', pattern: '^x-' }] },
      'c',
      ['the value must be one of a, b or match the pattern ^x-; got "c"'],
    ],
    [{ anyOf: [{ enum: ['a', 'b'] }, { type: 'string' }] }, 'c', []],
    [
      { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'string' }] },
      [1],
      ['0 must be a string; got 1'],
    ],
    [
      { oneOf: [{ $ref: '#/$defs/Small' }, { type: 'integer' }], $defs: { Small: { maximum: 5 } } },
      3,
      ['the value must fit exactly one alternative; got 3, which fits Small and alternative 2'],
    ],
    // Alternatives that only list a name each: which may stand there, and which do.
    [rivals, { p: [{ a: 1 }] }, []],
    [rivals, { p: [{}] }, ['p/0: a, b or c is missing']],
    [rivals, { p: [{ a: 1, c: 2 }] }, ['p/0 must have only one of a, b, c; got a, c']],
    [
      { oneOf: [{ required: ['a'] }, { required: ['b'], minProperties: 2 }] },
      { a: 1, b: 2 },
      [
        'the value must fit exactly one alternative; got an object, which fits alternative 1 and alternative 2',
      ],
    ],
    // The version is the same everywhere, so it tells nothing apart; the kind of `a` does.
    [
      {
        anyOf: [
          { properties: { v: { const: 1 }, a: { const: 'x' }, n: { type: 'string' } } },
          { properties: { v: { const: 1 }, a: { const: 'y' }, n: { type: 'number' } } },
        ],
      },
      { v: 1, a: 'y', n: 'z' },
      ['n must be a number; got "z"'],
    ],
  ]);
});

describe('words', () => {
  const long = 'x'.repeat(1_000_000);

  itSays([
    [
      { properties: { 'a b': { properties: { 'c/d': { properties: { '': { const: 1 } } } } } } },
      { 'a b': { 'c/d': { '': 2 } } },
      ['"a b"/"c/d"/"" must be 1; got 2'],
    ],
    [
      { type: 'null' },
      '\u0000\n\u202e\ud800',
      ['the value must be null; got "\\u0000\\n\\u202e\\ud800"'],
    ],
    [{ type: 'null' }, long, [`the value must be null; got "${'x'.repeat(57)}…"`]],
    [{ type: 'null' }, '😀'.repeat(40), [`the value must be null; got "${'😀'.repeat(28)}…"`]],
    [{ const: 1 }, [long, long], [`the value must be 1; got ["${'x'.repeat(56)}…`]],
    [
      { additionalProperties: false },
      { [long]: 1 },
      [`"${'x'.repeat(57)}…" is not a known property`],
    ],
    [
      { properties: { [long]: { const: 1 } } },
      { [long]: 2 },
      [`"${'x'.repeat(57)}…" must be 1; got 2`],
    ],
    // Two keywords that say the same are one error.
    [{ allOf: [{ minimum: 3 }, { minimum: 3 }] }, 1, ['the value must be at least 3; got 1']],
  ]);

  it('come with the pointer, the keyword, the place in the schema and the value', () => {
    const value = {
      goal: 'g',
      participants: [{ id: 'a', role: 'owner' }, { id: 'b' }],
      'x/~': [1],
    };
    expect(explain(task, value)).toEqual([
      {
        path: '/participants/0/role',
        message:
          'participants/0/role must be one of assignee, reporter, watcher, admin; got "owner"',
        keyword: 'enum',
        schemaPath: '#/$defs/Role/enum',
        value: '"owner"',
      },
      {
        path: '/participants/1',
        message: 'participants/1/role is missing (one of assignee, reporter, watcher, admin)',
        keyword: 'required',
        schemaPath: '#/$defs/Participant/required',
        value: '{"id":"b"}',
      },
      {
        path: '/x~1~0',
        message: '"x/~" is not a known property (known: goal, priority, participants)',
        keyword: 'additionalProperties',
        schemaPath: '#/additionalProperties',
        value: '[1]',
      },
    ]);
  });
});

describe('bounds', () => {
  const list: FlatSchema = { items: { $ref: '#' }, maxItems: 1 };
  const deep: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));

  it('stops at the limit, 50 unless another is asked for', () => {
    const schema = { items: { type: 'string' } };
    const value = new Array(100_000).fill(0);
    expect(explain(schema, value)).toHaveLength(50);
    expect(explain(schema, value, { limit: 3 })).toHaveLength(3);
    const unknown = Object.fromEntries(value.map((_, index) => [`p${String(index)}`, 1]));
    expect(explain({ additionalProperties: false }, unknown)).toHaveLength(50);
  });

  it.each<[string, FlatSchema, unknown]>([
    ['a deep value', list, deep],
    [
      'a deep value under alternatives',
      { anyOf: [{ type: 'null' }, { items: { $ref: '#' } }] },
      deep,
    ],
    ['a deep value to compare', { uniqueItems: true }, [deep, deep]],
    ['a schema that only refers to itself', { $ref: '#' }, 1],
    ['alternatives that refer to themselves', { anyOf: [{ $ref: '#' }, { $ref: '#' }] }, 1],
  ])('ends %s with one error', (_name, schema, value) => {
    const errors = explain(schema, value);
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^.{1,80} is nested too deeply$/),
    ]);
    expect(errors[0]?.keyword).toBe('depth');
    expect(isValid(schema, value)).toBe(false);
  });

  it('ends work that multiplies', () => {
    const branch = (name: string) => ({ required: [name], properties: { c: { $ref: '#' } } });
    const schema = { anyOf: [branch('a'), branch('b')] };
    let value = {};
    for (let depth = 0; depth < 60; depth += 1) value = { c: value };
    expect(explain(schema, value)).toMatchObject([{ keyword: 'size' }]);
  });

  it('finds many equal items without comparing each pair', () => {
    const value = Array.from({ length: 100_000 }, (_, index) => ({ index }));
    expect(explain({ uniqueItems: true }, value)).toEqual([]);
  });

  it.each([NaN, 10n, Symbol('s'), () => 1, new Date(0)])('does not throw on %s', (value) => {
    expect(explain({ type: 'string', pattern: 'a' }, value)).toHaveLength(1);
    expect(explain({ multipleOf: 0.5, enum: [1] }, value)).toHaveLength(1);
  });
});

describe('findReadOnly', () => {
  const schema: FlatSchema = {
    properties: {
      lifecycle: { anyOf: [{ type: 'string' }, { type: 'null' }], readOnly: true },
      model: { $ref: '#/$defs/Model' },
      steps: { type: 'array', items: { allOf: [{ properties: { id: { readOnly: true } } }] } },
    },
    additionalProperties: { properties: { made: { readOnly: true } } },
    $defs: { Model: { type: 'string', readOnly: true } },
  };

  it.each<[FlatSchema, unknown, string[]]>([
    [schema, {}, []],
    [schema, { lifecycle: null }, ['lifecycle is set by the server; leave it out']],
    [schema, { model: 'm' }, ['model is set by the server; leave it out']],
    [schema, { steps: [{}, { id: 1 }] }, ['steps/1/id is set by the server; leave it out']],
    [schema, { other: { made: 1 } }, ['other/made is set by the server; leave it out']],
    // The whole value cannot be left out.
    [{ readOnly: true }, {}, []],
    // Of the alternatives that fit, the one that refuses least decides.
    [event, { kind: 'task', payload: { name: 'n', goal: 'g' } }, []],
    [
      event,
      { kind: 'task', payload: { name: 'n', goal: 'g', state: 's' } },
      ['payload/state is set by the server; leave it out'],
    ],
    [
      event,
      { kind: 'task', payload: { goal: 'g' } },
      ['payload/goal is set by the server; leave it out'],
    ],
    // What an alternative that does not fit says does not count.
    [
      { anyOf: [{ properties: { a: { readOnly: true, type: 'null' } } }, { required: ['a'] }] },
      { a: 1 },
      [],
    ],
    [{ not: { properties: { a: { readOnly: true } }, required: ['b'] } }, { a: 1 }, []],
  ])('%j %j', (rules, value, messages) => {
    expect(explain(rules, value)).toEqual([]);
    expect(findReadOnly(rules, value).map(({ message }) => message)).toEqual(messages);
  });

  it('says where', () => {
    expect(findReadOnly(schema, { model: 'm' })).toEqual([
      {
        path: '/model',
        message: 'model is set by the server; leave it out',
        keyword: 'readOnly',
        schemaPath: '#/$defs/Model/readOnly',
        value: '"m"',
      },
    ]);
  });

  it('refuses what is too deep to look through', () => {
    const deep: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
    expect(findReadOnly({ items: { $ref: '#' } }, deep)).toMatchObject([{ keyword: 'depth' }]);
  });
});

describe('results', () => {
  const errors = explain({ items: { type: 'string' } }, [1, 2]);

  it('format their errors a line each', () => {
    expect(formatErrors(errors)).toBe('0 must be a string; got 1\n1 must be a string; got 2');
  });

  it('unwrap to the value or throw the errors', () => {
    expect(unwrap({ ok: true, value: 5 })).toBe(5);
    const refusal = new ContractError(errors);
    expect(refusal).toMatchObject({ name: 'ContractError', message: formatErrors(errors), errors });
    expect(() => unwrap({ ok: false, errors })).toThrow(refusal);
  });
});

describe('the checks that validators call', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['a😀b', 3],
    ['\ud800', 1],
    ['\udc00\ud800', 2],
  ])('count the code points of %j', (text, length) => {
    expect(codePointLength(text)).toBe(length);
  });

  it.each<[unknown, unknown, boolean]>([
    [1, 1.0, true],
    [1, '1', false],
    [null, {}, false],
    [[], {}, false],
    [[1, [2]], [1, [2]], true],
    [[1], [1, 2], false],
    [{ a: 1, b: { c: [] } }, { b: { c: [] }, a: 1 }, true],
    [{ a: 1 }, { b: 1 }, false],
    [{ a: undefined }, { b: undefined }, false],
    [JSON.parse('{ "__proto__": 1 }'), { a: 1 }, false],
  ])('compare %j and %j', (a, b, equal) => {
    expect(deepEqual(a, b)).toBe(equal);
    expect(deepEqual(b, a)).toBe(equal);
  });

  it('compare values of any depth', () => {
    const make = (): unknown => JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
    expect(deepEqual(make(), make())).toBe(true);
  });
});
