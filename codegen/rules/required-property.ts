/** REQUIRED_PROPERTY: a closed object admits what it requires. */
import type { Json, JsonObject } from '../json.ts';
import { getOwn, isArray, isObject } from '../json.ts';
import { nearestName } from '../names.ts';
import { compilePattern } from '../vocabulary.ts';
import type { Rule } from './rule.ts';
import { listUnknown } from './unknown-keyword.ts';
import type { Visit } from './walk.ts';
import { report, walkOwn } from './walk.ts';

/** No value at all is valid against a schema that asks for a property and refuses it. */
export const requiredProperty: Rule = {
  id: 'REQUIRED_PROPERTY',
  purpose:
    'A closed object declares every property that it requires. What it requires and does not admit no value can have, so none would ever be valid.',
  check: (context) =>
    walkOwn(context).flatMap((visit) => {
      const required = isObject(visit.schema) ? getOwn(visit.schema, 'required') : undefined;
      if (!isArray(required)) return [];
      return required.flatMap((name, index) => {
        const closed = typeof name === 'string' ? findRefusal(visit, name) : undefined;
        if (typeof name !== 'string' || closed === undefined) return [];
        const quoted = JSON.stringify(name);
        const message = `${quoted} is required, and this closed object has no property of that name`;
        const hint = hintFor(name, closed);
        return [report(requiredProperty.id, visit.at, ['required', index], message, { hint })];
      });
    }),
};

function hintFor(name: string, closed: JsonObject): string {
  const properties = getOwn(closed, 'properties');
  const near = nearestName(name, isObject(properties) ? Object.keys(properties) : []);
  return near === undefined
    ? 'Add it to "properties", or take it out of "required".'
    : `Did you mean "${near}"?`;
}

/** The schema that refuses a property of an object: this one, or one that it is a branch of. */
function findRefusal(visit: Visit, name: string): JsonObject | undefined {
  if (CONDITIONS.includes(visit.keyword)) return undefined;
  const { schema } = visit;
  if (isObject(schema) && isClosed(schema) && !admits(schema, name)) return schema;
  let { keyword, parent } = visit;
  while (parent !== undefined && BRANCHES.includes(keyword)) {
    const around = parent.schema;
    // What `unevaluatedProperties` refuses there depends on the branches.
    const refuses = isObject(around) && getOwn(around, 'additionalProperties') === false;
    if (refuses && !admits(around, name)) return around;
    ({ keyword, parent } = parent);
  }
  return undefined;
}

/** An object that is refused is what these may be there for. */
const CONDITIONS = ['if', 'not'];

/** Schemas under these apply to the same object as the one they stand in. */
const BRANCHES = ['allOf', 'anyOf', 'oneOf', 'then', 'else', 'dependentSchemas'];

/** Beside these, `unevaluatedProperties: false` lets pass what they declare. */
const APPLICATORS = ['$ref', '$dynamicRef', 'additionalProperties', 'if', ...BRANCHES];

function isClosed(schema: JsonObject): boolean {
  if (getOwn(schema, 'additionalProperties') === false) return true;
  const applied = APPLICATORS.some((name) => Object.hasOwn(schema, name));
  return getOwn(schema, 'unevaluatedProperties') === false && !applied;
}

function admits(schema: JsonObject, name: string): boolean {
  // A misspelt "properties" is the cause, and UNKNOWN_KEYWORD names it.
  if (listUnknown(schema).length > 0) return true;
  const patterns = namesIn(getOwn(schema, 'patternProperties'));
  return (
    namesIn(getOwn(schema, 'properties')).includes(name) ||
    patterns.some((pattern) => compilePattern(pattern)?.test(name) ?? true)
  );
}

function namesIn(map: Json | undefined): readonly string[] {
  return isObject(map) ? Object.keys(map) : [];
}
