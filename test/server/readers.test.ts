/** Readers of streams that do not behave: they cost the server nothing and others do not notice them. */
import { writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createClient, messageOf, stateOf } from '../support/a2a-client.ts';
import { eventually } from '../support/eventually.ts';
import { openSocket, writeRequest } from '../support/raw-http.ts';
import { createFolder, peakMemory, readMetrics, startServer } from '../support/server.ts';

/** Chunks of the flood, each as long as the message that asked for it. */
const CHUNKS = 1000;

/** A server that answers each message with a flood of it, or with a plain reply when it is short. */
async function startFlooding() {
  const folder = createFolder();
  const scenario = join(folder, 'flood.yaml');
  const chunks = Array.from({ length: CHUNKS }, () => "'${text}'").join(', ');
  const flood = `- artifact: { id: flood, chunks: [${chunks}] }\n      - say: Done.`;
  writeFileSync(scenario, `rules:\n  - when: { matches: '^x{9}' }\n    do:\n      ${flood}\n`);
  return startServer({
    SCENARIO: scenario,
    DATABASE: join(folder, 'tasks.db'),
    SUBSCRIBER_QUEUE: '100',
    HEARTBEAT: '500ms',
  });
}

/** Sends the request and never reads. */
function neverRead(url: string, request: Buffer): Socket {
  const socket = openSocket(url);
  socket.pause();
  socket.once('connect', () => socket.write(request));
  return socket;
}

test(
  'a client that never reads is disconnected, slows nobody, and can resume',
  { timeout: 90_000 },
  async () => {
    const server = await startFlooding();
    const client = createClient(server.url, 'rest');
    const { result } = await client.send('begin');
    const { id } = result.task!;
    const open = async () => (await readMetrics(server.url)).get('tiny_harness_open_streams');
    const before = peakMemory(server.pid);

    const lazy = Array.from({ length: 20 }, () =>
      neverRead(server.url, writeRequest('GET', `/tasks/${id}:subscribe`)),
    );
    const reader = await client.stream('SubscribeToTask', { id });
    await eventually('opening the streams', async () => (await open()) === 21 || undefined);
    await client.send('x'.repeat(16_000), { taskId: id });
    await reader.until(({ body }) => stateOf(body) === 'INPUT_REQUIRED' && body.task === undefined);

    await eventually(
      'disconnecting those who never read',
      async () => (await open()) === 1 || undefined,
    );
    // 16 MB went to one reader; twenty others that wait for theirs would need 320.
    if (before !== undefined) expect(peakMemory(server.pid)! - before).toBeLessThan(150);
    for (const socket of lazy) socket.destroy();

    const resumed = await client.stream(
      'SubscribeToTask',
      { id },
      { headers: { 'last-event-id': '0' } },
    );
    const last = reader.heard.at(-1)!;
    await resumed.until((heard) => heard.id === last.id);
    const seen = resumed.heard.slice(1).map((heard) => heard.id);
    expect(seen).toEqual(Array.from({ length: last.id! }, (_, at) => at + 1));
    const told = new Set(reader.heard.slice(1).map((heard) => heard.id));
    expect(resumed.heard.slice(1).filter((heard) => told.has(heard.id))).toEqual(
      reader.heard.slice(1),
    );
    reader.close();
    resumed.close();
    expect(server.stderr).toBe('');
  },
);

test('a thousand subscribers that vanish are forgotten', { timeout: 90_000 }, async () => {
  const server = await startServer();
  const client = createClient(server.url, 'jsonrpc');
  const { id } = (await client.send('hello')).result.task!;
  const request = writeRequest('GET', `/tasks/${id}:subscribe`);
  const gauge = async (name: string) => (await readMetrics(server.url)).get(name) ?? Number.NaN;
  const quiet = await gauge('process_open_fds');

  const peaks: (number | undefined)[] = [];
  for (let round = 0; round < 3; round += 1) {
    const sockets = Array.from({ length: 1000 }, () => openSocket(server.url));
    for (const socket of sockets) socket.resume().write(request);
    await eventually('opening the streams', async () =>
      (await gauge('tiny_harness_open_streams')) === 1000 ? true : undefined,
    );
    const { result } = await client.send('all of you', { taskId: id });
    expect(result.task!.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    // Half of them say good-bye, the others are torn off.
    for (const [at, socket] of sockets.entries()) {
      if (at % 2 === 0) socket.destroy();
      else socket.resetAndDestroy();
    }
    await eventually('forgetting the streams', async () =>
      (await gauge('tiny_harness_open_streams')) === 0 ? true : undefined,
    );
    const messages = await client.send('anybody there?', { taskId: id });
    expect(messages.status).toBe(200);
    peaks.push(peakMemory(server.pid));
  }
  // Linux says how many files are open; elsewhere that streams are gone has to do.
  if (!Number.isNaN(quiet)) {
    await eventually('closing the sockets', async () =>
      (await gauge('process_open_fds')) < quiet + 20 ? true : undefined,
    );
  }
  // What the first thousand needed is used again by those after them.
  const [first, , third] = peaks;
  if (first !== undefined) expect(third! - first).toBeLessThan(40);
  expect(server.stderr).toBe('');
});

test('a caller who blocks and leaves stops nothing', async () => {
  const folder = createFolder();
  const scenario = join(folder, 'slow.yaml');
  writeFileSync(scenario, 'rules:\n  - do: [{ wait: 700ms }, { say: Done. }]\n');
  const server = await startServer({ SCENARIO: scenario });
  const client = createClient(server.url, 'rest');
  const contextId = 'left-alone';
  for (const path of ['/message:send', '/message:stream']) {
    const body = JSON.stringify({ message: messageOf('work', { contextId }) });
    const socket = openSocket(server.url).resume();
    socket.write(writeRequest('POST', path, body));
    await eventually('taking up the work', async () =>
      (await readMetrics(server.url)).get('tiny_harness_running_turns') === 1 ? true : undefined,
    );
    socket.resetAndDestroy();
    await eventually('finishing the work', async () => {
      const { tasks } = (await client.call('ListTasks', { contextId })).result;
      return tasks.every(({ status }) => status.state === 'TASK_STATE_INPUT_REQUIRED') || undefined;
    });
  }
  const { tasks } = (await client.call('ListTasks', { contextId })).result;
  expect(tasks.map(({ status }) => status.message?.parts)).toEqual([
    [{ text: 'Done.' }],
    [{ text: 'Done.' }],
  ]);
  expect(server.stderr).toBe('');
});
