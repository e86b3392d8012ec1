import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { ProtocolError } from '../../src/core/errors.ts';
import type { FakeOptions } from './fake-server.ts';
import { createFakeServer } from './fake-server.ts';
import type { Feed } from './feed.ts';
import { createFeed } from './feed.ts';

const running: { close(): Promise<unknown> }[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((app) => app.close()));
});

/** A server whose every operation answers with this feed. */
async function serve(feed: Feed, options: FakeOptions = {}) {
  const server = createFakeServer(() => feed.answer, options);
  running.push(server.app);
  const url = await server.app.listen({ port: 0 });
  return { ...server, url, port: Number(new URL(url).port) };
}

/** Reads a stream until it has this text. */
async function readUntil(response: Response, text: string): Promise<string> {
  const reader = response.body?.getReader() as ReadableStreamDefaultReader<Uint8Array> | undefined;
  let read = '';
  while (!read.includes(text)) {
    const chunk = await reader?.read();
    if (chunk?.value === undefined) throw new Error(`ended after ${JSON.stringify(read)}`);
    read += Buffer.from(chunk.value).toString();
  }
  reader?.releaseLock();
  return read;
}

/** A connection that subscribes, as a program would that speaks HTTP by itself. */
function subscribe(port: number): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.write('GET /tasks/t1:subscribe HTTP/1.1\r\nHost: x\r\n\r\n');
  socket.on('error', () => undefined);
  return socket;
}

test('frames with their ids, in HTTP+JSON', async () => {
  const feed = createFeed();
  feed.push({ id: 0, body: '{"task":{}}' }, { id: 12, body: '{"statusUpdate":{}}' });
  feed.push({ id: undefined, body: '{"message":{}}' });
  feed.end();
  const { url, calls } = await serve(feed, { activated: (asked) => asked });
  const response = await fetch(`${url}/tasks/t1:subscribe`, {
    headers: { 'last-event-id': '3', 'a2a-extensions': 'https://a.example/v1' },
  });
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
    'a2a-extensions': 'https://a.example/v1',
    'x-request-id': expect.any(String) as string,
  });
  expect(await response.text()).toBe(
    'id: 0\ndata: {"task":{}}\n\nid: 12\ndata: {"statusUpdate":{}}\n\ndata: {"message":{}}\n\n',
  );
  expect(calls[0]).toMatchObject({ operation: 'SubscribeToTask', lastEventId: '3' });
});

test('frames in the envelope of JSON-RPC, with the id of the request', async () => {
  const feed = createFeed();
  feed.push({ id: 1, body: '{"task":{}}' });
  feed.end();
  const { url } = await serve(feed);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":"sub-1","method":"SubscribeToTask","params":{"id":"t1"}}',
  });
  expect(await response.text()).toBe(
    'id: 1\ndata: {"jsonrpc":"2.0","id":"sub-1","result":{"task":{}}}\n\n',
  );
});

test('an event is sent when it comes', async () => {
  const feed = createFeed();
  feed.push({ id: 0, body: '{"n":0}' });
  const { url } = await serve(feed);
  const response = await fetch(`${url}/tasks/t1:subscribe`);
  await readUntil(response, '{"n":0}');
  feed.push({ id: 1, body: '{"n":1}' });
  await readUntil(response, '{"n":1}');
  feed.end();
});

test('a refusal before the first event is an ordinary answer', async () => {
  const feed = createFeed();
  feed.fail(new ProtocolError('UNSUPPORTED_OPERATION', 'The task has ended'));
  const { url } = await serve(feed);
  const response = await fetch(`${url}/tasks/t1:subscribe`);
  expect(response.status).toBe(400);
  expect(response.headers.get('content-type')).toBe('application/a2a+json');
  expect(await response.json()).toMatchObject({ error: { message: 'The task has ended' } });
});

test('an error after the first event breaks the stream off, and is logged', async () => {
  const feed = createFeed();
  feed.push({ id: 0, body: '{}' });
  const { url, lines } = await serve(feed);
  const response = await fetch(`${url}/tasks/t1:subscribe`, { headers: { 'x-request-id': 'r1' } });
  feed.fail(new Error('disk full'));
  await expect(response.text()).rejects.toThrow('terminated');
  expect(lines.find(({ level }) => level === 40)).toMatchObject({
    reqId: 'r1',
    err: { message: 'disk full' },
    msg: 'stream cut off',
  });
  await feed.letGo;
});

