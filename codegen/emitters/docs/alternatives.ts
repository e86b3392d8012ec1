/** Unions: their alternatives, and what tells them apart. */
import type { TypeModel } from '../../model/modules.ts';
import type { Member, TypeNode } from '../../model/type-node.ts';
import { printCode } from './escape.ts';
import { printFlat } from './json-block.ts';
import type { ObjectNode } from './notation.ts';

/** A type of several alternatives. */
export type UnionNode = Extract<TypeNode, { kind: 'union' }>;

/**
 * Alternatives that differ only in which of the same properties they require, as one object; `needs`
 * are the names that each alternative requires beyond the others.
 */
export interface MergedObject {
  readonly node: ObjectNode;
  readonly needs: readonly (readonly string[])[];
}

/** Merges a union's alternatives where they are one object with several sets of required properties. */
export function mergeAlternatives({ members }: UnionNode): MergedObject | undefined {
  const objects = members.flatMap((member) => (member.kind === 'object' ? [member] : []));
  const [first] = objects;
  if (first === undefined || objects.length < members.length) return undefined;
  const same = objects.every((node) => isSameShape(node, first));
  if (!same) return undefined;
  const isAlways = (name: string): boolean =>
    objects.every((node) => requiredNames(node).includes(name));
  const merged = first.members.map((member) => ({ ...member, optional: !isAlways(member.name) }));
  const needs = objects.map((node) => requiredNames(node).filter((name) => !isAlways(name)));
  return { node: { ...first, members: merged }, needs };
}

/** What tells the alternatives of a union apart: for each a phrase, '' where nothing does. */
export function discriminate(types: TypeModel, { members }: UnionNode): readonly string[] {
  const objects = members.map((member) => objectOf(types, member));
  const known = objects.flatMap((node) => node ?? []);
  const names = known[0]?.members.map(({ name }) => name) ?? [];
  const tag = names.find((name) => isTag(known, name));
  return objects.map((node) => {
    if (node === undefined || known.length < 2) return '';
    if (tag !== undefined) {
      const values = literalsOf(memberOf(node, tag)).map((value) => printCode(value));
      return `when ${printCode(tag)} is ${values.join(' or ')}`;
    }
    const others = known.filter((other) => other !== node);
    const own = requiredNames(node).filter((name) =>
      others.every((other) => !requiredNames(other).includes(name)),
    );
    return own.length === 0 ? '' : `with ${own.map((name) => printCode(name)).join(' and ')}`;
  });
}

function isSameShape(node: ObjectNode, other: ObjectNode): boolean {
  if (node.members.length !== other.members.length) return false;
  return node.members.every(({ name, at }) => {
    const twin = memberOf(other, name);
    return twin !== undefined && at !== undefined && twin.at === at;
  });
}

function objectOf(types: TypeModel, node: TypeNode): ObjectNode | undefined {
  if (node.kind === 'object') return node;
  const target = node.kind === 'ref' ? types.declarationOf(node.at)?.output : undefined;
  return target?.kind === 'object' ? target : undefined;
}

/** Whether every alternative has a property that only takes values which no other one takes. */
function isTag(objects: readonly ObjectNode[], name: string): boolean {
  const values = objects.map((node) => literalsOf(memberOf(node, name)));
  const flat = values.flat();
  return values.every((list) => list.length > 0) && new Set(flat).size === flat.length;
}

function literalsOf(member: Member | undefined): readonly string[] {
  if (member === undefined || member.optional) return [];
  const nodes = member.type.kind === 'union' ? member.type.members : [member.type];
  const literals = nodes.flatMap((node) =>
    node.kind === 'literal' ? [printFlat(node.value)] : [],
  );
  return literals.length === nodes.length ? literals : [];
}

function memberOf(node: ObjectNode, name: string): Member | undefined {
  return node.members.find((member) => member.name === name);
}

function requiredNames({ members }: ObjectNode): readonly string[] {
  return members.filter(({ optional }) => !optional).map(({ name }) => name);
}
