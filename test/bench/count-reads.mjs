// How often the log is read for one event that a thousand readers wait for: bundled by a bench, since Node cannot
// load the server's TypeScript.
import { createData } from '../../src/extensions/task.ts';
import { toStreamResponse, toTaskMetadata } from '../../src/extensions/wire.ts';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';
import { createStreamHub } from '../../src/stream/hub.ts';

/** @typedef {import('../../src/core/events.ts').TaskEvent} TaskEvent */

/**
 * @param {number} count
 * @returns {Promise<number>} reads of the log from the commit until every reader has the event
 */
export async function countReads(count) {
  const store = openSqliteStore({
    path: ':memory:',
    wire: { toStreamResponse, toTaskMetadata },
  });
  let reads = 0;
  const hub = createStreamHub({
    store: {
      watch: (listener) => store.watch(listener),
      readEvents: (taskId, after, limit) => {
        reads++;
        return store.readEvents(taskId, after, limit);
      },
    },
    queueLimit: 10,
    onError: (error) => {
      throw error;
    },
  });
  const append = (/** @type {TaskEvent[]} */ events) =>
    store.change('task', {}, () => ({ events, result: undefined }));
  const founders = /** @type {const} */ ({
    sender: 'me',
    agentId: 'agent',
    lifecycle: 'conversation',
  });
  const data = createData('Hello', founders);
  await append([{ kind: 'created', contextId: 'context', readers: ['me'], data }]);
  const followers = Array.from({ length: count }, () => hub.follow('task', 0));
  const events = followers.map((follower) => follower.next());
  // What they missed they read for themselves; then all wait.
  await new Promise((resolve) => setTimeout(resolve, 100));
  reads = 0;
  await append([{ kind: 'status', state: 'TASK_STATE_WORKING', message: undefined }]);
  await Promise.all(events);
  hub.close();
  await store.close();
  return reads;
}
