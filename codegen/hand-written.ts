/** Hand-written code of a contract: `schemas/code/`, as `code` in `contract.json` lists it. */
import { posix } from 'node:path';
import type { Diagnostic } from './diagnostics.ts';
import { diagnose } from './diagnostics.ts';
import { joinPointer } from './json.ts';
import type { CodeEntry, ContractConfig } from './manifest.ts';
import { nearestName } from './names.ts';
import type { SourceFile } from './source.ts';

/** A module that is copied into the package, its imports of the package turned into relative ones. */
export interface CodeModule extends CodeEntry {
  readonly code: CodeFile;
  readonly types: CodeFile;
  /** A program that shows the module in the README. */
  readonly example: CodeFile | undefined;
}

/** A file that is no JSON. */
export interface CodeFile {
  /** From the project's root. */
  readonly path: string;
  readonly text: string;
}

const FOLDER = 'schemas/code';

/** Finds the files of each listed module; FILE_MISSING, FILE_MISPLACED and CONTRACT_SHAPE say what is wrong. */
export function loadCode(
  configFile: SourceFile,
  { code = [], modules = [] }: ContractConfig,
  texts: ReadonlyMap<string, string>,
): { readonly code: readonly CodeModule[]; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const report = (rule: string, place: string, message: string, hint: string): void => {
    diagnostics.push(diagnose(rule, configFile, place, message, { hint }));
  };
  const found = code.flatMap((entry, index): CodeModule[] => {
    const place = joinPointer('/code', index, 'name');
    if ([...modules, ...code.slice(0, index)].some(({ name }) => name === entry.name)) {
      const message = `the module "${entry.name}" has the name of another`;
      report('CONTRACT_SHAPE', place, message, 'It stands in import paths: give it another.');
    }
    const [js, types, example] = ['js', 'd.ts', 'example.js'].map((extension) => {
      const path = `${FOLDER}/${entry.name}.${extension}`;
      const text = texts.get(path);
      return text === undefined ? undefined : { path, text };
    });
    if (js !== undefined && types !== undefined) return [{ ...entry, code: js, types, example }];
    const missing = `${FOLDER}/${entry.name}.${js === undefined ? 'js' : 'd.ts'}`;
    const hint = 'A module of hand-written code is JavaScript, with its declarations beside it.';
    report('FILE_MISSING', place, `there is no ${missing}`, hint);
    return [];
  });
  return { code: found, diagnostics: [...diagnostics, ...findUnlisted(code, texts)] };
}

function findUnlisted(
  code: readonly CodeEntry[],
  texts: ReadonlyMap<string, string>,
): readonly Diagnostic[] {
  const listed = new Set(code.map(({ name }) => name));
  return [...texts.keys()].flatMap((file) => {
    const stem = posix.basename(file).replace(/(\.example)?\.js$|\.d\.ts$/, '');
    if (listed.has(stem)) return [];
    const near = nearestName(stem, [...listed]);
    const hint =
      near === undefined
        ? 'List it in "code", in schemas/contract.json.'
        : `Call it as the module "${near}" is called.`;
    const message = `nothing reads ${file}: schemas/contract.json lists no code "${stem}"`;
    return [{ rule: 'FILE_MISPLACED', file, pointer: '', line: 1, column: 1, message, hint }];
  });
}

/** Whether a file is read as hand-written code. */
export function isCodePath(path: string): boolean {
  return path.startsWith(`${FOLDER}/`) && /\.(js|d\.ts)$/.test(path);
}

/** One import, or re-export, in a module's text. */
export interface CodeImport {
  readonly specifier: string;
  /** Where the specifier begins in the text. */
  readonly offset: number;
}

const IMPORT = /(?<=(?:\bfrom|\bimport)\s*\(?\s*)(["'])([^"'\n]+)\1/g;

/** The imports of a text, in their order. */
export function findImports(text: string): readonly CodeImport[] {
  return [...text.matchAll(IMPORT)].map(({ index, 2: specifier = '' }) => ({
    specifier,
    offset: index + 1,
  }));
}

/** What hand-written code may import by the package's name, and the file of the package behind it. */
export function importableModules(project: {
  readonly config: ContractConfig;
  readonly extensions: readonly { readonly name: string; readonly version: string }[];
  readonly tools: readonly unknown[];
  readonly card: unknown;
}): ReadonlyMap<string, string> {
  const { config, extensions, tools, card } = project;
  const paths: readonly [string, string][] = [
    ...extensions.map(({ name, version }): [string, string] => [
      `${name}/${version}`,
      `extensions/${name}/${version}/index.js`,
    ]),
    ...(config.modules ?? []).map(({ name }): [string, string] => [name, `${name}/index.js`]),
    ...(config.code ?? []).map(({ name }): [string, string] => [name, `${name}.js`]),
    ...(tools.length === 0 ? [] : [['tools', 'tools/index.js'] as [string, string]]),
    ...(card === undefined ? [] : [['agent-card', 'agent-card.js'] as [string, string]]),
    ['runtime/result', 'runtime/result.js'],
  ];
  return new Map(paths.map(([path, file]) => [`${config.name}/${path}`, `./${file}`]));
}
