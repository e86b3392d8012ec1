/**
 * What a schema admits, kind by kind. A keyword narrows only the JSON kind it speaks of, so a schema
 * is a table over the six kinds; `allOf`, `$ref` and siblings intersect tables, `anyOf` and `oneOf`
 * unite them. Tables may be looser than the schema, never tighter.
 */
import type { Json, JsonObject } from '../json.ts';
import type { SchemaAt } from '../resolution.ts';

/** The six kinds of JSON value. */
export type Kind = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';

/** The six kinds, in the order in which they are printed. */
export const KINDS: readonly Kind[] = ['string', 'number', 'boolean', 'object', 'array', 'null'];

/** Literals of one scalar kind: these only, or any (`literals` are then the known ones). */
export interface Scalars<T> {
  readonly any: boolean;
  readonly literals: ReadonlySet<T>;
}

/** What one schema object says of arrays. */
interface ArrayLayer {
  readonly prefix: readonly SchemaAt[];
  readonly items: SchemaAt | undefined;
}

/** One alternative for arrays: all layers hold at once. */
export interface ArrayShape {
  readonly layers: readonly ArrayLayer[];
  readonly min: number;
  readonly max: number;
  readonly literal?: readonly Json[];
  /** The declaration that is exactly this alternative. */
  readonly source?: SchemaAt;
}

/** What one schema object says of objects' members. */
export interface ObjectLayer {
  readonly properties: ReadonlyMap<string, SchemaAt>;
  readonly patterns: readonly { readonly pattern: string; readonly at: SchemaAt }[];
  readonly additional: SchemaAt | undefined;
}

/** One alternative for objects: all layers hold at once. */
export interface ObjectShape {
  readonly layers: readonly ObjectLayer[];
  readonly required: ReadonlySet<string>;
  readonly absent: ReadonlySet<string>;
  /** The only names that may appear, when they are known. */
  readonly keys?: ReadonlySet<string>;
  readonly literal?: JsonObject;
  readonly source?: SchemaAt;
}

/** The table. An empty list of alternatives, or no literal, means that the kind is refused. */
export interface Shape {
  readonly null: boolean;
  readonly boolean: Scalars<boolean>;
  readonly number: Scalars<number>;
  readonly string: Scalars<string>;
  readonly array: readonly ArrayShape[];
  readonly object: readonly ObjectShape[];
}

const NO_NAMES: ReadonlySet<string> = new Set();

/** Every array, and every object. */
export const ANY_ARRAY: ArrayShape = { layers: [], min: 0, max: Infinity };
export /**
 *
 */
const ANY_OBJECT: ObjectShape = { layers: [], required: NO_NAMES, absent: NO_NAMES };

const everyScalar = { any: true, literals: new Set<never>() };
const noScalar = { any: false, literals: new Set<never>() };

/** Every JSON value. */
export const EVERYTHING: Shape = {
  null: true,
  boolean: { any: false, literals: new Set([true, false]) },
  number: everyScalar,
  string: everyScalar,
  array: [ANY_ARRAY],
  object: [ANY_OBJECT],
};

/** No JSON value. */
export const NOTHING: Shape = {
  null: false,
  boolean: noScalar,
  number: noScalar,
  string: noScalar,
  array: [],
  object: [],
};

/** Beyond this many alternatives of one kind a table is left looser instead of growing. */
const MAX_ALTERNATIVES = 64;

/** Whether a table admits every JSON value. */
export function isEverything(shape: Shape): boolean {
  return shape === EVERYTHING || admitsWhole(shape, new Set(KINDS));
}

/** Whether a table admits every value of some kinds. */
export function admitsWhole(shape: Shape, kinds: ReadonlySet<Kind>): boolean {
  const whole: Readonly<Record<Kind, boolean>> = {
    null: shape.null,
    boolean: shape.boolean.literals.size === 2,
    number: shape.number.any,
    string: shape.string.any,
    object: shape.object.some(isAnyObject),
    array: shape.array.some(isAnyArray),
  };
  return [...kinds].every((kind) => whole[kind]);
}

/** What both tables admit (or a little more, where alternatives would explode). */
export function intersect(a: Shape, b: Shape): Shape {
  if (a === EVERYTHING) return b;
  if (b === EVERYTHING) return a;
  return {
    null: a.null && b.null,
    boolean: intersectScalars(a.boolean, b.boolean),
    number: intersectScalars(a.number, b.number),
    string: intersectScalars(a.string, b.string),
    array: combine(a.array, b.array, intersectArrays),
    object: combine(a.object, b.object, intersectObjects),
  };
}

/** What either table admits. */
export function unite(a: Shape, b: Shape): Shape {
  return {
    null: a.null || b.null,
    boolean: uniteScalars(a.boolean, b.boolean),
    number: uniteScalars(a.number, b.number),
    string: uniteScalars(a.string, b.string),
    array: uniteAlternatives(a.array, b.array, ANY_ARRAY),
    object: uniteAlternatives(a.object, b.object, ANY_OBJECT),
  };
}

