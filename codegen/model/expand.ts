/** Expand: from schemas to the table of what they admit (see shape.ts). */
import type { Json, JsonObject } from '../json.ts';
import { getOwn, isArray, isObject } from '../json.ts';
import type { Resolution, SchemaAt } from '../resolution.ts';
import type { ObjectLayer, ObjectShape, Scalars, Shape } from './shape.ts';
import { restKeyword } from './rest.ts';
import {
  ANY_ARRAY,
  ANY_OBJECT,
  EVERYTHING,
  NOTHING,
  intersect,
  kindsOf,
  strike,
  unite,
} from './shape.ts';
import { evaluatedNames, whollyAccepted } from './complement.ts';
import { conjunctsOf } from './conjuncts.ts';
import type { Kind } from './shape.ts';

/** Gives the tables of a project's schemas, each computed once. */
export interface Expander {
  expand(at: SchemaAt): Shape;
  /** The table of several schemas that hold at once. */
  expandAll(all: readonly SchemaAt[]): Shape;
}

/** `isDeclared` says which schemas have a name of their own, so that alternatives keep it. */
export function createExpander(
  resolution: Resolution,
  isDeclared: (at: SchemaAt) => boolean,
): Expander {
  return new TableExpander(resolution, isDeclared);
}

class TableExpander implements Expander {
  private readonly resolution: Resolution;
  private readonly isDeclared: (at: SchemaAt) => boolean;
  private readonly known = new Map<SchemaAt, Shape>();
  private readonly open = new Set<SchemaAt>();

  constructor(resolution: Resolution, isDeclared: (at: SchemaAt) => boolean) {
    this.resolution = resolution;
    this.isDeclared = isDeclared;
  }

  expandAll(all: readonly SchemaAt[]): Shape {
    return all.map((at) => this.expand(at)).reduce(intersect, EVERYTHING);
  }

  expand(at: SchemaAt): Shape {
    if (typeof at.schema === 'boolean') return at.schema ? EVERYTHING : NOTHING;
    if (!isObject(at.schema)) return EVERYTHING;
    const done = this.known.get(at);
    if (done !== undefined) return done;
    // Inside its own expansion a schema adds nothing: the table is looser there, and finite.
    if (this.open.has(at)) return EVERYTHING;
    this.open.add(at);
    const shape = this.expandObject(at, at.schema);
    this.open.delete(at);
    const named = this.isDeclared(at) ? withSource(shape, at) : shape;
    this.known.set(at, named);
    return named;
  }

  private expandObject(at: SchemaAt, schema: JsonObject): Shape {
    let shape = ownKeywords(this.resolution, at, schema);
    shape = intersect(shape, this.expandAll(conjunctsOf(this.resolution, at)));
    for (const keyword of ['anyOf', 'oneOf']) {
      const branches = this.children(at, schema, keyword);
      if (branches.length === 0) continue;
      const names = keyword === 'oneOf' ? rivals(branches) : undefined;
      const shapes = branches.map((branch) => this.expand(branch));
      const apart = names === undefined ? shapes : shapes.map((each, i) => alone(each, names, i));
      shape = intersect(shape, apart.reduce(unite, NOTHING));
    }
    shape = intersect(shape, this.conditional(at, schema));
    for (const dependent of this.dependents(at, schema)) shape = intersect(shape, dependent);
    if (!Object.hasOwn(schema, 'not')) return shape;
    return without(this.resolution, shape, this.resolution.child(at, 'not'));
  }

  private children(at: SchemaAt, schema: JsonObject, keyword: string): readonly SchemaAt[] {
    const list = getOwn(schema, keyword);
    return isArray(list) ? list.map((_, index) => this.resolution.child(at, keyword, index)) : [];
  }

  /** Then or else; which of them is unknown, unless `if` is a plain true or false. */
  private conditional(at: SchemaAt, schema: JsonObject): Shape {
    const condition = getOwn(schema, 'if');
    if (condition === undefined) return EVERYTHING;
    const branch = (name: string): Shape =>
      Object.hasOwn(schema, name) ? this.expand(this.resolution.child(at, name)) : EVERYTHING;
    if (typeof condition === 'boolean') return branch(condition ? 'then' : 'else');
    if (!Object.hasOwn(schema, 'then') || !Object.hasOwn(schema, 'else')) return EVERYTHING;
    return unite(branch('then'), branch('else'));
  }

