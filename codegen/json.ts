/**
 * JSON with positions: strict parsing (RFC 8259), every fault named, and the way back from a JSON
 * pointer to a line and a column.
 */
import { findNodeAtLocation, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { Node, ParseError } from 'jsonc-parser';

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. Keys are own properties, `__proto__` included. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Whether a value is a JSON object (not null, not an array). */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is a JSON array. */
export function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** The own member `key` of an object; undefined when it has none (inherited names do not count). */
export function getOwn(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets an own member, also one called `__proto__`. */
export function setOwn(object: Record<string, Json>, key: string, value: Json): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  } else object[key] = value;
}

/** One-based line and column; columns count UTF-16 units, as editors do. */
interface Position {
  readonly line: number;
  readonly column: number;
}

/** A fault that makes a text not JSON, or not one JSON value. */
interface JsonFault {
  readonly kind: 'syntax' | 'duplicate-key' | 'depth';
  readonly pointer: string;
  readonly position: Position;
  readonly message: string;
}

/** A parsed text: its value (null when it cannot be read), its faults, and its positions. */
export interface ParsedJson {
  readonly value: Json;
  readonly faults: readonly JsonFault[];
  /** Where the value at a pointer begins; with `key`, where its member name begins. */
  locate(pointer: string, options?: { readonly key?: boolean }): Position;
}

/**
 * Parses strict JSON. Never throws: whatever is wrong is in `faults`. The tree of positions is built
 * when a place is first asked for, which is never while nothing is wrong.
 */
export function parseJson(text: string): ParsedJson {
  const lines = lazy(() => lineStarts(text));
  const at = (offset: number): Position => toPosition(lines(), offset);
  const tree = lazy(() => parseNodes(text, []));
  const locate: ParsedJson['locate'] = (pointer, options) =>
    at(findOffset(tree(), pointer, options?.key === true));
  const value = parsePlain(text);
  if (value !== undefined) return { value, faults: [], locate };
  return { ...parseWithFaults(text, at), locate };
}

/** The value of a text with nothing wrong in it; undefined when there is something to look for. */
function parsePlain(text: string): Json | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return countMembers(value, 0) === countNames(text) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The members in a value; NaN when it is nested too deeply. */
function countMembers(value: Json, depth: number): number {
  // NaN equals no count: what is wrong is then looked for.
  if (typeof value === 'number' && !Number.isFinite(value)) return NaN;
  if (typeof value !== 'object' || value === null) return 0;
  if (depth > MAX_DEPTH) return NaN;
  let count = isArray(value) ? 0 : Object.keys(value).length;
  for (const child of Object.values(value)) count += countMembers(child, depth + 1);
  return count;
}

/** The member names in a valid JSON text: the strings that a colon follows. */
function countNames(text: string): number {
  let count = 0;
  for (const match of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)) {
    if (match[1] !== undefined) count++;
  }
  return count;
}

function parseWithFaults(
  text: string,
  at: (offset: number) => Position,
): Pick<ParsedJson, 'value' | 'faults'> {
  const errors: ParseError[] = [];
  const tree = parseNodes(text, errors);
  const empty = text.trim() === '';
  const faults = empty ? [] : errors.slice(0, 1).map((error) => syntaxFault(error, text, at));
  if (faults.length === 0 && (empty || tree === undefined)) faults.push(unreadableFault(empty));
  const value = tree === undefined || faults.length > 0 ? null : toValue(tree, '', faults, at);
  return { value, faults };
}

function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Splits a JSON pointer into its unescaped segments (RFC 6901). */
export function splitPointer(pointer: string): string[] {
  if (pointer === '') return [];
  return pointer
    .slice(1)
    .split('/')
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Appends segments to a JSON pointer, escaped (RFC 6901). */
export function joinPointer(pointer: string, ...segments: readonly (string | number)[]): string {
  return segments.reduce<string>(
    (path, segment) => `${path}/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`,
    pointer,
  );
}

/** Follows a JSON pointer; undefined where it leads nowhere. */
export function followPointer(root: Json, pointer: string): Json | undefined {
  let value: Json | undefined = root;
  for (const segment of splitPointer(pointer)) {
    if (isArray(value)) value = /^(0|[1-9]\d*)$/.test(segment) ? value[Number(segment)] : undefined;
    else if (isObject(value)) value = getOwn(value, segment);
    else return undefined;
  }
  return value;
}

/** No contract nests this deep; what does is refused here, so that no later stage can overflow. */
const MAX_DEPTH = 256;

function parseNodes(text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return undefined;
  }
}

