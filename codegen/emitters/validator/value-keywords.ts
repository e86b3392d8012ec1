/**
 * The keywords that look at a value as a whole: which values, which type, how large, how long.
 */
import type { Json } from '../../json.ts';
import { printJson } from '../print-type.ts';
import type { Condition } from './condition.ts';
import { all, any, call, compare } from './condition.ts';
import type { ModuleParts } from './module.ts';
import { hasType } from './place.ts';
import { listOf } from './references.ts';
import { isPlain, kindOf } from './shapes.ts';
import type { Row, Site } from './site.ts';
import type { Code } from './statements.ts';
import { check } from './statements.ts';

/** From so many values on, looking one up in a set is faster than comparing with each. */
const SET_FROM = 32;

type Limit =
  | `${'min' | 'max'}${'imum' | 'Length' | 'Items' | 'Properties'}`
  | `exclusive${'Minimum' | 'Maximum'}`
  | 'multipleOf';

/** What stands in the keywords whose code is one check. */
interface Operands extends Readonly<Record<Limit, number>> {
  readonly pattern: string;
  readonly required: readonly string[];
}

/** A row for one keyword whose code is one check. */
export function defineCheck<K extends keyof Operands>(
  keyword: K,
  test: (operand: Operands[K], site: Site) => Condition,
): Row {
  return {
    keywords: [keyword],
    emit: (site) => check(test(site.schema[keyword] as Operands[K], site)),
    isCondition: () => true,
  };
}

/** `type`, `enum` and `const`. */
export const IDENTITY: readonly Row[] = [
  {
    keywords: ['type', 'enum', 'const'],
    emit: emitIdentity,
    isTelling: true,
    isCondition: () => true,
  },
];

/** What holds for numbers. */
export const NUMBER: readonly Row[] = [
  defineCheck('minimum', (limit, { place }) => compare(place.name, '>=', limit)),
  defineCheck('exclusiveMinimum', (limit, { place }) => compare(place.name, '>', limit)),
  defineCheck('maximum', (limit, { place }) => compare(place.name, '<=', limit)),
  defineCheck('exclusiveMaximum', (limit, { place }) => compare(place.name, '<', limit)),
  defineCheck('multipleOf', (divisor, { place, module }) =>
    call(
      divisor === 1
        ? `Number.isInteger(${place.name})`
        : module.callHelper('isMultipleOf', place.name, divisor),
    ),
  ),
];

/** What holds for strings. */
export const STRING: readonly Row[] = [
  defineCheck('minLength', isLongEnough),
  defineCheck('maxLength', isShortEnough),
  defineCheck('pattern', (source, { place, module }) =>
    call(`${module.addPattern(source)}.test(${place.name})`),
  ),
];

/** A list of values says their types, so one check is enough. */
function emitIdentity({ schema, place, module }: Site): Code {
  const types = schema.type === undefined ? undefined : ([schema.type].flat() as string[]);
  const isAllowed = (value: Json): boolean =>
    types === undefined ||
    types.includes(kindOf(value)) ||
    (types.includes('integer') && Number.isInteger(value));
  const lists = [
    ...(schema.const === undefined ? [] : [[schema.const]]),
    ...(schema.enum === undefined ? [] : [listOf(schema.enum)]),
  ];
  if (lists.length === 0) return check(hasType(place, types ?? []));
  return lists.flatMap((values) => check(isOneOf(module, place.name, values.filter(isAllowed))));
}

/** Whether a variable holds one of some values. */
export function isOneOf(module: ModuleParts, name: string, values: readonly Json[]): Condition {
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
  if (least === 0) return true;
  if (least === 1) return compare(units, '>', 0);
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
