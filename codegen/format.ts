/** Format: what every written file has in common, whatever emitted it. */
import type { EmittedFile } from './emitters/emitter.ts';

/**
 * Files by path, sorted: LF line ends, no space before them, one line end at the end. Two emitters
 * that write the same path are a fault of the generator.
 */
export function formatFiles(files: readonly EmittedFile[]): ReadonlyMap<string, string> {
  const formatted = new Map<string, string>();
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  for (const { path, text } of sorted) {
    if (formatted.has(path)) throw new Error(`two emitters write ${path}`);
    formatted.set(
      path,
      `${text
        .replaceAll('\r\n', '\n')
        // Half of a character has no UTF-8: written as it is, the file would never be as rendered.
        .replaceAll(/\p{Surrogate}/gu, '\uFFFD')
        .replace(/[ \t]+(?=\n)/g, '')
        .trimEnd()}\n`,
    );
  }
  return formatted;
}
