import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileValidator } from '../../codegen/emitters/validator/index.ts';
import type { FlatSchema } from '../../codegen/flatten.ts';

interface Case {
  readonly schema: FlatSchema;
  /** Values as JSON text, as `JSON.parse` makes them. */
  readonly values: readonly string[];
}

interface Group {
  readonly description: string;
  readonly schema: FlatSchema;
  readonly tests: readonly {
    readonly description: string;
    readonly data: unknown;
    readonly valid: boolean;
  }[];
}

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'validators-'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const checksPath = new URL('../../codegen/runtime/checks.js', import.meta.url).href;
const emit = (schema: FlatSchema): string => compileValidator(schema, { checksPath, name: 'isIt' });

/** The modules' verdicts, from a process in which no code can be made of a string. */
function judge(cases: readonly Case[]): (boolean | string)[][] {
  cases.forEach(({ schema }, index) => {
    writeFileSync(join(folder, `validator-${String(index)}.js`), emit(schema));
  });
  writeFileSync(join(folder, 'cases.json'), JSON.stringify(cases.map(({ values }) => values)));
  writeFileSync(
    join(folder, 'judge.js'),
    `import { readFileSync } from 'node:fs';
    const cases = JSON.parse(readFileSync(new URL('cases.json', import.meta.url), 'utf8'));
    const verdicts = [];
    for (const [index, values] of cases.entries()) {
      const { isIt } = await import('./validator-' + index + '.js');
      verdicts.push(values.map((value) => isIt(JSON.parse(value))));
    }
    let forbidden = false;
    try { new Function(''); } catch { forbidden = true; }
    if (!forbidden) throw new Error('this process can make code of strings');
    console.log(JSON.stringify(verdicts));`,
  );
  const flags = ['--disallow-code-generation-from-strings', join(folder, 'judge.js')];
  const output = execFileSync(process.execPath, flags, { encoding: 'utf8', maxBuffer: 1e8 });
  return JSON.parse(output) as (boolean | string)[][];
}

/** Asserts what a schema says of some values, given as JSON text. */
function expectVerdicts(schema: FlatSchema, values: Readonly<Record<string, boolean>>): void {
  const texts = Object.keys(values);
  const [verdicts = []] = judge([{ schema, values: texts }]);
  expect(Object.fromEntries(texts.map((text, index) => [text, verdicts[index]]))).toEqual(values);
}

const suite = fileURLToPath(
  new URL('../../../shared/corpora/json-schema-test-suite/', import.meta.url),
);
const LEADS_ELSEWHERE = /^\$(?:id|anchor|dynamicRef|dynamicAnchor)$/;

