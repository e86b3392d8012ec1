// What ten calls of tools add to a turn of the scripted agent, as a multiple of one durable write: a small one to the
// same disk. Each call is recorded with what it changes before its result counts.
//
// Goal: at most 10, for ten calls of which none waits for another's result. Ten that wait for each other are stated:
// each of them waits for the disk.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createMessage, createRequest, openConnection } from './connection.mjs';
import { timeDisk } from './disk.mjs';
import { atMost, createFigure, stated } from './figure.mjs';
import { startOurs } from './servers.mjs';
import { createSurface } from './surface.mjs';
import { formatTime, median, takeTurns } from './timing.mjs';

/** @typedef {import('./connection.mjs').Connection} Connection */

const ROUNDS = 200;
/** Turns of each kind before: a server that has just started has neither its code nor the skill's file warm. */
const WARM_UP = 300;
const STEPS = ['Read', 'Think', 'Plan', 'Write', 'Check', 'Send'];
const SKILL = 'greet';

/** @type {import('./figure.mjs').Bench} */
export const bench = {
  names: ['server-tools', 'server-tools-serial'],
  measure: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tiny-harness-bench-'));
    const scenario = join(folder, 'scenario.yaml');
    writeFileSync(scenario, JSON.stringify(createScenario()));
    const server = await startOurs({
      database: join(folder, 'tasks.db'),
      scenario,
      skills: writeSkill(folder),
    });
    const connection = await openConnection(server.port);
    try {
      for (let round = 0; round < WARM_UP; round++) {
        for (const kind of ['none', 'together', 'serial']) await timeTurn(connection, kind);
      }
      const times = await takeTurns(
        {
          none: () => timeTurn(connection, 'none'),
          together: () => timeTurn(connection, 'together'),
          serial: () => timeTurn(connection, 'serial'),
          disk: () => Promise.resolve(timeDisk(folder)),
        },
        ROUNDS,
      );
      return createFigures(times);
    } finally {
      connection.close();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/**
 * Ten calls that know everything from the beginning, one of which reads a file; and ten of which each is told what the
 * one before has said.
 */
function createScenario() {
  const tool = (/** @type {string} */ name, input = {}) => ({ tool: { name, input } });
  const plan = (/** @type {readonly string[]} */ names) =>
    tool('create_plan', {
      steps: names.map((name) => ({ name, description: 'One of some.', depends_on: [] })),
    });
  const nine = Array.from({ length: 9 }, (_, index) => `Step ${String(index)}`);
  const together = [
    plan(STEPS),
    ...STEPS.map((step) => tool('complete_step', { step, output: 'Done.' })),
    tool('load_skill', { name: SKILL }),
    tool('unload_skill', { name: SKILL }),
    { ui: createSurface(4) },
  ];
  const serial = [
    plan(nine),
    ...nine.map((step) => tool('complete_step', { step, output: 'After ${result}' })),
  ];
  return {
    rules: Object.entries({ together, serial }).map(([equals, steps]) => ({
      when: { equals },
      do: [...steps, { say: 'Done.' }],
    })),
  };
}

/**
 * @param {string} folder
 * @returns {string} a directory of skills
 */
function writeSkill(folder) {
  const skills = join(folder, 'skills');
  mkdirSync(join(skills, SKILL), { recursive: true });
  const head = `---\nname: ${SKILL}\ndescription: How to greet. Use it first.\n---\n`;
  writeFileSync(join(skills, SKILL, 'SKILL.md'), `${head}\nSay hello.\n`);
  return skills;
}

/**
 * @param {Connection} connection
 * @param {string} text
 * @returns {Promise<number>} milliseconds until the turn is over
 */
async function timeTurn(connection, text) {
  const request = createRequest('SendMessage', createMessage({ text, historyLength: 1 }));
  const start = performance.now();
  const answer = await connection.send(request);
  const time = performance.now() - start;
  if (text !== 'none' && !answer.includes('"Done."'))
    throw new Error(`a turn ended with ${answer}`);
  return time;
}

/** @param {Record<'none' | 'together' | 'serial' | 'disk', number[]>} times */
function createFigures(times) {
  const [none, disk] = [median(times.none), median(times.disk)];
  const compare = (/** @type {'together' | 'serial'} */ kind, what = '') => {
    const time = median(times[kind]);
    const note = `${formatTime(time)} for a turn with ten calls${what} against ${formatTime(none)} without, a durable write ${formatTime(disk)}; medians of ${String(ROUNDS)}`;
    return { value: (time - none) / disk, unit: 'x a write', note };
  };
  return [
    createFigure({ bench: 'server-tools', goal: atMost(10), ...compare('together') }),
    createFigure({
      bench: 'server-tools-serial',
      goal: stated,
      ...compare('serial', ' that wait for each other'),
    }),
  ];
}
