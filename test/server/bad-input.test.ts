/** Input that is broken, hostile or endless: a clear refusal or a clean close, and the next request is served. */
import type { Socket } from 'node:net';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createClient, messageOf } from '../support/a2a-client.ts';
import { converse, writeRequest } from '../support/raw-http.ts';
import type { Conversation } from '../support/raw-http.ts';
import type { ServerProcess } from '../support/server.ts';
import { peakMemory, startServer } from '../support/server.ts';

let server: ServerProcess;

beforeAll(async () => {
  server = await startServer({ REQUEST_TIMEOUT: '1s' }, 'stopped');
  return async () => {
    await server.stop();
  };
});

afterEach(async () => {
  const answer = await createClient(server.url, 'rest').send('still there?');
  expect(answer.result.task?.status.message?.parts).toEqual([{ text: 'You said: still there?' }]);
  // A refusal is nothing that an operator has to look at.
  expect(server.stderr).toBe('');
});

const MEBIBYTE = 1024 * 1024;
const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;

/** A message whose data part is this JSON text. */
function messageWith(data: string, messageId = 'm'): string {
  return `{"message":{"messageId":"${messageId}","role":"ROLE_USER","parts":[{"data":${data}}]}}`;
}

function rpc(params: string, id = '1', method = 'SendMessage'): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`;
}

function sendRpc(body: string | Buffer, headers = {}): Promise<Conversation> {
  return converse(server.url, (socket) => socket.write(writeRequest('POST', '/', body, headers)));
}

function sendRest(body: string | Buffer, headers = {}): Promise<Conversation> {
  return converse(server.url, (socket) =>
    socket.write(writeRequest('POST', '/message:send', body, headers)),
  );
}

/** The JSON-RPC error code of an answer. */
function codeOf({ text }: Conversation): number {
  return Number(/"error":\{"code":(-?\d+)/.exec(text)?.[1]);
}

const lone = String.raw`"\ud800"`;
const cases: readonly [string, string | Buffer, { rpc: number; rest: number }][] = [
  ['20,000 levels of nesting', messageWith(nested), { rpc: -32600, rest: 400 }],
  ['20,000 levels that are never closed', '['.repeat(20_000), { rpc: -32600, rest: 400 }],
  ['half of a surrogate pair', messageWith(lone), { rpc: -32600, rest: 400 }],
  ['half of a surrogate pair as a name', messageWith(`{${lone}:1}`), { rpc: -32600, rest: 400 }],
  [
    'bytes that are not UTF-8',
    Buffer.from(messageWith('"\xff\xfe"'), 'latin1'),
    { rpc: -32700, rest: 400 },
  ],
  ['a cut off body', messageWith('1').slice(0, -2), { rpc: -32700, rest: 400 }],
  ['a byte order mark', `\ufeff${messageWith('1')}`, { rpc: -32700, rest: 400 }],
  ['a message id of 900 kB', messageWith('1', 'x'.repeat(900_000)), { rpc: -32602, rest: 400 }],
  ['an empty body', '', { rpc: -32700, rest: 400 }],
];

describe('bodies', () => {
  test.each(cases)('%s', async (_, body, expected) => {
    const whole = Buffer.isBuffer(body)
      ? Buffer.concat([Buffer.from(rpc('').slice(0, -1)), body, Buffer.from('}')])
      : body === ''
        ? ''
        : rpc(body).slice(
            0,
            body.startsWith('{"message":{') && !body.endsWith('}}') ? -1 : undefined,
          );
    const [first, second] = await Promise.all([sendRpc(whole), sendRest(body)]);
    expect([first.statuses, codeOf(first)]).toEqual([[200], expected.rpc]);
    expect(second.statuses).toEqual([expected.rest]);
  });

  test('__proto__, constructor and toString are names like any others', async () => {
    const data =
      '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":1}';
    const { statuses, text } = await sendRest(messageWith(data, 'proto'));
    expect(statuses).toEqual([200]);
    expect(text).toContain(data);
    const envelope = await sendRest('{"__proto__":{"message":1},"constructor":1}');
    expect(envelope.statuses).toEqual([400]);
  });

  test('an id of a request that is 900 kB long is refused and not repeated', async () => {
    const answer = await sendRpc(rpc('{}', `"${'x'.repeat(900_000)}"`));
    expect(codeOf(answer)).toBe(-32600);
    expect(answer.text.length).toBeLessThan(2000);
  });

  test('a body of 100 MB is refused before it has arrived, and not kept', async () => {
    const before = peakMemory(server.pid);
    const chunk = Buffer.alloc(MEBIBYTE, 'x');
    for (const framing of ['content-length', 'chunked']) {
      let written = 0;
      const answer = await converse(server.url, (socket) => {
        const length = { 'content-length': String(100 * MEBIBYTE) };
        const headers = framing === 'chunked' ? { 'transfer-encoding': 'chunked' } : length;
        socket.write(headOf('POST', '/', headers));
        const frame =
          framing === 'chunked' ? [Buffer.from('100000\r\n'), chunk, Buffer.from('\r\n')] : [chunk];
        void pour(socket, Buffer.concat(frame), 100, () => (written += 1));
      });
      expect(answer.statuses, framing).toEqual([413]);
      expect(answer.closed).toBe(true);
      expect(written).toBeLessThan(100);
    }
    if (before !== undefined) expect(peakMemory(server.pid)! - before).toBeLessThan(60);
  });

  test('a body of 100 MB that is announced with Expect: 100-continue is refused at once', async () => {
    const answer = await converse(server.url, (socket) => {
      const headers = { 'content-length': String(100 * MEBIBYTE), expect: '100-continue' };
      socket.write(headOf('POST', '/message:send', headers));
    });
    expect(answer.statuses.at(-1)).toBe(413);
  });
});

/** A request's line and headers alone. */
function headOf(method: string, path: string, headers: Record<string, string>): string {
  const lines = Object.entries({
    'a2a-version': '1.0',
    'content-type': 'application/json',
    ...headers,
  });
  return `${method} ${path} HTTP/1.1\r\nhost: localhost\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}

