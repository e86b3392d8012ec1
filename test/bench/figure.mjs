// What a bench hands back: figures with goals.

/**
 * A goal: how it reads, and whether a value meets it.
 *
 * @typedef {object} Goal
 * @property {string} text such as `<= 12`
 * @property {(value: number) => boolean} isMet
 */

/**
 * One measured figure. `note` is for the table: what stands behind the value.
 *
 * @typedef {object} Figure
 * @property {string} bench its name; what `--only` takes
 * @property {number} value rounded to what is worth reading
 * @property {string} unit
 * @property {string} goal
 * @property {boolean} met
 * @property {string} note
 */

/**
 * A file of benches: the names of its figures in the order in which `measure` returns them.
 *
 * @typedef {object} Bench
 * @property {readonly string[]} names
 * @property {() => Promise<readonly Figure[]>} measure throws an error with a message for a person when it cannot run
 */

/**
 * @param {number} limit
 * @returns {Goal}
 */
export function atMost(limit) {
  return { text: `<= ${limit}`, isMet: (value) => value <= limit };
}

/**
 * @param {number} limit
 * @returns {Goal}
 */
export function atLeast(limit) {
  return { text: `>= ${limit}`, isMet: (value) => value >= limit };
}

/**
 * @param {number} low
 * @param {number} high
 * @returns {Goal}
 */
export function between(low, high) {
  return { text: `${low} to ${high}`, isMet: (value) => value >= low && value <= high };
}

/**
 * Figures that nobody has set a limit for, but that users want to know.
 *
 * @type {Goal}
 */
export const stated = { text: 'stated', isMet: () => true };

/**
 * A figure from a measured value: three significant digits, whole numbers as they are. The goal is held against
 * the rounded value, so that the table never contradicts itself.
 *
 * @param {{ bench: string, value: number, unit: string, goal: Goal, note: string }} measured
 * @returns {Figure}
 */
export function createFigure({ bench, value: exact, unit, goal, note }) {
  const value = Number.isInteger(exact) ? exact : Number(exact.toPrecision(3));
  return { bench, value, unit, goal: goal.text, met: goal.isMet(value), note };
}
