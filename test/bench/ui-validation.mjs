// How long it takes to check a user interface of 200 components that an agent shows: against the schemas, and as a
// whole; and the same with a fault in each of its components.
//
// Goal: at most 3 ms for one without faults; with faults it is stated.
import { performance } from 'node:perf_hooks';
import { atMost, createFigure, stated } from './figure.mjs';
import { importBundled } from './source.mjs';
import { createSurface } from './surface.mjs';
import { formatTime, interleave } from './timing.mjs';

const COMPONENTS = 200;
const ROUNDS = 300;

/** @type {import('./figure.mjs').Bench} */
export const bench = {
  names: ['ui-validation', 'ui-validation-faults'],
  measure: async () => {
    const { applyUiMessages } =
      /** @type {typeof import('../../src/extensions/a2ui/apply.ts')} */
      (await importBundled('../../src/extensions/a2ui/apply.ts'));
    const good = createSurface(COMPONENTS);
    const bad = spoil(good);
    const time = (/** @type {readonly object[]} */ messages, /** @type {boolean} */ isFine) => {
      const start = performance.now();
      const { ok } = applyUiMessages([], messages);
      const duration = performance.now() - start;
      if (ok !== isFine) throw new Error(`a surface was ${ok ? 'accepted' : 'refused'}`);
      return duration;
    };
    const { fine, faulty } = interleave(
      { fine: () => time(good, true), faulty: () => time(bad, false) },
      ROUNDS,
    );
    const what = `${String(COMPONENTS)} components, ${(JSON.stringify(good).length / 1000).toFixed(0)} KB of JSON; median of ${String(ROUNDS)}`;
    return [
      createFigure({
        bench: 'ui-validation',
        value: fine,
        unit: 'ms',
        goal: atMost(3),
        note: what,
      }),
      createFigure({
        bench: 'ui-validation-faults',
        value: faulty,
        unit: 'ms',
        goal: stated,
        note: `with a fault in each of them, until the first ones are named; ${formatTime(fine)} without`,
      }),
    ];
  },
};

/**
 * Takes from each component what its type cannot do without.
 *
 * @param {readonly object[]} messages
 * @returns {readonly object[]}
 */
function spoil(messages) {
  const names = ['text', 'label', 'url'];
  /** @type {unknown} */
  const spoilt = JSON.parse(
    JSON.stringify(messages, (key, value) =>
      names.includes(key) && typeof value === 'string' ? undefined : /** @type {unknown} */ (value),
    ),
  );
  return /** @type {readonly object[]} */ (spoilt);
}
