/** A project's package, rendered now and written where it can be imported by its name. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readProject } from '../../codegen/index.ts';
import type { ProjectFiles } from './projects.ts';
import { makeFolder, renderAll, repository, writeFiles } from './projects.ts';

/** A rendered package. */
export interface ContractPackage {
  /** The package's files by path from its root. */
  readonly files: ReadonlyMap<string, string>;
  /** A folder whose `node_modules` hold the package. */
  readonly folder: string;
  /** Imports a module of the package. */
  load(path: string): Promise<unknown>;
  remove(): void;
}

/** Renders a project, this repository's own unless another is given, and writes its package. */
export function writePackage(
  input: ProjectFiles = readProject(repository),
  name = '@tiny-harness/contract',
): ContractPackage {
  const rendered = [...renderAll(input)].filter(([path]) => path.startsWith('generated/'));
  const files = new Map(rendered.map(([path, text]) => [path.slice('generated/'.length), text]));
  const { path: folder, remove } = makeFolder('package');
  const home = join(folder, 'node_modules', ...name.split('/'));
  writeFiles(home, files);
  return {
    files,
    folder,
    load: (path) => import(pathToFileURL(join(home, path)).href) as Promise<unknown>,
    remove,
  };
}

/** The declarations of a package as `checkTypes` takes them, below `contract/`. */
export function declarationsOf({ files }: ContractPackage): ReadonlyMap<string, string> {
  const entries = [...files].filter(([path]) => path.endsWith('.d.ts') || path === 'package.json');
  return new Map(entries.map(([path, text]) => [`contract/${path}`, text]));
}
