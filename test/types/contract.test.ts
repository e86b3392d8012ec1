/** The contract package as a consumer's compiler sees it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { repository } from '../support/projects.ts';
import { checkTypes } from '../support/type-check.ts';

const claims = ['contract', 'a2a'].map((name) => {
  const path = join(repository, 'test', 'types', `${name}.test-d.ts`);
  return [`${name}.ts`, readFileSync(path, 'utf8')] as const;
});

const resolutions: readonly (readonly [name: string, options: ts.CompilerOptions])[] = [
  ['node16', { module: ts.ModuleKind.Node16, moduleResolution: ts.ModuleResolutionKind.Node16 }],
  [
    'nodenext',
    { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
  ],
  ['bundler', { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler }],
];

const libraries: readonly (readonly [name: string, lib: readonly string[]])[] = [
  ['the language alone', ['lib.es2022.d.ts']],
  ['a browser', ['lib.es2022.d.ts', 'lib.dom.d.ts']],
];

describe.each(resolutions)('compiled with module resolution %s', (_resolution, options) => {
  it.each(libraries)('for %s: says what it should', { timeout: 60_000 }, (_library, lib) => {
    const complaints = checkTypes(new Map(claims), {
      ...options,
      lib: [...lib],
    });
    expect(complaints).toEqual([]);
  });
});

describe('an editor', { timeout: 60_000 }, () => {
  const head = "import type { TaskSubState } from '@tiny-harness/contract/status/v1';\n";

  it('offers the known values of an open string', () => {
    const text = `${head}export const state: TaskSubState = { sub_state: '' };\n`;
    expect(complete(text, text.indexOf("''") + 1)).toEqual([
      'awaiting-answer',
      'awaiting-next-message',
    ]);
  });
});

/** The texts that the language service offers at a place. */
function complete(text: string, position: number): readonly string[] {
  const path = join(repository, 'test', 'types', 'completion.ts');
  const host: ts.LanguageServiceHost = {
    getScriptFileNames: () => [path],
    getScriptVersion: () => '1',
    getScriptSnapshot: (file) => {
      const content = file === path ? text : ts.sys.readFile(file);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
    getCurrentDirectory: () => repository,
    getCompilationSettings: () => ({
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      lib: ['lib.es2022.d.ts'],
      types: [],
      strict: true,
    }),
    getDefaultLibFileName: (options) => ts.getDefaultLibFilePath(options),
    fileExists: (file) => file === path || ts.sys.fileExists(file),
    readFile: (file) => (file === path ? text : ts.sys.readFile(file)),
  };
  const service = ts.createLanguageService(host);
  const found = service.getCompletionsAtPosition(path, position, {});
  return (found?.entries ?? []).map(({ name }) => name).sort();
}
