/** YAML with positions, so that a fault can be shown where it stands. */
import type { Document, Node, Pair, YAMLError } from 'yaml';
import { LineCounter, isCollection, isMap, isScalar, isSeq, parseDocument, visit } from 'yaml';
import type { Path, Position } from './faults.ts';

/** A file that was read. */
export interface YamlSource {
  /** What it holds; undefined when it is no YAML. */
  readonly value: unknown;
  /** What is wrong with it as YAML. */
  readonly faults: readonly YamlFault[];
  /** Where a value stands, or the nearest value around it; with `atKey` the name before it. */
  locate(path: Path, atKey?: boolean): Position;
}

/** Something that YAML does not allow. */
interface YamlFault extends Position {
  readonly message: string;
  readonly hint?: string;
}

/**
 * Reads YAML 1.2 as far as it says what JSON can. Never throws: what a parser cannot cope with is a fault, too.
 *
 * @param scalars `texts`: every value that is no list or map is the text that stands there, so that `version: 1.10` is
 *   "1.10"; `guessed`: what looks like a number, a truth value or null is one
 */
export function readYaml(text: string, scalars: 'guessed' | 'texts' = 'guessed'): YamlSource {
  const schema = scalars === 'texts' ? 'failsafe' : 'core';
  const lines = new LineCounter();
  const locateOffset = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, schema });
    const problems = [...document.errors, ...document.warnings].map(describe);
    const faults = [...problems, ...findForeign(document)].map(({ offset, ...fault }) => ({
      ...locateOffset(offset),
      ...fault,
    }));
    return {
      value: faults.length > 0 ? undefined : document.toJS(),
      faults,
      locate: (path, atKey = false) => locateOffset(findOffset(document, path, atKey)),
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const start = { line: 1, column: 1 };
    const fault = { ...start, message: `the file cannot be read as YAML: ${reason}`, hint: DEEP };
    return { value: undefined, faults: [fault], locate: () => start };
  }
}

type Found = Omit<YamlFault, keyof Position> & { readonly offset: number };

const DEEP = 'Lists and maps may be nested a few hundred levels deep.';

function describe({ code, message, pos: [offset] }: YAMLError): Found {
  switch (code) {
    case 'DUPLICATE_KEY':
      return { offset, message: 'this name stands here twice', hint: 'Keep one of the two.' };
    case 'MULTIPLE_DOCS':
      return {
        offset,
        message: 'a second document begins here',
        hint: 'A file holds one: remove what follows.',
      };
    case 'TAB_AS_INDENT':
      return { offset, message: 'a tab stands where YAML indents', hint: 'Indent with spaces.' };
    case 'BLOCK_AS_IMPLICIT_KEY':
      return {
        offset,
        message: `this is no YAML: ${message}`,
        hint: 'A text with a colon and a space in it stands in quotes.',
      };
    default: {
      const fault = { offset, message: `this is no YAML: ${message}` };
      return message.includes('call stack') ? { ...fault, hint: DEEP } : fault;
    }
  }
}

/** Tags that the parser follows. */
const FOREIGN_TAGS = /^tag:yaml\.org,2002:(binary|omap|pairs|set|timestamp)$/;

/** What YAML has and JSON has not. Aliases are among it because a few of them can stand for a million values. */
function findForeign(document: Document): readonly Found[] {
  const found: Found[] = [];
  const add = (node: Node, message: string, hint: string): void => {
    found.push({ offset: offsetOf(node) ?? 0, message, hint });
  };
  visit(document, {
    Alias: (_key, node) => {
      add(node, `the alias *${node.source} is not followed`, 'Write out what it stands for.');
    },
    Pair: (_key, { key }) => {
      if (isCollection(key)) add(key, 'a name is a text, not a list or map', 'Write a text.');
    },
    Value: (_key, node) => {
      const [, tag] = FOREIGN_TAGS.exec(node.tag ?? '') ?? [];
      if (tag !== undefined) add(node, `JSON has nothing for the tag !!${tag}`, 'Leave it out.');
      if (!isScalar(node) || typeof node.value !== 'number' || Number.isFinite(node.value)) return;
      add(node, `JSON has no number ${node.value}`, 'Put it in quotes, or write another number.');
    },
  });
  return found;
}

function findOffset(document: Document, path: Path, atKey: boolean): number {
  let node: unknown = document.contents;
  let offset = offsetOf(node) ?? 0;
  for (const [index, name] of path.entries()) {
    const pair = isMap(node) ? node.items.find(({ key }) => isNamed(key, name)) : undefined;
    node = isSeq(node) ? node.items[Number(name)] : pair?.value;
    if (atKey && pair !== undefined && index === path.length - 1)
      return offsetOf(pair.key) ?? offset;
    offset = offsetOf(node) ?? offsetOf(pair?.key) ?? offset;
  }
  return offset;
}

function isNamed(key: Pair['key'], name: string | number): boolean {
  return isScalar(key) && String(key.value) === String(name);
}

function offsetOf(node: unknown): number | undefined {
  return (node as Partial<Node> | null | undefined)?.range?.[0];
}
