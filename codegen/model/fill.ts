/**
 * Where defaults are filled in. The types (a filled member is present) and the emitted filler read
 * the same answers here, so that a type never promises what the filler does not do.
 */
import type { Json } from '../json.ts';
import { getOwn, isArray, isObject } from '../json.ts';
import type { Resolution, SchemaAt } from '../resolution.ts';
import type { Expander } from './expand.ts';
import type { ObjectShape } from './shape.ts';
import { isAssertion } from './assertions.ts';
import { mayChangeVerdict } from './fill-conflicts.ts';
import { isEndless } from './fill-endless.ts';
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
  /**
   * Whether a schema's defaults are filled in: every union in place can be picked from, and nothing
   * that is filled in could make a valid value invalid.
   */
  isPickable(at: SchemaAt): boolean;
  /** How to pick from `anyOf` or `oneOf`; undefined when it cannot be told. */
  pick(at: SchemaAt, keyword: 'anyOf' | 'oneOf'): Pick | undefined;
  /** The default that is filled in for a member: its own or that of the schema it refers to. */
  defaultOf(at: SchemaAt): Json | undefined;
  /** The schemas applied in place that defaults are filled through: `$ref` and `allOf`. */
  conjuncts(at: SchemaAt): readonly SchemaAt[];
  /** The branches of a union. */
  branches(at: SchemaAt, keyword: 'anyOf' | 'oneOf'): readonly SchemaAt[];
}

const UNIONS = ['anyOf', 'oneOf'] as const;

/** Keywords through which something inside an object, or inside an array, is filled. */
const HOLDING = {
  object: ['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties'],
  array: ['items', 'prefixItems', 'unevaluatedItems'],
} as const;

/** Builds the answers for a project's schemas. */
export function createFillPlan(resolution: Resolution, expander: Expander): FillPlan {
  return new Plan(resolution, expander);
}

class Plan implements FillPlan {
  private readonly resolution: Resolution;
  private readonly expander: Expander;
  private readonly filling = new Map<SchemaAt, boolean>();
  private readonly picks = new Map<string, Pick | undefined>();
  private readonly conflicting = new Map<SchemaAt, boolean>();
  private readonly endless = new Map<SchemaAt, boolean>();

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

  defaultOf(at: SchemaAt): Json | undefined {
    const value = this.statedDefault(at);
    return value === undefined || this.isEndless(at) ? undefined : value;
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

  isPickable(at: SchemaAt, open: ReadonlySet<SchemaAt> = new Set(), alone = true): boolean {
    if (open.has(at)) return true;
    const inside = new Set([...open, at]);
    // Branches that stand alone keep their own types; others are written out with what is beside them.
    const sole = alone && isSole(at);
    for (const keyword of UNIONS) {
      const all = this.branches(at, keyword);
      if (all.length > 0 && this.pick(at, keyword) === undefined) return false;
      const filling = sole ? [] : all.filter((branch) => this.fills(branch));
      if (!filling.every((branch) => this.isPickable(branch, inside, false))) return false;
    }
    const conjuncts = this.conjuncts(at);
    if (!conjuncts.every((conjunct) => this.isPickable(conjunct, inside, sole))) return false;
    return !this.conflicts(at);
  }

  private conflicts(at: SchemaAt): boolean {
    const known = this.conflicting.get(at);
    if (known !== undefined) return known;
    // Inside its own trial a schema counts as filled in: the answer there is the more careful one.
    this.conflicting.set(at, false);
    const found = this.fills(at) && mayChangeVerdict(this.resolution, this, at);
    this.conflicting.set(at, found);
    return found;
  }

  private statedDefault(at: SchemaAt, open: ReadonlySet<SchemaAt> = new Set()): Json | undefined {
    if (!isObject(at.schema) || open.has(at)) return undefined;
    const own = getOwn(at.schema, 'default');
    if (own !== undefined) return own;
    const inside = new Set([...open, at]);
    for (const conjunct of this.conjuncts(at)) {
      const value = this.statedDefault(conjunct, inside);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  private isEndless(at: SchemaAt): boolean {
    const known = this.endless.get(at);
    if (known !== undefined) return known;
    const { resolution } = this;
    const statedBy = (place: SchemaAt): Json | undefined => this.statedDefault(place);
    const inPlace = (place: SchemaAt): readonly SchemaAt[] => this.inPlace(place);
    const found = isEndless({ resolution, statedBy, inPlace }, at);
    this.endless.set(at, found);
    return found;
  }

  private inPlace(at: SchemaAt): readonly SchemaAt[] {
    return [...this.conjuncts(at), ...UNIONS.flatMap((keyword) => this.branches(at, keyword))];
  }

  private choosePick(all: readonly SchemaAt[]): Pick | undefined {
    const fills = (branch: SchemaAt): boolean => this.fills(branch);
    if (!all.some(fills)) return { by: 'kind' };
    const shapes = all.map((branch) => this.expander.expand(branch));
    // What a branch fills in objects, or in arrays, it has to admit: all of the kind are filled by it.
    const strays = all.some((branch, index) =>
      (['object', 'array'] as const).some(
        (kind) => shapes[index]?.[kind].length === 0 && this.speaksOf(branch, kind),
      ),
    );
    if (strays) return undefined;
    const arrays = all.filter((_, index) => (shapes[index]?.array.length ?? 0) > 0);
    if (arrays.length > 1 && arrays.some(fills)) return undefined;
    const objects = all.filter((_, index) => (shapes[index]?.object.length ?? 0) > 0);
    if (objects.length <= 1 || !objects.some(fills)) return { by: 'kind' };
    return this.chooseProperty(shapes.map(({ object }) => object));
  }

  /** Whether a branch that fills has keywords for members, or for items. */
  private speaksOf(branch: SchemaAt, kind: 'object' | 'array'): boolean {
    if (!this.fills(branch)) return false;
    const seen = new Set<SchemaAt>();
    const queue = [branch];
    for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
      const { schema } = at;
      if (seen.has(at) || !isObject(schema)) continue;
      seen.add(at);
      if (HOLDING[kind].some((keyword) => Object.hasOwn(schema, keyword))) return true;
      queue.push(...this.inPlace(at));
    }
    return false;
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

/** Whether a schema asserts one thing only: a reference, a union. */
function isSole({ schema }: SchemaAt): boolean {
  return isObject(schema) && Object.keys(schema).filter(isAssertion).length < 2;
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
