/** UNKNOWN_KEYWORD: every member of a schema is a keyword of 2020-12. */
import type { JsonObject } from '../json.ts';
import { isObject } from '../json.ts';
import { nearestName } from '../names.ts';
import { KEYWORDS } from '../vocabulary.ts';
import type { Rule } from './rule.ts';
import { report, walkOwn } from './walk.ts';

/** A misspelt keyword is ignored by every validator, so the constraint is silently lost. */
export const unknownKeyword: Rule = {
  id: 'UNKNOWN_KEYWORD',
  purpose:
    'Every keyword is one of JSON Schema 2020-12 or begins with `x-`. Validators ignore what they do not know, so a misspelt constraint would silently not hold.',
  check: (context) =>
    walkOwn(context).flatMap((visit) => {
      if (!isObject(visit.schema)) return [];
      return listUnknown(visit.schema).map((name) => {
        const old = OLD.get(name);
        const message =
          old === undefined
            ? `${JSON.stringify(name)} is no keyword of JSON Schema 2020-12`
            : `${JSON.stringify(name)} is a keyword of ${old.of}; JSON Schema 2020-12 ignores it`;
        const hint = old?.instead ?? suggest(name);
        return report(unknownKeyword.id, visit.at, [name], message, { key: true, hint });
      });
    }),
};

/** The members of a schema that are no keywords: what they would say, it does not. */
export function listUnknown(schema: JsonObject): readonly string[] {
  return Object.keys(schema).filter((name) => !KEYWORDS.has(name) && !name.startsWith('x-'));
}

function suggest(name: string): string {
  const near = nearestName(name, [...KEYWORDS.keys()]);
  return near === undefined
    ? 'Remove it, or begin its name with x- when a tool of yours reads it.'
    : `Did you mean "${near}"?`;
}

/** What other drafts and neighbouring languages call things, and what 2020-12 calls them. */
const OLD: ReadonlyMap<string, { readonly of: string; readonly instead: string }> = new Map([
  ['id', { of: 'draft 4', instead: 'Write "$id".' }],
  ['definitions', { of: 'draft 7', instead: 'Write "$defs", and "#/$defs/…" in references.' }],
  [
    'dependencies',
    {
      of: 'draft 7',
      instead: 'Write "dependentRequired" for lists of names, "dependentSchemas" for schemas.',
    },
  ],
  [
    'additionalItems',
    { of: '2019-09', instead: 'Write "items", beside "prefixItems" for the places before.' },
  ],
  ['$recursiveRef', { of: '2019-09', instead: 'Write "$ref": "#".' }],
  ['$recursiveAnchor', { of: '2019-09', instead: 'Remove it: "$ref": "#" needs no anchor.' }],
  ['divisibleBy', { of: 'draft 3', instead: 'Write "multipleOf".' }],
  ['extends', { of: 'draft 3', instead: 'Write "allOf" with a list.' }],
  ['disallow', { of: 'draft 3', instead: 'Write "not".' }],
  [
    'nullable',
    { of: 'OpenAPI 3.0', instead: 'Write "null" among the types: "type": ["string", "null"].' },
  ],
  ['example', { of: 'OpenAPI', instead: 'Write "examples" with a list.' }],
  ['xml', { of: 'OpenAPI', instead: 'Remove it, or begin its name with x-.' }],
  [
    'externalDocs',
    { of: 'OpenAPI', instead: 'Name the page in "description", or begin the name with x-.' },
  ],
  ['optional', { of: 'other schema languages', instead: 'Leave the property out of "required".' }],
  ['values', { of: 'JSON Type Definition', instead: 'Write "additionalProperties".' }],
  ['elements', { of: 'JSON Type Definition', instead: 'Write "items".' }],
  [
    'optionalProperties',
    {
      of: 'JSON Type Definition',
      instead: 'Write "properties", and leave them out of "required".',
    },
  ],
  [
    'enumNames',
    {
      of: 'form libraries',
      instead: 'Write a "oneOf" of { "const", "title" }, or begin its name with x-.',
    },
  ],
]);
