// What a validator adds to the start of a process: `node import-validator.mjs` over `node -e 0`.
//
// Goal: at most 1.2, so that a command line or a function in the cloud can afford to check its input.
import { join } from 'node:path';
import { atMost, createFigure } from './figure.mjs';
import { FLOOR_UNIT, formatTime, interleave, timeFloor, timeProcess } from './timing.mjs';

const ROUNDS = 51;
const subject = join(import.meta.dirname, 'import-validator.mjs');

/** @type {import('./figure.mjs').Bench} */
export const bench = {
  names: ['validator-import'],
  measure: () => {
    const { floor, validator } = interleave(
      { floor: timeFloor, validator: () => timeProcess([subject]) },
      ROUNDS,
    );
    return Promise.resolve([
      createFigure({
        bench: 'validator-import',
        value: validator / floor,
        unit: FLOOR_UNIT,
        goal: atMost(1.2),
        note: `${formatTime(validator)} to import the task validator and call it, against ${formatTime(floor)}, ${ROUNDS} rounds`,
      }),
    ]);
  },
};
