/**
 * The hand-written runtime as it ships: only what generated code imports, and a module that a single
 * other one imports joined with it, because each file costs a consumer's start (or a browser a request).
 */
import type { EmittedFile } from './emitter.ts';

/** One module of the runtime: what it imports, by module, and the rest of its text. */
interface Part {
  readonly imports: ReadonlyMap<string, readonly string[]>;
  readonly body: string;
}

const IMPORT = /^import \{([^}]*)\} from '\.\/([\w-]+)\.js';\n/gm;
const DECLARED = /^(?:export )?(?:async )?(?:function|class|const|let) (\w+)/gm;

/** The files of `runtime/` that emitted files need. */
export function runtimeFiles(
  emitted: readonly EmittedFile[],
  runtime: ReadonlyMap<string, string>,
): readonly EmittedFile[] {
  const parts = new Map(
    [...runtime]
      .filter(([file]) => !file.endsWith('.d.ts'))
      .map(([file, text]) => [file.replace(/\.js$/, ''), parsePart(text)]),
  );
  const doors = new Set(emitted.flatMap(({ text }) => runtimeImports(text)));
  const files = [...findFiles(parts, doors)].sort().map((name) => ({
    path: `generated/runtime/${name}.js`,
    text: linkFile(parts, name, doors),
  }));
  const declarations = findDeclarations(runtime, [...files, ...emitted]);
  return [...files, ...declarations];
}

function parsePart(text: string): Part {
  const imports = new Map<string, readonly string[]>();
  for (const [, names = '', module = ''] of text.matchAll(IMPORT)) {
    imports.set(
      module,
      names
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean),
    );
  }
  return { imports, body: text.replaceAll(IMPORT, '') };
}

/** The names of runtime modules that an emitted file imports. */
function runtimeImports(text: string): readonly string[] {
  return [...text.matchAll(/(?:from|import\() ?["'][^"']*\/runtime\/([\w-]+)\.js["']/g)].map(
    ([, name = '']) => name,
  );
}

/** The modules that stay files: doors, and what more than one of the files imports. */
function findFiles(parts: ReadonlyMap<string, Part>, doors: Set<string>): ReadonlySet<string> {
  const files = new Set([...doors].filter((name) => parts.has(name)));
  for (let size = -1; size < files.size;) {
    size = files.size;
    const holders = new Map<string, Set<string>>();
    for (const file of files) {
      for (const part of joined(parts, file, files)) {
        for (const imported of parts.get(part)?.imports.keys() ?? []) {
          holders.set(imported, (holders.get(imported) ?? new Set<string>()).add(file));
        }
      }
    }
    for (const [name, by] of holders) if (by.size > 1) files.add(name);
  }
  for (const name of files) doors.add(name);
  return files;
}

/** A file's module and those that are joined with it, dependencies first. */
function joined(
  parts: ReadonlyMap<string, Part>,
  name: string,
  files: ReadonlySet<string>,
  done = new Set<string>(),
): readonly string[] {
  const before = [...(parts.get(name)?.imports.keys() ?? [])].flatMap((imported) => {
    if (files.has(imported) || done.has(imported)) return [];
    done.add(imported);
    return joined(parts, imported, files, done);
  });
  return [...before, name];
}

function linkFile(
  parts: ReadonlyMap<string, Part>,
  name: string,
  files: ReadonlySet<string>,
): string {
  const imports = new Map<string, Set<string>>();
  const declared = new Set<string>();
  const bodies = joined(parts, name, files).map((part) => {
    const { imports: own, body } = parts.get(part) ?? {
      imports: new Map<string, string[]>(),
      body: '',
    };
    for (const [module, names] of own) {
      if (files.has(module))
        imports.set(module, new Set([...(imports.get(module) ?? []), ...names]));
    }
    for (const [, word = ''] of body.matchAll(DECLARED)) {
      if (declared.has(word))
        throw new Error(`runtime/${part}.js declares ${word}, as a module beside it does`);
      declared.add(word);
    }
    return part === name ? body : body.replaceAll(/^export /gm, '');
  });
  const lines = [...imports]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([module, names]) => `import { ${[...names].sort().join(', ')} } from './${module}.js';\n`,
    );
  return [lines.join(''), ...bodies].filter((text) => text !== '').join('\n');
}

/** The declarations beside the files, and those that declarations import. */
function findDeclarations(
  runtime: ReadonlyMap<string, string>,
  files: readonly EmittedFile[],
): readonly EmittedFile[] {
  const found = new Map<string, string>();
  const queue = files.flatMap(({ path, text }) => {
    const own = /^generated\/runtime\/([\w-]+)\.js$/.exec(path)?.[1];
    return own === undefined ? runtimeImports(text) : [own];
  });
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    const text = runtime.get(`${name}.d.ts`);
    if (text === undefined || found.has(name)) continue;
    found.set(name, text);
    for (const [, imported = ''] of text.matchAll(/'\.\/([\w-]+)\.js'/g)) queue.push(imported);
  }
  return [...found]
    .sort()
    .map(([name, text]) => ({ path: `generated/runtime/${name}.d.ts`, text }));
}
