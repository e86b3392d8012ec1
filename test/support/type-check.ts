/** Type checks texts that stand in no file. */
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { repository } from './projects.ts';

/** What the compiler complains about, and where. */
export interface Complaint {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

const base: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  moduleDetection: ts.ModuleDetectionKind.Force,
  lib: ['lib.es2022.d.ts'],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  // The libraries are not what is tested, and take seconds.
  skipDefaultLibCheck: true,
  noEmit: true,
};

/** Below it the texts seem to stand; the packages of the repository can be imported from there. */
const place = join(repository, 'test', 'virtual');
const libraries = new Map<string, ts.SourceFile | undefined>();

/** Checks modules given by path; they may import each other and the repository's packages. */
export function checkTypes(
  texts: ReadonlyMap<string, string>,
  options: ts.CompilerOptions = {},
): readonly Complaint[] {
  const all = { ...base, ...options };
  const files = new Map([...texts].map(([path, text]) => [join(place, path), text]));
  const host = createHost(files, all);
  const program = ts.createProgram([...files.keys()], all, host);
  return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => ({
    file: file === undefined ? '' : file.fileName.replace(`${place}/`, ''),
    line: file === undefined ? 0 : file.getLineAndCharacterOfPosition(start ?? 0).line + 1,
    message: ts.flattenDiagnosticMessageText(messageText, '\n'),
  }));
}

function createHost(
  files: ReadonlyMap<string, string>,
  options: ts.CompilerOptions,
): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  const disk = { ...host };
  const folders = new Set<string>();
  for (const path of files.keys()) {
    for (let folder = dirname(path); !folders.has(folder); folder = dirname(folder))
      folders.add(folder);
  }
  host.getSourceFile = (path, version, ...rest) => {
    const text = files.get(path);
    if (text !== undefined) return ts.createSourceFile(path, text, version, true);
    // The libraries are the same for every program, and take the longest to parse.
    if (!path.includes('/typescript/lib/')) return disk.getSourceFile(path, version, ...rest);
    if (!libraries.has(path)) libraries.set(path, disk.getSourceFile(path, version, ...rest));
    return libraries.get(path);
  };
  host.fileExists = (path) => files.has(path) || disk.fileExists(path);
  host.readFile = (path) => files.get(path) ?? disk.readFile(path);
  host.directoryExists = (path) => folders.has(path) || (disk.directoryExists?.(path) ?? false);
  return host;
}

/** A JSON value as the type that has it as its only value. */
export function literalType(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literalType).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}: ${literalType(member)}`,
  );
  return `{ ${members.join('; ')} }`;
}
