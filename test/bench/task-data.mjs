// Task data in several sizes, and schemas like the task's: what the benches feed to validators and generator.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './timing.mjs';

const folder = join(root, 'schemas', 'extensions', 'task', 'v1');

/**
 * @typedef {import('../../codegen/json.ts').JsonObject} JsonObject
 * @typedef {JsonObject & { properties: JsonObject & { name: JsonObject } }} TaskSchema
 * @typedef {import('../../codegen/manifest.ts').ExtensionManifest} ExtensionManifest
 */

/** The contract's task schema; a new copy for each caller. */
export function readTaskSchema() {
  return /** @type {TaskSchema} */ (readJson('schema.json'));
}

/** The manifest of the contract's task extension; a new copy for each caller. */
export function readTaskManifest() {
  return /** @type {ExtensionManifest} */ (readJson('extension.json'));
}

/**
 * Valid task data: the parts that every client sends, with as many entries in its lists as asked for. `variant`
 * changes which optional members are there, as they do between real tasks.
 *
 * @param {number} size entries in each list
 * @param {number} variant
 */
export function createTask(size, variant) {
  const numbers = Array.from({ length: size }, (_, index) => index + 1);
  const task = {
    name: `Report ${variant}`,
    goal: 'Write the quarterly report',
    ...(variant % 2 === 0 ? { description: 'The figures are in the shared folder.' } : {}),
    ...(variant % 3 === 0 ? { type: variant % 2 === 0 ? 'writing' : null } : {}),
    ...(size === 0 ? {} : createLists(numbers, variant)),
    ...(variant % 4 === 0 ? { lifecycle: 'conversation', model: 'scripted' } : {}),
  };
  // As it would come from the wire.
  return /** @type {unknown} */ (JSON.parse(JSON.stringify(task)));
}

/**
 * @param {readonly number[]} numbers
 * @param {number} variant
 */
function createLists(numbers, variant) {
  return {
    acceptance_criteria: numbers.map((n) => ({ text: `criterion ${n}`, met: n % 2 === 0 })),
    participants: numbers.map((n) => ({
      id: `participant-${n}`,
      kind: n % 3 === 0 ? 'agent' : 'human',
      role: ['assignee', 'reporter', 'watcher', 'admin'][n % 4],
      ...((n + variant) % 2 === 0 ? { display_name: `Participant ${n}` } : {}),
    })),
    plan: {
      steps: numbers.map((n) => ({
        id: `step-${n}`,
        name: `Step ${n}`,
        description: 'Revenue and cost for each region.',
        depends_on: n > 1 ? [`step-${n - 1}`] : [],
        state: ['pending', 'active', 'done', 'failed'][n % 4],
        output: n % 4 === 2 ? 'Three regions, in figures.csv.' : null,
        linked_tasks: n % 5 === 0 ? [createTaskRef(n)] : [],
      })),
    },
    sub_tasks: numbers.filter((n) => n % 4 === 0).map(createTaskRef),
  };
}

/** @param {number} n */
function createTaskRef(n) {
  return {
    task_id: `task-1.${n}`,
    state: n % 2 === 0 ? 'COMPLETED' : 'INPUT_REQUIRED',
    sub_state: n % 2 === 0 ? null : 'awaiting-answer',
    agent: { kind: 'agent', id: 'bookkeeper', version: '*' },
  };
}

/**
 * @param {string} name
 * @returns {unknown}
 */
function readJson(name) {
  return JSON.parse(readFileSync(join(folder, name), 'utf8'));
}
