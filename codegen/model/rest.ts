/** Which keyword speaks of the members or items that no other keyword of a schema names. */
import type { JsonObject } from '../json.ts';

/** Keywords that evaluate members or items from elsewhere. */
const APPLICATORS = [
  '$ref',
  '$dynamicRef',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'dependentSchemas',
  'contains',
];

/**
 * `additionalProperties` or `items`; `unevaluated…` in its stead where it says the same, because
 * nothing stands beside it that could evaluate more. Undefined when nothing speaks of the rest.
 */
export function restKeyword(schema: JsonObject, kind: 'object' | 'array'): string | undefined {
  const own = kind === 'object' ? 'additionalProperties' : 'items';
  if (Object.hasOwn(schema, own)) return own;
  const late = kind === 'object' ? 'unevaluatedProperties' : 'unevaluatedItems';
  const alone = !APPLICATORS.some((keyword) => Object.hasOwn(schema, keyword));
  return alone && Object.hasOwn(schema, late) ? late : undefined;
}
