/** Objects: named members in the schema's order, and an index signature for all others. */
import type { Json } from '../json.ts';
import { getOwn, isObject } from '../json.ts';
import type { Resolution, SchemaAt } from '../resolution.ts';
import { compilePattern } from '../vocabulary.ts';
import type { BuildParts } from './build-parts.ts';
import { conjunctsOf } from './conjuncts.ts';
import type { ObjectLayer, ObjectShape } from './shape.ts';
import type { IndexSignature, Member, TypeNode } from './type-node.ts';
import { NEVER, UNDEFINED, isKeyword, literalNode, unionNode } from './type-node.ts';

/** The type of one alternative; empty when no object can satisfy it. */
export function buildObject(shape: ObjectShape, parts: BuildParts): readonly TypeNode[] {
  const { source, literal } = shape;
  if (source !== undefined && source !== parts.self && parts.isDeclared(source)) {
    return [{ kind: 'ref', at: source, mode: parts.mode }];
  }
  if (literal !== undefined) return [literalNode(literal)];
  const members: Member[] = [];
  for (const name of memberNames(shape)) {
    const member = buildMember(shape, name, parts);
    if (member === undefined) continue;
    if (!member.optional && isKeyword(member.type, 'never')) return [];
    members.push(member);
  }
  const index = shape.keys === undefined ? buildIndex(shape, members, parts) : closedIndex(members);
  return [{ kind: 'object', members, ...(index === undefined ? {} : { index }) }];
}

/** Declared names in the order of the schemas, then those that are only required or excluded. */
function memberNames({ layers, required, absent, keys }: ObjectShape): readonly string[] {
  const declared = layers.flatMap(({ properties }) => [...properties.keys()]);
  const names = new Set([...declared, ...required, ...(keys ?? []), ...absent]);
  return [...names].filter((name) => keys === undefined || keys.has(name));
}

function buildMember(shape: ObjectShape, name: string, parts: BuildParts): Member | undefined {
  const { typeOfAll, resolution, fillPlan, mode } = parts;
  const required = shape.required.has(name);
  if (shape.absent.has(name)) {
    return { name, type: NEVER, optional: true, readOnly: false, at: undefined };
  }
  const places = shape.layers.flatMap((layer) => placesOf(layer, name));
  const readOnly = places.some((at) => isReadOnly(at, resolution));
  if (readOnly && mode === 'input') return undefined;
  const fallback = fallbackOf(shape, name, fillPlan);
  const filled = mode === 'output' && fallback !== undefined;
  const common = { name, type: typeOfAll(places, mode), readOnly, optional: !required && !filled };
  const at = shape.layers.map(({ properties }) => properties.get(name)).find(Boolean);
  return { ...common, at, ...(fallback === undefined ? {} : { fallback }) };
}

/** The schemas that one layer applies to a member. */
function placesOf(layer: ObjectLayer, name: string): readonly SchemaAt[] {
  const declared = layer.properties.get(name);
  const matched = layer.patterns.filter(
    ({ pattern }) => compilePattern(pattern)?.test(name) === true,
  );
  const places = [...(declared === undefined ? [] : [declared]), ...matched.map(({ at }) => at)];
  if (places.length > 0 || layer.additional === undefined) return places;
  return [layer.additional];
}

/** Only declared members are filled in: a pattern or a rest names no member to add. */
function fallbackOf(
  { layers }: ObjectShape,
  name: string,
  fillPlan: BuildParts['fillPlan'],
): Json | undefined {
  for (const { properties } of layers) {
    const at = properties.get(name);
    const value = at === undefined ? undefined : fillPlan.defaultOf(at);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Whether a member is set by the owner of the data: `readOnly`, its own or its definition's. */
function isReadOnly(at: SchemaAt, resolution: Resolution): boolean {
  const seen = new Set<SchemaAt>();
  const queue = [at];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (seen.has(next) || !isObject(next.schema)) continue;
    if (getOwn(next.schema, 'readOnly') === true) return true;
    seen.add(next);
    queue.push(...conjunctsOf(resolution, next));
  }
  return false;
}

function buildIndex(
  shape: ObjectShape,
  members: readonly Member[],
  { typeOfAll, mode }: BuildParts,
): IndexSignature | undefined {
  const rests = shape.layers.flatMap(({ additional }) => additional ?? []);
  const rest = typeOfAll(rests, mode);
  const patterns = shape.layers.flatMap((layer) => layer.patterns);
  const matched = patterns.map(({ at }) => typeOfAll([at], mode));
  if (isKeyword(rest, 'unknown')) return { key: 'string', type: rest };
  if (!isKeyword(rest, 'never'))
    return { key: 'string', type: admitAll([rest, ...matched], members) };
  if (patterns.length === 0) return closedIndex(members);
  const template = templateKey(
    patterns.map(({ pattern }) => pattern),
    members,
  );
  const type = unionNode(matched);
  return template === undefined
    ? { key: 'string', type: admitAll(matched, members) }
    : { key: template, type };
}

/** An object without members is `{}` only when nothing may be in it. */
function closedIndex(members: readonly Member[]): IndexSignature | undefined {
  return members.length === 0 ? { key: 'string', type: NEVER } : undefined;
}

/** TypeScript asks an index signature to admit what every named member may hold. */
function admitAll(types: readonly TypeNode[], members: readonly Member[]): TypeNode {
  const optional = members.some((member) => member.optional) ? [UNDEFINED] : [];
  return unionNode([...types, ...members.map(({ type }) => type), ...optional]);
}

/** `^x-` as `x-${string}`, where only such names may appear and no named member is one of them. */
function templateKey(patterns: readonly string[], members: readonly Member[]): string | undefined {
  const [pattern, ...others] = patterns;
  const [, prefix] = /^\^([\w\-:/@]+)(?:\.\*\$?)?$/.exec(pattern ?? '') ?? [];
  if (prefix === undefined || others.length > 0) return undefined;
  if (members.some(({ name }) => name.startsWith(prefix))) return undefined;
  return `\`${prefix}\${string}\``;
}
