// Whether a task costs more as it ages: message 2,000 against message 50, and chunk 2,000 of an artifact against
// chunk 50. The file is on disk, and every step waits for it.
//
// Goal: at most 1.2 times as long.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createMessage, createRequest, openConnection, readTaskId } from './connection.mjs';
import { readStream } from './event-stream.mjs';
import { atMost, createFigure } from './figure.mjs';
import { startOurs } from './servers.mjs';
import { formatTime, median, takeTurns } from './timing.mjs';

/** @typedef {import('./connection.mjs').Connection} Connection */

const YOUNG = 50;
const OLD = 2000;
/** How many steps from there on are timed in each task. */
const STEPS = 40;
/** How many tasks of each age are written to. */
const TASKS = 5;
/** With the messages that a caller gets who does not ask for a number, and with hardly any. */
const HISTORIES = { usual: undefined, short: 1 };

/** @type {import('./figure.mjs').Bench} */
export const bench = {
  names: ['server-message-2000', 'server-chunk-2000'],
  measure: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tiny-harness-bench-'));
    const scenario = join(folder, 'scenario.yaml');
    writeFileSync(scenario, JSON.stringify(createScenario()));
    const server = await startOurs({ database: join(folder, 'tasks.db'), scenario });
    try {
      return [await measureMessages(server.port), await measureChunks(server.port)];
    } finally {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** The agent writes an artifact in many chunks when it is asked to, and repeats what it hears otherwise. */
function createScenario() {
  const chunks = Array.from({ length: OLD + STEPS }, (_, index) => `chunk ${String(index + 1)} `);
  return {
    rules: [{ when: { equals: 'chunks' }, do: [{ artifact: { id: 'text', chunks } }] }],
  };
}

/** @param {number} port */
async function measureMessages(port) {
  const young = await createTasks(port, YOUNG - 1);
  const old = await createTasks(port, OLD - 1);
  // Not sooner: a server closes connections over which nothing comes for a minute.
  const connection = await openConnection(port);
  let turn = 0;
  const ratios = [];
  const notes = [];
  for (const [name, historyLength] of Object.entries(HISTORIES)) {
    const times = await takeTurns(
      {
        young: () => timeMessage(connection, young[turn++ % TASKS], historyLength),
        old: () => timeMessage(connection, old[turn++ % TASKS], historyLength),
      },
      STEPS * TASKS,
    );
    const [youngTime, oldTime] = [median(times.young), median(times.old)];
    ratios.push(oldTime / youngTime);
    notes.push(`${formatTime(oldTime)} against ${formatTime(youngTime)} with ${name} history`);
  }
  connection.close();
  return createFigure({
    bench: 'server-message-2000',
    value: Math.max(...ratios),
    unit: `x message ${String(YOUNG)}`,
    goal: atMost(1.2),
    note: `${notes.join(', ')}; medians of ${String(STEPS * TASKS)}`,
  });
}

/**
 * @param {number} port
 * @param {number} messages that each has had
 * @returns {Promise<readonly string[]>} ids of tasks
 */
function createTasks(port, messages) {
  return Promise.all(
    Array.from({ length: TASKS }, async () => {
      const connection = await openConnection(port);
      const taskId = readTaskId(
        await connection.send(createRequest('SendMessage', createMessage())),
      );
      for (let sent = 1; sent < messages; sent++) await timeMessage(connection, taskId, 1);
      connection.close();
      return taskId;
    }),
  );
}

/**
 * @param {Connection} connection
 * @param {string | undefined} taskId
 * @param {number | undefined} historyLength
 * @returns {Promise<number>} milliseconds until the answer
 */
async function timeMessage(connection, taskId, historyLength) {
  if (taskId === undefined) throw new Error('there is no task to write to');
  const request = createRequest('SendMessage', createMessage({ taskId, historyLength }));
  const start = performance.now();
  await connection.send(request);
  return performance.now() - start;
}

/**
 * Chunks are written one after the other, each when the one before is durable: what passes between two is the cost
 * of one.
 *
 * @param {number} port
 */
async function measureChunks(port) {
  const request = () => createRequest('SendStreamingMessage', createMessage({ text: 'chunks' }));
  const { run } = await takeTurns({ run: () => timeChunks(port, request()) }, TASKS);
  const take = (/** @type {number} */ from) =>
    median(run.flatMap((times) => times.slice(from - 1, from - 1 + STEPS)));
  const [young, old] = [take(YOUNG), take(OLD)];
  return createFigure({
    bench: 'server-chunk-2000',
    value: old / young,
    unit: `x chunk ${String(YOUNG)}`,
    goal: atMost(1.2),
    note: `${formatTime(old)} against ${formatTime(young)}, medians of ${String(STEPS * TASKS)} in ${String(TASKS)} tasks`,
  });
}

/**
 * @param {number} port
 * @param {string} request
 * @returns {Promise<number[]>} what passed before each chunk, in milliseconds
 */
function timeChunks(port, request) {
  return new Promise((resolve, reject) => {
    /** @type {number[]} */
    const times = [];
    let last = performance.now();
    const stream = readStream(port, request, (data) => {
      const now = performance.now();
      if (data.includes('"artifactUpdate":')) times.push(now - last);
      last = now;
      if (times.length < OLD + STEPS) return;
      stream.then(({ close }) => {
        close();
        resolve(times);
      }, reject);
    });
    stream.catch(reject);
  });
}
