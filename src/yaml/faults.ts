/** What is wrong with a YAML file, as a person is told it. */

/** The way from a document to a value in it. */
export type Path = readonly (string | number)[];

/** A place in a file; both count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** One thing that is wrong: where, what, and what to do. */
export interface Fault {
  readonly path: Path;
  /** The name of the member is at fault, not its value. */
  readonly atKey?: boolean;
  readonly message: string;
  readonly hint?: string;
}

/** A fault with its place in the file. */
export type PlacedFault = Fault & Position;

/** How many faults are listed when nothing else is said. */
const MAX_FAULTS = 50;

/**
 * Faults in the order of their places, each as `file:line:column: message`, the JSON pointer of its value and what to
 * do on lines of their own. Lists so many and says how many more there are.
 */
export function formatFaults(
  file: string,
  faults: readonly PlacedFault[],
  limit = MAX_FAULTS,
): string {
  const sorted = [...faults].sort((a, b) => a.line - b.line || a.column - b.column);
  const texts = sorted.map(({ line, column, path, message, hint }) => {
    const place = path.length === 0 ? [] : [`    at ${writePointer(path)}`];
    const advice = hint === undefined ? [] : [`    ${hint}`];
    return [`${file}:${line}:${column}: ${message}`, ...place, ...advice].join('\n');
  });
  // One slip can make a parser say the same many times.
  const unique = [...new Set(texts)];
  const more = unique.length - limit;
  return [...unique.slice(0, limit), ...(more > 0 ? [`… and ${more} more`] : [])].join('\n');
}

/** The names in a JSON pointer. */
export function readPointer(pointer: string): Path {
  const names = pointer.split('/').slice(1);
  return names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function writePointer(path: Path): string {
  const names = path.map((name) => String(name).replaceAll('~', '~0').replaceAll('/', '~1'));
  return names.map((name) => `/${name}`).join('');
}
