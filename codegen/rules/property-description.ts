/** PROPERTY_DESCRIPTION: what is public says what it is. */
import type { Json } from '../json.ts';
import { getOwn, isObject } from '../json.ts';
import { KEYWORDS } from '../vocabulary.ts';
import type { Rule } from './rule.ts';
import type { Visit } from './walk.ts';
import { referencesOf, report, walkOwn } from './walk.ts';

/** Descriptions become the comments of the types, the tables of the docs and what models read. */
export const propertyDescription: Rule = {
  id: 'PROPERTY_DESCRIPTION',
  purpose:
    'Every schema file, definition and property has a description: it is the comment in the types, the row in the docs and, for a tool, all that a model knows.',
  check: (context) =>
    walkOwn(context).flatMap((visit) => {
      const subject = nameSubject(visit);
      if (subject === undefined || isDescribed(visit)) return [];
      const options = { key: visit.parent !== undefined, hint: HINT };
      return [
        report(propertyDescription.id, visit.at, [], `${subject} has no description`, options),
      ];
    }),
};

const HINT =
  'Add "description": what it is and, where it can be left out or be null, what that means.';

/** What a schema is to a reader; undefined when nobody meets it by name. */
function nameSubject({ at, schema, parent, keyword, key }: Visit): string | undefined {
  // A tool says itself what its arguments are for.
  if (parent === undefined) return at.document.origin === 'tool' ? undefined : 'this schema';
  if (keyword === '$defs') return `the definition ${JSON.stringify(key)}`;
  // A property that is forbidden is nobody's to read.
  if (keyword !== 'properties' || schema === false || isConstraint(parent, key)) return undefined;
  return `the property ${JSON.stringify(key)}`;
}

/** Whether a property stands in a condition, or in a branch that narrows a property described further out. */
function isConstraint({ schema, parent, keyword }: Visit, name: string): boolean {
  const properties = isObject(schema) ? getOwn(schema, 'properties') : undefined;
  if (parent === undefined || !IN_PLACE.has(keyword)) return false;
  if (CONDITIONAL.has(keyword) || hasProperty(parent, name)) return true;
  return properties !== undefined && isConstraint(parent, name);
}

function hasProperty({ schema }: Visit, name: string): boolean {
  const properties = isObject(schema) ? getOwn(schema, 'properties') : undefined;
  return isObject(properties) && Object.hasOwn(properties, name);
}

const CONDITIONAL = new Set(['if', 'then', 'else', 'not', 'dependentSchemas']);
const IN_PLACE = new Set([...CONDITIONAL, 'allOf', 'anyOf', 'oneOf']);

function isDescribed(visit: Visit): boolean {
  const { schema } = visit;
  if (!isObject(schema)) return false;
  if (isText(getOwn(schema, 'description'))) return true;
  return isLoneReference(schema) && isTargetDescribed(visit);
}

function isText(value: Json | undefined): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

/** A `$ref` with at most annotations beside it means the same thing as its target. */
function isLoneReference(schema: object): boolean {
  return Object.keys(schema).every(
    (name) => name === '$ref' || KEYWORDS.get(name)?.annotation === true,
  );
}

function isTargetDescribed(visit: Visit): boolean {
  const seen = new Set<unknown>();
  let [target] = referencesOf(visit);
  while (target !== undefined && isObject(target.schema) && !seen.has(target)) {
    if (isText(getOwn(target.schema, 'description'))) return true;
    seen.add(target);
    const reference = getOwn(target.schema, '$ref');
    target = typeof reference === 'string' ? visit.resolution.follow(target, reference) : undefined;
  }
  return false;
}
