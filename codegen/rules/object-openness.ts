/** OBJECT_OPENNESS: every object says whether it takes properties that it does not name. */
import type { JsonObject } from '../json.ts';
import { getOwn, isArray, isObject } from '../json.ts';
import type { Rule } from './rule.ts';
import type { Visit } from './walk.ts';
import { report, walkOwn } from './walk.ts';

/** Silence means open, which is seldom what the author has thought of. */
export const objectOpenness: Rule = {
  id: 'OBJECT_OPENNESS',
  purpose:
    'Every object says with `additionalProperties` or `unevaluatedProperties` whether it is open. Silence means open, and no reader can tell whether that was meant.',
  check: (context) =>
    walkOwn(context).flatMap((visit) => {
      const { schema } = visit;
      if (!isObject(schema) || !describesObject(schema) || isSaid(visit)) return [];
      return [report(objectOpenness.id, visit.at, [], MESSAGE, { hint: hintFor(schema) })];
    }),
};

const MESSAGE = 'this object does not say whether it takes properties that it does not name';

function hintFor(schema: JsonObject): string {
  const combined = COMBINING.some((name) => Object.hasOwn(schema, name));
  const keyword = combined ? 'unevaluatedProperties' : 'additionalProperties';
  return `Add "${keyword}": false to refuse them, so that a misspelt name is noticed, or true to let them pass.`;
}

/** Schemas under these apply to the same object as the one they stand in. */
const BRANCHES = ['allOf', 'anyOf', 'oneOf', 'then', 'else', 'dependentSchemas'];

/** Beside these, `additionalProperties: false` would refuse the properties that they bring in. */
const COMBINING = ['$ref', ...BRANCHES];

/** Schemas under these ask something of an object; they do not describe one. */
const CONDITIONS = ['if', 'not'];

const OBJECT_KEYWORDS = ['properties', 'required', 'patternProperties'];

function describesObject(schema: JsonObject): boolean {
  // Given values leave nothing open.
  if (Object.hasOwn(schema, 'const') || Object.hasOwn(schema, 'enum')) return false;
  const type = getOwn(schema, 'type');
  if (type !== undefined) return isArray(type) ? type.includes('object') : type === 'object';
  return OBJECT_KEYWORDS.some((name) => Object.hasOwn(schema, name));
}

/** Whether a schema says it, or only adds constraints to one that does. */
function isSaid({ schema, parent, keyword }: Visit): boolean {
  const here = isObject(schema) && ANSWERS.some((name) => Object.hasOwn(schema, name));
  if (here || CONDITIONS.includes(keyword)) return true;
  return parent !== undefined && BRANCHES.includes(keyword) && isSaid(parent);
}

const ANSWERS = ['additionalProperties', 'unevaluatedProperties'];
