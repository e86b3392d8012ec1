// How many blocking messages a second the server answers, each a new task in a file that survives a power cut,
// against the SDK's own server and a bare Fastify handler.
//
// Goal: four times the SDK on SQLite, and no less than the SDK in memory, for 16 clients and for 64. A single client
// waits for the disk twice a message, and so does one of the SDK on SQLite: those figures are stated.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createMessage, createRequest, openConnection } from './connection.mjs';
import { timeDisk } from './disk.mjs';
import { atLeast, createFigure, stated } from './figure.mjs';
import { startBare, startOurs, startSdk } from './servers.mjs';
import { formatTime, median, takeTurns } from './timing.mjs';

/** @typedef {import('./connection.mjs').Connection} Connection */
/** @typedef {import('./servers.mjs').Server} Server */
/** @typedef {'ours' | 'sqlite' | 'memory' | 'bare'} Contender */

const ROUNDS = 7;
/** How long one turn of a contender lasts: milliseconds. */
const TURN_MS = 700;
const CLIENTS = { one: 1, some: 16, many: 64 };

/** @type {import('./figure.mjs').Bench} */
export const bench = {
  names: Object.keys(CLIENTS).flatMap((name) => [
    `server-send-${name}`,
    `server-send-${name}-memory`,
  ]),
  measure: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tiny-harness-bench-'));
    const servers = await startAll(folder);
    try {
      const figures = [];
      for (const [name, clients] of Object.entries(CLIENTS)) {
        const rates = await measureRates(servers, clients, () => timeDisk(folder));
        figures.push(...createFigures(name, clients, rates));
      }
      return figures;
    } finally {
      await Promise.all(Object.values(servers).map(({ stop }) => stop()));
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/**
 * @param {string} folder
 * @returns {Promise<Record<Contender, Server>>}
 */
async function startAll(folder) {
  return {
    ours: await startOurs({ database: join(folder, 'ours.db') }),
    sqlite: await startSdk(join(folder, 'sdk.db')),
    memory: await startSdk(),
    bare: await startBare(),
  };
}

/**
 * @param {Record<Contender, Server>} servers
 * @param {number} clients
 * @param {() => number} timeSync
 * @returns {Promise<Record<Contender | 'disk', number>>} answers a second, and milliseconds that the disk takes
 */
async function measureRates(servers, clients, timeSync) {
  const rates = await takeTurns(
    {
      ours: () => measureRate(servers.ours, clients),
      sqlite: () => measureRate(servers.sqlite, clients),
      memory: () => measureRate(servers.memory, clients),
      bare: () => measureRate(servers.bare, clients),
      disk: () => Promise.resolve(timeSync()),
    },
    ROUNDS,
  );
  return {
    ours: median(rates.ours),
    sqlite: median(rates.sqlite),
    memory: median(rates.memory),
    bare: median(rates.bare),
    disk: median(rates.disk),
  };
}

/**
 * @param {Server} server
 * @param {number} clients each sends its next message when the one before is answered
 * @returns {Promise<number>} answers a second
 */
async function measureRate({ port }, clients) {
  const connections = await Promise.all(
    Array.from({ length: clients }, () => openConnection(port)),
  );
  const start = performance.now();
  const counts = await Promise.all(connections.map((each) => sendFor(each, start + TURN_MS)));
  const seconds = (performance.now() - start) / 1000;
  for (const { close } of connections) close();
  return counts.reduce((sum, count) => sum + count, 0) / seconds;
}

/**
 * @param {Connection} connection
 * @param {number} end
 * @returns {Promise<number>} how many were answered
 */
async function sendFor(connection, end) {
  let count = 0;
  for (; performance.now() < end; count++) {
    await connection.send(createRequest('SendMessage', createMessage()));
  }
  return count;
}

/**
 * @param {string} name
 * @param {number} clients
 * @param {Record<Contender | 'disk', number>} rates
 */
function createFigures(name, clients, { ours, sqlite, memory, bare, disk }) {
  const share = ((ours / bare) * 100).toPrecision(2);
  const who = clients === 1 ? 'one client' : `${String(clients)} clients`;
  const note = `${ours.toFixed(0)} messages a second from ${who}, ${share} % of what a bare Fastify handler answers (${bare.toFixed(0)})`;
  return [
    createFigure({
      bench: `server-send-${name}`,
      value: ours / sqlite,
      unit: 'x SDK on SQLite',
      goal: clients === 1 ? stated : atLeast(4),
      note: `${note}; the SDK on SQLite answers ${sqlite.toFixed(0)}`,
    }),
    createFigure({
      bench: `server-send-${name}-memory`,
      value: ours / memory,
      unit: 'x SDK in memory',
      goal: clients === 1 ? stated : atLeast(1),
      note: `the SDK in memory answers ${memory.toFixed(0)}; two waits for the disk a message, ${formatTime(disk)} each, leave ${who} at most ${((clients * 500) / disk).toFixed(0)}`,
    }),
  ];
}
