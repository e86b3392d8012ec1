// What the disk takes: the floor of everything that has to survive a power cut.
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { median } from './timing.mjs';

/**
 * @param {string} folder on the disk in question
 * @returns {number} milliseconds until a small write is on the disk, the median of 20
 */
export function timeDisk(folder) {
  const file = openSync(join(folder, 'sync'), 'w');
  const times = Array.from({ length: 20 }, () => {
    const start = performance.now();
    writeSync(file, 'x'.repeat(4096));
    fsyncSync(file);
    return performance.now() - start;
  });
  closeSync(file);
  return median(times);
}
