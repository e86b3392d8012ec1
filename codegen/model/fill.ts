/**
 * Where defaults are filled in. The types (a filled member is present) and the emitted filler read
 * the same answers here, so that a type never promises what the filler does not do.
 */
import type { Json } from '../json.ts';
import { getOwn, isArray, isObject } from '../json.ts';
import type { Resolution, SchemaAt } from '../resolution.ts';
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
  return new Plan(resolution, expander);
}

class Plan implements FillPlan {
  private readonly resolution: Resolution;
  private readonly expander: Expander;
  private readonly filling = new Map<SchemaAt, boolean>();
  private readonly picks = new Map<string, Pick | undefined>();

  constructor(resolution: Resolution, expander: Expander) {
    this.resolution = resolution;
    this.expander = expander;
  }

  branches(at: SchemaAt, keyword: 'anyOf' | 'oneOf'): readonly SchemaAt[] {
    const list = isObject(at.schema) ? getOwn(at.schema, keyword) : undefined;
    return isArray(list) ? list.map((_, index) => this.resolution.child(at, keyword, index)) : [];
  }

  conjuncts(at: SchemaAt): readonly SchemaAt[] {
    if (!isObject(at.schema)) return [];
    const reference = getOwn(at.schema, '$ref');
    const target =
      typeof reference === 'string' ? this.resolution.follow(at, reference) : undefined;
    const list = getOwn(at.schema, 'allOf');
    const all = isArray(list)
      ? list.map((_, index) => this.resolution.child(at, 'allOf', index))
      : [];
    return target === undefined ? all : [target, ...all];
  }

  defaultOf(at: SchemaAt, open: ReadonlySet<SchemaAt> = new Set()): Json | undefined {
    if (!isObject(at.schema) || open.has(at)) return undefined;
    const own = getOwn(at.schema, 'default');
    if (own !== undefined) return own;
    const inside = new Set([...open, at]);
    for (const conjunct of this.conjuncts(at)) {
      const value = this.defaultOf(conjunct, inside);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  fills(at: SchemaAt): boolean {
    const known = this.filling.get(at);
    if (known !== undefined) return known;
    const seen = new Set<SchemaAt>([at]);
    const queue: SchemaAt[] = [at];
    let found = false;
    for (let next = queue.pop(); next !== undefined && !found; next = queue.pop()) {
      const members = memberSchemas(this.resolution, next);
      found = members.some((member) => this.defaultOf(member) !== undefined);
      for (const child of [...this.inPlace(next), ...innerSchemas(this.resolution, next)]) {
        if (!seen.has(child)) queue.push(child);
        seen.add(child);
      }
    }
    this.filling.set(at, found);
    return found;
  }

  pick(at: SchemaAt, keyword: 'anyOf' | 'oneOf'): Pick | undefined {
    const key = `${at.document.uri}#${at.pointer}/${keyword}`;
    if (!this.picks.has(key)) this.picks.set(key, this.choosePick(this.branches(at, keyword)));
    return this.picks.get(key);
  }

  isPickable(at: SchemaAt, open: ReadonlySet<SchemaAt> = new Set()): boolean {
    if (open.has(at)) return true;
    const inside = new Set([...open, at]);
    for (const keyword of UNIONS) {
      const all = this.branches(at, keyword);
      if (all.length > 0 && this.pick(at, keyword) === undefined) return false;
    }
    return this.conjuncts(at).every((conjunct) => this.isPickable(conjunct, inside));
  }

  private inPlace(at: SchemaAt): readonly SchemaAt[] {
    return [...this.conjuncts(at), ...UNIONS.flatMap((keyword) => this.branches(at, keyword))];
  }

  private choosePick(all: readonly SchemaAt[]): Pick | undefined {
    const fills = (branch: SchemaAt): boolean => this.fills(branch);
    if (!all.some(fills)) return { by: 'kind' };
    const shapes = all.map((branch) => this.expander.expand(branch));
    const arrays = all.filter((_, index) => (shapes[index]?.array.length ?? 0) > 0);
    if (arrays.length > 1 && arrays.some(fills)) return undefined;
    const objects = all.filter((_, index) => (shapes[index]?.object.length ?? 0) > 0);
    if (objects.length <= 1 || !objects.some(fills)) return { by: 'kind' };
    return this.chooseProperty(shapes.map(({ object }) => object));
  }

  /** A property that every object branch requires with literals that no other branch allows. */
  private chooseProperty(all: readonly (readonly ObjectShape[])[]): Pick | undefined {
    const first = all.flat()[0];
    for (const name of first?.required ?? []) {
      const values = all.map((shapes) => this.literalsOf(shapes, name));
      if (values.some((list) => list === undefined)) continue;
      const flat = values.flatMap((list) => list ?? []);
      if (new Set(flat).size === flat.length) {
        return { by: 'property', name, values: values.map((list) => list ?? []) };
      }
    }
    return undefined;
  }

  private literalsOf(shapes: readonly ObjectShape[], name: string): readonly Json[] | undefined {
    const all = new Set<Json>();
    for (const shape of shapes) {
      if (!shape.required.has(name)) return undefined;
      const places = shape.layers.flatMap((layer) => layer.properties.get(name) ?? []);
      const member = this.expander.expandAll(places);
      const { any, literals } = member.string;
      if (any || literals.size === 0 || kindsOf(member).size !== 1) return undefined;
      for (const literal of literals) all.add(literal);
    }
    return [...all];
  }
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