  /** For each name that others depend on: absent, or present with all that it asks for. */
  private dependents(at: SchemaAt, schema: JsonObject): readonly Shape[] {
    const lists = getOwn(schema, 'dependentRequired');
    const schemas = getOwn(schema, 'dependentSchemas');
    const names = [lists, schemas].flatMap((map) => (isObject(map) ? Object.keys(map) : []));
    // Each name doubles the alternatives: a few are worth it.
    if (names.length > 3) return [];
    return [...new Set(names)].map((name) => {
      const list = isObject(lists) ? getOwn(lists, name) : undefined;
      const needed = isArray(list) ? list.filter((item) => typeof item === 'string') : [];
      const present = { ...ANY_OBJECT, required: new Set([name, ...needed]) };
      const asked = isObject(schemas) && Object.hasOwn(schemas, name);
      const place = this.resolution.child(at, 'dependentSchemas', name);
      const more = asked ? this.expand(place) : EVERYTHING;
      const absent = { ...ANY_OBJECT, absent: new Set([name]) };
      return unite(
        { ...EVERYTHING, object: [absent] },
        intersect({ ...NOTHING, object: [present] }, more),
      );
    });
  }
}

/** The property that each branch asks for, when that is all it says and each asks for another one. */
function rivals(branches: readonly SchemaAt[]): readonly string[] | undefined {
  const names = branches.flatMap(({ schema }) => {
    const required = isObject(schema) ? getOwn(schema, 'required') : undefined;
    const isAll = isObject(schema) && Object.keys(schema).length === 1;
    if (!isAll || !isArray(required) || required.length !== 1) return [];
    return required.filter((name) => typeof name === 'string');
  });
  return new Set(names).size === branches.length && names.length > 1 ? names : undefined;
}

/** A branch of `oneOf` that the property of no other one may stand beside. */
function alone(shape: Shape, names: readonly string[], index: number): Shape {
  const absent = new Set(names.filter((_, other) => other !== index));
  return intersect(shape, { ...EVERYTHING, object: [{ ...ANY_OBJECT, absent }] });
}

function without(resolution: Resolution, shape: Shape, at: SchemaAt): Shape {
  const rest = strike(shape, whollyAccepted(resolution, at));
  return excludeLiterals(excludeRequired(rest, at), at);
}

/** What a schema's own keywords say, its applicators in place left aside. */
function ownKeywords(resolution: Resolution, at: SchemaAt, schema: JsonObject): Shape {
  let shape: Shape = EVERYTHING;
  const type = getOwn(schema, 'type');
  if (type !== undefined) shape = strike(shape, kindsBeside(isArray(type) ? type : [type]));
  if (Object.hasOwn(schema, 'const'))
    shape = intersect(shape, literalShape(getOwn(schema, 'const') ?? null));
  const values = getOwn(schema, 'enum');
  if (isArray(values)) shape = intersect(shape, values.map(literalShape).reduce(unite, NOTHING));
  if (type === 'integer') shape = { ...shape, number: wholeNumbers(shape.number) };
  const objects = objectShape(resolution, at, schema);
  const arrays = arrayShape(resolution, at, schema);
  return intersect(shape, { ...EVERYTHING, object: objects, array: arrays });
}

function kindsBeside(types: readonly Json[]): ReadonlySet<Kind> {
  const kept = new Set(types.map((type) => (type === 'integer' ? 'number' : type)));
  const all: Kind[] = ['null', 'boolean', 'number', 'string', 'array', 'object'];
  return new Set(all.filter((kind) => !kept.has(kind)));
}

function wholeNumbers(numbers: Scalars<number>): Scalars<number> {
  return { ...numbers, literals: new Set([...numbers.literals].filter(Number.isInteger)) };
}

function literalShape(value: Json): Shape {
  if (value === null) return { ...NOTHING, null: true };
  if (isArray(value)) return { ...NOTHING, array: [{ ...ANY_ARRAY, literal: value }] };
  if (isObject(value)) return { ...NOTHING, object: [{ ...ANY_OBJECT, literal: value }] };
  const only = { any: false, literals: new Set([value]) };
  return { ...NOTHING, [typeof value]: only };
}

function objectShape(resolution: Resolution, at: SchemaAt, schema: JsonObject): ObjectShape[] {
  const max = getOwn(schema, 'maxProperties');
  const required = getOwn(schema, 'required');
  const names = isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  if (typeof max === 'number' && names.length > max) return [];
  const layers = [...objectLayers(resolution, at, schema)];
  const keys = max === 0 ? new Set<string>() : propertyNames(schema);
  if (layers.length === 0 && names.length === 0 && keys === undefined) return [ANY_OBJECT];
  if (keys !== undefined && names.some((name) => !keys.has(name))) return [];
  const shape = { ...ANY_OBJECT, layers, required: new Set(names) };
  return [keys === undefined ? shape : { ...shape, keys }];
}

