// What 1,000 readers of one task cost: memory, the time until the last of them has an event, how often the log is
// read for it; and how long a new stream's first event takes meanwhile, with other clients sending messages.
//
// Goals: at most 25 KB of heap a reader, one read of the log an event; the times are stated.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createMessage, createRequest, openConnection, readTaskId } from './connection.mjs';
import { readStream } from './event-stream.mjs';
import { atMost, createFigure, stated } from './figure.mjs';
import { ASKABLE, askMemory } from './memory.mjs';
import { startOurs } from './servers.mjs';
import { importBundled } from './source.mjs';
import { formatTime, median } from './timing.mjs';

/** @typedef {import('./servers.mjs').Server} Server */
/** @typedef {import('./memory.mjs').Memory} Memory */
/** @typedef {import('./connection.mjs').Connection} Connection */
/** @typedef {import('./event-stream.mjs').EventStream} EventStream */

const READERS = 1000;
/** Connections that are opened at once. */
const AT_ONCE = 50;
const EVENTS = 20;
const SENDERS = 16;
const STARTS = 100;

/** @type {import('./figure.mjs').Bench} */
export const bench = {
  names: ['server-stream-memory', 'server-fan-out', 'server-fan-out-reads', 'server-first-event'],
  measure: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tiny-harness-bench-'));
    const server = await startOurs({ database: join(folder, 'tasks.db'), ...ASKABLE });
    try {
      return await measureStreams(server);
    } finally {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** @param {Server} server */
async function measureStreams(server) {
  const connection = await openConnection(server.port);
  const taskId = readTaskId(await connection.send(createRequest('SendMessage', createMessage())));
  const readers = createReaders(server.port, taskId);
  // Once and away again: code is compiled, tables have grown.
  await readers.open();
  await readers.close();
  const before = await askMemory(server);
  await readers.open();
  const after = await askMemory(server);
  const fanOut = await measureFanOut(connection, taskId, readers);
  const { countReads } = /** @type {typeof import('./count-reads.mjs')} */ (
    await importBundled('count-reads.mjs')
  );
  const reads = createFigure({
    bench: 'server-fan-out-reads',
    value: await countReads(READERS),
    unit: 'reads',
    goal: atMost(1),
    note: `of the log, until ${String(READERS)} readers have an event`,
  });
  return [createMemoryFigure(before, after), fanOut, reads, await measureFirstEvent(server.port)];
}

/**
 * Readers of a task's events.
 *
 * @param {number} port
 * @param {string} taskId
 */
function createReaders(port, taskId) {
  const request = createRequest('SubscribeToTask', { id: taskId });
  /** @type {EventStream[]} */
  let streams = [];
  let arrived = 0;
  let wanted = Infinity;
  let resolveAll = () => undefined;
  const onEvent = () => {
    if (++arrived === wanted) resolveAll();
  };
  return {
    open: async () => {
      for (let opened = 0; opened < READERS; opened += AT_ONCE) {
        const batch = Array.from({ length: AT_ONCE }, () => readStream(port, request, onEvent));
        streams.push(...(await Promise.all(batch)));
      }
    },
    close: async () => {
      for (const { close } of streams) close();
      streams = [];
      await new Promise((resolve) => setTimeout(resolve, 500));
    },
    /** Resolves when each reader has had so many events more. */
    hear: (/** @type {number} */ events) =>
      new Promise((/** @type {(value: undefined) => void} */ resolve) => {
        arrived = 0;
        wanted = events * READERS;
        resolveAll = () => {
          resolve(undefined);
          return undefined;
        };
      }),
  };
}

/**
 * @param {Memory} before
 * @param {Memory} after
 */
function createMemoryFigure(before, after) {
  const each = (/** @type {'used' | 'rss'} */ kind) =>
    (after[kind] - before[kind]) / READERS / 1000;
  return createFigure({
    bench: 'server-stream-memory',
    value: each('used'),
    unit: 'KB a stream',
    goal: atMost(25),
    note: `heap and buffers of ${String(READERS)} open streams after garbage was collected; ${each('rss').toPrecision(3)} KB of resident memory each`,
  });
}

/**
 * @param {Connection} connection
 * @param {string} taskId
 * @param {ReturnType<typeof createReaders>} readers
 */
async function measureFanOut(connection, taskId, readers) {
  const times = [];
  for (let count = 0; count < EVENTS; count++) {
    // A message makes two events: it is worked on, and answered.
    const heard = readers.hear(2);
    const start = performance.now();
    await connection.send(
      createRequest('SendMessage', createMessage({ taskId, historyLength: 1 })),
    );
    const answered = performance.now();
    await heard;
    times.push({ all: performance.now() - start, late: performance.now() - answered });
  }
  const all = median(times.map((each) => each.all));
  const late = median(times.map((each) => each.late));
  return createFigure({
    bench: 'server-fan-out',
    value: all,
    unit: 'ms',
    goal: stated,
    note: `from a message until its 2 events have reached all of ${String(READERS)} readers, in one process; ${formatTime(late)} after the sender's answer; median of ${String(EVENTS)}`,
  });
}

/** @param {number} port */
async function measureFirstEvent(port) {
  let busy = true;
  const senders = Array.from({ length: SENDERS }, async () => {
    const connection = await openConnection(port);
    while (busy) await connection.send(createRequest('SendMessage', createMessage()));
    connection.close();
  });
  const times = [];
  for (let count = 0; count < STARTS; count++) {
    const request = createRequest('SendStreamingMessage', createMessage());
    const start = performance.now();
    const stream = await readStream(port, request, () => undefined);
    times.push(performance.now() - start);
    stream.close();
  }
  busy = false;
  await Promise.all(senders);
  const slow = [...times].sort((a, b) => a - b)[Math.floor(STARTS * 0.95)] ?? NaN;
  return createFigure({
    bench: 'server-first-event',
    value: median(times),
    unit: 'ms',
    goal: stated,
    note: `until a new stream's first event, the message durable, with ${String(READERS)} streams open and ${String(SENDERS)} clients sending; ${formatTime(slow)} for the slowest 5 %`,
  });
}
