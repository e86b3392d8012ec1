/** Watch: run again after each change, until the process is told to stop. */
import { watch } from 'node:fs';
import { join } from 'node:path';

/** Quiet time after a change before a run: editors write a file in several steps. Milliseconds. */
const SETTLE = 40;

/** Calls `run` after each change below `schemas/`; resolves when `signal` aborts. */
export function watchSchemas(root: string, signal: AbortSignal, run: () => void): Promise<void> {
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    const watcher = watch(join(root, 'schemas'), { recursive: true, signal }, () => {
      clearTimeout(timer);
      timer = setTimeout(run, SETTLE);
    });
    watcher.on('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
