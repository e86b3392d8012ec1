// Whether a page of 50 tasks costs more where there are many: ListTasks over 100,000 tasks against 1,000, for every
// combination of filters, for a page further on, and with everything that a page can hold.
//
// Goal: at most twice as long, for each of them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createRequest, openConnection } from './connection.mjs';
import { atMost, createFigure } from './figure.mjs';
import { startOurs } from './servers.mjs';
import { importBundled } from './source.mjs';
import { formatTime, median, takeTurns } from './timing.mjs';

/** @typedef {import('./connection.mjs').Connection} Connection */
/** @typedef {{ port: number, connection: Connection, count: number, token: string }} Listed */

const FEW = 1000;
const MANY = 100_000;
const PAGE = 50;
const ROUNDS = 60;
const START = Date.UTC(2026, 0, 1);
const CONTEXT = 'context-of-many';

const contextId = { contextId: CONTEXT };
const status = { status: 'TASK_STATE_INPUT_REQUIRED' };
/** @type {(listed: Listed) => { statusTimestampAfter: string }} half of the tasks are after it */
const after = ({ count }) => ({
  statusTimestampAfter: new Date(START + count * 500).toISOString(),
});

/** @type {Readonly<Record<string, (listed: Listed) => object>>} */
const QUERIES = {
  all: () => ({}),
  context: () => contextId,
  status: () => status,
  'context-status': () => ({ ...contextId, ...status }),
  after,
  'context-after': (listed) => ({ ...contextId, ...after(listed) }),
  'status-after': (listed) => ({ ...status, ...after(listed) }),
  'context-status-after': (listed) => ({ ...contextId, ...status, ...after(listed) }),
  'next-page': ({ token }) => ({ pageToken: token }),
  contents: () => ({ includeArtifacts: true, historyLength: 10 }),
};

/** @type {import('./figure.mjs').Bench} */
export const bench = {
  names: ['server-list', ...Object.keys(QUERIES).map((name) => `server-list-${name}`)],
  measure: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tiny-harness-bench-'));
    const { fillStore } = /** @type {typeof import('./fill-store.mjs')} */ (
      await importBundled('fill-store.mjs')
    );
    const servers = [];
    try {
      const listed = [];
      for (const count of [FEW, MANY]) {
        const database = join(folder, `${String(count)}.db`);
        await fillStore(database, count, { start: START, contextId: CONTEXT });
        const server = await startOurs({ database });
        servers.push(server);
        const { port } = server;
        const connection = await openConnection(port);
        const token = readToken(await connection.send(createRequest('ListTasks', {})));
        listed.push({ port, connection, count, token });
      }
      return await measureAll(listed);
    } finally {
      await Promise.all(servers.map(({ stop }) => stop()));
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** @param {readonly Listed[]} listed those with few tasks, then those with many */
async function measureAll([few, many]) {
  if (few === undefined || many === undefined) throw new Error('there is nothing to list');
  const figures = [];
  for (const [name, createParams] of Object.entries(QUERIES)) {
    const times = await takeTurns(
      {
        few: () => timeList(few, createParams(few)),
        many: () => timeList(many, createParams(many)),
      },
      ROUNDS,
    );
    figures.push(createRatio(`server-list-${name}`, median(times.few), median(times.many)));
  }
  const worst = figures.reduce((a, b) => (b.value > a.value ? b : a));
  const note = `the most of the queries: ${worst.bench.replace('server-list-', '')}`;
  return [{ ...worst, bench: 'server-list', note }, ...figures];
}

/**
 * @param {string} bench
 * @param {number} few milliseconds
 * @param {number} many milliseconds
 */
function createRatio(bench, few, many) {
  return createFigure({
    bench,
    value: many / few,
    unit: `x ${String(FEW)} tasks`,
    goal: atMost(2),
    note: `${formatTime(many)} against ${formatTime(few)} for ${String(PAGE)} tasks, ${String(ROUNDS)} rounds`,
  });
}

/**
 * @param {Listed} listed
 * @param {object} params
 * @returns {Promise<number>} milliseconds
 */
async function timeList({ connection }, params) {
  const request = createRequest('ListTasks', { pageSize: PAGE, ...params });
  const start = performance.now();
  const body = await connection.send(request);
  const time = performance.now() - start;
  const { length } = body.split('"status":{').slice(1);
  if (length !== PAGE)
    throw new Error(`a page holds ${String(length)} tasks: ${body.slice(0, 200)}`);
  return time;
}

/**
 * @param {string} body
 * @returns {string}
 */
function readToken(body) {
  const [, token] = /"nextPageToken":"([^"]+)"/.exec(body) ?? [];
  if (token === undefined) throw new Error(`there is no further page: ${body.slice(0, 200)}`);
  return token;
}
