/** From tables (shape.ts) to types (type-node.ts). */
import { getOwn, isArray, isObject } from '../json.ts';
import type { Resolution, SchemaAt } from '../resolution.ts';
import { isAssertion, isTrivial } from './assertions.ts';
import { buildArray } from './build-array.ts';
import { buildObject } from './build-object.ts';
import type { BuildParts } from './build-parts.ts';
import type { Expander } from './expand.ts';
import type { FillPlan } from './fill.ts';
import type { Scalars, Shape } from './shape.ts';
import { NOTHING, admitsWhole, isEverything, kindsOf } from './shape.ts';
import type { Mode, TypeNode } from './type-node.ts';
import { NEVER, NULL, UNKNOWN, literalNode, unionNode, withoutFilling } from './type-node.ts';

/** Builds types of schemas. */
export interface TypeBuilder {
  /** The type of a schema where it is used: a reference when it has a name. */
  typeOf(at: SchemaAt, mode: Mode): TypeNode;
  /** The type of several schemas that hold at once. */
  typeOfAll(all: readonly SchemaAt[], mode: Mode): TypeNode;
  /** The type of a schema where it is declared: its structure. */
  definitionOf(at: SchemaAt, mode: Mode): TypeNode;
}

/** What building needs to know. */
export interface TypeContext {
  readonly resolution: Resolution;
  readonly expander: Expander;
  readonly fillPlan: FillPlan;
  readonly isDeclared: (at: SchemaAt) => boolean;
}

/** Types of schemas that hold together are written out this deep; below, one of them must do. */
const MAX_DEPTH = 3;

/** Builds types; a type may be looser than its schema, never tighter. */
export function createTypeBuilder(context: TypeContext): TypeBuilder {
  return new ShapedTypes(context);
}

class ShapedTypes implements TypeBuilder {
  private readonly context: TypeContext;
  private readonly known = new Map<string, TypeNode>();
  private readonly open = new Set<string>();
  private depth = 0;

  constructor(context: TypeContext) {
    this.context = context;
  }

  typeOf(at: SchemaAt, mode: Mode): TypeNode {
    if (this.context.isDeclared(at)) return { kind: 'ref', at, mode };
    const key = `${placeKey(at)}=${mode}`;
    // A schema without a name that holds itself (through what it extends) is there what it extends.
    if (this.open.has(key)) return this.extended(at, mode);
    this.open.add(key);
    const node = this.definitionOf(at, mode);
    this.open.delete(key);
    return node;
  }

  definitionOf(at: SchemaAt, mode: Mode): TypeNode {
    if (typeof at.schema === 'boolean') return at.schema ? UNKNOWN : NEVER;
    const { fillPlan, expander } = this.context;
    const filled = fillPlan.pathOf(at) === undefined ? withoutFilling(mode) : mode;
    return this.direct(at, filled) ?? this.fromShape(expander.expand(at), filled, at);
  }

  typeOfAll(all: readonly SchemaAt[], mode: Mode): TypeNode {
    const { expander } = this.context;
    const places = withoutRedundant(
      expander,
      [...new Set(all)].filter((at) => !isTrivial(at.schema)),
    );
    const [only, ...others] = places;
    if (only === undefined) return UNKNOWN;
    if (others.length === 0) return this.typeOf(only, mode);
    const key = `${places.map(placeKey).join(' ')}!${mode}`;
    const done = this.known.get(key);
    if (done !== undefined) return done;
    // Two recursive schemas at once would unfold for ever: one of them alone is looser, and finite.
    if (this.open.has(key) || this.depth >= MAX_DEPTH) {
      return this.typeOf(only, withoutFilling(mode));
    }
    this.open.add(key);
    this.depth += 1;
    // What several schemas judge together is not filled in.
    const node = this.fromShape(expander.expandAll(places), withoutFilling(mode), undefined);
    this.open.delete(key);
    this.depth -= 1;
    this.known.set(key, node);
    return node;
  }

  /** The named schema that another one extends by `$ref`: looser than the whole, and finite. */
  private extended(at: SchemaAt, mode: Mode): TypeNode {
    const { resolution, isDeclared } = this.context;
    const reference = isObject(at.schema) ? getOwn(at.schema, '$ref') : undefined;
    const target = typeof reference === 'string' ? resolution.follow(at, reference) : undefined;
    if (target === undefined || !isDeclared(target)) return UNKNOWN;
    return { kind: 'ref', at: target, mode: withoutFilling(mode) };
  }