function isFlat(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return true;
  return Object.entries(schema).every(([key, value]: [string, unknown]) => {
    if (typeof value !== 'string') return isFlat(value);
    return !LEADS_ELSEWHERE.test(key) && (key !== '$ref' || /^#(?:\/\$defs\/[^/]+)?$/.test(value));
  });
}

function readGroups(part: string): (Group & { readonly file: string })[] {
  return readdirSync(join(suite, part)).flatMap((file) =>
    (JSON.parse(readFileSync(join(suite, part, file), 'utf8')) as Group[])
      .filter(({ schema }) => isFlat(schema))
      .map((group) => ({ ...group, file: file.replace('.json', '') })),
  );
}

/** Where Ajv's own verdict is not the suite's. Ours is, on every group. */
const AJV_DEVIATES = [
  'enum: empty enum',
  'properties: properties whose names are Javascript object property names',
  'required: required properties whose names are Javascript object property names',
  'unevaluatedItems: unevaluatedItems and contains interact to control item dependency relationship',
  'unevaluatedItems: unevaluatedItems can see annotations from if without then and else',
  'unevaluatedItems: unevaluatedItems depends on adjacent contains',
  'unevaluatedItems: unevaluatedItems depends on multiple nested contains',
  'unevaluatedItems: unevaluatedItems with minContains = 0',
  'unevaluatedItems: unevaluatedItems with nested items',
  'unevaluatedProperties: unevaluatedProperties can see annotations from if without then and else',
  'unevaluatedProperties: unevaluatedProperties with if/then/else, then not defined',
];

function judgeWithAjv({ schema, tests }: Group): (boolean | string)[] {
  const options = { strict: false, strictNumbers: true, validateFormats: false, logger: false };
  const copy: unknown = JSON.parse(JSON.stringify(schema));
  if (typeof copy === 'object') delete (copy as Record<string, unknown>).$schema;
  try {
    const validate = new Ajv2020({ ...options, logger: false }).compile(copy as FlatSchema);
    return tests.map(({ data }) => validate(data));
  } catch (error) {
    return [String(error)];
  }
}

const present = existsSync(suite);
describe.skipIf(!present).each(['draft2020-12', 'typed'])(
  `the JSON-Schema-Test-Suite${present ? '' : ` (skipped: not at ${suite})`}, %s`,
  (part) => {
    const groups = present ? readGroups(part) : [];

    it('gives the verdicts of the suite, all flat groups, where eval is forbidden', () => {
      expect(groups.length).toBeGreaterThan(300);
      const verdicts = judge(
        groups.map(({ schema, tests }) => ({
          schema,
          values: tests.map(({ data }) => JSON.stringify(data)),
        })),
      );
      const wrong = groups.flatMap(({ file, description, tests }, index) =>
        tests
          .filter(({ valid }, place) => verdicts[index]?.[place] !== valid)
          .map((test) => `${file}: ${description}: ${test.description}`),
      );
      expect(wrong).toEqual([]);
    });

    it('leaves Ajv’s own verdict only where Ajv leaves the suite', () => {
      const different = groups.filter((group) => {
        const verdicts = judgeWithAjv(group);
        return group.tests.some(({ valid }, place) => verdicts[place] !== valid);
      });
      const names = different.map(({ file, description }) => `${file}: ${description}`);
      expect(names.filter((name) => !AJV_DEVIATES.includes(name))).toEqual([]);
      if (part === 'draft2020-12') expect(names).toHaveLength(AJV_DEVIATES.length);
    });
  },
);

describe('names that every object inherits', () => {
  const property = (name: string, schema: object): string =>
    `{ "type": "object", "additionalProperties": false, "required": ["constructor"],
      "properties": { "constructor": { "type": "number" }, ${JSON.stringify(name)}: ${JSON.stringify(schema)} } }`;

  it('are properties only where they are the value’s own', () => {
    const schema = JSON.parse(property('__proto__', { type: 'string' })) as FlatSchema;
    expectVerdicts(schema, {
      '{"constructor":1}': true,
      '{"constructor":1,"__proto__":"x"}': true,
      '{"constructor":1,"__proto__":1}': false,
      '{"constructor":"a"}': false,
      '{}': false,
      '{"constructor":1,"toString":true}': false,
    });
  });

  it('count in dependencies, patterns, unevaluated properties and constants', () => {
    const schema = `{
      "dependentRequired": { "toString": ["valueOf"] },
      "dependentSchemas": { "constructor": { "required": ["__proto__"] } },
      "patternProperties": { "__proto__": { "const": { "__proto__": 1 } } },
      "properties": { "a": {}, "toString": {}, "valueOf": {}, "constructor": {} },
      "unevaluatedProperties": false
    }`;
    expectVerdicts(JSON.parse(schema) as FlatSchema, {
      '{}': true,
      '{"a":1,"toString":1}': false,
      '{"toString":1,"valueOf":1}': true,
      '{"constructor":1}': false,
      '{"constructor":1,"__proto__":{"__proto__":1}}': true,
      '{"__proto__":{}}': false,
      '{"hasOwnProperty":1}': false,
    });
  });
});

describe('nesting', () => {
  const nest = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

  it('deeper than the stack reaches is not valid, and throws nothing', () => {
    const schema: FlatSchema = { type: 'array', items: { $ref: '#' } };
    const script = `import { isIt } from ${JSON.stringify(pathToFileURL(join(folder, 'deep.js')).href)};
      let value = [];
      for (let depth = 0; depth < 1e6; depth += 1) value = [value];
      console.log(isIt(${nest(50)}), isIt(value));`;
    writeFileSync(join(folder, 'deep.js'), emit(schema));
    writeFileSync(join(folder, 'nest.js'), script);
    const output = execFileSync(process.execPath, [join(folder, 'nest.js')], { encoding: 'utf8' });
    expect(output).toBe('true false\n');
  });

  it('is guarded against only where a schema recurses', () => {
    expect(
      emit({ items: { items: { $ref: '#/$defs/a' } }, $defs: { a: { minItems: 1 } } }),
    ).not.toContain('try');
    expect(emit({ $ref: '#/$defs/a', $defs: { a: { items: { $ref: '#/$defs/a' } } } })).toContain(
      'try',
    );
  });
});

/** Most of what a schema of the contract has: definitions, lists, nullable and discriminated parts. */
const ticket: FlatSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'state'],
  properties: {
    id: { type: 'string', minLength: 2 },
    state: { $ref: '#/$defs/State' },
    parent: { anyOf: [{ $ref: '#/$defs/Link' }, { type: 'null' }] },
    links: { type: 'array', items: { $ref: '#/$defs/Link' }, uniqueItems: true },
    body: {
      oneOf: [
        { type: 'object', required: ['text'], properties: { text: { type: 'string' } } },
        { type: 'object', required: ['data'], properties: { data: { type: 'object' } } },
      ],
    },
  },
  $defs: {
    State: { type: 'string', enum: ['open', 'closed'] },
    Link: {
      type: 'object',
      required: ['to'],
      properties: { to: { type: 'string', pattern: '^/' } },
    },
  },
};

