/** The IR of types: what the printer prints and the docs describe. Plain data, no behaviour. */
import type { Json } from '../json.ts';
import type { SchemaAt } from '../resolution.ts';

/**
 * Which of a schema's types: `output` is the value as it is held (defaults filled in, `readOnly` members
 * included), `input` is what a client may send. Where a value is held but no defaults can be filled in,
 * it is `unfilled`: of a named type that is the input when it has defaults, else the output.
 */
export type Mode = 'output' | 'input' | 'unfilled';

/** The mode of a part through which no defaults are filled in. */
export function withoutFilling(mode: Mode): Mode {
  return mode === 'output' ? 'unfilled' : mode;
}

/** A type. */
export type TypeNode =
  | { readonly kind: 'keyword'; readonly name: Keyword }
  | { readonly kind: 'literal'; readonly value: string | number | boolean }
  | { readonly kind: 'ref'; readonly at: SchemaAt; readonly mode: Mode }
  | { readonly kind: 'union'; readonly members: readonly TypeNode[] }
  | { readonly kind: 'intersection'; readonly members: readonly TypeNode[] }
  | {
      readonly kind: 'object';
      readonly members: readonly Member[];
      readonly index?: IndexSignature;
    }
  | { readonly kind: 'array'; readonly items: TypeNode }
  | {
      readonly kind: 'tuple';
      readonly items: readonly TypeNode[];
      /** How many of the items must be there; the others are optional. */
      readonly required: number;
      readonly rest?: TypeNode;
    };

/** The types that need no structure; `open-string` is any string beside known ones. */
export type Keyword =
  'unknown' | 'never' | 'undefined' | 'null' | 'boolean' | 'number' | 'string' | 'open-string';

/** One member of an object type. */
export interface Member {
  readonly name: string;
  readonly type: TypeNode;
  readonly optional: boolean;
  readonly readOnly: boolean;
  /** The first schema that speaks of the member; undefined when only `required` names it. */
  readonly at: SchemaAt | undefined;
  /** The value filled in when the member is absent. */
  readonly fallback?: Json;
}

/** All other members; `key` is `string` or a template literal type. */
export interface IndexSignature {
  readonly key: string;
  readonly type: TypeNode;
}

export /**
 *
 */
const UNKNOWN: TypeNode = { kind: 'keyword', name: 'unknown' };
export /**
 *
 */
const NEVER: TypeNode = { kind: 'keyword', name: 'never' };
export /**
 *
 */
const UNDEFINED: TypeNode = { kind: 'keyword', name: 'undefined' };
export /**
 *
 */
const NULL: TypeNode = { kind: 'keyword', name: 'null' };
const OPEN_STRING: TypeNode = { kind: 'keyword', name: 'open-string' };

/** Whether a node is the given keyword. */
export function isKeyword(node: TypeNode, name: Keyword): boolean {
  return node.kind === 'keyword' && node.name === name;
}

/** A type that stands for a JSON value and nothing else. */
export function literalNode(value: Json): TypeNode {
  if (value === null) return NULL;
  if (typeof value !== 'object') return { kind: 'literal', value };
  if (Array.isArray(value)) {
    const items = (value as readonly Json[]).map(literalNode);
    return { kind: 'tuple', items, required: items.length };
  }
  const members = Object.entries(value).map(([name, member]) => ({
    name,
    type: literalNode(member),
    optional: false,
    readOnly: false,
    at: undefined,
  }));
  // Without members `{}` would stand for nearly anything.
  return members.length > 0
    ? { kind: 'object', members }
    : { kind: 'object', members, index: { key: 'string', type: NEVER } };
}

/**
 * The union of types: flat, each once, `unknown` swallows all, and `string` keeps the known strings
 * beside it. `isStrings` says of a reference whether it stands for known strings.
 */
export function unionNode(
  nodes: readonly TypeNode[],
  isStrings: (at: SchemaAt) => boolean = () => false,
): TypeNode {
  const flat = nodes.flatMap((node) => (node.kind === 'union' ? node.members : [node]));
  if (flat.some((node) => isKeyword(node, 'unknown'))) return UNKNOWN;
  const byKey = new Map(flat.map((node) => [keyOf(node), node]));
  byKey.delete(keyOf(NEVER));
  const known = [...byKey.values()].some(
    (node) =>
      (node.kind === 'literal' && typeof node.value === 'string') ||
      (node.kind === 'ref' && isStrings(node.at)),
  );
  const members = [...byKey.values()].map((node) =>
    known && isKeyword(node, 'string') ? OPEN_STRING : node,
  );
  const [first, ...others] = nullLast(members);
  if (first === undefined) return NEVER;
  return others.length === 0 ? first : { kind: 'union', members: [first, ...others] };
}

function nullLast(members: readonly TypeNode[]): readonly TypeNode[] {
  const nulls = members.filter((node) => isKeyword(node, 'null'));
  return nulls.length === 0
    ? members
    : [...members.filter((node) => !nulls.includes(node)), ...nulls];
}

/** A text that is equal for equal types; references compare by what they refer to. */
export function keyOf(node: TypeNode): string {
  switch (node.kind) {
    case 'keyword':
      return node.name;
    case 'literal':
      return JSON.stringify(node.value);
    case 'ref':
      return `&${node.at.document.uri}#${node.at.pointer}!${node.mode}`;
    case 'union':
      return `(${node.members.map(keyOf).join('|')})`;
    case 'intersection':
      return `(${node.members.map(keyOf).join('&')})`;
    case 'array':
      return `${keyOf(node.items)}[]`;
    case 'tuple':
      return `[${node.items.map(keyOf).join(',')};${String(node.required)};${node.rest === undefined ? '' : keyOf(node.rest)}]`;
    case 'object':
      return `{${node.members.map(memberKey).join(',')};${node.index === undefined ? '' : `${node.index.key}:${keyOf(node.index.type)}`}}`;
  }
}

function memberKey({ name, type, optional, readOnly }: Member): string {
  return `${readOnly ? '!' : ''}${JSON.stringify(name)}${optional ? '?' : ''}:${keyOf(type)}`;
}

/** Calls `visit` for every reference in a type; `inPlace` leaves objects and arrays closed. */
export function forEachReference(
  node: TypeNode,
  visit: (reference: Extract<TypeNode, { kind: 'ref' }>) => void,
  inPlace = false,
): void {
  const into = (child: TypeNode): void => {
    forEachReference(child, visit, inPlace);
  };
  if (node.kind === 'ref') visit(node);
  else if (node.kind === 'union' || node.kind === 'intersection') node.members.forEach(into);
  else if (inPlace) return;
  else if (node.kind === 'array') into(node.items);
  else if (node.kind === 'tuple')
    [...node.items, ...(node.rest === undefined ? [] : [node.rest])].forEach(into);
  else if (node.kind === 'object') {
    for (const member of node.members) into(member.type);
    if (node.index !== undefined) into(node.index.type);
  }
}
