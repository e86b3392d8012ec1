// How benches take time: processes, medians, contenders by turns.
import { spawnSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

/** The repository's root. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** What every start-up time is a multiple of, as it reads in a table. */
export const FLOOR_UNIT = 'x node -e 0';

/**
 * Runs a Node process to its end.
 *
 * @param {readonly string[]} argv what follows `node`
 * @param {{ cwd?: string, accept?: readonly number[] }} [options] the exit codes that count as success, 0 alone by default
 * @returns {number} wall time in milliseconds; throws when the process fails
 */
export function timeProcess(argv, { cwd = root, accept = [0] } = {}) {
  const start = performance.now();
  const { status, stderr, error } = spawnSync(process.execPath, argv, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const duration = performance.now() - start;
  if (error !== undefined) throw error;
  if (status === null || !accept.includes(status)) {
    const code = status === null ? 'was killed' : `ended with exit code ${status}`;
    throw new Error(`\`node ${argv.join(' ')}\` ${code}\n${stderr.trim()}`.trim());
  }
  return duration;
}

/**
 * The least that a Node process takes.
 *
 * @returns {number} wall time in milliseconds
 */
export function timeFloor() {
  return timeProcess(['-e', '0']);
}

/**
 * Runs contenders by turns (A B A B …), so that whatever else the machine does meets all of them alike. A round
 * before the first is not counted, since it fills caches.
 *
 * @template {string} Name
 * @param {Readonly<Record<Name, () => number>>} contenders each returns the time it took
 * @param {number} rounds
 * @param {{ warmUp?: boolean }} [options] whether there is a round that does not count; there is by default
 * @returns {Record<Name, number>} medians
 */
export function interleave(contenders, rounds, { warmUp = true } = {}) {
  const names = /** @type {Name[]} */ (Object.keys(contenders));
  const times = new Map(names.map((name) => [name, /** @type {number[]} */ ([])]));
  for (let round = warmUp ? 0 : 1; round <= rounds; round++) {
    for (const [name, list] of times) {
      const time = contenders[name]();
      if (round > 0) list.push(time);
    }
  }
  /** @type {Record<string, number>} */
  const medians = {};
  for (const [name, list] of times) medians[name] = median(list);
  return medians;
}

/**
 * Runs contenders by turns as `interleave` does, one at a time, when they are asynchronous.
 *
 * @template {string} Name
 * @template Value
 * @param {Readonly<Record<Name, () => Promise<Value>>>} contenders
 * @param {number} rounds
 * @returns {Promise<Record<Name, Value[]>>} what each returned, by round; a round before the first is not counted
 */
export async function takeTurns(contenders, rounds) {
  const names = /** @type {Name[]} */ (Object.keys(contenders));
  /** @type {Record<string, Value[]>} */
  const values = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const name of names) {
      const value = await contenders[name]();
      if (round > 0) values[name]?.push(value);
    }
  }
  return values;
}

/**
 * @param {readonly number[]} values at least one
 * @returns {number}
 */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

/**
 * @param {number} milliseconds
 * @returns {string} such as `54.1 ms` or `12.3 s`
 */
export function formatTime(milliseconds) {
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toPrecision(3)} s`;
  return `${milliseconds.toPrecision(3)} ms`;
}