describe('the text', () => {
  it('reads as a person would write it', () => {
    expect(compileValidator(ticket, { checksPath: '../runtime/checks.js', name: 'isTicket' }))
      .toMatchInlineSnapshot(`
        "import { codePointLength, deepEqual } from "../runtime/checks.js";

        const pattern = /^\\//u;

        export function isTicket(data) {
          if (typeof data !== "object" || data === null || Array.isArray(data)) return false;
          const id = data.id;
          if (typeof id !== "string") return false;
          if (id.length < 3 && (id.length < 2 || codePointLength(id) < 2)) return false;
          const state = data.state;
          if (state !== "open" && state !== "closed") return false;
          const parent = data.parent;
          if (parent !== undefined && !isLink(parent) && parent !== null) return false;
          const links = data.links;
          if (links !== undefined) {
            if (!Array.isArray(links)) return false;
            for (let i = 0; i < links.length; i += 1) {
              const item = links[i];
              if (!isLink(item)) return false;
            }
            for (let i = 1; i < links.length; i += 1) {
              for (let j = 0; j < i; j += 1) {
                if (deepEqual(links[i], links[j])) return false;
              }
            }
          }
          const body = data.body;
          if (body !== undefined && isRootBodyOneOf1(body) === isRootBodyOneOf2(body)) return false;
          for (const key in data) {
            if (key !== "id" && key !== "state" && key !== "parent" && key !== "links" && key !== "body") return false;
          }
          return true;
        }

        function isLink(data) {
          if (typeof data !== "object" || data === null || Array.isArray(data)) return false;
          const to = data.to;
          if (typeof to !== "string") return false;
          return pattern.test(to);
        }

        function isRootBodyOneOf1(data) {
          if (typeof data !== "object" || data === null || Array.isArray(data)) return false;
          const text = data.text;
          return typeof text === "string";
        }

        function isRootBodyOneOf2(data) {
          if (typeof data !== "object" || data === null || Array.isArray(data)) return false;
          const data2 = data.data;
          return typeof data2 === "object" && data2 !== null && !Array.isArray(data2);
        }
        "
      `);
  });

  it('chooses alternatives by the property that tells them apart', () => {
    const branch = (kind: FlatSchema, name: string): FlatSchema => ({
      type: 'object',
      required: ['kind', name],
      properties: { kind },
    });
    const oneOf = [branch({ const: 'a' }, 'x'), branch({ enum: ['b', 'c'] }, 'y')];
    const schema = { oneOf: [...oneOf, branch({ const: 'c' }, 'z'), { type: 'null' }] };
    expect(emit(schema)).toContain('switch (data.kind) {');
    expectVerdicts(schema, {
      null: true,
      '{"kind":"a","x":1}': true,
      '{"kind":"a","y":1}': false,
      '{"kind":"b","y":1}': true,
      '{"kind":"c","y":1}': true,
      '{"kind":"c","z":1}': true,
      '{"kind":"c","y":1,"z":1}': false,
      '{"kind":"d","x":1,"y":1,"z":1}': false,
      '{"x":1}': false,
      '[]': false,
    });
  });

  it('imports a helper only where it calls it', () => {
    expect(emit({ type: 'string', minLength: 1 })).not.toContain('import');
    expect(emit({ minLength: 2 })).toMatch(/^import { codePointLength } from/);
  });

  it('is the same whatever was compiled before', () => {
    const first = emit(ticket);
    emit({ ...ticket, anyOf: [{ contains: { pattern: 'x' } }, { minLength: 3 }] });
    expect(emit(ticket)).toBe(first);
  });

  it('has no side effects, and little size', () => {
    const text = emit(ticket);
    const outside = text.split('\n').filter((line) => /^\S/.test(line) && line !== '}');
    for (const line of outside) expect(line).toMatch(/^(?:import|const|export function|function) /);
    expect(gzipSync(text).length).toBeLessThan(800);
  });

  it('keeps properties that are called like the names in it', () => {
    const names = ['errors', 'vErrors', '_errs1', 'valid0', '_valid0', 'data0', 'schema1', 'a"}{'];
    const properties = Object.fromEntries(
      names.map((name) => [
        name,
        { anyOf: [{ const: 'errors++;' }, { enum: ['_errs1', 'a{'] }, { type: 'null' }] },
      ]),
    );
    const all = (value: unknown): string =>
      JSON.stringify(Object.fromEntries(names.map((name) => [name, value])));
    expectVerdicts(
      { properties, required: names },
      {
        [all('errors++;')]: true,
        [all('a{')]: true,
        [all(null)]: true,
        [all('b')]: false,
        '{}': false,
      },
    );
  });
});

