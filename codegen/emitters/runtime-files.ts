/** The hand-written modules that generated code imports, copied as they are. */
import type { EmittedFile } from './emitter.ts';

const IMPORT = /(?:from|import\() ?["'](?:[^"']*\/runtime\/|\.\/)([\w-]+)\.js["']/g;

/** The modules of the runtime that emitted files import, and what these import, declarations included. */
export function runtimeFiles(
  emitted: readonly EmittedFile[],
  runtime: ReadonlyMap<string, string>,
): readonly EmittedFile[] {
  const used = new Set<string>();
  const queue = emitted.flatMap(({ text }) =>
    importedModules(text, (path) => path.includes('/runtime/')),
  );
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (used.has(name)) continue;
    used.add(name);
    for (const file of [`${name}.js`, `${name}.d.ts`]) {
      queue.push(...importedModules(runtime.get(file) ?? '', () => true));
    }
  }
  return [...runtime]
    .filter(([file]) => used.has(file.replace(/\.(?:js|d\.ts)$/, '')))
    .map(([file, text]) => ({ path: `generated/runtime/${file}`, text }));
}

/** The names of imported modules whose paths pass a test. */
function importedModules(text: string, test: (path: string) => boolean): readonly string[] {
  return [...text.matchAll(IMPORT)].flatMap(([path, name = '']) => (test(path) ? [name] : []));
}
