/** Arrays: `T[]`, and tuples with optional elements up to a bound, then the rest. */
import type { SchemaAt } from '../resolution.ts';
import type { BuildParts } from './build-parts.ts';
import type { ArrayShape } from './shape.ts';
import type { TypeNode } from './type-node.ts';
import { isKeyword, literalNode } from './type-node.ts';

/** Longer than this a tuple is unreadable, and grows the type checker's work. */
const MAX_POSITIONS = 12;

/** The type of one alternative; empty when no array can satisfy it. */
export function buildArray(shape: ArrayShape, parts: BuildParts): readonly TypeNode[] {
  const { source, literal, min } = shape;
  if (source !== undefined && source !== parts.self && parts.isDeclared(source)) {
    return [{ kind: 'ref', at: source, mode: parts.mode }];
  }
  if (literal !== undefined) return [literalNode(literal)];
  const at = (position: number): TypeNode =>
    parts.typeOfAll(schemasAt(shape, position), parts.mode);
  const positions = countPositions(shape);
  const items: TypeNode[] = [];
  for (let position = 0; position < positions; position++) {
    const item = at(position);
    if (isKeyword(item, 'never')) return position < min ? [] : [tuple(items, min)];
    items.push(item);
  }
  if (shape.max <= positions) return [tuple(items, min)];
  const rest = at(Infinity);
  if (isKeyword(rest, 'never')) return positions < min ? [] : [tuple(items, min)];
  if (positions === 0) return [{ kind: 'array', items: rest }];
  return [{ ...tuple(items, min), rest }];
}

function tuple(items: readonly TypeNode[], min: number): Extract<TypeNode, { kind: 'tuple' }> {
  return { kind: 'tuple', items, required: Math.min(min, items.length) };
}

/** How many elements have a place of their own in the type. */
function countPositions({ layers, min, max }: ArrayShape): number {
  if (max <= MAX_POSITIONS) return max;
  const prefix = Math.max(0, ...layers.map((layer) => layer.prefix.length));
  return Math.min(MAX_POSITIONS, Math.max(prefix, min));
}

function schemasAt({ layers }: ArrayShape, position: number): readonly SchemaAt[] {
  return layers.flatMap(({ prefix, items }) => prefix[position] ?? items ?? []);
}
