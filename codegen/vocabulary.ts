/**
 * The keywords of JSON Schema 2020-12 as one table: what value each takes, where subschemas stand in
 * it, and whether it only annotates. The walker, the meta-schema rule, the rule against misspelt
 * keywords and the flattener all read this table, so they cannot disagree.
 */
import type { Json, JsonObject } from './json.ts';
import { isArray, isObject, joinPointer } from './json.ts';

/** The value a keyword takes, in words for a diagnostic, and the test for it. */
interface ValueShape {
  readonly words: string;
  readonly test: (value: Json) => boolean;
}

/** One keyword. `schemas` says how subschemas stand in its value. */
export interface Keyword {
  readonly shape: ValueShape;
  readonly schemas?: 'one' | 'list' | 'map';
  /** Changes no verdict: dropped from the schemas that validators are made of. */
  readonly annotation?: true;
}

const isString = (value: Json): value is string => typeof value === 'string';
const isCount = (value: Json): boolean => Number.isInteger(value) && (value as number) >= 0;
const isStrings = (value: Json): boolean =>
  isArray(value) && value.every(isString) && new Set(value).size === value.length;
const isSchema = (value: Json): boolean => typeof value === 'boolean' || isObject(value);

const TYPE_NAMES = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];
const isTypeName = (value: Json): boolean => isString(value) && TYPE_NAMES.includes(value);

const any: ValueShape = { words: 'any JSON value', test: () => true };
const string: ValueShape = { words: 'a string', test: isString };
const boolean: ValueShape = {
  words: 'true or false',
  test: (value) => typeof value === 'boolean',
};
const number: ValueShape = { words: 'a number', test: (value) => typeof value === 'number' };
const count: ValueShape = { words: 'a whole number from 0', test: isCount };
const strings: ValueShape = { words: 'a list of different strings', test: isStrings };
const list: ValueShape = { words: 'a list', test: isArray };
const schema: ValueShape = { words: 'a schema (an object, true or false)', test: isSchema };
const schemaList: ValueShape = {
  words: 'a list of at least one schema',
  test: (value) => isArray(value) && value.length > 0 && value.every(isSchema),
};
const schemaMap: ValueShape = {
  words: 'an object of schemas',
  test: (value) => isObject(value) && Object.values(value).every(isSchema),
};
const flags: ValueShape = {
  words: 'an object of true and false',
  test: (value) =>
    isObject(value) && Object.values(value).every((flag) => typeof flag === 'boolean'),
};
const type: ValueShape = {
  words: `one of ${TYPE_NAMES.join(', ')}, or a list of them`,
  test: (value) =>
    isTypeName(value) ||
    (isArray(value) && value.length > 0 && value.every(isTypeName) && isStrings(value)),
};
const pattern: ValueShape = {
  words: 'a regular expression (ECMA-262, flag u)',
  test: (value) => isString(value) && compilePattern(value) !== undefined,
};
const anchor: ValueShape = {
  words: 'a name (a letter or _, then letters, digits, -, _ or .)',
  test: (value) => isString(value) && /^[A-Za-z_][-A-Za-z0-9._]*$/.test(value),
};
const identifier: ValueShape = {
  words: 'a URI without a fragment',
  test: (value) => isString(value) && /^[^#]*#?$/.test(value),
};

const one = { shape: schema, schemas: 'one' } as const;
const many = { shape: schemaList, schemas: 'list' } as const;
const named = { shape: schemaMap, schemas: 'map' } as const;

/** Every keyword of the 2020-12 dialect, and the two this toolchain honours beside it. */
export const KEYWORDS: ReadonlyMap<string, Keyword> = new Map<string, Keyword>([
  ['$schema', { shape: string, annotation: true }],
  ['$id', { shape: identifier }],
  ['$anchor', { shape: anchor }],
  ['$dynamicAnchor', { shape: anchor }],
  ['$ref', { shape: string }],
  ['$dynamicRef', { shape: string }],
  ['$defs', named],
  ['$comment', { shape: string, annotation: true }],
  ['$vocabulary', { shape: flags, annotation: true }],
  ['title', { shape: string, annotation: true }],
  ['description', { shape: string, annotation: true }],
  ['default', { shape: any, annotation: true }],
  ['examples', { shape: list, annotation: true }],
  ['deprecated', { shape: boolean, annotation: true }],
  ['readOnly', { shape: boolean, annotation: true }],
  ['writeOnly', { shape: boolean, annotation: true }],
  ['type', { shape: type }],
  ['const', { shape: any }],
  ['enum', { shape: list }],
  ['properties', named],
  ['required', { shape: strings }],
  ['additionalProperties', one],
  [
    'patternProperties',
    {
      shape: {
        words: 'an object of schemas whose names are regular expressions',
        test: (value) =>
          schemaMap.test(value) &&
          Object.keys(value as JsonObject).every((key) => pattern.test(key)),
      },
      schemas: 'map',
    },
  ],
  ['propertyNames', one],
  ['minProperties', { shape: count }],
  ['maxProperties', { shape: count }],
  ['dependentRequired', { shape: shapeOfDependencies() }],
  ['dependentSchemas', named],
  ['prefixItems', many],
  ['items', one],
  ['contains', one],
  ['minContains', { shape: count }],
  ['maxContains', { shape: count }],
  ['minItems', { shape: count }],
  ['maxItems', { shape: count }],
  ['uniqueItems', { shape: boolean }],
  ['minLength', { shape: count }],
  ['maxLength', { shape: count }],
  ['pattern', { shape: pattern }],
  ['format', { shape: string, annotation: true }],
  ['contentEncoding', { shape: string, annotation: true }],
  ['contentMediaType', { shape: string, annotation: true }],
  ['contentSchema', { ...one, annotation: true }],
  ['minimum', { shape: number }],
  ['maximum', { shape: number }],
  ['exclusiveMinimum', { shape: number }],
  ['exclusiveMaximum', { shape: number }],
  [
    'multipleOf',
    {
      shape: {
        words: 'a number above 0',
        test: (value) => typeof value === 'number' && value > 0,
      },
    },
  ],
  ['allOf', many],
  ['anyOf', many],
  ['oneOf', many],
  ['not', one],
  ['if', one],
  ['then', one],
  ['else', one],
  ['unevaluatedItems', one],
  ['unevaluatedProperties', one],
  // OpenAPI's, for tools that read it; the branches' own const values decide here.
  ['discriminator', { shape: any, annotation: true }],
]);

/** Compiles a pattern as validators do: with the u flag, without it where only that compiles. */
export function compilePattern(source: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(source, flags);
    } catch {
      // The next flags, or undefined: the caller says what is wrong.
    }
  }
  return undefined;
}

/** Calls `visit` for each direct subschema, with the pointer at which it stands. */
export function forEachSubschema(
  schema: JsonObject,
  pointer: string,
  visit: (subschema: Json, pointer: string) => void,
): void {
  for (const [name, value] of Object.entries(schema)) {
    const form = KEYWORDS.get(name)?.schemas;
    const path = joinPointer(pointer, name);
    if (form === 'one') visit(value, path);
    else if (form === 'list' && isArray(value)) {
      value.forEach((item, index) => {
        visit(item, joinPointer(path, index));
      });
    } else if (form === 'map' && isObject(value)) {
      for (const [key, item] of Object.entries(value)) visit(item, joinPointer(path, key));
    }
  }
}

function shapeOfDependencies(): ValueShape {
  return {
    words: 'an object of lists of different strings',
    test: (value) => isObject(value) && Object.values(value).every(isStrings),
  };
}