describe('what Ajv would decide otherwise', () => {
  it.each<[what: string, schema: FlatSchema, values: Readonly<Record<string, boolean>>]>([
    [
      'lengths in code points',
      { minLength: 2, maxLength: 3 },
      { '"😀"': false, '"😀😀"': true, '"😀😀😀"': true, '"😀😀😀😀"': false, '"abcd"': false },
    ],
    [
      'large multiples',
      { multipleOf: 2 },
      { '1e21': true, '1e300': true, '3': false, '0.1': false },
    ],
    [
      'fractions as they are written',
      { multipleOf: 0.1 },
      { '0.3': true, '0.35': false, '-1e-7': false },
    ],
    ['names that are empty', { required: [''] }, { '{}': false, '{"":1}': true }],
    [
      'items that tell nothing of the first ones',
      { prefixItems: [{}, {}], items: { type: 'string' }, uniqueItems: true },
      { '[{},{}]': false, '[{},1]': true },
    ],
    [
      'long lists of values',
      { enum: Array.from({ length: 50 }, (_, index) => `v${String(index)}`) },
      { '"v49"': true, '"v50"': false, null: false },
    ],
    [
      'values of another type than the schema’s',
      { type: ['string', 'integer'], enum: ['a', 1, 1.5, null] },
      { '"a"': true, '1': true, '1.5': false, null: false },
    ],
    ['patterns without the u flag', { pattern: '^[\\w-.]+$' }, { '"a-b"': true, '"/"': false }],
  ])('%s', (_what, schema, values) => {
    expectVerdicts(schema, values);
  });
});

it('names a reference that leads nowhere', () => {
  expect(() => emit({ $ref: '#/$defs/nowhere' })).toThrow(/no target.*nowhere/);
});