test('a client that goes away lets its stream go', async () => {
  const feed = createFeed();
  feed.push({ id: 0, body: '{}' });
  const { url } = await serve(feed);
  const abort = new AbortController();
  const response = await fetch(`${url}/tasks/t1:subscribe`, { signal: abort.signal });
  await readUntil(response, 'data');
  abort.abort();
  await feed.letGo;
});

test('a client that goes away before the first event lets its stream go', async () => {
  const feed = createFeed();
  const { port, calls } = await serve(feed);
  const socket = subscribe(port);
  await vi.waitFor(() => {
    expect(calls).toHaveLength(1);
  });
  socket.destroy();
  await feed.letGo;
});

test('the signal of a call is aborted when the caller is gone, and only then', async () => {
  const signals: AbortSignal[] = [];
  let release: (() => void) | undefined;
  const server = createFakeServer(async ({ operation, signal }) => {
    signals.push(signal);
    if (operation === 'GetTask') {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    }
    return { kind: 'value', body: '{}' };
  });
  running.push(server.app);
  const url = await server.app.listen({ port: 0 });
  await (await fetch(`${url}/tasks`)).text();
  const abort = new AbortController();
  const gone = fetch(`${url}/tasks/t1`, { signal: abort.signal });
  await vi.waitFor(() => {
    expect(signals).toHaveLength(2);
  });
  abort.abort();
  await expect(gone).rejects.toThrow();
  await vi.waitFor(() => {
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
  });
  release?.();
});

test('comments keep a quiet stream open', async () => {
  const feed = createFeed();
  feed.push({ id: 0, body: '{}' });
  const { url } = await serve(feed, { settings: { HEARTBEAT: '100ms' } });
  const response = await fetch(`${url}/tasks/t1:subscribe`);
  expect(await readUntil(response, ':\n\n:\n\n')).toBe('id: 0\ndata: {}\n\n:\n\n:\n\n');
});

test('no more is asked for than the reader takes', async () => {
  const feed = createFeed();
  const body = JSON.stringify('x'.repeat(1_000_000));
  for (let id = 0; id < 50; id += 1) feed.push({ id, body });
  feed.end();
  const { port } = await serve(feed);
  const socket = subscribe(port);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(feed.asked).toBeLessThan(20);
  let received = 0;
  socket.on('data', (chunk) => (received += chunk.length));
  await vi.waitFor(() => {
    expect(received).toBeGreaterThan(50_000_000);
  });
  socket.destroy();
});

test('a reader that takes nothing for two heartbeats is disconnected', async () => {
  const feed = createFeed();
  const body = JSON.stringify('x'.repeat(1_000_000));
  for (let id = 0; id < 50; id += 1) feed.push({ id, body });
  const { port, lines } = await serve(feed, { settings: { HEARTBEAT: '100ms' } });
  const socket = subscribe(port);
  await feed.letGo;
  expect(lines.some(({ msg }) => String(msg).includes('did not keep up'))).toBe(true);
  socket.destroy();
});

test('a slow reader whose stream is cut is disconnected', async () => {
  const feed = createFeed();
  const body = JSON.stringify('x'.repeat(1_000_000));
  for (let id = 0; id < 50; id += 1) feed.push({ id, body });
  const { port } = await serve(feed);
  const socket = subscribe(port);
  await vi.waitFor(() => {
    expect(feed.asked).toBeGreaterThan(0);
  });
  await new Promise((resolve) => setTimeout(resolve, 100));
  feed.cut();
  await feed.letGo;
  socket.destroy();
});

test('a reader that keeps up is told when its stream is cut', async () => {
  const feed = createFeed();
  feed.push({ id: 0, body: '{}' });
  const { url } = await serve(feed);
  const response = await fetch(`${url}/tasks/t1:subscribe`);
  feed.cut();
  expect(await response.text()).toBe(
    'id: 0\ndata: {}\n\n: the server ends this stream; resume with Last-Event-ID\n\n',
  );
});

test('closing the server tells every reader, ends the streams and does not wait for connections', async () => {
  const feed = createFeed();
  feed.push({ id: 0, body: '{}' });
  const { app, url } = await serve(feed);
  const response = await fetch(`${url}/tasks/t1:subscribe`);
  const started = performance.now();
  await app.close();
  expect(performance.now() - started).toBeLessThan(2000);
  expect(await response.text()).toMatch(/: the server ends this stream/);
  await feed.letGo;
});
