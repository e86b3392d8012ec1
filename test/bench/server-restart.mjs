// How long a server takes that was killed with 10,000 tasks open, until it says that it is ready: 8,000 wait for an
// answer, the turns of 1,000 ran, and 1,000 have a turn that had yet to begin. Then, how long the first new message
// waits for its answer, and how long all those turns take.
//
// Goal: ready within 2 seconds; the rest is stated.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { createMessage, createRequest, openConnection } from './connection.mjs';
import { atMost, createFigure, stated } from './figure.mjs';
import { startOurs } from './servers.mjs';
import { importBundled } from './source.mjs';
import { formatTime, median } from './timing.mjs';

const COUNTS = { asking: 8000, lost: 1000, idle: 1000 };
const ROUNDS = 5;
/** The launcher keeps what it compiled two seconds after its first start: milliseconds. */
const UNTIL_KEPT = 3000;

/** @type {import('./figure.mjs').Bench} */
export const bench = {
  names: ['server-restart', 'server-restart-answer', 'server-restart-turns'],
  measure: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tiny-harness-bench-'));
    try {
      const { fillOpenTasks } = /** @type {typeof import('./fill-open-tasks.mjs')} */ (
        await importBundled('fill-open-tasks.mjs')
      );
      const left = join(folder, 'left.db');
      await fillOpenTasks(left, COUNTS, nameGone());
      const empty = join(folder, 'empty.db');
      const first = await startOurs({ database: empty });
      await setTimeout(UNTIL_KEPT);
      await first.stop();
      const empties = [];
      const rounds = [];
      for (let round = 0; round < ROUNDS; round++) {
        empties.push(await timeStart(empty));
        const database = join(folder, `tasks-${String(round)}.db`);
        copyFileSync(left, database);
        rounds.push(await restart(database));
      }
      return createFigures(median(empties), rounds);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** @returns {string} the name, as leases have it, of a process on this host that is gone */
function nameGone() {
  const { pid } = spawnSync(process.execPath, ['-e', '0']);
  return `${hostname()}/${String(pid)}/gone`;
}

/**
 * @param {string} database
 * @returns {Promise<{ ready: number, answer: number, turns: number }>} milliseconds from the start of the process; the
 *   answer's from when it was ready
 */
async function restart(database) {
  const start = performance.now();
  const server = await startOurs({ database });
  try {
    await requireReady(server.port);
    const ready = performance.now() - start;
    const connection = await openConnection(server.port);
    await connection.send(createRequest('SendMessage', createMessage()));
    const answer = performance.now() - start - ready;
    // Each of them is answered, and waits for its next message then.
    const query = { status: 'TASK_STATE_INPUT_REQUIRED', pageSize: 1 };
    const all = COUNTS.asking + COUNTS.lost + COUNTS.idle + 1;
    for (;;) {
      const page = await connection.send(createRequest('ListTasks', query));
      if (page.includes(`"totalSize":${String(all)}`)) break;
      await setTimeout(20);
    }
    connection.close();
    return { ready, answer, turns: performance.now() - start };
  } finally {
    await server.stop();
  }
}

/**
 * @param {string} database
 * @returns {Promise<number>} milliseconds until it is ready
 */
async function timeStart(database) {
  const start = performance.now();
  const { port, stop } = await startOurs({ database });
  await requireReady(port);
  const time = performance.now() - start;
  await stop();
  return time;
}

/** @param {number} port */
async function requireReady(port) {
  const { status } = await fetch(`http://127.0.0.1:${String(port)}/readyz`);
  if (status !== 200) throw new Error(`a server that listens is not ready: ${String(status)}`);
}

/**
 * @param {number} empty milliseconds until it is ready with an empty database
 * @param {readonly { ready: number, answer: number, turns: number }[]} rounds
 */
function createFigures(empty, rounds) {
  const ready = median(rounds.map((each) => each.ready));
  const answer = median(rounds.map((each) => each.answer));
  const turns = median(rounds.map((each) => each.turns));
  const { asking, lost, idle } = COUNTS;
  return [
    createFigure({
      bench: 'server-restart',
      value: ready / 1000,
      unit: 's',
      goal: atMost(2),
      note: `from the start of the process until /readyz says yes, with ${String(asking)} tasks that wait for an answer, ${String(lost)} whose turn was cut off and ${String(idle)} whose turn had yet to begin, against ${formatTime(empty)} without any; median of ${String(ROUNDS)}`,
    }),
    createFigure({
      bench: 'server-restart-answer',
      value: answer,
      unit: 'ms',
      goal: stated,
      note: 'from then until a new message is answered',
    }),
    createFigure({
      bench: 'server-restart-turns',
      value: turns / 1000,
      unit: 's',
      goal: stated,
      note: `until all ${String(lost + idle)} turns have been run; ${formatTime(ready)} of it until it is ready`,
    }),
  ];
}
