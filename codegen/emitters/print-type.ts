/** Prints types (model/type-node.ts) as TypeScript, laid out as a person would. */
import type { Json } from '../json.ts';
import { isArray } from '../json.ts';
import { isIdentifier } from '../names.ts';
import type { SchemaAt } from '../resolution.ts';
import type { IndexSignature, Member, Mode, TypeNode } from '../model/type-node.ts';

/** How references and comments are written. */
export interface PrintOptions {
  readonly nameOf: (at: SchemaAt, mode: Mode) => string;
  /** The comment above a member, without delimiters; '' for none. */
  readonly commentOf: (member: Member) => string;
  /** Whether an open object with named members goes without an index signature. */
  readonly onlyNamed?: boolean;
}

const WIDTH = 100;

/** Prints a type that begins at a column; nested lines are indented by `indent` spaces. */
export function printType(
  node: TypeNode,
  options: PrintOptions,
  indent = 0,
  column = indent,
): string {
  const flat = printFlat(node, options);
  if (flat !== undefined && column + flat.length < WIDTH) return flat;
  switch (node.kind) {
    case 'union':
      return printUnion(node.members, options, indent);
    case 'intersection':
      return node.members
        .map((member) => grouped(member, printType(member, options, indent), true))
        .join(' & ');
    case 'object':
      return printObject(node, options, indent);
    case 'array':
      return `${grouped(node.items, printType(node.items, options, indent, column), true)}[]`;
    case 'tuple':
      return printTuple(node, options, indent);
    default:
      return flat ?? '';
  }
}

function printUnion(members: readonly TypeNode[], options: PrintOptions, indent: number): string {
  const pad = ' '.repeat(indent + 2);
  return members
    .map((member) => `\n${pad}| ${printType(member, options, indent + 4, indent + 4)}`)
    .join('');
}

function printTuple(
  { items, required, rest }: Extract<TypeNode, { kind: 'tuple' }>,
  options: PrintOptions,
  indent: number,
): string {
  const pad = ' '.repeat(indent + 2);
  const print = (item: TypeNode, bound: boolean): string =>
    grouped(item, printType(item, options, indent + 2), bound);
  const lines = items.map((item, index) => {
    const optional = index >= required;
    return `${pad}${print(item, optional)}${optional ? '?' : ''},\n`;
  });
  if (rest !== undefined) lines.push(`${pad}...${print(rest, true)}[],\n`);
  return `[\n${lines.join('')}${' '.repeat(indent)}]`;
}

/** A comment block that no text can break out of; '' for an empty text. */
export function printComment(text: string, indent = 0): string {
  const pad = ' '.repeat(indent);
  const lines = text.replaceAll('*/', '*\\/').split(/\r\n?|\n/);
  if (text === '') return '';
  const [only, ...others] = lines;
  const oneLine = `${pad}/** ${only ?? ''} */\n`;
  if (others.length === 0 && oneLine.length <= WIDTH + 1) return oneLine;
  const wrapped = lines.flatMap((line) => wrap(line, WIDTH - indent - 3));
  return `${pad}/**\n${wrapped.map((line) => `${pad} *${line === '' ? '' : ` ${line}`}\n`).join('')}${pad} */\n`;
}

