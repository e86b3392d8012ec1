// How long a person waits for the generator on our own contract, as a multiple of what any Node process takes.
//
// codegen-render   everything rendered and compared. Goal: at most 12; the aim is 8.
// codegen-cached   nothing has changed, and a hash of inputs, generator and outputs proves it. Goal: at most 2.5.
//
// The goals are those that the generator was designed for; CONTRIBUTING.md says how to run benches.
import { atMost, createFigure } from './figure.mjs';
import { makeCleanRun, timeCached, timeRender } from './launcher.mjs';
import { FLOOR_UNIT, formatTime, interleave, timeFloor } from './timing.mjs';

const ROUNDS = 21;

/** @type {import('./figure.mjs').Bench} */
export const bench = {
  names: ['codegen-render', 'codegen-cached'],
  measure: () => {
    makeCleanRun();
    const { floor, render, cached } = interleave(
      { floor: timeFloor, render: timeRender, cached: timeCached },
      ROUNDS,
    );
    const unit = FLOOR_UNIT;
    const against = `against ${formatTime(floor)}, ${ROUNDS} rounds`;
    return Promise.resolve([
      createFigure({
        bench: 'codegen-render',
        value: render / floor,
        unit,
        goal: atMost(12),
        note: `${formatTime(render)} for --check --no-cache ${against}; the aim is 8`,
      }),
      createFigure({
        bench: 'codegen-cached',
        value: cached / floor,
        unit,
        goal: atMost(2.5),
        note: `${formatTime(cached)} for --check with nothing changed ${against}`,
      }),
    ]);
  },
};
