/**
 * Keywords that compare values, with the constants and the run-time helpers that they need in the module.
 */
import type { CodeKeywordDefinition, KeywordCxt } from 'ajv';
import { Name, _ } from 'ajv/dist/compile/codegen/index.js';
import type { Code } from 'ajv/dist/compile/codegen/index.js';
import type { ModuleParts } from './validator-dialect.ts';

/** From so many values on, looking one up in a set is faster than comparing with each. */
const SET_FROM = 32;

/** `const`, `enum`, `minLength`, `maxLength` and `uniqueItems`, which Ajv writes with `require`. */
export function listValueKeywords(parts: ModuleParts): CodeKeywordDefinition[] {
  return [
    {
      keyword: 'const',
      code: (cxt) => {
        cxt.fail(differs(parts, cxt.data, cxt.schema));
      },
    },
    {
      keyword: 'enum',
      schemaType: 'array',
      code: (cxt) => {
        cxt.fail(differsFromAll(parts, cxt.data, cxt.schema as readonly unknown[]));
      },
    },
    {
      keyword: ['minLength', 'maxLength'],
      type: 'string',
      schemaType: 'number',
      code: (cxt) => {
        cxt.fail(hasWrongLength(parts, cxt));
      },
    },
    {
      keyword: 'uniqueItems',
      type: 'array',
      schemaType: 'boolean',
      code: (cxt) => {
        if (cxt.schema === true) cxt.fail(hasDuplicates(parts, cxt));
      },
    },
  ];
}

/** Code that tells whether a variable holds none of some values. */
export function differsFromAll(parts: ModuleParts, data: Name, values: readonly unknown[]): Code {
  if (values.length >= SET_FROM && values.every(isPlain)) {
    const set = addConstant(parts, 'values', `/* @__PURE__ */ new Set(${printValue(values)})`);
    return _`!${set}.has(${data})`;
  }
  return values
    .map((value) => differs(parts, data, value))
    .reduce((left, right) => _`${left} && ${right}`);
}

function differs(parts: ModuleParts, data: Name, value: unknown): Code {
  if (isPlain(value)) return _`${data} !== ${value}`;
  parts.helpers.add('deepEqual');
  return _`!deepEqual(${data}, ${addConstant(parts, 'value', printValue(value))})`;
}

function isPlain(value: unknown): value is string | number | boolean | null {
  return typeof value !== 'object' || value === null;
}

function addConstant({ constants }: ModuleParts, prefix: string, text: string): Name {
  const name = constants.get(text) ?? `${prefix}${String(constants.size)}`;
  constants.set(text, name);
  return new Name(name);
}

/** A JSON value as an expression; as a plain key of a literal `__proto__` would set the prototype. */
function printValue(value: unknown): string {
  return JSON.stringify(value).replaceAll('"__proto__":', '["__proto__"]:');
}

/** Counts code points only where the number of UTF-16 units, one or two for each, does not decide. */
function hasWrongLength({ helpers }: ModuleParts, { keyword, data, schema }: KeywordCxt): Code {
  const limit = schema as number;
  const units = _`${data}.length`;
  if (keyword === 'maxLength') {
    if (limit === 0) return _`${units} > 0`;
    helpers.add('codePointLength');
    return _`${units} > ${limit} && (${units} > ${limit * 2} || codePointLength(${data}) > ${limit})`;
  }
  if (limit < 2) return _`${units} < ${limit}`;
  helpers.add('codePointLength');
  const counted = _`${units} < ${limit * 2 - 1} && codePointLength(${data}) < ${limit}`;
  return _`${units} < ${limit} || (${counted})`;
}

function hasDuplicates({ helpers }: ModuleParts, { gen, data, parentSchema }: KeywordCxt): Code {
  if (parentSchema.prefixItems === undefined && areItemsPlain(parentSchema.items)) {
    return _`new Set(${data}).size !== ${data}.length`;
  }
  helpers.add('deepEqual');
  const unique = gen.let('unique', true);
  const [i, j] = [gen.name('i'), gen.name('j')];
  gen.for(_`let ${i} = ${data}.length; ${unique} && ${i}-- > 1;`, () =>
    gen.for(_`let ${j} = ${i}; ${unique} && ${j}-- > 0;`, () =>
      gen.if(_`deepEqual(${data}[${i}], ${data}[${j}])`, () => gen.assign(unique, false)),
    ),
  );
  return _`!${unique}`;
}

/** Whether valid items are strings, numbers and the like, which a set tells apart. */
function areItemsPlain(items: unknown): boolean {
  const { type, enum: values } = Object(items) as {
    readonly type?: unknown;
    readonly enum?: readonly unknown[];
  };
  if (values !== undefined) return values.every(isPlain);
  return type !== undefined && [type].flat().every((name) => name !== 'object' && name !== 'array');
}