/** A JSON value as TypeScript source. */
export function printJson(value: Json): string {
  return JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

/** A JSON value as TypeScript source over several lines: short values stay on one. */
export function printValue(value: Json, indent: number): string {
  const flat = printInline(value, WIDTH - indent - 1);
  if (flat !== undefined) return flat;
  if (typeof value !== 'object' || value === null) return printJson(value);
  const pad = ' '.repeat(indent + 2);
  const lines = isArray(value)
    ? value.map((item) => `${pad}${printValue(item, indent + 2)},\n`)
    : Object.entries(value).map(
        ([key, member]) => `${pad}${printMemberKey(key)}: ${printValue(member, indent + 2)},\n`,
      );
  const body = `\n${lines.join('')}${' '.repeat(indent)}`;
  return isArray(value) ? `[${body}]` : `{${body}}`;
}

/** The type that only a frozen JSON value has: literals, all members readonly. */
export function printLiteralType(value: Json, indent = 0): string {
  if (typeof value !== 'object' || value === null) return printJson(value);
  const pad = ' '.repeat(indent + 2);
  const lines = isArray(value)
    ? value.map((item) => `${pad}${printLiteralType(item, indent + 2)},\n`)
    : Object.entries(value).map(
        ([key, member]) =>
          `${pad}readonly ${printKey(key)}: ${printLiteralType(member, indent + 2)};\n`,
      );
  const body = lines.length === 0 ? '' : `\n${lines.join('')}${' '.repeat(indent)}`;
  return isArray(value) ? `readonly [${body}]` : `{${body}}`;
}

/** On one line, or undefined as soon as that would be longer than `room`. */
function printInline(value: Json, room: number): string | undefined {
  if (typeof value !== 'object' || value === null) {
    const text = printJson(value);
    return text.length <= room ? text : undefined;
  }
  const parts: string[] = [];
  let left = room - 2;
  for (const [key, member] of Object.entries(value)) {
    const name = isArray(value) ? '' : `${printMemberKey(key)}: `;
    const text = printInline(member, left - name.length);
    if (text === undefined) return undefined;
    parts.push(name + text);
    left -= name.length + text.length + 2;
  }
  if (isArray(value)) return `[${parts.join(', ')}]`;
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}

/** In an object literal a plain `__proto__: x` sets the prototype; a computed key does not. */
function printMemberKey(key: string): string {
  return key === '__proto__' ? '["__proto__"]' : printKey(key);
}

/** A member's name, quoted where it must be. */
function printKey(name: string): string {
  return isIdentifier(name) ? name : printJson(name);
}

function wrap(line: string, width: number): readonly string[] {
  const [indent = ''] = /^ */.exec(line) ?? [];
  const [first = '', ...words] = line.slice(indent.length).split(' ');
  const lines: string[] = [];
  let current = indent + first;
  for (const word of words) {
    if (current.length + 1 + word.length > width) {
      lines.push(current);
      // At the head of a line this would be a tag.
      current = indent + (word.startsWith('@') ? `\\${word}` : word);
    } else current = `${current} ${word}`;
  }
  return [...lines, current];
}

/** One line, or undefined when the type holds an object with members. */
function printFlat(node: TypeNode, options: PrintOptions): string | undefined {
  switch (node.kind) {
    case 'keyword':
      return node.name === 'open-string' ? '(string & {})' : node.name;
    case 'literal':
      return printJson(node.value);
    case 'ref':
      return options.nameOf(node.at, node.mode);
    case 'union':
      return joinFlat(node.members, options, ' | ');
    case 'intersection':
      return joinFlat(node.members, options, ' & ');
    case 'array': {
      const items = printFlat(node.items, options);
      return items === undefined ? undefined : `${grouped(node.items, items, true)}[]`;
    }
    case 'tuple': {
      const items = node.items.map((item, index) => {
        const text = printFlat(item, options);
        const optional = index >= node.required;
        return text === undefined
          ? undefined
          : `${grouped(item, text, optional)}${optional ? '?' : ''}`;
      });
      const rest = node.rest === undefined ? '' : printFlat(node.rest, options);
      if (rest === undefined || items.includes(undefined)) return undefined;
      const more = node.rest === undefined ? [] : [`...${grouped(node.rest, rest, true)}[]`];
      return `[${[...items, ...more].join(', ')}]`;
    }
    case 'object': {
      if (node.members.length > 0) return undefined;
      if (node.index === undefined) return '{}';
      const type = printFlat(node.index.type, options);
      return type === undefined ? undefined : `{ [key: ${node.index.key}]: ${type} }`;
    }
  }
}

function joinFlat(
  nodes: readonly TypeNode[],
  options: PrintOptions,
  separator: string,
): string | undefined {
  const texts = nodes.map((node) => printFlat(node, options));
  return texts.includes(undefined) ? undefined : texts.join(separator);
}

/** A union or intersection before `[]` or `?`, or inside an intersection, needs parentheses. */
function grouped(node: TypeNode, text: string, bound: boolean): string {
  return bound && (node.kind === 'union' || node.kind === 'intersection') ? `(${text})` : text;
}

function printObject(
  node: Extract<TypeNode, { kind: 'object' }>,
  options: PrintOptions,
  indent: number,
): string {
  const pad = ' '.repeat(indent + 2);
  const members = node.members.map((member) => {
    const head = `${pad}${member.readOnly ? 'readonly ' : ''}${printKey(member.name)}${member.optional ? '?' : ''}: `;
    const comment = printComment(options.commentOf(member), indent + 2);
    return `${comment}${tidy(head + printType(member.type, options, indent + 2, head.length))}${inherited(member)};\n`;
  });
  if (node.index !== undefined && !isLeftOut(node.index, options)) {
    const head = `${pad}[key: ${node.index.key}]: `;
    const type = printType(node.index.type, options, indent + 2, head.length);
    // An index signature has to admit what every member does.
    const more = type === 'unknown' ? '' : node.members.map(inherited).join('');
    members.push(`${tidy(head + type)}${more};\n`);
  }
  return `{\n${members.join('')}${' '.repeat(indent)}}`;
}

function isLeftOut({ type }: IndexSignature, { onlyNamed = false }: PrintOptions): boolean {
  return onlyNamed && type.kind === 'keyword' && type.name === 'unknown';
}

/**
 * An optional member called `toString` is, when absent, the function that every object inherits: the
 * type says so, for TypeScript refuses objects without the member otherwise.
 */
function inherited({ name, optional }: Member): string {
  return optional && INHERITED.has(name) ? ` | Object[${printJson(name)}]` : '';
}

const INHERITED = new Set([
  'constructor',
  'hasOwnProperty',
  'isPrototypeOf',
  'propertyIsEnumerable',
  'toLocaleString',
  'toString',
  'valueOf',
]);

/** A union that begins on the next line leaves no space behind. */
function tidy(text: string): string {
  return text.replaceAll(/: \n/g, ':\n');
}
