/** The hand-written code of a contract, as it ships. */
import type { CodeFile } from '../hand-written.ts';
import { importableModules } from '../hand-written.ts';
import type { ContractModel } from '../model/contract.ts';
import type { EmittedFile, Emitter } from './emitter.ts';

/** Emits `<name>.js` and `<name>.d.ts` of each module, imports by the package's name made relative. */
export const codeModules: Emitter = {
  name: 'code modules',
  emit: (model) =>
    model.project.code.flatMap(({ name, code, types }) => [
      { path: `generated/${name}.js`, text: ship(model, code) },
      { path: `generated/${name}.d.ts`, text: ship(model, types) },
    ]),
};

function ship({ project }: ContractModel, { path, text }: CodeFile): EmittedFile['text'] {
  let linked = text;
  for (const [specifier, file] of importableModules(project)) {
    linked = linked
      .replaceAll(`'${specifier}'`, `'${file}'`)
      .replaceAll(`"${specifier}"`, `"${file}"`);
  }
  return `// Copied by tiny-harness codegen from ${path}. Do not edit: change that file and run codegen.\n${linked}`;
}
