// How many valid instances a second the generated task validator answers for, against the function that Ajv compiles
// from the same schema at run time.
//
// Goal: at least 0.95 of Ajv's, at every size: strict isolation (no `eval`) is not to be paid for in speed.
import { performance } from 'node:perf_hooks';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { atLeast, createFigure } from './figure.mjs';
import { createTask, readTaskSchema } from './task-data.mjs';
import { interleave } from './timing.mjs';

const ROUNDS = 41;
/** How long one turn of a contender lasts; long against the clock's grain and short against other load. */
const TURN_MS = 20;
const VARIANTS = 12;

/** Entries in each list of the task, by the name of the size. */
const SIZES = { minimal: 0, usual: 4, large: 100 };

const names = Object.keys(SIZES).map((size) => `validator-throughput-${size}`);

/** @type {import('./figure.mjs').Bench} */
export const bench = {
  names: ['validator-throughput', ...names],
  measure: async () => {
    const { isTaskExtensionData } = await import('@tiny-harness/contract/task/v1/task');
    const compiled = new Ajv2020().compile(readTaskSchema());
    const figures = Object.entries(SIZES).map(([name, size]) =>
      measureSize(name, size, isTaskExtensionData, compiled),
    );
    const worst = figures.reduce((a, b) => (b.value < a.value ? b : a));
    const note = `the least of the sizes: ${worst.bench.replace('validator-throughput-', '')}`;
    return [{ ...worst, bench: 'validator-throughput', note }, ...figures];
  },
};

/**
 * @param {string} name
 * @param {number} size
 * @param {(value: unknown) => boolean} generated
 * @param {(value: unknown) => boolean} compiled
 */
function measureSize(name, size, generated, compiled) {
  const tasks = Array.from({ length: VARIANTS }, (_, variant) => createTask(size, variant));
  const passes = calibrate(compiled, tasks);
  const { ours, ajv } = interleave(
    {
      ours: () => timeBatch(generated, tasks, passes),
      ajv: () => timeBatch(compiled, tasks, passes),
    },
    ROUNDS,
  );
  const perTask = (/** @type {number} */ time) =>
    `${((time * 1000) / (passes * VARIANTS)).toPrecision(3)} µs`;
  return createFigure({
    bench: `validator-throughput-${name}`,
    value: ajv / ours,
    unit: 'x Ajv compiled',
    goal: atLeast(0.95),
    note: `${perTask(ours)} a task against ${perTask(ajv)}, ${ROUNDS} rounds of ${passes * VARIANTS} tasks with ${size} entries a list`,
  });
}

/**
 * @param {(value: unknown) => boolean} validate
 * @param {readonly unknown[]} tasks
 * @returns {number} how many passes over the tasks one turn takes, once the code is compiled
 */
function calibrate(validate, tasks) {
  let passes = 1;
  while (timeBatch(validate, tasks, passes) < TURN_MS) passes *= 2;
  return passes;
}

/**
 * @param {(value: unknown) => boolean} validate
 * @param {readonly unknown[]} tasks all valid
 * @param {number} passes
 * @returns {number} milliseconds
 */
function timeBatch(validate, tasks, passes) {
  let valid = 0;
  const start = performance.now();
  for (let pass = 0; pass < passes; pass++) {
    for (const task of tasks) if (validate(task)) valid++;
  }
  const duration = performance.now() - start;
  if (valid !== passes * tasks.length) throw new Error('a valid task was refused');
  return duration;
}
