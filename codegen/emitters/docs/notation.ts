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
  /** Whether the numbers that a schema admits are integers. */
  readonly isWhole: (at: SchemaAt) => boolean;
}

/** An object type written out inside another one. */
export type ObjectNode = Extract<TypeNode, { kind: 'object' }>;

type TupleNode = Extract<TypeNode, { kind: 'tuple' }>;

/** A piece of a type: code, a reference, a bar between alternatives, or a mark around or inside a group. */
type Token = string | { readonly at: SchemaAt } | { readonly mark: Mark } | typeof BAR;

/** What stands outside code where a link is near: brackets, and bars within them. */
type Mark = '(' | ')' | '|';

const BAR = Symbol('|');

/** What is known of a type beside its structure. */
interface Shape {
  /** The schema of the type, or of what holds it; for telling integers from other numbers. */
  readonly at: SchemaAt | undefined;
  readonly isWhole: References['isWhole'];
  /** Objects are named only `object`: their members are listed elsewhere. */
  readonly outline: boolean;
}

/** A type within a line or a table cell; `at` is its schema. */
export function printNotation(
  node: TypeNode,
  references: References,
  at: SchemaAt | undefined,
): string {
  const { isWhole } = references;
  return printTokens(tokensOf(node, { at, isWhole, outline: false }), references);
}

/** The same with the objects in it named only `object`: their members are listed elsewhere. */
export function printOutline(
  node: TypeNode,
  references: References,
  at: SchemaAt | undefined,
): string {
  const { isWhole } = references;
  return printTokens(tokensOf(node, { at, isWhole, outline: true }), references);
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

function tokensOf(node: TypeNode, shape: Shape): readonly Token[] {
  const inner = (member: TypeNode): readonly Token[] => tokensOf(member, shape);
  switch (node.kind) {
    case 'keyword':
      return [printKeyword(node.name, shape)];
    case 'literal':
      return [printFlat(node.value)];
    case 'ref':
      return [{ at: node.at }];
    case 'union':
      return join(node.members.map(inner), BAR);
    case 'intersection':
      return join(
        node.members.map((member) => grouped(member, shape)),
        ' & ',
      );
    case 'array':
      return [...grouped(node.items, shape), '[]'];
    case 'tuple':
      return tupleTokens(node, shape);
    case 'object':
      return shape.outline ? ['object'] : objectTokens(node, shape);
  }
}

function printKeyword(name: Keyword, { at, isWhole }: Shape): string {
  if (name === 'number' && at !== undefined && isWhole(at)) return 'integer';
  return KEYWORDS[name] ?? name;
}

function tupleTokens(node: TupleNode, shape: Shape): readonly Token[] {
  // How many there are is said beside the type, in words.
  if (isUniform(node)) return [...grouped(node.items[0], shape), '[]'];
  const items = node.items.map((item, index) =>
    index < node.required ? nested(tokensOf(item, shape)) : [...grouped(item, shape), '?'],
  );
  const rest = node.rest === undefined ? [] : [['...', ...grouped(node.rest, shape), '[]']];
  return ['[', ...join([...items, ...rest], ', '), ']'];
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

function objectTokens({ members, index }: ObjectNode, shape: Shape): readonly Token[] {
  if (members.length === 0 && index === undefined) return ['object'];
  if (index !== undefined && isKeyword(index.type, 'never')) return ['{}'];
  const named = members.map(({ name, optional, type, at }): readonly Token[] => [
    `${isIdentifier(name) ? name : JSON.stringify(name)}${optional ? '?' : ''}: `,
    ...nested(tokensOf(type, { ...shape, at })),
  ]);
  if (index === undefined) return ['{ ', ...join(named, '; '), ' }'];
  const isAny = isKeyword(index.type, 'unknown');
  if (named.length === 0 && isAny) return ['object'];
  const others: readonly Token[] = [
    `[key: ${index.key}]: `,
    ...nested(tokensOf(index.type, shape)),
  ];
  return ['{ ', ...join([...named, ...(isAny ? [] : [others])], '; '), ' }'];
}

/** Alternatives before a suffix stand in brackets. */
function grouped(node: TypeNode, shape: Shape): readonly Token[] {
  const tokens = nested(tokensOf(node, shape));
  return node.kind === 'union' || node.kind === 'intersection'
    ? [{ mark: '(' }, ...tokens, { mark: ')' }]
    : tokens;
}

/** Tokens within a larger type: their bars do not part the whole. */
function nested(tokens: readonly Token[]): readonly Token[] {
  return tokens.map((token) => (token === BAR ? { mark: '|' } : token));
}

function join(lists: readonly (readonly Token[])[], separator: Token): readonly Token[] {
  return lists.flatMap((list, index) => (index === 0 ? list : [separator, ...list]));
}

/** The alternatives one by one; bars stand outside of code, where every renderer takes them escaped. */
function printTokens(tokens: readonly Token[], references: References): string {
  const alternatives: Token[][] = [[]];
  for (const token of tokens) {
    if (token === BAR) alternatives.push([]);
    else alternatives.at(-1)?.push(token);
  }
  return alternatives
    .map((each) => printAlternative(each, references))
    .join(` ${escapeText('|')} `);
}

/** One span of code; where there are links, code between them, and marks as text. */
function printAlternative(tokens: readonly Token[], { nameOf, hrefOf }: References): string {
  const pieces = tokens.map((token) => {
    if (typeof token === 'string') return { code: token };
    if (typeof token === 'symbol') return { mark: '|' };
    if ('mark' in token) return token;
    const href = hrefOf(token.at);
    const name = nameOf(token.at);
    return href === undefined ? { code: name } : { link: printLink(printCode(name), href) };
  });
  const hasLinks = pieces.some((piece) => 'link' in piece);
  const parts: string[] = [];
  let code = '';
  const flush = (): void => {
    const [, before = '', text = '', after = ''] = /^( *)(.*?)( *)$/s.exec(code) ?? [];
    parts.push(before, text === '' ? '' : printCode(text), after);
    code = '';
  };
  for (const piece of pieces) {
    if ('code' in piece) code += piece.code;
    else if ('link' in piece) {
      flush();
      parts.push(piece.link);
    } else {
      const mark = piece.mark === '|' ? ' | ' : piece.mark;
      if (!hasLinks) code += mark;
      else {
        flush();
        parts.push(escapeText(mark));
      }
    }
  }
  flush();
  return parts.join('');
}
