/**
 * Where defaults are filled in. The types (a filled member is present) and the emitted filler read
 * the same answers here, so that a type never promises what the filler does not do.
 *
 * Defaults are filled in where that is plain: in objects whose members are each judged by one schema,
 * through a reference that stands alone, in the branch of a union that the value can be told to have
 * taken. Elsewhere something might refuse what was added; there nothing is, and the types say so.
 */
import type { Json } from '../json.ts';
import { getOwn, isArray, isObject, splitPointer } from '../json.ts';
import type { Resolution, SchemaAt } from '../resolution.ts';
import { isAssertion } from './assertions.ts';
import type { Expander } from './expand.ts';
import { findLayers } from './fill-layers.ts';
import { restKeyword } from './rest.ts';
import type { ObjectShape } from './shape.ts';
import { kindsOf } from './shape.ts';

/** How the branch of a union is recognised in a value that is already known to be valid. */
type Pick =
  | { readonly by: 'kind' }
  | {
      readonly by: 'property';
      readonly name: string;
      /** For each branch the literals that choose it. */
      readonly values: readonly (readonly Json[])[];
    };

/** How a schema passes filling on to what it consists of. */
export type FillPath =
  | { readonly through: 'reference'; readonly target: SchemaAt }
  | { readonly through: 'union'; readonly branches: readonly SchemaAt[]; readonly pick: Pick }
  /** The schema's own members and items, and those of the schemas that it extends. */
  | {
      readonly through: 'members';
      readonly layers: readonly SchemaAt[];
      /** Whether the schema admits objects, and arrays: another kind is another branch's to fill. */
      readonly objects: boolean;
      readonly arrays: boolean;
    };

/** Answers about defaults. */
export interface FillPlan {
  /** Whether anything in a value is filled in by its schema. */
  fills(at: SchemaAt): boolean;
  /** The way of filling through a schema; undefined where nothing is filled in. */
  pathOf(at: SchemaAt): FillPath | undefined;
  /**
   * The default of a member: its own or that of the schema it refers to; undefined also when filling it
   * in would never end, because it holds itself.
   */
  defaultOf(at: SchemaAt): Json | undefined;
}

/** Builds the answers for a project's schemas. */
export function createFillPlan(resolution: Resolution, expander: Expander): FillPlan {
  return new Plan(resolution, expander);
}

class Plan implements FillPlan {
  private readonly resolution: Resolution;
  private readonly expander: Expander;
  private readonly filling = new Map<SchemaAt, boolean>();
  private readonly paths = new Map<SchemaAt, FillPath | undefined>();
  private readonly defaults = new Map<SchemaAt, Json | undefined>();

  constructor(resolution: Resolution, expander: Expander) {
    this.resolution = resolution;
    this.expander = expander;
  }

  defaultOf(at: SchemaAt): Json | undefined {
    if (!this.defaults.has(at)) {
      this.defaults.set(at, this.holdsItself(at, new Set()) ? undefined : this.statedDefault(at));
    }
    return this.defaults.get(at);
  }

  fills(start: SchemaAt): boolean {
    const known = this.filling.get(start);
    if (known !== undefined) return known;
    const seen = new Set<SchemaAt>([start]);
    const queue: SchemaAt[] = [start];
    let found = false;
    for (let at = queue.pop(); at !== undefined && !found; at = queue.pop()) {
      const { members, others } = this.partsOf(this.pathOf(at));
      found = members.some((member) => this.defaultOf(member) !== undefined);
      for (const next of [...members, ...others]) {
        if (!seen.has(next)) queue.push(next);
        seen.add(next);
      }
    }
    this.filling.set(start, found);
    return found;
  }

  pathOf(at: SchemaAt): FillPath | undefined {
    if (!this.paths.has(at)) {
      // On a way that leads back to its start nothing is filled in.
      this.paths.set(at, undefined);
      this.paths.set(at, this.findPath(at));
    }
    return this.paths.get(at);
  }

  private statedDefault(at: SchemaAt): Json | undefined {
    const seen = new Set<SchemaAt>();
    for (let next: SchemaAt | undefined = at; next !== undefined; next = this.referredBy(next)) {
      const own = isObject(next.schema) ? getOwn(next.schema, 'default') : undefined;
      if (own !== undefined || seen.has(next)) return own;
      seen.add(next);
    }
    return undefined;
  }

  /** Whether a member's default, filled in itself, comes to the same member again. */
  private holdsItself(member: SchemaAt, open: ReadonlySet<SchemaAt>): boolean {
    if (open.has(member)) return true;
    const value = this.statedDefault(member);
    return value !== undefined && this.leadsBack(member, value, new Set([...open, member]));
  }

