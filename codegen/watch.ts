/** Watch: run again after each change, until the process is told to stop. */
import type { FSWatcher } from 'node:fs';
import { existsSync, watch } from 'node:fs';
import { join } from 'node:path';

/** Quiet time after a change before a run: editors write a file in several steps. Milliseconds. */
const SETTLE = 40;

/** How often it is looked whether the folder, once gone, is there again. Milliseconds. */
const LOOK = 500;

/**
 * Calls `run` after each change below `schemas/`, watching from when it returns; resolves when `signal`
 * aborts. The folder may go and come again, as it does when another branch is checked out.
 */
export function watchSchemas(root: string, signal: AbortSignal, run: () => void): Promise<void> {
  const folder = join(root, 'schemas');
  let timer: NodeJS.Timeout | undefined;
  let watcher: FSWatcher | undefined;

  const attach = (): void => {
    watcher?.close();
    watcher = existsSync(folder) ? watch(folder, { recursive: true }, runSoon) : undefined;
    watcher?.on('error', runSoon);
  };
  const runSoon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      // Anew, before the run: what was watched may have been moved away.
      attach();
      run();
    }, SETTLE);
  };
  attach();
  const look = setInterval(() => {
    if (watcher === undefined && existsSync(folder)) runSoon();
  }, LOOK);
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      clearInterval(look);
      clearTimeout(timer);
      watcher?.close();
      resolve();
    });
  });
}
