// Whether a schema costs the same in a large project as in a small one: the time a schema of the task's size takes in
// a project of 1,000, over the time it takes in one of 20.
//
// Goal: between 0.8 and 1.2. Start-up is left out (codegen-render has it): the generator runs as a library, warm.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { loadGenerator } from '../../codegen/launch.mjs';
import { between, createFigure } from './figure.mjs';
import { readTaskManifest, readTaskSchema } from './task-data.mjs';
import { formatTime, interleave, root } from './timing.mjs';

const SMALL = 20;
const LARGE = 1000;
const ROUNDS = 5;
/** Small projects a turn, and before the first turn, for the code to be compiled. */
const REPEATS = 12;

const baseUrl = 'https://example.com/acme';
let serial = 0;

/** @type {import('./figure.mjs').Bench} */
export const bench = {
  names: ['codegen-per-schema'],
  measure: async () => {
    const generator = await loadGenerator();
    const folder = mkdtempSync(join(tmpdir(), 'tiny-harness-bench-'));
    try {
      const timeSmall = createTimer(generator, join(folder, 'small'), SMALL);
      const timeLarge = createTimer(generator, join(folder, 'large'), LARGE);
      return [measureRatio(timeSmall, timeLarge)];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/**
 * @param {() => number} timeSmall
 * @param {() => number} timeLarge
 */
function measureRatio(timeSmall, timeLarge) {
  const repeatSmall = () => sum(Array.from({ length: REPEATS }, timeSmall));
  repeatSmall();
  const { small, large } = interleave(
    { small: () => repeatSmall() / (REPEATS * SMALL), large: () => timeLarge() / LARGE },
    ROUNDS,
    { warmUp: false },
  );
  return createFigure({
    bench: 'codegen-per-schema',
    value: large / small,
    unit: 'ratio',
    goal: between(0.8, 1.2),
    note: `${formatTime(large)} a schema in a project of ${LARGE}, ${formatTime(small)} in one of ${SMALL}, ${ROUNDS} rounds`,
  });
}

/**
 * @param {Awaited<ReturnType<typeof loadGenerator>>} generator
 * @param {string} folder where a project of so many schemas is made
 * @param {number} count
 * @returns {() => number} times reading and rendering the project, in milliseconds
 */
function createTimer({ readProject, renderProject, createTemplates, readRuntime }, folder, count) {
  const context = {
    templates: createTemplates(join(root, 'templates')),
    runtime: readRuntime(join(root, 'codegen', 'runtime')),
  };
  writeManifests(folder, count);
  return () => {
    writeSchemas(folder, count);
    const start = performance.now();
    const { diagnostics } = renderProject(readProject(folder), context);
    const duration = performance.now() - start;
    const [first] = diagnostics;
    if (first !== undefined) throw new Error(`${first.file}${first.pointer}: ${first.message}`);
    return duration;
  };
}

/**
 * Writes what a project is made of beside its schemas: so many extensions, each like the task's.
 *
 * @param {string} folder
 * @param {number} count
 */
function writeManifests(folder, count) {
  const $schema = './meta/contract.schema.json';
  const contract = { description: 'Many schemas.', license: 'Apache-2.0', baseUrl };
  for (let index = 0; index < count; index++) {
    const extension = join(folder, 'schemas', 'extensions', `task-${index}`, 'v1');
    mkdirSync(extension, { recursive: true });
    writeJson(join(extension, 'extension.json'), createManifest(`task-${index}`, index));
  }
  writeJson(join(folder, 'schemas', 'contract.json'), {
    $schema,
    name: '@example/acme',
    ...contract,
  });
}

/**
 * Writes a project's schemas. No two that this process writes are the same, so nothing that is kept between renders
 * can help.
 *
 * @param {string} folder
 * @param {number} count
 */
function writeSchemas(folder, count) {
  for (let index = 0; index < count; index++) {
    const file = join(folder, 'schemas', 'extensions', `task-${index}`, 'v1', 'schema.json');
    writeJson(file, createSchema(`task-${index}`, index));
  }
}

/**
 * @param {string} name
 * @param {number} index
 */
function createManifest(name, index) {
  const manifest = readTaskManifest();
  const title = `Task ${index}`;
  const uri = `${baseUrl}/ext/${name}/v1`;
  const data = manifest.data
    .slice(0, 1)
    .map((entry) => ({ ...entry, name: `task${index}`, key: `com.example/${name}` }));
  return { ...manifest, title, uri, order: index + 1, data };
}

/**
 * @param {string} name
 * @param {number} index
 */
function createSchema(name, index) {
  const schema = readTaskSchema();
  const properties = {
    ...schema.properties,
    name: { ...schema.properties.name, maxLength: 1000 + serial++ },
  };
  return {
    ...schema,
    $id: `${baseUrl}/ext/${name}/v1/schema.json`,
    title: `TaskData${index}`,
    properties,
  };
}

/**
 * @param {string} file
 * @param {unknown} json
 */
function writeJson(file, json) {
  writeFileSync(file, JSON.stringify(json, null, 2));
}

/** @param {readonly number[]} values */
function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}