  private leadsBack(at: SchemaAt, value: Json, open: ReadonlySet<SchemaAt>): boolean {
    if (typeof value !== 'object' || value === null) return false;
    const path = this.pathOf(at);
    if (path?.through === 'reference') return this.leadsBack(path.target, value, open);
    const { members, others } = this.partsOf(path);
    if (path?.through === 'union') return others.some((part) => this.leadsBack(part, value, open));
    const inside = Object.values(value) as readonly Json[];
    return (
      members.some((member) => {
        const name = splitPointer(member.pointer).at(-1) ?? '';
        const given = isObject(value) ? getOwn(value, name) : null;
        if (given === undefined) return this.holdsItself(member, open);
        return this.leadsBack(member, given, open);
      }) || others.some((part) => inside.some((item) => this.leadsBack(part, item, open)))
    );
  }

  private findPath(at: SchemaAt): FillPath | undefined {
    if (!isObject(at.schema)) return undefined;
    const target = this.referredBy(at);
    if (target !== undefined) return { through: 'reference', target };
    const keywords = Object.keys(at.schema).filter(isAssertion);
    const [only, ...others] = keywords.filter((keyword) => keyword !== 'type');
    if ((only === 'anyOf' || only === 'oneOf') && others.length === 0) {
      return this.findUnion(at, only, keywords.length === 1);
    }
    const layers = findLayers(this.resolution, at);
    if (layers === undefined) return undefined;
    const { object, array } = this.expander.expand(at);
    return { through: 'members', layers, objects: object.length > 0, arrays: array.length > 0 };
  }

  /** The target of a `$ref` that says all there is to say. */
  private referredBy(at: SchemaAt): SchemaAt | undefined {
    if (!isObject(at.schema)) return undefined;
    const [only, ...others] = Object.keys(at.schema).filter(isAssertion);
    const reference = getOwn(at.schema, '$ref');
    return only === '$ref' && others.length === 0 && typeof reference === 'string'
      ? this.resolution.follow(at, reference)
      : undefined;
  }

  /** Beside a `type` the branches are written out together, so all of them have to be plain. */
  private findUnion(
    at: SchemaAt,
    keyword: 'anyOf' | 'oneOf',
    alone: boolean,
  ): FillPath | undefined {
    const list = isObject(at.schema) ? getOwn(at.schema, keyword) : undefined;
    if (!isArray(list)) return undefined;
    const branches = list.map((_, index) => this.resolution.child(at, keyword, index));
    if (!alone && branches.some((branch) => this.pathOf(branch) === undefined)) return undefined;
    const pick = this.choosePick(branches);
    return pick === undefined ? undefined : { through: 'union', branches, pick };
  }

  private choosePick(branches: readonly SchemaAt[]): Pick | undefined {
    const shapes = branches.map((branch) => this.expander.expand(branch));
    const arrays = shapes.filter(({ array }) => array.length > 0).length;
    const objects = shapes.filter(({ object }) => object.length > 0).length;
    if (arrays > 1) return undefined;
    if (objects < 2) return { by: 'kind' };
    return this.chooseProperty(shapes.map(({ object }) => object));
  }

  /** A property that every object branch requires with literals that no other branch allows. */
  private chooseProperty(all: readonly (readonly ObjectShape[])[]): Pick | undefined {
    for (const name of all.flat()[0]?.required ?? []) {
      const values = all.map((shapes) => this.literalsOf(shapes, name));
      const flat = values.flatMap((list) => list ?? []);
      if (!values.includes(undefined) && new Set(flat).size === flat.length) {
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

  /** The schemas that filling goes on to; `members` are those that may be added. */
  private partsOf(path: FillPath | undefined): Record<'members' | 'others', readonly SchemaAt[]> {
    if (path?.through === 'reference') return { members: [], others: [path.target] };
    if (path?.through === 'union') return { members: [], others: path.branches };
    const layers = path?.layers ?? [];
    const children = (keyword: string): readonly SchemaAt[] =>
      layers.flatMap((at) =>
        this.resolution
          .subschemas(at)
          .filter(({ pointer }) => pointer.startsWith(`${at.pointer}/${keyword}/`)),
      );
    const rests = (kind: 'object' | 'array'): readonly SchemaAt[] =>
      layers.flatMap((at) => restSchemas(this.resolution, at, kind));
    const ofObjects = path?.objects === true;
    const others = [
      ...(ofObjects ? [...children('patternProperties'), ...rests('object')] : []),
      ...(path?.arrays === true ? [...children('prefixItems'), ...rests('array')] : []),
    ];
    return { members: ofObjects ? children('properties') : [], others };
  }
}

function restSchemas(
  resolution: Resolution,
  at: SchemaAt,
  kind: 'object' | 'array',
): readonly SchemaAt[] {
  const keyword = isObject(at.schema) ? restKeyword(at.schema, kind) : undefined;
  return keyword === undefined ? [] : [resolution.child(at, keyword)];
}