const SYNTAX_WORDS: Readonly<Record<string, string>> = {
  InvalidSymbol: 'is not a JSON word (true, false, null)',
  InvalidNumberFormat: 'is not a JSON number',
  PropertyNameExpected: 'stands where a property name in double quotes is expected',
  ValueExpected: 'stands where a value is expected',
  ColonExpected: 'stands where a colon is expected',
  CommaExpected: 'stands where a comma is expected',
  CloseBraceExpected: 'stands where a closing brace is expected',
  CloseBracketExpected: 'stands where a closing bracket is expected',
  EndOfFileExpected: 'follows after the end of the JSON value; remove it',
  InvalidCommentToken: 'begins a comment; JSON has none',
  UnexpectedEndOfComment: 'begins a comment; JSON has none',
  UnexpectedEndOfString: 'begins a string that is not closed on its line',
  InvalidUnicode: 'has a broken \\u escape',
  InvalidEscapeCharacter: 'has an escape that JSON does not know',
  InvalidCharacter: 'has a control character; escape it',
};

function syntaxFault(error: ParseError, text: string, at: (offset: number) => Position): JsonFault {
  const position = at(error.offset);
  const found = text.slice(error.offset, error.offset + Math.min(error.length, 20));
  const words = wordsAbout(printParseErrorCode(error.error), found, text.slice(0, error.offset));
  const quoted = found.startsWith('"') ? found : JSON.stringify(found);
  const subject = found.trim() === '' ? 'the end of the file' : quoted;
  return { kind: 'syntax', pointer: '', position, message: `${subject} ${words}` };
}

/** The two slips that other languages allow are called by their name. */
function wordsAbout(code: string, found: string, before: string): string {
  if (/^[}\]]/.test(found) && before.trimEnd().endsWith(',')) {
    return 'follows a comma; JSON has none after the last member';
  }
  if (found.startsWith("'")) return 'is in single quotes; JSON has double quotes';
  return SYNTAX_WORDS[code] ?? 'is not valid JSON';
}

/** The parser finds no value, or runs out of stack on absurd nesting. */
function unreadableFault(empty: boolean): JsonFault {
  const message = empty ? 'the file is empty' : 'the file is nested too deeply to be read';
  return { kind: 'syntax', pointer: '', position: { line: 1, column: 1 }, message };
}

function toValue(
  node: Node,
  pointer: string,
  faults: JsonFault[],
  at: (offset: number) => Position,
  depth = 0,
): Json {
  if (depth > MAX_DEPTH) {
    const message = `the value here is nested deeper than ${String(MAX_DEPTH)} levels`;
    if (!faults.some(({ kind }) => kind === 'depth')) {
      faults.push({ kind: 'depth', pointer: '', position: at(node.offset), message });
    }
    return null;
  }
  if (node.type === 'array') {
    return (node.children ?? []).map((child, index) =>
      toValue(child, `${pointer}/${String(index)}`, faults, at, depth + 1),
    );
  }
  if (node.type !== 'object') {
    if (typeof node.value === 'number' && !Number.isFinite(node.value)) {
      const message = 'the number is too large: readers would take it for infinity';
      faults.push({ kind: 'syntax', pointer, position: at(node.offset), message });
    }
    return node.value as Json;
  }
  const object: Record<string, Json> = {};
  for (const property of node.children ?? []) {
    const [name, child] = property.children ?? [];
    if (name === undefined || child === undefined) continue;
    const key = name.value as string;
    const path = joinPointer(pointer, key);
    if (Object.hasOwn(object, key)) faults.push(duplicateFault(key, path, at(name.offset)));
    setOwn(object, key, toValue(child, path, faults, at, depth + 1));
  }
  return object;
}

function duplicateFault(key: string, pointer: string, position: Position): JsonFault {
  const message = `the key ${JSON.stringify(key)} stands twice in one object; keep one`;
  return { kind: 'duplicate-key', pointer, position, message };
}

function findOffset(tree: Node | undefined, pointer: string, key: boolean): number {
  let segments = splitPointer(pointer);
  while (tree !== undefined) {
    const node = findNodeAtLocation(tree, pathTo(tree, segments));
    if (node !== undefined) {
      const name = key && node.parent?.type === 'property' ? node.parent.children?.[0] : undefined;
      return (name ?? node).offset;
    }
    // A pointer to something that is missing is shown at the nearest thing that is there.
    segments = segments.slice(0, -1);
  }
  return 0;
}

/** jsonc-parser wants numbers for array steps and strings for members. */
function pathTo(tree: Node, segments: readonly string[]): (string | number)[] {
  const path: (string | number)[] = [];
  for (const segment of segments) {
    const parent = findNodeAtLocation(tree, path);
    path.push(parent?.type === 'array' ? Number(segment) : segment);
  }
  return path;
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let index = text.indexOf('\n'); index !== -1; index = text.indexOf('\n', index + 1)) {
    starts.push(index + 1);
  }
  return starts;
}

function toPosition(starts: readonly number[], offset: number): Position {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
}
