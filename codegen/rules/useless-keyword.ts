/** USELESS_KEYWORD: no keyword stands on a type that it says nothing about. */
import type { Json, JsonObject } from '../json.ts';
import { getOwn, isArray, isObject } from '../json.ts';
import { KEYWORDS } from '../vocabulary.ts';
import type { Rule } from './rule.ts';
import { report, walkOwn } from './walk.ts';

/** `minLength` on an integer constrains nothing, whatever its author had in mind. */
export const uselessKeyword: Rule = {
  id: 'USELESS_KEYWORD',
  purpose:
    'Every keyword says something about a value of the `type` beside it. Validators pass over one that does not, such as `minLength` on an integer, so the constraint would silently not hold.',
  check: (context) =>
    walkOwn(context).flatMap(({ at, schema }) => {
      const type = isObject(schema) ? getOwn(schema, 'type') : undefined;
      const types = isArray(type) ? type : [type];
      if (!isObject(schema) || !types.every(isTypeName)) return [];
      return Object.keys(schema).flatMap((keyword) => {
        const kind = KINDS.find(({ keywords }) => keywords.includes(keyword));
        if (kind === undefined || types.some((name) => kind.types.includes(name))) return [];
        // META_SCHEMA names a malformed one.
        if (!isWellFormed(keyword, schema)) return [];
        const message = `${keyword} is about ${kind.words}, and the type here is ${types.join(' or ')}`;
        const hint = hintFor(keyword, types, kind.types);
        return [report(uselessKeyword.id, at, [keyword], message, { key: true, hint })];
      });
    }),
};

interface Kind {
  readonly types: readonly string[];
  readonly words: string;
  readonly keywords: readonly string[];
  /** What limits a value of the kind from below and from above. */
  readonly limits: readonly [string, string];
}

const KINDS: readonly Kind[] = [
  {
    types: ['string'],
    words: 'strings',
    keywords: [
      ...['minLength', 'maxLength', 'pattern'],
      ...['contentEncoding', 'contentMediaType', 'contentSchema'],
    ],
    limits: ['minLength', 'maxLength'],
  },
  {
    types: ['number', 'integer'],
    words: 'numbers',
    keywords: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
    limits: ['minimum', 'maximum'],
  },
  {
    types: ['array'],
    words: 'arrays',
    keywords: [
      ...['prefixItems', 'items', 'unevaluatedItems', 'contains', 'minContains', 'maxContains'],
      ...['minItems', 'maxItems', 'uniqueItems'],
    ],
    limits: ['minItems', 'maxItems'],
  },
  {
    types: ['object'],
    words: 'objects',
    keywords: [
      ...['properties', 'required', 'additionalProperties', 'patternProperties', 'propertyNames'],
      ...['minProperties', 'maxProperties', 'dependentRequired', 'dependentSchemas'],
      'unevaluatedProperties',
    ],
    limits: ['minProperties', 'maxProperties'],
  },
];

function isTypeName(name: Json | undefined): name is string {
  return isWellFormed('type', { type: name ?? null });
}

function isWellFormed(keyword: string, schema: JsonObject): boolean {
  const value = getOwn(schema, keyword);
  return value !== undefined && KEYWORDS.get(keyword)?.shape.test(value) === true;
}

/** A limit has its counterpart for the type that is there; anything else has a type that it is for. */
function hintFor(keyword: string, types: readonly string[], wanted: readonly string[]): string {
  const side = KINDS.flatMap(({ limits }) => limits).indexOf(keyword) % 2;
  const here = KINDS.find((kind) => kind.types.some((name) => types.includes(name)));
  const counterpart = side < 0 ? undefined : here?.limits[side];
  return counterpart === undefined
    ? `Take it out, or let the type be ${wanted.join(' or ')}.`
    : `Did you mean "${counterpart}"?`;
}