function objectLayers(
  resolution: Resolution,
  at: SchemaAt,
  schema: JsonObject,
): readonly ObjectLayer[] {
  const properties = new Map<string, SchemaAt>();
  const declared = getOwn(schema, 'properties');
  for (const name of isObject(declared) ? Object.keys(declared) : []) {
    properties.set(name, resolution.child(at, 'properties', name));
  }
  const matched = getOwn(schema, 'patternProperties');
  const patterns = (isObject(matched) ? Object.keys(matched) : []).map((pattern) => ({
    pattern,
    at: resolution.child(at, 'patternProperties', pattern),
  }));
  const keyword = restKeyword(schema, 'object');
  const rest = keyword === undefined ? undefined : resolution.child(at, keyword);
  const additional = rest?.schema === true ? undefined : rest;
  const layer: ObjectLayer = { properties, patterns, additional };
  const layers = properties.size + patterns.length > 0 || additional !== undefined ? [layer] : [];
  const late = getOwn(schema, 'unevaluatedProperties') === false;
  const closed = late && keyword === undefined ? evaluatedNames(resolution, at) : undefined;
  if (closed === undefined) return layers;
  const nothing = resolution.child(at, 'unevaluatedProperties');
  return [...layers, { ...closed, additional: nothing }];
}

/** The names that `propertyNames` leaves, when it lists them. */
function propertyNames(schema: JsonObject): ReadonlySet<string> | undefined {
  const names = getOwn(schema, 'propertyNames');
  if (names === false) return new Set();
  if (!isObject(names)) return undefined;
  const only = getOwn(names, 'const');
  const values = only === undefined ? getOwn(names, 'enum') : [only];
  return isArray(values) ? new Set(values.filter((value) => typeof value === 'string')) : undefined;
}

function arrayShape(resolution: Resolution, at: SchemaAt, schema: JsonObject): Shape['array'] {
  const list = getOwn(schema, 'prefixItems');
  const prefix = isArray(list)
    ? list.map((_, index) => resolution.child(at, 'prefixItems', index))
    : [];
  const keyword = restKeyword(schema, 'array');
  const items = keyword === undefined ? undefined : resolution.child(at, keyword);
  const min = Math.max(count(schema, 'minItems', 0), minContains(schema));
  const max = count(schema, 'maxItems', Infinity);
  if (min > max) return [];
  const layers = prefix.length > 0 || items !== undefined ? [{ prefix, items }] : [];
  return layers.length === 0 && min === 0 && max === Infinity
    ? [ANY_ARRAY]
    : [{ layers, min, max }];
}

function minContains(schema: JsonObject): number {
  return Object.hasOwn(schema, 'contains') ? count(schema, 'minContains', 1) : 0;
}

function count(schema: JsonObject, keyword: string, otherwise: number): number {
  const value = getOwn(schema, keyword);
  return typeof value === 'number' ? value : otherwise;
}

/** `not: { required: [x] }` on objects means that x is absent. */
function excludeRequired(shape: Shape, at: SchemaAt): Shape {
  if (!isObject(at.schema)) return shape;
  const keywords = Object.keys(at.schema).filter((keyword) => keyword !== 'type');
  const required = getOwn(at.schema, 'required');
  if (keywords.join() !== 'required' || !isArray(required) || required.length !== 1) return shape;
  const [name] = required;
  if (typeof name !== 'string') return shape;
  const absent = { ...EVERYTHING, object: [{ ...ANY_OBJECT, absent: new Set([name]) }] };
  return intersect(shape, absent);
}

/** `not: { enum: [...] }` takes literals out of a list of literals. */
function excludeLiterals(shape: Shape, at: SchemaAt): Shape {
  if (!isObject(at.schema)) return shape;
  const [keyword, ...others] = Object.keys(at.schema);
  const value = keyword === undefined ? undefined : getOwn(at.schema, keyword);
  const values = keyword === 'const' ? [value] : keyword === 'enum' && isArray(value) ? value : [];
  if (others.length > 0 || values.length === 0) return shape;
  const left = <T>(scalars: Scalars<T>): Scalars<T> => ({
    ...scalars,
    literals: new Set([...scalars.literals].filter((literal) => !values.includes(literal as Json))),
  });
  return {
    ...shape,
    null: shape.null && !values.includes(null),
    boolean: left(shape.boolean),
    number: left(shape.number),
    string: left(shape.string),
  };
}

/** A declaration's only alternative of a kind is known by the declaration's name. */
function withSource(shape: Shape, source: SchemaAt): Shape {
  if (kindsOf(shape).size !== 1) return shape;
  const [object, ...objects] = shape.object;
  const [array, ...arrays] = shape.array;
  if (object !== undefined && objects.length === 0 && object.source === undefined) {
    return { ...shape, object: [{ ...object, source }] };
  }
  if (array !== undefined && arrays.length === 0 && array.source === undefined) {
    return { ...shape, array: [{ ...array, source }] };
  }
  return shape;
}
