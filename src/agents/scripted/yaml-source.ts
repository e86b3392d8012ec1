/** YAML with positions, so that a fault can be shown where it stands. */
import type { Document, Node, Pair, YAMLError } from 'yaml';
import { LineCounter, isAlias, isMap, isScalar, isSeq, parseDocument } from 'yaml';
import type { Path } from './faults.ts';

/** A place in a file; both count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

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
export interface YamlFault extends Position {
  readonly message: string;
  readonly hint?: string;
}

/** Up to how many values the aliases of a file may come to. */
const MAX_ALIASED = 1000;

/** Reads YAML 1.2. Never throws: what a parser cannot cope with is a fault as well. */
export function readYaml(text: string): YamlSource {
  const lines = new LineCounter();
  const locateOffset = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
    const problems: readonly YAMLError[] = [...document.errors, ...document.warnings];
    const faults = problems.map((problem) => ({
      ...locateOffset(problem.pos[0]),
      ...describe(problem),
    }));
    return {
      value: faults.length > 0 ? undefined : document.toJS({ maxAliasCount: MAX_ALIASED }),
      faults,
      locate: (path, atKey = false) => locateOffset(findOffset(document, path, atKey)),
    };
  } catch (error) {
    // Aliases of aliases, or nesting that no stack holds.
    const reason = error instanceof Error ? error.message : String(error);
    const start = { line: 1, column: 1 };
    const message = `the file is too involved to be read: ${reason}`;
    const hint = 'Use fewer aliases and less nesting.';
    return { value: undefined, faults: [{ ...start, message, hint }], locate: () => start };
  }
}

function describe({ code, message }: YAMLError): {
  readonly message: string;
  readonly hint?: string;
} {
  switch (code) {
    case 'DUPLICATE_KEY':
      return { message: 'this name stands here twice', hint: 'Keep one of the two.' };
    case 'MULTIPLE_DOCS':
      return {
        message: 'a second document begins here',
        hint: 'A file holds one scenario: remove what follows the line of three dashes.',
      };
    case 'TAB_AS_INDENT':
      return { message: 'a tab stands where YAML indents', hint: 'Indent with spaces.' };
    default:
      return { message: `this is no YAML: ${message}` };
  }
}

function findOffset(document: Document, path: Path, atKey: boolean): number {
  let node: unknown = document.contents;
  let offset = offsetOf(node) ?? 0;
  for (const [index, name] of path.entries()) {
    const around = isAlias(node) ? node.resolve(document) : node;
    const pair = isMap(around) ? around.items.find(({ key }) => isNamed(key, name)) : undefined;
    node = isSeq(around) ? around.items[Number(name)] : pair?.value;
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
