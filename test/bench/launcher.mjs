// The generator's command line as a process, in the two ways that benches time it.
import { timeProcess } from './timing.mjs';

/**
 * The generator renders the whole contract and compares it with the disk.
 *
 * @returns {number} wall time in milliseconds
 */
export function timeRender() {
  return timeProcess(['codegen/launch.mjs', '--check', '--no-cache']);
}

/**
 * The generator proves by its content hash that nothing has changed since the last clean run.
 *
 * @returns {number} wall time in milliseconds
 */
export function timeCached() {
  return timeProcess(['codegen/launch.mjs', '--check']);
}

/** Makes the clean run that `timeCached` builds on; throws when the tree has drifted. */
export function makeCleanRun() {
  try {
    timeCached();
  } catch (cause) {
    throw new Error('the generator has to find everything up to date first', { cause });
  }
}
