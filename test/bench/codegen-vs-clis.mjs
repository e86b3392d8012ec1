// How many times faster the generator is than the command lines that people make the same outputs with today.
//
// codegen-vs-clis-render   against the generator rendering everything. Goal: at least 10.
// codegen-vs-clis-cached   against the generator finding that nothing has changed. Goal: at least 10.
//
// What is run, in a folder of its own, one process after the other, as an npm script would, each in the cheapest way
// that gives these outputs, without npm's or a shell's own time and without any cache:
// - types: json2ts, one process a folder (the contract's schemas, and those that it takes from packages);
// - validators: ajv compile, one process a schema, since a process writes one module;
// - docs and schema files: jsonschema2md, one process, the contract's own schemas alone;
// - prettier, one process, over all that was written.
// Left out in their favour: reading manifests, extension modules, tools in the forms of model APIs, the card, defaults.
// Copying the schemas into a form that they can read is not timed.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OWN, PACKAGES, writeSchemas } from './cli-schemas.mjs';
import { atLeast, createFigure } from './figure.mjs';
import { makeCleanRun, timeCached, timeRender } from './launcher.mjs';
import { formatTime, median, root, timeProcess } from './timing.mjs';

const ROUNDS = 3;
/** After every so many processes of the others the generator has a turn. */
const TURN = 6;

/** @typedef {readonly [bin: string, ...args: string[]]} Command */

/** @type {import('./figure.mjs').Bench} */
export const bench = {
  names: ['codegen-vs-clis-render', 'codegen-vs-clis-cached'],
  measure: () => {
    makeCleanRun();
    const folder = mkdtempSync(join(tmpdir(), 'tiny-harness-bench-'));
    try {
      return Promise.resolve(measureIn(folder));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** @param {string} folder */
function measureIn(folder) {
  const commands = listCommands(writeSchemas(folder));
  const rounds = Array.from({ length: ROUNDS }, () => measureRound(folder, commands));
  const clis = median(rounds.map((round) => round.clis));
  const counts = countBins(commands);
  return /** @type {const} */ (['render', 'cached']).map((mode) =>
    createFigure({
      bench: `codegen-vs-clis-${mode}`,
      value: median(rounds.map((round) => round.clis / median(round[mode]))),
      unit: 'times faster',
      goal: atLeast(10),
      note: `${formatTime(median(rounds.flatMap((round) => round[mode])))} against ${formatTime(clis)} for ${counts}, ${ROUNDS} rounds`,
    }),
  );
}

/**
 * @param {string} folder
 * @param {readonly Command[]} commands
 */
function measureRound(folder, commands) {
  for (const output of ['types', 'validators', 'docs', 'published']) {
    rmSync(join(folder, output), { recursive: true, force: true });
  }
  mkdirSync(join(folder, 'validators'));
  /** @type {{ clis: number, render: number[], cached: number[] }} */
  const round = { clis: 0, render: [], cached: [] };
  commands.forEach(([bin, ...args], index) => {
    if (index % TURN === 0) {
      round.render.push(timeRender());
      round.cached.push(timeCached());
    }
    const file = realpathSync(join(root, 'node_modules', '.bin', bin));
    round.clis += timeProcess([file, ...args], { cwd: folder });
  });
  return round;
}

/**
 * @param {readonly import('./cli-schemas.mjs').SchemaFile[]} schemas
 * @returns {readonly Command[]}
 */
function listCommands(schemas) {
  const compile = ['compile', '--spec=draft2020', '--strict=false', '--validate-formats=false'];
  return [
    ['json2ts', '-i', OWN, '-o', 'types/own'],
    ['json2ts', '-i', PACKAGES, '-o', 'types/packages'],
    ...schemas.map(({ path, references }) => {
      const others = references.flatMap((other) => ['-r', other]);
      const output = `validators/${path.replaceAll('/', '-').replace(/\.json$/, '.js')}`;
      return /** @type {Command} */ (['ajv', ...compile, '-s', path, ...others, '-o', output]);
    }),
    ['jsonschema2md', '-d', OWN, '-e', 'json', '-o', 'docs', '-x', 'published'],
    ['prettier', '--write', '--log-level', 'warn', 'types', 'validators', 'docs', 'published'],
  ];
}

/**
 * @param {readonly Command[]} commands
 * @returns {string} such as `2 json2ts, 1 prettier`
 */
function countBins(commands) {
  const bins = commands.map(([bin]) => bin);
  return [...new Set(bins)]
    .map((bin) => `${bins.filter((other) => other === bin).length} ${bin}`)
    .join(', ');
}
