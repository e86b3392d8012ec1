import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Answer } from '../../src/protocol/call.ts';
import type { FakeOptions } from './fake-server.ts';
import { createFakeServer, value } from './fake-server.ts';

const running: { close(): Promise<unknown> }[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((app) => app.close()));
});

function create(options: FakeOptions = {}) {
  const server = createFakeServer(() => value({}), options);
  running.push(server.app);
  return server;
}

/** Sends bytes and gives what came back until the server closed the connection. */
async function converse(url: string, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(bytes);
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString()));
  await new Promise((resolve) => socket.once('close', resolve));
  return text;
}

/** Head and body of an answer. */
function split(text: string): { head: string; error: unknown } {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  return { head, error: (JSON.parse(body) as { error: unknown }).error };
}

describe('requests a minute', () => {
  const settings = { RATE_LIMIT: '2' };
  const remoteAddress = '192.0.2.1';

  test('more are refused with 429 and the time to wait, in each binding', async () => {
    const { app, calls } = create({ settings });
    const get = () => app.inject({ method: 'GET', url: '/tasks', remoteAddress });
    expect((await get()).statusCode).toBe(200);
    expect((await get()).statusCode).toBe(200);
    const rest = await get();
    expect(rest.statusCode).toBe(429);
    expect(rest.headers['retry-after']).toBe('60');
    expect(rest.headers['content-type']).toBe('application/a2a+json');
    expect(rest.json()).toMatchObject({
      error: { code: 429, status: 'RESOURCE_EXHAUSTED', details: [{ reason: 'RATE_LIMITED' }] },
    });
    const payload = { jsonrpc: '2.0', id: 1, method: 'ListTasks' };
    const rpc = await app.inject({ method: 'POST', url: '/', payload, remoteAddress });
    expect(rpc.statusCode).toBe(429);
    expect(rpc.json()).toMatchObject({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32000, data: [{ reason: 'RATE_LIMITED' }] },
    });
    expect(calls).toHaveLength(2);
  });

  test('paths that lead nowhere count, what operators ask does not', async () => {
    const { app } = create({ settings });
    const get = async (url: string) =>
      (await app.inject({ method: 'GET', url, remoteAddress })).statusCode;
    for (let at = 0; at < 5; at += 1) {
      expect([await get('/healthz'), await get('/readyz')]).toEqual([200, 200]);
    }
    expect([await get('/nope'), await get('/nope'), await get('/nope')]).toEqual([404, 404, 429]);
  });

  test.each(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])(
    'none for %s',
    async (address) => {
      const { app } = create({ settings });
      for (let at = 0; at < 4; at += 1) {
        const answer = await app.inject({ method: 'GET', url: '/tasks', remoteAddress: address });
        expect(answer.statusCode).toBe(200);
      }
    },
  );

  test('none at all with 0', async () => {
    const { app } = create({ settings: { RATE_LIMIT: '0' } });
    for (let at = 0; at < 130; at += 1) {
      const answer = await app.inject({ method: 'GET', url: '/tasks', remoteAddress });
      expect(answer.statusCode).toBe(200);
    }
  });

  test('X-Forwarded-For is believed from a proxy that is trusted, and from nobody else', async () => {
    const statuses = async (trusted: string) => {
      const { app } = create({ settings: { RATE_LIMIT: '1', TRUST_PROXY: trusted } });
      const answers: number[] = [];
      for (const client of ['198.51.100.1', '198.51.100.2']) {
        const headers = { 'x-forwarded-for': client };
        const answer = await app.inject({ method: 'GET', url: '/tasks', remoteAddress, headers });
        answers.push(answer.statusCode);
      }
      return answers;
    };
    expect(await statuses('192.0.2.0/24')).toEqual([200, 200]);
    expect(await statuses('')).toEqual([200, 429]);
  });
});

describe('origins', () => {
  const ask = (app: ReturnType<typeof create>['app'], method: 'GET' | 'OPTIONS', origin: string) =>
    app.inject({
      method,
      url: '/tasks',
      headers: { origin, 'access-control-request-method': 'GET' },
    });

  test('nothing is said of them unless they are configured', async () => {
    const { app } = create();
    const { headers } = await ask(app, 'GET', 'https://app.example.com');
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect((await ask(app, 'OPTIONS', 'https://app.example.com')).statusCode).toBe(405);
  });

  test('those that are listed may call and read what matters', async () => {
    const { app } = create({ settings: { CORS_ORIGIN: 'https://app.example.com' } });
    const listed = await ask(app, 'GET', 'https://app.example.com');
    expect(listed.headers).toMatchObject({
      'access-control-allow-origin': 'https://app.example.com',
      'access-control-expose-headers':
        'A2A-Extensions, X-Request-Id, Retry-After, ETag, WWW-Authenticate',
    });
    const preflight = await ask(app, 'OPTIONS', 'https://app.example.com');
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers['access-control-allow-methods']).toBe('GET, HEAD, POST, DELETE');
    const other = await ask(app, 'GET', 'https://evil.example.com');
    expect(other.headers).not.toHaveProperty('access-control-allow-origin');
  });
});

