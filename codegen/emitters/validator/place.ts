/**
 * Values in the emitted code: the variable that holds one, and what is certain of it where the code in
 * hand runs.
 */
import { isIdentifier } from '../../names.ts';
import type { Condition } from './condition.ts';
import { all, any, call, compare, not } from './condition.ts';

const KINDS = ['null', 'boolean', 'number', 'string', 'array', 'object'] as const;

/** The kinds of JSON values. */
export type Kind = (typeof KINDS)[number];

/** Any kind. A value of which no more is known may also be missing (`undefined`). */
export const ANY_KIND: ReadonlySet<Kind> = new Set(KINDS);

/** A value. */
export interface Place {
  /** The variable. */
  readonly name: string;
  /** The kinds that it can have here. */
  readonly kinds: ReadonlySet<Kind>;
  /** The properties that it has if it is an object. */
  readonly present: ReadonlySet<string>;
}

/** A value of which nothing is known. */
export function createPlace(name: string, kinds: ReadonlySet<Kind> = ANY_KIND): Place {
  return { name, kinds, present: new Set() };
}

/** The same value, known to be of one of some kinds and to have some properties. */
export function narrow(
  place: Place,
  kinds: ReadonlySet<Kind>,
  present: ReadonlySet<string> = new Set(),
): Place {
  return {
    name: place.name,
    kinds: intersect(place.kinds, kinds),
    present: new Set([...place.present, ...present]),
  };
}

/** What is in both sets. */
export function intersect<T>(left: ReadonlySet<T>, right: ReadonlySet<T>): ReadonlySet<T> {
  return new Set([...left].filter((item) => right.has(item)));
}

/** Whether a value is certainly of one kind. */
export function isSurely({ kinds }: Place, kind: Kind): boolean {
  return kinds.size === 1 && kinds.has(kind);
}

/** The kind of a value that a schema's `type` names. */
export function kindOfType(type: string): Kind {
  return type === 'integer' ? 'number' : (type as Kind);
}

/** Whether a value is of one of some types. A number that JSON cannot write (NaN, Infinity) is of none. */
export function hasType(place: Place, types: readonly string[]): Condition {
  const whole = types.filter((type) => type !== 'integer') as Kind[];
  if ([...place.kinds].every((kind) => whole.includes(kind))) return true;
  const possible = types.filter((type) => place.kinds.has(kindOfType(type)));
  const needed = possible.filter((type) => type !== 'integer' || !whole.includes('number'));
  return any(...needed.map((type) => TYPE_TESTS[type]?.(place.name) ?? false));
}

const TYPE_TESTS: Readonly<Record<string, (name: string) => Condition>> = {
  null: (name) => compare(name, '===', 'null'),
  boolean: (name) => compare(`typeof ${name}`, '===', '"boolean"'),
  string: (name) => compare(`typeof ${name}`, '===', '"string"'),
  number: (name) => call(`Number.isFinite(${name})`),
  integer: (name) => call(`Number.isInteger(${name})`),
  array: (name) => call(`Array.isArray(${name})`),
  object: (name) =>
    all(
      compare(`typeof ${name}`, '===', '"object"'),
      compare(name, '!==', 'null'),
      not(call(`Array.isArray(${name})`)),
    ),
};

/** The expression for a property of a value. */
export function printProperty(place: Place, name: string): string {
  return isIdentifier(name) ? `${place.name}.${name}` : `${place.name}[${JSON.stringify(name)}]`;
}

/** Whether every object inherits a property of this name, so that only an own one counts. */
export function isInherited(name: string): boolean {
  return name in Object.prototype;
}

/** Whether an object has a property. */
export function hasProperty(place: Place, name: string): Condition {
  if (place.present.has(name)) return true;
  return isInherited(name)
    ? call(`Object.hasOwn(${place.name}, ${JSON.stringify(name)})`)
    : compare(printProperty(place, name), '!==', 'undefined');
}
