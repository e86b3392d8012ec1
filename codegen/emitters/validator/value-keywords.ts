/**
 * The keywords that look at a value as a whole: which values, which type, how large, how long.
 */
import type { Json } from '../../json.ts';
import { isArray } from '../../json.ts';
import { printJson } from '../print-type.ts';
import type { Row, Site } from './compiler.ts';
import type { Condition } from './condition.ts';
import { all, any, atLeast, call, compare } from './condition.ts';
import type { Module } from './module.ts';
import type { Place } from './place.ts';
import { hasType } from './place.ts';
import { isPlain, kindOf } from './shapes.ts';
import type { Code } from './statements.ts';
import { check } from './statements.ts';

/** From so many values on, looking one up in a set is faster than comparing with each. */
const SET_FROM = 32;

/** A row for a keyword that takes a number and asks for one check. */
export function defineLimit(keyword: string, test: (limit: number, site: Site) => Condition): Row {
  return {
    keywords: [keyword],
    emit: (site) => check(test(site.schema[keyword] as number, site)),
  };
}

/** `type`, `enum` and `const`. */
export const IDENTITY: readonly Row[] = [
  {
    keywords: ['type', 'enum', 'const'],
    emit: emitIdentity,
    isTelling: true,
  },
];

/** What holds for numbers. */
export const NUMBER: readonly Row[] = [
  defineLimit('minimum', (limit, { place }) => compare(place.name, '>=', limit)),
  defineLimit('exclusiveMinimum', (limit, { place }) => compare(place.name, '>', limit)),
  defineLimit('maximum', (limit, { place }) => compare(place.name, '<=', limit)),
  defineLimit('exclusiveMaximum', (limit, { place }) => compare(place.name, '<', limit)),
  defineLimit('multipleOf', (divisor, { place, module }) =>
    call(
      divisor === 1
        ? `Number.isInteger(${place.name})`
        : module.callHelper('isMultipleOf', place.name, divisor),
    ),
  ),
];

/** What holds for strings. */
export const STRING: readonly Row[] = [
  defineLimit('minLength', isLongEnough),
  defineLimit('maxLength', isShortEnough),
  {
    keywords: ['pattern'],
    emit: ({ schema, place, module }) => check(matches(module, place, schema.pattern as string)),
  },
];

/** Whether a string matches a pattern. */
export function matches(module: Module, place: Place, pattern: string): Condition {
  return call(`${module.addPattern(pattern)}.test(${place.name})`);
}

/** A list of values says their types, so one check is enough. */
function emitIdentity({ schema, place, module }: Site): Code {
  const types = schema.type === undefined ? undefined : ([schema.type].flat() as string[]);
  const isAllowed = (value: Json): boolean =>
    types === undefined ||
    types.includes(kindOf(value)) ||
    (types.includes('integer') && Number.isInteger(value));
  const lists = [schema.const === undefined ? undefined : [schema.const], schema.enum]
    .filter((values) => isArray(values))
    .map((values) => isOneOf(module, place, values.filter(isAllowed)));
  return check(lists.length === 0 ? hasType(place, types ?? []) : all(...lists));
}

/** Whether a value is one of some. */
export function isOneOf(module: Module, { name }: Place, values: readonly Json[]): Condition {
  if (values.length >= SET_FROM && values.every(isPlain)) {
    return call(`${module.addSet(values)}.has(${name})`);
  }
  return any(
    ...values.map((value) =>
      isPlain(value)
        ? compare(name, '===', printJson(value))
        : call(module.callHelper('deepEqual', name, module.addValue(value))),
    ),
  );
}

/** Counts code points only where the number of UTF-16 units, one or two for each, does not decide. */
function isLongEnough(least: number, { place, module }: Site): Condition {
  const units = `${place.name}.length`;
  if (least < 2) return atLeast(units, least);
  const points = module.callHelper('codePointLength', place.name);
  return any(
    compare(units, '>=', least * 2 - 1),
    all(compare(units, '>=', least), compare(points, '>=', least)),
  );
}

function isShortEnough(most: number, { place, module }: Site): Condition {
  const units = `${place.name}.length`;
  if (most === 0) return compare(units, '===', 0);
  const points = module.callHelper('codePointLength', place.name);
  return any(
    compare(units, '<=', most),
    all(compare(units, '<=', most * 2), compare(points, '<=', most)),
  );
}