describe('bodies that are too large', () => {
  const body = new Uint8Array(8_000_000);

  test.each(['/', '/message:send'])(
    'the answer arrives although the body does not: %s',
    async (path) => {
      const { app, calls } = create();
      const url = await app.listen({ port: 0 });
      for (let at = 0; at < 10; at += 1) {
        const answer = await fetch(url + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        });
        expect(answer.status).toBe(413);
        expect(answer.headers.get('connection')).toBe('close');
        expect(await answer.text()).toContain('larger than the 1048576 bytes');
      }
      expect(calls).toEqual([]);
    },
  );

  test('one that is announced and never comes is not waited for', async () => {
    const { app } = create();
    const url = await app.listen({ port: 0 });
    const text = await converse(
      url,
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\nContent-Type: application/json\r\n\r\n',
    );
    expect(split(text).head).toMatch(/^HTTP\/1\.1 413 /);
  });
});

describe('what never becomes a request', () => {
  test('a request that does not arrive in time', async () => {
    const { app } = create({ settings: { REQUEST_TIMEOUT: '200ms' } });
    const url = await app.listen({ port: 0 });
    const text = await converse(
      url,
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\nContent-Type: application/json\r\n\r\n{',
    );
    const { head, error } = split(text);
    expect(head).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(head).toContain('Connection: close');
    expect(error).toMatchObject({
      code: 408,
      status: 'DEADLINE_EXCEEDED',
      details: [{ reason: 'REQUEST_TIMEOUT' }],
    });
  });

  test('headers that are too large', async () => {
    const { app } = create();
    const url = await app.listen({ port: 0 });
    const text = await converse(
      url,
      `GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(20_000)}\r\n\r\n`,
    );
    const { head, error } = split(text);
    expect(head).toMatch(/^HTTP\/1\.1 431 /);
    expect(error).toMatchObject({ code: 431, details: [{ reason: 'HEADERS_TOO_LARGE' }] });
  });

  test('what is not HTTP', async () => {
    const { app } = create();
    const url = await app.listen({ port: 0 });
    const { head, error } = split(await converse(url, 'hello\r\n\r\n'));
    expect(head).toMatch(/^HTTP\/1\.1 400 /);
    expect(error).toMatchObject({ code: 400, details: [{ reason: 'INVALID_REQUEST' }] });
  });
});

test('each answer is a line in the log at debug level, with its request, operation and task', async () => {
  const { app, lines } = create();
  await app.inject({ method: 'GET', url: '/tasks/t1', headers: { 'x-request-id': 'r1' } });
  await app.inject({ method: 'GET', url: '/healthz', headers: { 'x-request-id': 'r2' } });
  expect(lines).toMatchObject([
    {
      level: 20,
      reqId: 'r1',
      operation: 'GetTask',
      taskId: 't1',
      method: 'GET',
      url: '/tasks/t1',
      status: 200,
      msg: 'answered',
    },
    { reqId: 'r2', url: '/healthz', status: 200 },
  ]);
});

test('a request that comes while the server stops is told to come again', async () => {
  let release: ((answer: Answer) => void) | undefined;
  const { app, calls } = createFakeServer(
    () =>
      new Promise<Answer>((resolve) => {
        release = resolve;
      }),
  );
  const url = await app.listen({ port: 0 });
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString()));
  socket.write('GET /tasks/t1 HTTP/1.1\r\nHost: x\r\n\r\n');
  await vi.waitFor(() => {
    expect(calls).toHaveLength(1);
  });
  const closed = app.close();
  await vi.waitFor(() => {
    expect(app.server.listening).toBe(false);
  });
  // The connection is in use, so it is still there, and its next request comes too late.
  socket.write('GET /tasks/t2 HTTP/1.1\r\nHost: x\r\n\r\n');
  await new Promise((resolve) => setTimeout(resolve, 50));
  release?.(value({}));
  await Promise.all([closed, once(socket, 'close')]);
  expect(calls).toHaveLength(1);
  expect(text).toContain('HTTP/1.1 200 OK');
  expect(text).toContain('HTTP/1.1 503 Service Unavailable');
  expect(text).toContain('"status":"UNAVAILABLE"');
  expect(text.toLowerCase()).toContain('retry-after: 1');
});
