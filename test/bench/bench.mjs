// Measures, and says how the figures stand to their goals: npm run bench [-- [--only NAME]... [--json]]
//
// A bench informs: the exit code is 0 whether or not goals are met, 1 when something could not be measured, 2 when
// the arguments make no sense. With --json standard output holds one JSON object a line and nothing else.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { bench as codegenPerSchema } from './codegen-per-schema.mjs';
import { bench as codegenStart } from './codegen-start.mjs';
import { bench as codegenVsClis } from './codegen-vs-clis.mjs';
import { bench as serverAge } from './server-age.mjs';
import { bench as serverList } from './server-list.mjs';
import { bench as serverRestart } from './server-restart.mjs';
import { bench as serverSend } from './server-send.mjs';
import { bench as serverStart } from './server-start.mjs';
import { bench as serverStreams } from './server-streams.mjs';
import { bench as serverTools } from './server-tools.mjs';
import { bench as serverWaiting } from './server-waiting.mjs';
import { formatTime, median, timeFloor } from './timing.mjs';
import { bench as uiValidation } from './ui-validation.mjs';
import { bench as validatorImport } from './validator-import.mjs';
import { bench as validatorSize } from './validator-size.mjs';
import { bench as validatorThroughput } from './validator-throughput.mjs';

/** @typedef {import('./figure.mjs').Bench} Bench */
/** @typedef {import('./figure.mjs').Figure} Figure */

const BENCHES = [
  codegenStart,
  codegenVsClis,
  codegenPerSchema,
  validatorThroughput,
  validatorImport,
  validatorSize,
  serverSend,
  serverAge,
  serverList,
  serverStreams,
  serverTools,
  serverWaiting,
  serverStart,
  serverRestart,
  uiValidation,
];
const NAMES = BENCHES.flatMap(({ names }) => names);
const COLUMNS = { bench: 28, value: 8, unit: 16, goal: 12, met: 3 };

process.exitCode = await main(process.argv.slice(2));

/**
 * @param {string[]} argv
 * @returns {Promise<number>} the exit code
 */
async function main(argv) {
  const options = readOptions(argv);
  if (options === undefined) return 2;
  if (!options.json) printHead();
  let exitCode = 0;
  for (const bench of BENCHES) {
    const wanted = bench.names.filter((name) => options.only.includes(name));
    if (wanted.length === 0) continue;
    try {
      const figures = await bench.measure();
      const shown = figures.filter(({ bench: name }) => wanted.includes(name));
      for (const figure of shown) (options.json ? printJson : printRow)(figure);
    } catch (error) {
      process.stderr.write(`${wanted.join(', ')}: cannot be measured: ${describe(error)}\n`);
      exitCode = 1;
    }
  }
  return exitCode;
}

/**
 * @param {string[]} argv
 * @returns {{ only: readonly string[], json: boolean } | undefined} nothing when they make no sense; that has been said
 */
function readOptions(argv) {
  /** @type {{ only?: string[], json?: boolean }} */
  let values;
  try {
    const options = /** @type {const} */ ({
      only: { type: 'string', multiple: true },
      json: { type: 'boolean' },
    });
    ({ values } = parseArgs({ args: argv, options }));
  } catch (error) {
    process.stderr.write(
      `${describe(error)}\nusage: npm run bench [-- [--only NAME]... [--json]]\n`,
    );
    return undefined;
  }
  const { only = NAMES, json = false } = values;
  const unknown = only.filter((name) => !NAMES.includes(name));
  if (unknown.length === 0) return { only, json };
  const list = NAMES.map((name) => `  ${name}\n`).join('');
  process.stderr.write(`there is no bench called ${unknown.join(', ')}; there are\n${list}`);
  return undefined;
}

function printHead() {
  const floor = median(Array.from({ length: 11 }, timeFloor));
  process.stdout.write(
    `Node ${process.version}, ${availableParallelism()} cores; node -e 0 takes ${formatTime(floor)} (median of 11)\n\n`,
  );
  printCells({ bench: 'bench', value: 'value', unit: 'unit', goal: 'goal', met: 'met' });
}

/** @param {Figure} figure */
function printRow({ bench, value, unit, goal, met, note }) {
  printCells({ bench, value: String(value), unit, goal, met: met ? 'yes' : 'NO' });
  process.stdout.write(`  ${note}\n`);
}

/** @param {Record<keyof typeof COLUMNS, string>} cells */
function printCells({ bench, value, unit, goal, met }) {
  const cells = [
    bench.padEnd(COLUMNS.bench),
    value.padStart(COLUMNS.value),
    unit.padEnd(COLUMNS.unit),
    goal.padEnd(COLUMNS.goal),
    met,
  ];
  process.stdout.write(`${cells.join('  ')}\n`);
}

/** @param {Figure} figure */
function printJson({ bench, value, unit, goal, met }) {
  process.stdout.write(`${JSON.stringify({ bench, value, unit, goal, met })}\n`);
}

/** @param {unknown} error */
function describe(error) {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error ? `${error.message}\n${cause.message}` : error.message;
}
