// What a task costs that waits for somebody's answer: the agent has asked with `ask_participant`, and days may pass.
//
// Goals: at most 2 KB of memory a task, and no timers or other things that the event loop waits for.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createMessage, createRequest, openConnection } from './connection.mjs';
import { atMost, createFigure } from './figure.mjs';
import { ASKABLE, askMemory } from './memory.mjs';
import { startOurs } from './servers.mjs';

const TASKS = 1000;
/** Clients that send them. */
const CLIENTS = 10;
/** Milliseconds until closed connections are gone. */
const SETTLE = 1000;

/** @type {import('./figure.mjs').Bench} */
export const bench = {
  names: ['server-waiting-memory', 'server-waiting-timers'],
  measure: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tiny-harness-bench-'));
    const scenario = join(folder, 'scenario.yaml');
    writeFileSync(scenario, JSON.stringify(createScenario()));
    const server = await startOurs({ database: join(folder, 'tasks.db'), scenario, ...ASKABLE });
    try {
      // Code is compiled and tables have grown with the first of them.
      await askAll(server.port);
      const before = await askMemory(server);
      await askAll(server.port);
      const after = await askMemory(server);
      return createFigures(before, after);
    } finally {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** Every message is answered with a question. */
function createScenario() {
  const input = { participant_id: 'anonymous', question: 'Which one?', options: ['a', 'b'] };
  return {
    rules: [{ do: [{ tool: { name: 'ask_participant', input, then: [{ say: '${text}' }] } }] }],
  };
}

/**
 * Starts the tasks, and leaves each waiting for an answer.
 *
 * @param {number} port
 */
async function askAll(port) {
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      const connection = await openConnection(port);
      for (let sent = 0; sent < TASKS / CLIENTS; sent++) {
        const answer = await connection.send(createRequest('SendMessage', createMessage()));
        if (!answer.includes('Which one?')) throw new Error(`a task does not wait: ${answer}`);
      }
      connection.close();
    }),
  );
  await setTimeout(SETTLE);
}

/**
 * @param {import('./memory.mjs').Memory} before
 * @param {import('./memory.mjs').Memory} after
 */
function createFigures(before, after) {
  const each = (/** @type {'used' | 'rss'} */ kind) => (after[kind] - before[kind]) / TASKS / 1000;
  const more = (/** @type {import('./memory.mjs').Memory} */ { resources, timers }) =>
    resources.length + timers;
  return [
    createFigure({
      bench: 'server-waiting-memory',
      value: each('used'),
      unit: 'KB a task',
      goal: atMost(2),
      note: `heap and buffers for ${String(TASKS)} tasks more that wait in ask_participant, after garbage was collected; ${each('rss').toPrecision(3)} KB of resident memory each, the database's cache among it`,
    }),
    createFigure({
      bench: 'server-waiting-timers',
      value: more(after) - more(before),
      unit: 'more',
      goal: atMost(0),
      note: `timers, and others that the event loop waits for, with ${String(2 * TASKS)} waiting tasks instead of ${String(TASKS)}; ${String(after.timers)} timers run`,
    }),
  ];
}
