/** The generator as a process, and trees of files as it leaves them. */
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { repository } from './projects.ts';

/** The program that `npm run codegen` starts. */
export const launcher = join(repository, 'codegen', 'launch.mjs');

/** How a run ended. */
export interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the generator with arguments, to its end. */
export function runCodegen(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Run {
  const { status, stdout, stderr } = spawnSync(process.execPath, [launcher, ...args], {
    encoding: 'utf8',
    cwd: repository,
    // The surroundings of the test run must not decide how a report looks.
    env: { ...process.env, GITHUB_ACTIONS: '', NO_COLOR: '1', ...environment },
  });
  return { code: status, out: stdout, err: stderr };
}

/** All files below a folder, by path with forward slashes, sorted. */
export function readTree(folder: string): ReadonlyMap<string, string> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}
