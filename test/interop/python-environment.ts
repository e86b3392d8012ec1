/** A Python environment with the Python SDK in it, made once and kept. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '../support/projects.ts';

const run = promisify(execFile);

const requirements = join(repository, 'test', 'interop', 'python', 'requirements.txt');
const place = join(repository, 'node_modules', '.cache', 'python-sdk');

/** The interpreter to use, or why there is none. */
export type Python = { readonly interpreter: string } | { readonly missing: string };

/** Oldest first: what the SDK supports for longest is what it was tested with most. */
const CANDIDATES = ['python3', 'python3.10', 'python3.11', 'python3.12', 'python3.13', 'python'];
const CHECK = 'import sys, venv, ensurepip; sys.exit(0 if sys.version_info >= (3, 10) else 1)';

/** Finds a Python of at least 3.10 and sees to it that the SDK is installed for it. */
export async function preparePython(): Promise<Python> {
  const interpreter = join(place, 'bin', 'python');
  const done = join(place, 'installed.txt');
  const wanted = readFileSync(requirements, 'utf8');
  if (existsSync(done) && readFileSync(done, 'utf8') === wanted) return { interpreter };
  const python = await findPython();
  if (python === undefined) return { missing: 'there is no Python of at least 3.10' };
  try {
    rmSync(place, { recursive: true, force: true });
    await run(python, ['-m', 'venv', place], { timeout: 60_000 });
    const install = [
      '-m',
      'pip',
      'install',
      '--quiet',
      '--disable-pip-version-check',
      '--retries',
      '1',
    ];
    await run(interpreter, [...install, '-r', requirements], { timeout: 180_000 });
    writeFileSync(done, wanted);
    return { interpreter };
  } catch (error) {
    const [line = ''] = String(error)
      .split('\n')
      .filter((each) => /error/i.test(each))
      .slice(-1);
    return { missing: `the Python SDK could not be installed: ${line.trim()}` };
  }
}

async function findPython(): Promise<string | undefined> {
  for (const candidate of CANDIDATES) {
    try {
      await run(candidate, ['-c', CHECK], { timeout: 10_000 });
      return candidate;
    } catch {
      // Not there, too old, or without what makes environments.
    }
  }
  return undefined;
}