/** Writes the bytes so many times, as fast as they are taken. */
async function pour(
  socket: Socket,
  bytes: Buffer,
  times: number,
  count: () => void,
): Promise<void> {
  for (let at = 0; at < times && socket.writable; at += 1) {
    const taken = socket.write(bytes);
    count();
    if (taken) continue;
    await new Promise((resolve) => {
      socket.once('drain', resolve).once('close', resolve);
    });
  }
}

describe('headers and addresses', () => {
  const flood = Array.from(
    { length: 2000 },
    (_, at) => `x-flood-${at}: ${'y'.repeat(20)}\r\n`,
  ).join('');

  test.each([
    ['a flood of headers', `GET /tasks HTTP/1.1\r\nhost: x\r\n${flood}\r\n`, 431],
    [
      'a header of 1 MB',
      `GET /tasks HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(MEBIBYTE)}\r\n\r\n`,
      431,
    ],
    [
      'an id of 1 MB in the path',
      `GET /tasks/${'x'.repeat(MEBIBYTE)} HTTP/1.1\r\nhost: x\r\n\r\n`,
      431,
    ],
    [
      'an id of 10 kB in the path',
      headOf('GET', `/tasks/${'x'.repeat(10_000)}`, { connection: 'close' }),
      400,
    ],
    ['what is not HTTP', 'hello\r\n\r\n', 400],
    ['the beginning of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
    ['no host', 'GET /tasks HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}',
      400,
    ],
    [
      'a length beside chunks',
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['a length that is none', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n', 400],
    [
      'a malformed chunk',
      'POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
      400,
    ],
    ['a NUL in the path', 'GET /tasks/\0 HTTP/1.1\r\nhost: x\r\n\r\n', 400],
    ['a malformed escape', headOf('GET', '/tasks/%zz', { connection: 'close' }), 400],
    ['an escape that is not UTF-8', headOf('GET', '/tasks/%ff', { connection: 'close' }), 400],
  ])('%s', async (_, bytes, status) => {
    const answer = await converse(server.url, (socket) => socket.write(bytes, 'latin1'));
    expect(answer.statuses).toEqual([status]);
    expect(answer.closed).toBe(true);
  });
});

describe('connections', () => {
  const body = JSON.stringify({ message: messageOf('one of many') });

  test('a peer that closes its half is gone', async () => {
    const answer = await converse(server.url, (socket) => {
      socket.end(writeRequest('POST', '/message:send', body, { connection: 'keep-alive' }));
    });
    expect(answer.closed).toBe(true);
    expect(answer.statuses.every((status) => status === 200)).toBe(true);
  });

  test('a peer that closes its half within a body', async () => {
    const bytes = writeRequest('POST', '/message:send', body);
    const answer = await converse(server.url, (socket) => socket.end(bytes.subarray(0, -10)));
    expect(answer.closed).toBe(true);
    expect(answer.statuses.every((status) => status === 400)).toBe(true);
  });

  test('a peer that vanishes within a body, and one within its headers', async () => {
    const bytes = writeRequest('POST', '/message:send', body);
    for (const length of [20, bytes.length - 10]) {
      await converse(server.url, (socket) =>
        socket.write(bytes.subarray(0, length), () => socket.resetAndDestroy()),
      );
    }
  });

  test.each([
    ['its headers', 'POST /message:send HTTP/1.1\r\nhost: localhost\r\n'],
    ['its body', headOf('POST', '/message:send', { 'content-length': '1000' }) + '{"message":'],
    ['nothing at all', ''],
  ])('a peer that sends %s drop by drop is late', async (_, start) => {
    let drip: NodeJS.Timeout | undefined;
    const answer = await converse(server.url, (socket) => {
      socket.write(start || 'P');
      drip = setInterval(() => socket.write('x'), 100);
    });
    clearInterval(drip);
    expect(answer.closed).toBe(true);
    expect(answer.statuses).toEqual([start === '' ? expect.any(Number) : 408]);
  });

  test('requests in a row are answered in a row', async () => {
    const texts = Array.from({ length: 50 }, (_, at) => `message ${at}`);
    const requests = texts.map((text, at) =>
      writeRequest('POST', '/message:send', JSON.stringify({ message: messageOf(text) }), {
        connection: at === texts.length - 1 ? 'close' : 'keep-alive',
      }),
    );
    const answer = await converse(server.url, (socket) => socket.write(Buffer.concat(requests)));
    expect(answer.statuses).toEqual(texts.map(() => 200));
    const said = [...answer.text.matchAll(/You said: (message \d+)/g)].map(([, text]) => text);
    expect([...new Set(said)]).toEqual(texts);
  });

  test('a good request before a broken one is answered', async () => {
    const good = writeRequest('GET', '/healthz', '', { connection: 'keep-alive' });
    const answer = await converse(server.url, (socket) =>
      socket.write(Buffer.concat([good, Buffer.from('nonsense\r\n\r\n')])),
    );
    expect(answer.statuses[0]).toBe(200);
    expect(answer.statuses.slice(1).every((status) => status === 400)).toBe(true);
    expect(answer.closed).toBe(true);
  });
});
