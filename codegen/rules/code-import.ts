/** CODE_IMPORT: hand-written code reaches only what is in the package with it. */
import type { Diagnostic } from '../diagnostics.ts';
import type { CodeFile } from '../hand-written.ts';
import { findImports, importableModules } from '../hand-written.ts';
import { nearestName } from '../names.ts';
import type { Rule } from './rule.ts';

/** The package has no dependencies, and no file of this repository beside it. */
export const codeImport: Rule = {
  id: 'CODE_IMPORT',
  purpose:
    "Hand-written code imports the package's own modules, by the package's name, and nothing else: where the package is installed there is nothing else.",
  check: ({ project }) => {
    const known = importableModules(project);
    return project.code.flatMap(({ code, types }) =>
      [code, types].flatMap((file) => checkFile(file, [...known.keys()], project.config.name)),
    );
  },
};

function checkFile(file: CodeFile, known: readonly string[], name: string): readonly Diagnostic[] {
  return findImports(file.text).flatMap(({ specifier, offset }) => {
    if (known.includes(specifier) || isOwn(file, specifier)) return [];
    const before = file.text.slice(0, offset).split('\n');
    const near = nearestName(specifier, known);
    const hint =
      near === undefined ? `What it may import: ${known.join(', ')}.` : `Did you mean ${near}?`;
    const message = specifier.startsWith(`${name}/`)
      ? `the package has no module ${specifier} for hand-written code`
      : `hand-written code cannot import ${specifier}: ${specifier === name ? 'the index imports it' : 'it is not in the package'}`;
    const place = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
    return [{ rule: codeImport.id, file: file.path, pointer: '', ...place, message, hint }];
  });
}

/** Types in comments of the code come from the declarations beside it. */
function isOwn({ path }: CodeFile, specifier: string): boolean {
  const stem = path.slice(path.lastIndexOf('/') + 1).replace(/(\.js|\.d\.ts)$/, '');
  return specifier === `./${stem}.js`;
}
