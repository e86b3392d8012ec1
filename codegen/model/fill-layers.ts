/** Objects and arrays whose members and items are each judged by one schema. */
import type { JsonObject } from '../json.ts';
import { getOwn, isObject } from '../json.ts';
import type { Resolution, SchemaAt } from '../resolution.ts';
import { compilePattern } from '../vocabulary.ts';
import { isAssertion, isTrivial } from './assertions.ts';
import { conjunctsOf } from './conjuncts.ts';

/**
 * A schema and those that it extends by `$ref` and `allOf`, when filling in one's member cannot change
 * another's verdict: every name is declared once, and nothing looks at members together. Undefined
 * otherwise.
 */
export function findLayers(
  resolution: Resolution,
  start: SchemaAt,
): readonly SchemaAt[] | undefined {
  const layers: SchemaAt[] = [];
  const queue = [start];
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    if (layers.includes(at) || !isPlain(at)) return undefined;
    layers.push(at);
    queue.push(...conjunctsOf(resolution, at));
  }
  const names = layers.flatMap(({ schema }) => keysOf(schema, 'properties'));
  if (new Set(names).size < names.length) return undefined;
  return layers.length === 1 || layers.every(leavesOthersAlone) ? layers : undefined;
}

/** Keywords that judge a value's kind, or one member or item alone. */
const PLAIN = new Set([
  '$ref',
  'allOf',
  'type',
  'properties',
  'required',
  'additionalProperties',
  'unevaluatedProperties',
  'patternProperties',
  'minProperties',
  'prefixItems',
  'items',
  'unevaluatedItems',
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'pattern',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
]);

function isPlain({ schema }: SchemaAt): boolean {
  if (!isObject(schema)) return schema === true;
  const patterns = keysOf(schema, 'patternProperties');
  const tests = patterns.map((pattern) => compilePattern(pattern));
  const shared = keysOf(schema, 'properties').some((name) =>
    tests.some((test) => test?.test(name)),
  );
  const keywords = Object.keys(schema).filter(isAssertion);
  return keywords.every((keyword) => PLAIN.has(keyword)) && patterns.length < 2 && !shared;
}

/** Whether a schema says nothing of members and items that others declare. */
function leavesOthersAlone({ schema }: SchemaAt): boolean {
  if (!isObject(schema)) return true;
  const silent = ['patternProperties', 'prefixItems', 'items', 'unevaluatedItems'];
  if (silent.some((keyword) => Object.hasOwn(schema, keyword))) return false;
  // What is added is declared somewhere, and so evaluated.
  return isTrivial(getOwn(schema, 'additionalProperties') ?? true) && !speaksAlone(schema);
}

/** Without applicators beside it `unevaluatedProperties` says what `additionalProperties` would. */
function speaksAlone(schema: JsonObject): boolean {
  const extended = Object.hasOwn(schema, '$ref') || Object.hasOwn(schema, 'allOf');
  return !extended && !isTrivial(getOwn(schema, 'unevaluatedProperties') ?? true);
}

function keysOf(schema: SchemaAt['schema'], keyword: string): readonly string[] {
  const map = isObject(schema) ? getOwn(schema, keyword) : undefined;
  return isObject(map) ? Object.keys(map) : [];
}
