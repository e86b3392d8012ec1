/** A copy of a small project that a test may damage, and the generator run on it. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Run } from './command-line.ts';
import { readTree, runCodegen } from './command-line.ts';
import { makeFolder, repository } from './projects.ts';

/** One copy. Paths are relative to its root. */
export interface ScratchProject {
  readonly root: string;
  run(...args: readonly string[]): Run;
  read(path: string): string;
  write(path: string, text: string): void;
  edit(path: string, change: (text: string) => string): void;
  /** Changes the one text; an error when it does not occur exactly once. */
  replace(path: string, from: string, to: string): void;
  delete(path: string): void;
  move(from: string, to: string): void;
  exists(path: string): boolean;
  tree(): ReadonlyMap<string, string>;
  /** What tells whether a file was written again: when, and which file it is. */
  identity(path: string): string;
  remove(): void;
}

/** Copies a project: the golden one of a third party, unless another is given. */
export function copyProject(
  source: string = join(repository, 'test/golden/acme/input'),
): ScratchProject {
  const { path: root, remove } = makeFolder('project');
  cpSync(source, root, { recursive: true });
  const at = (path: string): string => join(root, path);
  const project: ScratchProject = {
    root,
    run: (...args) => runCodegen([...args, '--root', root]),
    read: (path) => readFileSync(at(path), 'utf8'),
    write: (path, text) => {
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), text);
    },
    edit: (path, change) => {
      writeFileSync(at(path), change(project.read(path)));
    },
    replace: (path, from, to) => {
      const [before = '', after, ...more] = project.read(path).split(from);
      if (after === undefined || more.length > 0)
        throw new Error(`${path}: ${from} is not there once`);
      writeFileSync(at(path), before + to + after);
    },
    delete: (path) => {
      rmSync(at(path), { recursive: true });
    },
    move: (from, to) => {
      renameSync(at(from), at(to));
    },
    exists: (path) => existsSync(at(path)),
    tree: () => readTree(root),
    identity: (path) => {
      const { mtimeMs, ino } = statSync(at(path));
      return `${String(mtimeMs)} ${String(ino)}`;
    },
    remove,
  };
  return project;
}
