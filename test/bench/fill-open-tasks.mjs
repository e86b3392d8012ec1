// Fills a database with tasks as a server leaves them that is gone all of a sudden: bundled by a bench, since Node
// cannot load the store's TypeScript.
import { startTask } from '../../src/core/messages.ts';
import { askQuestion } from '../../src/extensions/channel.ts';
import { createData } from '../../src/extensions/task.ts';
import { toStreamResponse, toTaskMetadata } from '../../src/extensions/wire.ts';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';

/** @typedef {import('@tiny-harness/contract/a2a').Message} Message */
/** @typedef {import('../../src/core/events.ts').TaskEvent} TaskEvent */

/** How an open task was left: it waits for an answer, its turn ran, or its turn had yet to begin. */
/** @typedef {'asking' | 'lost' | 'idle'} Kind */

const AGENT = 'tiny-harness';
const SENDER = 'anonymous';
/** Tasks that are written in one transaction. */
const BATCH = 250;
/** How much longer the lease of a lost turn holds: milliseconds. Its owner is gone, which is known without waiting. */
const LEASE = 3_600_000;

/**
 * @param {string} path
 * @param {Readonly<Record<Kind, number>>} counts
 * @param {string} owner whose turns were lost
 */
export async function fillOpenTasks(path, counts, owner) {
  const store = openSqliteStore({ path, wire: { toStreamResponse, toTaskMetadata } });
  for (const kind of /** @type {const} */ (['asking', 'lost', 'idle'])) {
    for (let first = 0; first < counts[kind]; first += BATCH) {
      const ids = Array.from({ length: Math.min(BATCH, counts[kind] - first) }, (_, index) =>
        String(first + index).padStart(8, '0'),
      );
      await Promise.all(
        ids.map((id) => {
          const taskId = `${kind}-${id}`;
          const events = listEvents(taskId, kind, owner);
          return store.change(taskId, {}, () => ({ events, result: undefined }));
        }),
      );
    }
  }
  await store.close();
}

/**
 * @param {string} taskId
 * @param {Kind} kind
 * @param {string} owner
 * @returns {readonly TaskEvent[]}
 */
function listEvents(taskId, kind, owner) {
  const text = 'The quick brown fox.';
  const message = /** @type {Message} */ ({
    messageId: `message-${taskId}`,
    role: 'ROLE_USER',
    parts: [{ text }],
  });
  const founders = /** @type {const} */ ({
    sender: SENDER,
    agentId: AGENT,
    lifecycle: 'conversation',
  });
  const data = createData(text, founders);
  const lease = kind === 'idle' ? undefined : { owner, until: Date.now() + LEASE };
  const started = startTask(
    { kind: 'created', contextId: taskId, readers: [SENDER], data },
    { message, sender: SENDER, fingerprint: taskId, activated: [] },
    lease,
  );
  if (kind !== 'asking') return started;
  const question = { asked: SENDER, text: 'Which one?', options: ['a', 'b'] };
  return [
    ...started,
    {
      kind: 'status',
      state: 'TASK_STATE_INPUT_REQUIRED',
      subState: 'awaiting-answer',
      message: askQuestion(taskId, AGENT, question),
      question,
      endsTurn: 1,
    },
  ];
}
