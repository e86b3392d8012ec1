/** Types in a notation close to TypeScript's, as Markdown with links to the sections of other types. */
import type { SchemaAt } from '../../resolution.ts';
import type { Keyword, TypeNode } from '../../model/type-node.ts';
import { isKeyword, keyOf } from '../../model/type-node.ts';
import { isIdentifier } from '../../names.ts';
import { escapeText, printCode, printLink } from './escape.ts';
import { printFlat } from './json-block.ts';

/** How a reference is named, and where its section is. */
export interface References {
  readonly nameOf: (at: SchemaAt) => string;
  readonly hrefOf: (at: SchemaAt) => string | undefined;
}

/** An object type written out inside another one. */
export type ObjectNode = Extract<TypeNode, { kind: 'object' }>;

type TupleNode = Extract<TypeNode, { kind: 'tuple' }>;

/** A piece of a type: code, a reference, or the bar between alternatives. */
type Token = string | { readonly at: SchemaAt } | typeof BAR;

const BAR = Symbol('|');

/** A type within a line or a table cell. */
export function printNotation(node: TypeNode, references: References): string {
  return printTokens(tokensOf(node), references);
}

/** The same with the objects in it named only `object`: their members are listed elsewhere. */
export function printOutline(node: TypeNode, references: References): string {
  return printTokens(tokensOf(node, true), references);
}

/** The object in a type whose members can be listed beneath it: the type itself, its items, or not null. */
export function innerObject(node: TypeNode): { node: ObjectNode; suffix: string } | undefined {
  switch (node.kind) {
    case 'object':
      return node.members.length > 0 ? { node, suffix: '' } : undefined;
    case 'array': {
      const inner = innerObject(node.items);
      return inner && { node: inner.node, suffix: `[]${inner.suffix}` };
    }
    case 'union': {
      const [only, ...others] = node.members.filter((member) => !isKeyword(member, 'null'));
      return only === undefined || others.length > 0 ? undefined : innerObject(only);
    }
    default:
      return undefined;
  }
}

function tokensOf(node: TypeNode, outline = false): readonly Token[] {
  switch (node.kind) {
    case 'keyword':
      return [KEYWORDS[node.name] ?? node.name];
    case 'literal':
      return [printFlat(node.value)];
    case 'ref':
      return [{ at: node.at }];
    case 'union':
      return join(
        node.members.map((member) => tokensOf(member, outline)),
        BAR,
      );
    case 'intersection':
      return join(
        node.members.map((member) => grouped(member, outline)),
        ' & ',
      );
    case 'array':
      return [...grouped(node.items, outline), '[]'];
    case 'tuple': {
      // How many there are is said beside the type, in words.
      if (isUniform(node)) return [...grouped(node.items[0], outline), '[]'];
      const items = node.items.map((item, index) =>
        index < node.required ? tokensOf(item, outline) : [...grouped(item, outline), '?'],
      );
      const rest = node.rest === undefined ? [] : [['...', ...grouped(node.rest, outline), '[]']];
      return ['[', ...join([...items, ...rest], ', '), ']'];
    }
    case 'object':
      return outline ? ['object'] : objectTokens(node);
  }
}

/** Names that say more to a reader than TypeScript's. */
const KEYWORDS: Readonly<Partial<Record<Keyword, string>>> = {
  'open-string': 'string',
  unknown: 'any',
};

type UniformTuple = TupleNode & { readonly items: readonly [TypeNode, ...TypeNode[]] };

/** Whether a tuple is a list of one type after all, which only has a least or a greatest length. */
function isUniform(node: TupleNode): node is UniformTuple {
  const all = [...node.items, ...(node.rest === undefined ? [] : [node.rest])];
  return node.items.length > 0 && new Set(all.map(keyOf)).size === 1;
}

function objectTokens({ members, index }: ObjectNode): readonly Token[] {
  if (members.length === 0 && index === undefined) return ['object'];
  if (index !== undefined && isKeyword(index.type, 'never')) return ['{}'];
  const named = members.map(({ name, optional, type }): readonly Token[] => [
    `${isIdentifier(name) ? name : JSON.stringify(name)}${optional ? '?' : ''}: `,
    ...tokensOf(type),
  ]);
  if (index === undefined) return ['{ ', ...join(named, '; '), ' }'];
  const isAny = isKeyword(index.type, 'unknown');
  if (named.length === 0 && isAny) return ['object'];
  const others: readonly Token[] = [`[key: ${index.key}]: `, ...tokensOf(index.type)];
  return ['{ ', ...join([...named, ...(isAny ? [] : [others])], '; '), ' }'];
}

/** Alternatives before a suffix stand in brackets. */
function grouped(node: TypeNode, outline: boolean): readonly Token[] {
  const tokens = tokensOf(node, outline);
  return node.kind === 'union' || node.kind === 'intersection' ? ['(', ...tokens, ')'] : tokens;
}

function join(lists: readonly (readonly Token[])[], separator: Token): readonly Token[] {
  return lists.flatMap((list, index) => (index === 0 ? list : [separator, ...list]));
}

/** Neighbouring code is one span; bars stand outside, where every renderer takes them escaped. */
function printTokens(tokens: readonly Token[], { nameOf, hrefOf }: References): string {
  const parts: string[] = [];
  let code = '';
  const flush = (): void => {
    const [, before = '', text = '', after = ''] = /^( *)(.*?)( *)$/s.exec(code) ?? [];
    parts.push(before, text === '' ? '' : printCode(text), after);
    code = '';
  };
  for (const token of tokens) {
    if (typeof token === 'string') code += token;
    else if (typeof token === 'symbol') {
      flush();
      parts.push(` ${escapeText('|')} `);
    } else {
      const href = hrefOf(token.at);
      if (href === undefined) code += nameOf(token.at);
      else {
        flush();
        parts.push(printLink(printCode(nameOf(token.at)), href));
      }
    }
  }
  flush();
  return parts.join('');
}
