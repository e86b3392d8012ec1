// Fills a database with tasks, through the store as the server has it: bundled by list benches, since Node cannot
// load the store's TypeScript.
import { startTask } from '../../src/core/messages.ts';
import { createData } from '../../src/extensions/task.ts';
import { toStreamResponse, toTaskMetadata } from '../../src/extensions/wire.ts';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';

/** @typedef {import('@tiny-harness/contract/a2a').Message} Message */
/** @typedef {import('../../src/core/events.ts').TaskEvent} TaskEvent */

/** Who sees all the tasks: whoever does not say who they are. */
const READER = 'anonymous';
/** Tasks that are written in one transaction. */
const BATCH = 250;

/** States that a task is left in, by turns; two in three wait for an answer. */
const STATES = /** @type {const} */ ([
  'TASK_STATE_INPUT_REQUIRED',
  'TASK_STATE_COMPLETED',
  'TASK_STATE_INPUT_REQUIRED',
]);

/**
 * Tasks with a message, an answer and an artifact each; every fifth in one context, statuses a second apart.
 *
 * @param {string} path
 * @param {number} count
 * @param {{ start: number, contextId: string }} options when the first one happened, and the context of every fifth
 */
export async function fillStore(path, count, { start, contextId }) {
  let now = start;
  const store = openSqliteStore({
    path,
    wire: { toStreamResponse, toTaskMetadata },
    now: () => now,
  });
  for (let first = 0; first < count; first += BATCH) {
    const writes = [];
    for (let index = first; index < Math.min(first + BATCH, count); index++) {
      const taskId = `task-${String(index).padStart(8, '0')}`;
      const context = index % 5 === 0 ? contextId : `context-${String(index)}`;
      const decide = () => {
        now = start + index * 1000;
        return { events: listEvents(index, context), result: undefined };
      };
      writes.push(store.change(taskId, {}, decide));
    }
    await Promise.all(writes);
  }
  await store.close();
}

/**
 * @param {number} index
 * @param {string} contextId
 * @returns {TaskEvent[]}
 */
function listEvents(index, contextId) {
  const text = 'The quick brown fox.';
  const parts = /** @type {Message['parts']} */ ([{ text }]);
  const message = /** @type {Message} */ ({
    messageId: `message-${String(index)}`,
    role: 'ROLE_USER',
    parts,
  });
  const lease = { owner: 'bench', until: 0 };
  const founders = /** @type {const} */ ({
    sender: READER,
    agentId: 'agent',
    lifecycle: 'conversation',
  });
  const created = /** @type {const} */ ({
    kind: 'created',
    contextId,
    readers: [READER],
    data: createData(text, founders),
  });
  const state = STATES[index % STATES.length] ?? 'TASK_STATE_INPUT_REQUIRED';
  return [
    ...startTask(
      created,
      { message, sender: READER, fingerprint: String(index), activated: [] },
      lease,
    ),
    { kind: 'artifact', artifact: { artifactId: 'text', parts }, append: false, lastChunk: true },
    { kind: 'status', state, message: { parts }, endsTurn: 1 },
  ];
}
