/**
 * Ajv as validators are compiled with it: 2020-12, errors left empty, and keywords of our own where its
 * code looks references up, nests blocks without need, or is wrong for some names or numbers.
 *
 * An instance serves one module: it is cheap without meta-schemas (0.2 ms), and as long as it lives it
 * keeps all that it has compiled.
 */
import type { CodeKeywordDefinition, KeywordCxt } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Name, _, getProperty, nil } from 'ajv/dist/compile/codegen/index.js';
import type { Code } from 'ajv/dist/compile/codegen/index.js';
import { compilePattern } from '../vocabulary.ts';
import type { ModuleParts, PlannedSchema } from './validator-dialect.ts';
import { applyToOtherItems, applyToOtherProperties } from './validator-others.ts';
import { differsFromAll, listValueKeywords } from './validator-values.ts';

const OPTIONS = {
  strict: false,
  // A number that JSON cannot write (NaN, Infinity) is not valid.
  strictNumbers: true,
  meta: false,
  validateSchema: false,
  validateFormats: false,
  addUsedSchema: false,
  messages: false,
  logger: false,
  code: {
    source: true,
    lines: true,
    // What Ajv would take out, and more, `validator-statements.ts` and `validator-flow.ts` do at less cost.
    optimize: 0,
    // Only the text is wanted, so the function that Ajv makes of it need not be parsed.
    process: () => 'return () => true',
    regExp: Object.assign((source: string) => compilePattern(source) ?? new RegExp(source, 'u'), {
      code: 'new RegExp',
    }),
  },
} as const;

/** Makes an Ajv instance whose keywords put constants and helpers into `parts`. */
export function createAjv(parts: ModuleParts): Ajv2020 {
  const ajv = new Ajv2020(OPTIONS);
  ajv.opts.dynamicRef = false;
  ajv.opts.unevaluated = false;
  const keywords = [
    ...STRUCTURE,
    ...ALTERNATIVES,
    ...PROPERTIES,
    ...listOtherKeywords(parts),
    ...listValueKeywords(parts),
  ];
  for (const definition of keywords) {
    for (const keyword of [definition.keyword].flat()) ajv.removeKeyword(keyword);
    ajv.addKeyword(definition);
  }
  return ajv;
}

const STRUCTURE: readonly CodeKeywordDefinition[] = [
  {
    // Around every schema: below it Ajv writes `{}` where it would describe an error.
    keyword: 'root',
    schemaType: ['object', 'boolean'],
    code: (cxt) => {
      cxt.subschema({ keyword: 'root', createErrors: false }, cxt.gen.name('valid'));
    },
  },
  {
    keyword: 'call',
    schemaType: 'string',
    code: (cxt) => {
      cxt.fail(_`!${new Name(cxt.schema as string)}(${cxt.data})`);
    },
  },
  {
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    code: (cxt) => {
      cxt.fail(_`!Number.isInteger(${cxt.data} / ${cxt.schema as number})`);
    },
  },
];

const ALTERNATIVES: readonly CodeKeywordDefinition[] = [
  {
    keyword: 'anyOf',
    schemaType: 'array',
    code: (cxt) => {
      const flags = listSchemas(cxt).map((_schema, index) =>
        tryAlternative(cxt, { schemaProp: index }),
      );
      cxt.fail(_`!(${either(flags)})`);
    },
  },
  {
    keyword: 'oneOf',
    schemaType: 'array',
    code: (cxt) => {
      const count = cxt.gen.let('count', 0);
      listSchemas(cxt).forEach((_schema, index) => {
        cxt.gen.if(tryAlternative(cxt, { schemaProp: index }), () => cxt.gen.add(count, 1));
      });
      cxt.fail(_`${count} !== 1`);
    },
  },
  {
    keyword: 'not',
    schemaType: ['object', 'boolean'],
    code: (cxt) => {
      cxt.fail(tryAlternative(cxt));
    },
  },
  {
    keyword: 'if',
    schemaType: ['object', 'boolean'],
    code: (cxt) => {
      const apply = (keyword: string) => () => {
        if (cxt.parentSchema[keyword] === undefined) return;
        cxt.subschema({ keyword }, cxt.gen.name('valid'));
      };
      cxt.gen.if(tryAlternative(cxt), apply('then'), apply('else'));
    },
  },
];

