/**
 * Where defaults are filled in. The types (a filled member is present) and the emitted filler read
 * the same answers here, so that a type never promises what the filler does not do.
 */
import type { Json } from '../json.ts';
import { getOwn, isArray, isObject } from '../json.ts';
import type { Resolution, SchemaAt } from '../resolve.ts';
import type { Expander } from './expand.ts';
import type { ObjectShape } from './shape.ts';
import { restKeyword } from './rest.ts';
import { kindsOf } from './shape.ts';

/** How the branch of a union is recognised in a value that is already known to be valid. */
export type Pick =
  | { readonly by: 'kind' }
  | {
      readonly by: 'property';
      readonly name: string;
      /** For each branch the literals that choose it. */
      readonly values: readonly (readonly Json[])[];
    };

/** Answers about defaults. */
export interface FillPlan {
  /** Whether anything below a schema is filled in. */
  fills(at: SchemaAt): boolean;
  /** Whether every union in place can be picked from, so that the schema's defaults are filled. */
  isPickable(at: SchemaAt): boolean;
  /** How to pick from `anyOf` or `oneOf`; undefined when it cannot be told. */
  pick(at: SchemaAt, keyword: 'anyOf' | 'oneOf'): Pick | undefined;
  /** The default of a schema, its own or that of the schema it refers to. */
  defaultOf(at: SchemaAt): Json | undefined;
  /** The schemas applied in place that defaults are filled through: `$ref` and `allOf`. */
  conjuncts(at: SchemaAt): readonly SchemaAt[];
  /** The branches of a union. */
  branches(at: SchemaAt, keyword: 'anyOf' | 'oneOf'): readonly SchemaAt[];
}

const UNIONS = ['anyOf', 'oneOf'] as const;

/** Builds the answers for a project's schemas. */
export function createFillPlan(resolution: Resolution, expander: Expander): FillPlan {
  const filling = new Map<SchemaAt, boolean>();
  const picks = new Map<string, Pick | undefined>();

  function branches(at: SchemaAt, keyword: 'anyOf' | 'oneOf'): readonly SchemaAt[] {
    const list = isObject(at.schema) ? getOwn(at.schema, keyword) : undefined;
    return isArray(list) ? list.map((_, index) => resolution.child(at, keyword, index)) : [];
  }

  function conjuncts(at: SchemaAt): readonly SchemaAt[] {
    if (!isObject(at.schema)) return [];
    const reference = getOwn(at.schema, '$ref');
    const target = typeof reference === 'string' ? resolution.follow(at, reference) : undefined;
    const list = getOwn(at.schema, 'allOf');
    const all = isArray(list) ? list.map((_, index) => resolution.child(at, 'allOf', index)) : [];
    return target === undefined ? all : [target, ...all];
  }

  function defaultOf(at: SchemaAt, open: ReadonlySet<SchemaAt> = new Set()): Json | undefined {
    if (!isObject(at.schema) || open.has(at)) return undefined;
    const own = getOwn(at.schema, 'default');
    if (own !== undefined) return own;
    const inside = new Set([...open, at]);
    for (const conjunct of conjuncts(at)) {
      const value = defaultOf(conjunct, inside);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  function fills(at: SchemaAt): boolean {
    const known = filling.get(at);
    if (known !== undefined) return known;
    const seen = new Set<SchemaAt>([at]);
    const queue: SchemaAt[] = [at];
    let found = false;
    for (let next = queue.pop(); next !== undefined && !found; next = queue.pop()) {
      found = memberSchemas(resolution, next).some((member) => defaultOf(member) !== undefined);
      const inPlace = [...conjuncts(next), ...UNIONS.flatMap((keyword) => branches(next, keyword))];
      for (const child of [...inPlace, ...innerSchemas(resolution, next)]) {
        if (!seen.has(child)) queue.push(child);
        seen.add(child);
      }
    }
    filling.set(at, found);
    return found;
  }

  function pick(at: SchemaAt, keyword: 'anyOf' | 'oneOf'): Pick | undefined {
    const key = `${at.document.uri}#${at.pointer}/${keyword}`;
    if (!picks.has(key)) picks.set(key, choosePick(branches(at, keyword)));
    return picks.get(key);
  }

  function choosePick(all: readonly SchemaAt[]): Pick | undefined {
    if (!all.some(fills)) return { by: 'kind' };
    const shapes = all.map((branch) => expander.expand(branch));
    const arrays = all.filter((_, index) => (shapes[index]?.array.length ?? 0) > 0);
    if (arrays.length > 1 && arrays.some(fills)) return undefined;
    const objects = all.filter((_, index) => (shapes[index]?.object.length ?? 0) > 0);
    if (objects.length <= 1 || !objects.some(fills)) return { by: 'kind' };
    return chooseProperty(shapes.map(({ object }) => object));
  }

  /** A property that every object branch requires with literals that no other branch allows. */
  function chooseProperty(all: readonly (readonly ObjectShape[])[]): Pick | undefined {
    const first = all.flat()[0];
    for (const name of first?.required ?? []) {
      const values = all.map((shapes) => literalsOf(shapes, name));
      if (values.some((list) => list === undefined)) continue;
      const flat = values.flatMap((list) => list ?? []);
      if (new Set(flat).size === flat.length) {
        return { by: 'property', name, values: values.map((list) => list ?? []) };
      }
    }
    return undefined;
  }

  function literalsOf(shapes: readonly ObjectShape[], name: string): readonly Json[] | undefined {
    const all = new Set<Json>();
    for (const shape of shapes) {
      if (!shape.required.has(name)) return undefined;
      const places = shape.layers.flatMap((layer) => layer.properties.get(name) ?? []);
      const member = expander.expandAll(places);
      const { any, literals } = member.string;
      if (any || literals.size === 0 || kindsOf(member).size !== 1) return undefined;
      for (const literal of literals) all.add(literal);
    }
    return [...all];
  }

  function isPickable(at: SchemaAt, open: ReadonlySet<SchemaAt> = new Set()): boolean {
    if (open.has(at)) return true;
    const inside = new Set([...open, at]);
    for (const keyword of UNIONS) {
      const all = branches(at, keyword);
      if (all.length > 0 && pick(at, keyword) === undefined) return false;
    }
    return conjuncts(at).every((conjunct) => isPickable(conjunct, inside));
  }

  return { fills, isPickable, pick, defaultOf, conjuncts, branches };
}

/** The schemas of named members. */
function memberSchemas(resolution: Resolution, at: SchemaAt): readonly SchemaAt[] {
  const properties = isObject(at.schema) ? getOwn(at.schema, 'properties') : undefined;
  if (!isObject(properties)) return [];
  return Object.keys(properties).map((name) => resolution.child(at, 'properties', name));
}

/** The schemas of everything inside a value: members, other members, items. */
function innerSchemas(resolution: Resolution, at: SchemaAt): readonly SchemaAt[] {
  if (!isObject(at.schema)) return [];
  const { schema } = at;
  const found = [...memberSchemas(resolution, at)];
  for (const kind of ['object', 'array'] as const) {
    const keyword = restKeyword(schema, kind);
    if (keyword !== undefined) found.push(resolution.child(at, keyword));
  }
  const patterns = getOwn(schema, 'patternProperties');
  for (const pattern of isObject(patterns) ? Object.keys(patterns) : []) {
    found.push(resolution.child(at, 'patternProperties', pattern));
  }
  const prefix = getOwn(schema, 'prefixItems');
  if (isArray(prefix))
    prefix.forEach((_, index) => found.push(resolution.child(at, 'prefixItems', index)));
  return found;
}
