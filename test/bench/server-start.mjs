// How long a person waits for the server, as a multiple of what any Node process takes: from `npm start`'s process
// to `listening on`, with a database that is there and a launcher that has run before.
//
// Goal: at most 5.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { atMost, createFigure } from './figure.mjs';
import { startOurs } from './servers.mjs';
import { FLOOR_UNIT, formatTime, median, takeTurns, timeFloor } from './timing.mjs';

const ROUNDS = 15;
/** The launcher keeps what it compiled two seconds after its first start: milliseconds. */
const UNTIL_KEPT = 3000;

/** @type {import('./figure.mjs').Bench} */
export const bench = {
  names: ['server-start'],
  measure: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tiny-harness-bench-'));
    const database = join(folder, 'tasks.db');
    try {
      const first = await startOurs({ database });
      await setTimeout(UNTIL_KEPT);
      await first.stop();
      const times = await takeTurns(
        { floor: () => Promise.resolve(timeFloor()), start: () => timeStart(database) },
        ROUNDS,
      );
      const [floor, start] = [median(times.floor), median(times.start)];
      return [
        createFigure({
          bench: 'server-start',
          value: start / floor,
          unit: FLOOR_UNIT,
          goal: atMost(5),
          note: `${formatTime(start)} until it listens against ${formatTime(floor)}, ${String(ROUNDS)} rounds`,
        }),
      ];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/**
 * @param {string} database
 * @returns {Promise<number>} milliseconds
 */
async function timeStart(database) {
  const start = performance.now();
  const { stop } = await startOurs({ database });
  const time = performance.now() - start;
  await stop();
  return time;
}