function listSchemas(cxt: KeywordCxt): readonly PlannedSchema[] {
  return cxt.schema as readonly PlannedSchema[];
}

/** A flag that says whether one of the keyword's schemas is valid; each is a single check. */
function tryAlternative(cxt: KeywordCxt, which: { readonly schemaProp?: number } = {}): Name {
  const valid = cxt.gen.name('_valid');
  cxt.subschema({ keyword: cxt.keyword, compositeRule: true, ...which }, valid);
  return valid;
}

/** All before `patternProperties`: what costs least is asked first. */
const PROPERTIES: readonly CodeKeywordDefinition[] = [
  {
    keyword: 'required',
    type: 'object',
    schemaType: 'array',
    before: 'patternProperties',
    code: (cxt) => {
      const names = cxt.schema as readonly string[];
      if (names.length > 0) cxt.fail(either(names.map((name) => isAbsent(cxt.data, name))));
    },
  },
  {
    keyword: 'dependentRequired',
    type: 'object',
    schemaType: 'object',
    before: 'patternProperties',
    code: (cxt) => {
      for (const [name, needed] of Object.entries(cxt.schema as Record<string, string[]>)) {
        if (needed.length === 0) continue;
        const missing = either(needed.map((other) => isAbsent(cxt.data, other)));
        cxt.fail(_`${isPresent(cxt.data, name)} && (${missing})`);
      }
    },
  },
  {
    keyword: 'properties',
    type: 'object',
    schemaType: 'object',
    before: 'patternProperties',
    code: (cxt) => {
      applyWherePresent(cxt, (name) => ({ dataProp: name }));
    },
  },
  {
    keyword: 'dependentSchemas',
    type: 'object',
    schemaType: 'object',
    before: 'patternProperties',
    code: (cxt) => {
      applyWherePresent(cxt, () => ({}));
    },
  },
];

/** What every object inherits under a name does not count: then the property must be its own. */
function isPresent(data: Name, name: string): Code {
  const own = name in Object.prototype ? _`Object.hasOwn(${data}, ${name}) && ` : nil;
  return _`${own}${data}${getProperty(name)} !== undefined`;
}

function isAbsent(data: Name, name: string): Code {
  const notOwn = name in Object.prototype ? _`!Object.hasOwn(${data}, ${name}) || ` : nil;
  return _`${notOwn}${data}${getProperty(name)} === undefined`;
}

/** Applies each of the keyword's schemas where the property of its name is present. */
function applyWherePresent(
  cxt: KeywordCxt,
  locate: (name: string) => { readonly dataProp?: string },
): void {
  const { gen, keyword, data } = cxt;
  for (const [name, schema] of Object.entries(cxt.schema as Record<string, PlannedSchema>)) {
    if (schema === true) continue;
    gen.if(isPresent(data, name), () => {
      cxt.subschema({ keyword, schemaProp: name, ...locate(name) }, gen.name('valid'));
    });
  }
}

function either(conditions: readonly Code[]): Code {
  return conditions.reduce((left, right) => _`${left} || ${right}`);
}

function listOtherKeywords(parts: ModuleParts): CodeKeywordDefinition[] {
  return [
    {
      keyword: 'otherProperties',
      type: 'object',
      schemaType: 'object',
      code: (cxt) => {
        applyToOtherProperties(cxt, (names, key) => differsFromAll(parts, key, names));
      },
    },
    { keyword: 'otherItems', type: 'array', schemaType: 'object', code: applyToOtherItems },
  ];
}
