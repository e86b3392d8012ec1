/** The index module of each schema set: all its modules in one. */
import { posix } from 'node:path';
import type { SetModel } from '../model/contract.ts';
import type { EmittedFile, Emitter } from './emitter.ts';
import { banner } from './emitter.ts';
import { printJson } from './print-type.ts';

/** Emits `<name>/index.js` and its declarations. */
export const setModules: Emitter = {
  name: 'set modules',
  emit: ({ sets, project }) => sets.flatMap((set) => emitIndex(set, project.configFile.path)),
};

function emitIndex({ folder, modules }: SetModel, source: string): readonly EmittedFile[] {
  const lines = modules.map(
    ({ path }) => `export * from ${printJson(`./${posix.basename(path)}.js`)};\n`,
  );
  const text = `${banner(source)}\n${lines.join('')}`;
  const path = `generated/${folder}/index`;
  return [
    { path: `${path}.js`, text },
    { path: `${path}.d.ts`, text },
  ];
}