/** The table with some kinds struck out. */
export function strike(shape: Shape, kinds: ReadonlySet<Kind>): Shape {
  if (kinds.size === 0) return shape;
  return {
    null: shape.null && !kinds.has('null'),
    boolean: kinds.has('boolean') ? noScalar : shape.boolean,
    number: kinds.has('number') ? noScalar : shape.number,
    string: kinds.has('string') ? noScalar : shape.string,
    array: kinds.has('array') ? [] : shape.array,
    object: kinds.has('object') ? [] : shape.object,
  };
}

/** The kinds of which a table admits at least one value. */
export function kindsOf(shape: Shape): ReadonlySet<Kind> {
  const kinds = new Set<Kind>();
  if (shape.null) kinds.add('null');
  for (const kind of ['boolean', 'number', 'string'] as const) {
    if (shape[kind].any || shape[kind].literals.size > 0) kinds.add(kind);
  }
  if (shape.array.length > 0) kinds.add('array');
  if (shape.object.length > 0) kinds.add('object');
  return kinds;
}

function isAnyObject(shape: ObjectShape): boolean {
  const { layers, required, absent, keys, literal } = shape;
  return (
    layers.length === 0 &&
    required.size === 0 &&
    absent.size === 0 &&
    keys === undefined &&
    literal === undefined
  );
}

function isAnyArray(shape: ArrayShape): boolean {
  const { layers, min, max, literal } = shape;
  return layers.length === 0 && min === 0 && max === Infinity && literal === undefined;
}

function intersectScalars<T>(a: Scalars<T>, b: Scalars<T>): Scalars<T> {
  if (a.any && b.any) return { any: true, literals: new Set([...a.literals, ...b.literals]) };
  if (a.any) return b;
  if (b.any) return a;
  return {
    any: false,
    literals: new Set([...a.literals].filter((value) => b.literals.has(value))),
  };
}

function uniteScalars<T>(a: Scalars<T>, b: Scalars<T>): Scalars<T> {
  return { any: a.any || b.any, literals: new Set([...a.literals, ...b.literals]) };
}

function combine<T>(
  a: readonly T[],
  b: readonly T[],
  meet: (a: T, b: T) => T | undefined,
): readonly T[] {
  if (a.length * b.length > MAX_ALTERNATIVES) return a.length <= b.length ? a : b;
  return a.flatMap((left) =>
    b.flatMap((right) => {
      const both = meet(left, right);
      return both === undefined ? [] : [both];
    }),
  );
}

function uniteAlternatives<T extends ArrayShape | ObjectShape>(
  a: readonly T[],
  b: readonly T[],
  any: T,
): readonly T[] {
  const all = [...new Set([...a, ...b])];
  if (all.includes(any) || all.length > MAX_ALTERNATIVES) return [any];
  const sources = new Set<SchemaAt>();
  return all.filter(({ source }) => {
    if (source === undefined) return true;
    if (sources.has(source)) return false;
    sources.add(source);
    return true;
  });
}

function intersectArrays(a: ArrayShape, b: ArrayShape): ArrayShape | undefined {
  if (isAnyArray(b)) return a;
  if (isAnyArray(a)) return b;
  if (a === b) return a;
  if (a.literal !== undefined || b.literal !== undefined) return meetLiterals(a, b);
  const min = Math.max(a.min, b.min);
  const max = Math.min(a.max, b.max);
  return min > max ? undefined : { layers: [...a.layers, ...b.layers], min, max };
}

function intersectObjects(a: ObjectShape, b: ObjectShape): ObjectShape | undefined {
  if (addsNothing(b, a)) return a;
  if (addsNothing(a, b)) return b;
  if (a.literal !== undefined || b.literal !== undefined) return meetLiterals(a, b);
  const required = new Set([...a.required, ...b.required]);
  const absent = new Set([...a.absent, ...b.absent]);
  if ([...required].some((name) => absent.has(name))) return undefined;
  const keys = meetKeys(a.keys, b.keys);
  return {
    layers: [...a.layers, ...b.layers],
    required,
    absent,
    ...(keys === undefined ? {} : { keys }),
  };
}

/** Whether one alternative only repeats what another asks for already. */
function addsNothing(a: ObjectShape, b: ObjectShape): boolean {
  if (a === b) return true;
  const silent = a.layers.length === 0 && a.absent.size === 0 && a.keys === undefined;
  return silent && a.literal === undefined && [...a.required].every((name) => b.required.has(name));
}

/** A literal stays itself beside other constraints: they can only refuse it altogether. */
function meetLiterals<T extends ArrayShape | ObjectShape>(a: T, b: T): T | undefined {
  if (a.literal === undefined) return b;
  if (b.literal === undefined) return a;
  return JSON.stringify(a.literal) === JSON.stringify(b.literal) ? a : undefined;
}

function meetKeys(
  a: ReadonlySet<string> | undefined,
  b: ReadonlySet<string> | undefined,
): ReadonlySet<string> | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return new Set([...a].filter((key) => b.has(key)));
}
