/** From tables (shape.ts) to types (type-node.ts). */
import type { Json } from '../json.ts';
import { getOwn, isArray, isObject } from '../json.ts';
import type { Resolution, SchemaAt } from '../resolve.ts';
import { KEYWORDS } from '../vocabulary.ts';
import { buildArray } from './build-array.ts';
import { buildObject } from './build-object.ts';
import type { Expander } from './expand.ts';
import type { FillPlan } from './fill.ts';
import type { Scalars, Shape } from './shape.ts';
import { NOTHING, admitsWhole, isEverything, kindsOf } from './shape.ts';
import type { Mode, TypeNode } from './type-node.ts';
import { NEVER, NULL, UNKNOWN, literalNode, unionNode } from './type-node.ts';

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
  const { resolution, expander, fillPlan, isDeclared } = context;
  const known = new Map<string, TypeNode>();
  const open = new Set<string>();
  let depth = 0;

  function typeOf(at: SchemaAt, mode: Mode): TypeNode {
    return isDeclared(at) ? { kind: 'ref', at, mode } : definitionOf(at, mode);
  }

  function definitionOf(at: SchemaAt, mode: Mode): TypeNode {
    if (typeof at.schema === 'boolean') return at.schema ? UNKNOWN : NEVER;
    const filled = mode === 'output' && !fillPlan.isPickable(at) ? 'input' : mode;
    return direct(at, filled) ?? fromShape(expander.expand(at), filled, at);
  }

  /** Schemas that only point elsewhere keep the names of what they point at. */
  function direct(at: SchemaAt, mode: Mode): TypeNode | undefined {
    if (!isObject(at.schema)) return UNKNOWN;
    const [keyword, ...others] = Object.keys(at.schema).filter(isAssertion);
    if (others.length > 0 || keyword === undefined) return undefined;
    const value = getOwn(at.schema, keyword);
    if (keyword === '$ref') {
      const target = typeof value === 'string' ? resolution.follow(at, value) : undefined;
      return target === undefined ? UNKNOWN : guarded(target, mode);
    }
    if (!isArray(value)) return undefined;
    if (keyword === 'anyOf' || keyword === 'oneOf') {
      const branches = value.map((_, index) => typeOf(resolution.child(at, keyword, index), mode));
      return unionNode(branches, isStrings);
    }
    return keyword === 'allOf' ? together(at, value.length, mode) : undefined;
  }

  /**
   * `allOf` with a named choice of objects keeps the name (`Choice & { … }`): written out, each of the
   * choices would be repeated.
   */
  function together(at: SchemaAt, length: number, mode: Mode): TypeNode | undefined {
    const parts = Array.from({ length }, (_, index) => resolution.child(at, 'allOf', index));
    const [only, ...others] = parts;
    if (only === undefined || others.length === 0) return only && typeOf(only, mode);
    const named = parts.map((part) => direct(part, mode));
    const choices = named.map(
      (node) => node?.kind === 'ref' && expander.expand(node.at).object.length > 1,
    );
    const kinds = kindsOf(expander.expandAll(parts));
    if (!choices.includes(true) || kinds.size !== 1 || !kinds.has('object')) return undefined;
    const members = parts.map(
      (part, index) =>
        named[index] ?? fromShape(objectsOnly(expander.expand(part)), mode, undefined),
    );
    return { kind: 'intersection', members };
  }

  /** References may lead in circles without a name between; there the type is unknown. */
  function guarded(at: SchemaAt, mode: Mode): TypeNode {
    const key = `${at.document.uri}#${at.pointer}!${mode}`;
    if (open.has(key)) return UNKNOWN;
    open.add(key);
    const node = typeOf(at, mode);
    open.delete(key);
    return node;
  }

  function typeOfAll(all: readonly SchemaAt[], mode: Mode): TypeNode {
    const places = withoutRedundant([...new Set(all)].filter(({ schema }) => !isTrivial(schema)));
    const [only, ...others] = places;
    if (only === undefined) return UNKNOWN;
    if (others.length === 0) return typeOf(only, mode);
    const key = `${places.map((at) => `${at.document.uri}#${at.pointer}`).join(' ')}!${mode}`;
    const done = known.get(key);
    if (done !== undefined) return done;
    // Two recursive schemas at once would unfold for ever: one of them alone is looser, and finite.
    if (open.has(key) || depth >= MAX_DEPTH) return typeOf(only, mode);
    open.add(key);
    depth += 1;
    const pickable = places.every((at) => fillPlan.isPickable(at));
    const node = fromShape(expander.expandAll(places), pickable ? mode : 'input', undefined);
    open.delete(key);
    depth -= 1;
    known.set(key, node);
    return node;
  }

  /** Leaves out schemas that admit all of every kind that another one is about. */
  function withoutRedundant(places: readonly SchemaAt[]): readonly SchemaAt[] {
    if (places.length < 2) return places;
    return places.filter((at, index) => {
      const shape = expander.expand(at);
      return !places.some(
        (other, place) =>
          place !== index &&
          admitsWhole(shape, kindsOf(expander.expand(other))) &&
          // Of two that say the same the first stays.
          (place < index || !admitsWhole(expander.expand(other), kindsOf(shape))),
      );
    });
  }

  /** `self` is the schema being declared: its own name may not stand for its structure. */
  function fromShape(shape: Shape, mode: Mode, self: SchemaAt | undefined): TypeNode {
    if (isEverything(shape)) return UNKNOWN;
    const parts = { typeOfAll, fillPlan, mode, isDeclared, self };
    const nodes = [
      ...scalarNodes(shape.string, 'string'),
      ...scalarNodes(shape.number, 'number'),
      ...booleanNodes(shape.boolean),
      ...shape.object.flatMap((object) => buildObject(object, parts)),
      ...shape.array.flatMap((array) => buildArray(array, parts)),
      ...(shape.null ? [NULL] : []),
    ];
    return unionNode(nodes);
  }

  function isStrings(at: SchemaAt): boolean {
    const { any, literals } = expander.expand(at).string;
    return !any && literals.size > 0;
  }

  return { typeOf, typeOfAll, definitionOf };
}

/** What the builders of objects and arrays are given. */
export interface BuildParts {
  readonly typeOfAll: (all: readonly SchemaAt[], mode: Mode) => TypeNode;
  readonly fillPlan: FillPlan;
  readonly mode: Mode;
  readonly isDeclared: (at: SchemaAt) => boolean;
  readonly self: SchemaAt | undefined;
}

function objectsOnly(shape: Shape): Shape {
  return { ...NOTHING, object: shape.object };
}

/** Keywords that only identify, define or annotate leave the type alone. */
function isAssertion(keyword: string): boolean {
  if (['$id', '$anchor', '$dynamicAnchor', '$defs', 'contentSchema'].includes(keyword))
    return false;
  const known = KEYWORDS.get(keyword);
  return known !== undefined && known.annotation !== true;
}

function isTrivial(schema: Json): boolean {
  return schema === true || (isObject(schema) && !Object.keys(schema).some(isAssertion));
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