  /** Schemas that only point elsewhere keep the names of what they point at. */
  private direct(at: SchemaAt, mode: Mode): TypeNode | undefined {
    if (!isObject(at.schema)) return UNKNOWN;
    const [keyword, ...others] = Object.keys(at.schema).filter(isAssertion);
    if (others.length > 0 || keyword === undefined) return undefined;
    const value = getOwn(at.schema, keyword);
    const { resolution } = this.context;
    if (keyword === '$ref') {
      const target = typeof value === 'string' ? resolution.follow(at, value) : undefined;
      return target === undefined ? UNKNOWN : this.guarded(target, mode);
    }
    if (!isArray(value)) return undefined;
    const parts = value.map((_, index) => resolution.child(at, keyword, index));
    if (keyword === 'allOf') return this.together(parts, mode);
    if (keyword !== 'anyOf' && keyword !== 'oneOf') return undefined;
    const branches = parts.map((part) => this.typeOf(part, mode));
    return unionNode(branches, (named) => this.isStrings(named));
  }

  /**
   * `allOf` with a named choice of objects keeps the name (`Choice & { … }`): written out, each of the
   * choices would be repeated.
   */
  private together(parts: readonly SchemaAt[], mode: Mode): TypeNode | undefined {
    const [only, ...others] = parts;
    if (only === undefined || others.length === 0) return only && this.typeOf(only, mode);
    const { expander } = this.context;
    const named = parts.map((part) => this.direct(part, mode));
    const choices = named.map(
      (node) => node?.kind === 'ref' && expander.expand(node.at).object.length > 1,
    );
    const kinds = kindsOf(expander.expandAll(parts));
    if (!choices.includes(true) || kinds.size !== 1 || !kinds.has('object')) return undefined;
    const members = parts.map((part, index) => {
      const objects = { ...NOTHING, object: expander.expand(part).object };
      return named[index] ?? this.fromShape(objects, mode, undefined);
    });
    return { kind: 'intersection', members };
  }

  /** References may lead in circles without a name between; there the type is unknown. */
  private guarded(at: SchemaAt, mode: Mode): TypeNode {
    const key = `${placeKey(at)}!${mode}`;
    if (this.open.has(key)) return UNKNOWN;
    this.open.add(key);
    const node = this.typeOf(at, mode);
    this.open.delete(key);
    return node;
  }

  /** `self` is the schema being declared: its own name may not stand for its structure. */
  private fromShape(shape: Shape, mode: Mode, self: SchemaAt | undefined): TypeNode {
    if (isEverything(shape)) return UNKNOWN;
    const { resolution, fillPlan, isDeclared } = this.context;
    const typeOfAll: BuildParts['typeOfAll'] = (all, inner) => this.typeOfAll(all, inner);
    const parts = { typeOfAll, resolution, fillPlan, mode, isDeclared, self };
    return unionNode([
      ...scalarNodes(shape.string, 'string'),
      ...scalarNodes(shape.number, 'number'),
      ...booleanNodes(shape.boolean),
      ...shape.object.flatMap((object) => buildObject(object, parts)),
      ...shape.array.flatMap((array) => buildArray(array, parts)),
      ...(shape.null ? [NULL] : []),
    ]);
  }

  private isStrings(at: SchemaAt): boolean {
    const { any, literals } = this.context.expander.expand(at).string;
    return !any && literals.size > 0;
  }
}

/** Leaves out schemas that admit all of every kind that another one is about. */
function withoutRedundant(expander: Expander, places: readonly SchemaAt[]): readonly SchemaAt[] {
  if (places.length < 2) return places;
  const covers = (at: SchemaAt, other: SchemaAt): boolean =>
    admitsWhole(expander.expand(at), kindsOf(expander.expand(other)));
  return places.filter((at, index) => {
    // Of two that say the same the first stays.
    return !places.some(
      (other, place) =>
        place !== index && covers(at, other) && (place < index || !covers(other, at)),
    );
  });
}

function placeKey(at: SchemaAt): string {
  return `${at.document.uri}#${at.pointer}`;
}

function scalarNodes<T extends string | number>(
  { any, literals }: Scalars<T>,
  name: 'string' | 'number',
): readonly TypeNode[] {
  const nodes = [...literals].map(literalNode);
  // Known numbers beside any number say nothing; known strings are kept for completion.
  if (!any) return nodes;
  return name === 'string' ? [...nodes, { kind: 'keyword', name }] : [{ kind: 'keyword', name }];
}

function booleanNodes({ literals }: Scalars<boolean>): readonly TypeNode[] {
  return literals.size === 2
    ? [{ kind: 'keyword', name: 'boolean' }]
    : [...literals].map(literalNode);
}
