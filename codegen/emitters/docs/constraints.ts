/** What a schema asks of a value beyond its type, in words. */
import type { Json, JsonObject } from '../../json.ts';
import { getOwn, isArray, isObject } from '../../json.ts';
import type { TypeModel } from '../../model/modules.ts';
import type { SchemaAt } from '../../resolution.ts';
import { printCode } from './escape.ts';
import { printFlat } from './json-block.ts';

/**
 * The constraints of a schema, as Markdown phrases: its own, those of plain schemas that it refers to,
 * and those of its items. What has a section of its own states its constraints there.
 */
export function constraintsOf(types: TypeModel, at: SchemaAt): readonly string[] {
  return [...new Set(collect(types, at, new Set()))];
}

function collect(types: TypeModel, at: SchemaAt, open: Set<SchemaAt>): readonly string[] {
  const { schema } = at;
  if (!isObject(schema) || open.has(at)) return [];
  open.add(at);
  const inner = (child: SchemaAt): readonly string[] =>
    types.declarationOf(child) === undefined ? collect(types, child, open) : [];
  const { resolution } = types;
  const found = [...phrases(schema)];
  const reference = getOwn(schema, '$ref');
  const target = typeof reference === 'string' ? resolution.follow(at, reference) : undefined;
  if (target !== undefined) found.push(...inner(target));
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    const list = getOwn(schema, keyword);
    if (!isArray(list)) continue;
    found.push(...list.flatMap((_, index) => inner(resolution.child(at, keyword, index))));
  }
  for (const [keyword, words] of INSIDE) {
    if (!isObject(getOwn(schema, keyword))) continue;
    const phrase = inner(resolution.child(at, keyword)).join(', ');
    if (phrase !== '') found.push(`${words}: ${phrase}`);
  }
  open.delete(at);
  return found;
}

/** Keywords whose schema applies to what is inside a value. */
const INSIDE = [
  ['items', 'each item'],
  ['additionalProperties', 'each value'],
  ['propertyNames', 'each name'],
] as const;

/** Keywords that a table has no words for. Saying so is better than leaving them out. */
const UNWORDED = ['not', 'if', 'contains', 'dependentSchemas', 'unevaluatedItems'];

function phrases(schema: JsonObject): readonly string[] {
  const get = (keyword: string): Json | undefined => getOwn(schema, keyword);
  const unworded = UNWORDED.filter((keyword) => get(keyword) !== undefined);
  return [
    ...range(get('minimum'), get('maximum')),
    ...bound('more than', get('exclusiveMinimum')),
    ...bound('less than', get('exclusiveMaximum')),
    ...bound('a multiple of', get('multipleOf')),
    ...count('character', get('minLength'), get('maxLength')),
    ...quoted('matches', get('pattern')),
    ...quoted('format', get('format')),
    ...quoted('encoded as', get('contentEncoding')),
    ...quoted('holds', get('contentMediaType')),
    ...count('item', get('minItems'), get('maxItems')),
    ...(get('uniqueItems') === true ? ['no item twice'] : []),
    ...count('property', get('minProperties'), get('maxProperties')),
    ...dependencies(get('dependentRequired')),
    ...(unworded.length === 0
      ? []
      : [`more in the schema (${unworded.map((keyword) => printCode(keyword)).join(', ')})`]),
  ];
}

function range(least: Json | undefined, most: Json | undefined): readonly string[] {
  if (typeof least === 'number' && typeof most === 'number') {
    return [`from ${String(least)} to ${String(most)}`];
  }
  return [...bound('at least', least), ...bound('at most', most)];
}

function bound(words: string, value: Json | undefined): readonly string[] {
  return typeof value === 'number' ? [`${words} ${String(value)}`] : [];
}

function count(noun: string, least: Json | undefined, most: Json | undefined): readonly string[] {
  const all = (number: number): string => {
    const plural = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
    return `${String(number)} ${number === 1 ? noun : plural}`;
  };
  if (typeof least === 'number' && typeof most === 'number') {
    return [least === most ? `exactly ${all(least)}` : `${String(least)} to ${all(most)}`];
  }
  if (typeof least === 'number') return least === 0 ? [] : [`at least ${all(least)}`];
  return typeof most === 'number' ? [`at most ${all(most)}`] : [];
}

function quoted(words: string, value: Json | undefined): readonly string[] {
  return typeof value === 'string' ? [`${words} ${printCode(value)}`] : [];
}

function dependencies(value: Json | undefined): readonly string[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, needed]) =>
    isArray(needed) && needed.length > 0
      ? [`${printCode(name)} needs ${needed.map((each) => printCode(nameOf(each))).join(' and ')}`]
      : [],
  );
}

function nameOf(value: Json): string {
  return typeof value === 'string' ? value : printFlat(value);
}
