import { expect, onTestFinished, test, vi } from 'vitest';
import { ProtocolError } from '../../src/core/errors.ts';
import { MAX_BATCH } from '../../src/http/jsonrpc.ts';
import type { Call } from '../../src/protocol/call.ts';
import { OPERATION_NAMES } from '../../src/protocol/call.ts';
import type { FakeOptions } from './fake-server.ts';
import { createFakeServer, stream, value } from './fake-server.ts';

const echo = ({ operation, params }: Call) => value({ operation, params });

/** Posts text as it is. */
async function post(
  payload: string,
  { call = echo, headers = {}, ...options }: FakeOptions & Partial<Setup> = {},
) {
  const server = createFakeServer(call, options);
  const answer = await server.app.inject({
    method: 'POST',
    url: '/',
    headers: { 'content-type': 'application/json', ...headers },
    payload,
  });
  return { ...server, answer };
}

interface Setup {
  readonly call: Parameters<typeof createFakeServer>[0];
  readonly headers: Record<string, string>;
}

/** Posts text and gives the code and id of the error that it is answered with. */
async function refusal(payload: string, options: FakeOptions & Partial<Setup> = {}) {
  const { answer } = await post(payload, options);
  const { jsonrpc, id, error } = answer.json<{
    jsonrpc: string;
    id: unknown;
    error: { code: number; message: string; data: { fieldViolations?: object[] }[] };
  }>();
  expect(jsonrpc).toBe('2.0');
  const { code, message, data } = error;
  return { status: answer.statusCode, id, code, message, why: data[1]?.fieldViolations };
}

test.each(OPERATION_NAMES)('%s is called with its params', async (operation) => {
  const payload = `{"jsonrpc":"2.0","id":1,"method":"${operation}","params":{"id":"t1","x":[1]}}`;
  const { answer, calls } = await post(payload);
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['content-type']).toBe('application/json');
  expect(answer.body).toBe(
    `{"jsonrpc":"2.0","id":1,"result":{"operation":"${operation}","params":{"id":"t1","x":[1]}}}`,
  );
  expect(calls).toHaveLength(1);
});

test.each(['0', '-1.5', '""', '"s"', '"\\u00e9\\n"', 'null', '9007199254740991'])(
  'id %s comes back as it is',
  async (id) => {
    const { answer } = await post(`{"jsonrpc":"2.0","id":${id},"method":"ListTasks"}`);
    const parsed: unknown = JSON.parse(id);
    expect(answer.json()).toEqual({
      jsonrpc: '2.0',
      id: parsed,
      result: { operation: 'ListTasks', params: {} },
    });
  },
);

test.each(['{"jsonrpc":"2.0","id":1,"method":', '', 'nope', '\ufeff{}'])(
  'what is not JSON is a parse error: %j',
  async (payload) => {
    expect(await refusal(payload)).toMatchObject({
      status: 200,
      id: null,
      code: -32700,
      message: 'Invalid JSON payload',
      why: [{ field: '' }],
    });
  },
);

test.each([
  ['{"id":1,"method":"ListTasks"}', 1],
  ['{"jsonrpc":"1.0","id":"a","method":"ListTasks"}', 'a'],
  ['{"jsonrpc":2.0,"id":1,"method":"ListTasks"}', 1],
  ['{"jsonrpc":"2.0","id":1}', 1],
  ['{"jsonrpc":"2.0","id":1,"method":7}', 1],
  ['{"jsonrpc":"2.0","id":{"a":1},"method":"ListTasks"}', null],
  ['{"jsonrpc":"2.0","id":true,"method":"ListTasks"}', null],
  ['{"jsonrpc":"2.0","id":1e999,"method":"ListTasks"}', null],
  [`{"jsonrpc":"2.0","id":"${'x'.repeat(1025)}","method":"ListTasks"}`, null],
  ['{"method":"ListTasks"}', null],
  ['42', null],
  ['"x"', null],
  ['null', null],
  ['[]', null],
])('an invalid request: %.60s', async (payload, id) => {
  const message = 'Request payload validation error';
  expect(await refusal(payload)).toMatchObject({ status: 200, id, code: -32600, message });
});

test.each(['Nope', 'message/send', 'constructor', '__proto__', 'getTask'])(
  'method %s is not found',
  async (method) => {
    expect(await refusal(`{"jsonrpc":"2.0","id":"abc","method":"${method}"}`)).toMatchObject({
      status: 200,
      id: 'abc',
      code: -32601,
      message: 'Method not found',
      why: [
        { field: 'method', description: `method must be one of ${OPERATION_NAMES.join(', ')}` },
      ],
    });
  },
);

test.each(['["x"]', '[]', 'null', '"x"', '1', 'false'])('params %s', async (params) => {
  const payload = `{"jsonrpc":"2.0","id":1,"method":"GetTask","params":${params}}`;
  expect(await refusal(payload)).toEqual({
    status: 200,
    id: 1,
    code: -32602,
    message: 'params is an object whose members are named; lists are not taken',
    why: [
      {
        field: 'params',
        description: 'params is an object whose members are named; lists are not taken',
      },
    ],
  });
});

test('the members of params are data, whatever they are called', async () => {
  const { calls } = await post(
    '{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"__proto__":{"id":"x"},"constructor":1}}',
  );
  const params = calls[0]?.params as object;
  expect(Object.keys(params)).toEqual(['__proto__', 'constructor']);
  expect(Object.getPrototypeOf(params)).toBe(Object.prototype);
  expect('id' in params).toBe(false);
});

test('a notification is executed and not answered, whatever comes of it', async () => {
  const notification = '{"jsonrpc":"2.0","method":"CancelTask","params":{"id":"t1"}}';
  const done = await post(notification);
  expect(done.calls).toHaveLength(1);
  const failed = await post(notification, {
    call: () => {
      throw new Error('no');
    },
  });
  const unknown = await post('{"jsonrpc":"2.0","method":"Nope"}');
  for (const { answer } of [done, failed, unknown]) {
    expect(answer.statusCode).toBe(204);
    expect(answer.body).toBe('');
  }
});

test('a notification that would stream is executed, and its stream let go', async () => {
  let returned = false;
  const { answer, calls } = await post('{"jsonrpc":"2.0","method":"SendStreamingMessage"}', {
    call: () => {
      const answered = stream('{}');
      if (answered.kind === 'stream') {
        const iterator = answered.frames[Symbol.asyncIterator]();
        const frames = {
          next: () => iterator.next(),
          return: () => {
            returned = true;
            return Promise.resolve({ done: true as const, value: undefined });
          },
        };
        return {
          kind: 'stream',
          frames: { [Symbol.asyncIterator]: () => frames, onCut: () => undefined },
        };
      }
      return answered;
    },
  });
  expect(answer.statusCode).toBe(204);
  expect(calls).toHaveLength(1);
  expect(returned).toBe(true);
});

test('a batch is answered in its order, without its notifications', async () => {
  const { answer, calls } = await post(
    `[{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":"slow"}},
      {"jsonrpc":"2.0","method":"CancelTask"},
      3,
      {"jsonrpc":"2.0","id":"2","method":"Nope"},
      {"jsonrpc":"2.0","id":null,"method":"SubscribeToTask"},
      {"jsonrpc":"2.0","id":4,"method":"ListTasks"}]`,
    {
      call: async (request) => {
        if (request.operation === 'GetTask') await new Promise((resolve) => setTimeout(resolve, 5));
        return echo(request);
      },
    },
  );
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toMatchObject([
    { id: 1, result: { operation: 'GetTask' } },
    { id: null, error: { code: -32600 } },
    { id: '2', error: { code: -32601 } },
    {
      id: null,
      error: {
        code: -32600,
        message: 'SubscribeToTask answers with a stream, which a batch cannot hold; send it alone',
      },
    },
    { id: 4, result: { operation: 'ListTasks' } },
  ]);
  expect(calls.map(({ operation }) => operation)).toEqual(['GetTask', 'CancelTask', 'ListTasks']);
});

test('a batch of notifications has no answer', async () => {
  const { answer, calls } = await post(
    '[{"jsonrpc":"2.0","method":"ListTasks"},{"jsonrpc":"2.0","method":"ListTasks"}]',
  );
  expect(answer.statusCode).toBe(204);
  expect(answer.body).toBe('');
  expect(calls).toHaveLength(2);
});

test('the calls of a batch share what tells them that the caller is gone', async () => {
  const warn = vi.fn();
  process.on('warning', warn);
  onTestFinished(() => void process.off('warning', warn));
  const call = ({ signal }: Call) => {
    signal.addEventListener('abort', () => undefined);
    return value({});
  };
  const entry = '{"jsonrpc":"2.0","id":1,"method":"GetTask"}';
  const { answer, calls } = await post(`[${Array(20).fill(entry).join()}]`, { call });
  expect(answer.json()).toHaveLength(20);
  expect(new Set(calls.map(({ signal }) => signal)).size).toBe(1);
  await new Promise(setImmediate);
  expect(warn).not.toHaveBeenCalled();
});

test('a batch that is too long is refused whole', async () => {
  const entry = '{"jsonrpc":"2.0","id":1,"method":"ListTasks"}';
  const { calls } = await post(`[${Array(MAX_BATCH).fill(entry).join()}]`);
  expect(calls).toHaveLength(MAX_BATCH);
  const batch = `[${Array(MAX_BATCH + 1)
    .fill(entry)
    .join()}]`;
  expect(await refusal(batch)).toMatchObject({
    id: null,
    code: -32600,
    why: [{ description: 'The batch has 101 requests; send at most 100 at once' }],
  });
});

test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/a2a+json', 'nonsense'])(
  'Content-Type %s is refused with 415',
  async (type) => {
    const { calls, answer } = await post('{"jsonrpc":"2.0","id":1,"method":"ListTasks"}', {
      headers: { 'content-type': type },
    });
    expect(calls).toEqual([]);
    expect(answer.statusCode).toBe(415);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.json()).toMatchObject({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32005, data: [{ reason: 'CONTENT_TYPE_NOT_SUPPORTED' }] },
    });
  },
);

test.each([
  'application/json; charset=utf-8',
  'Application/JSON;charset="UTF-8"',
  'application/json; profile=x',
])('Content-Type %s is taken', async (type) => {
  const { answer } = await post('{"jsonrpc":"2.0","id":1,"method":"ListTasks"}', {
    headers: { 'content-type': type },
  });
  expect(answer.statusCode).toBe(200);
});

test.each([
  [{ 'content-type': 'application/json; charset=latin1' }, '"charset=latin1"'],
  [{ 'content-encoding': 'gzip' }, 'Content-Encoding "gzip"'],
])('%j is refused with 415', async (headers: Record<string, string>, named) => {
  const refused = await refusal('{"jsonrpc":"2.0","id":1,"method":"ListTasks"}', { headers });
  expect(refused.status).toBe(415);
  expect(refused.message).toContain(named);
});

test('a body above the limit is refused with 413', async () => {
  const refused = await refusal(JSON.stringify('x'.repeat(1000)), {
    settings: { BODY_LIMIT: '1000' },
  });
  expect(refused).toMatchObject({ status: 413, id: null, code: -32600 });
  expect(refused.message).toBe(
    'The request body is larger than the 1000 bytes that this server takes',
  );
});

test('service parameters reach the operation, and activated extensions the answer', async () => {
  const { answer, calls } = await post('{"jsonrpc":"2.0","id":1,"method":"ListTasks"}', {
    headers: {
      'A2A-Version': '1.0',
      'a2a-extensions': 'https://a.example/v1 , https://b.example/v1',
      'X-Participant-Id': 'ann',
      'Last-Event-ID': '7',
    },
    activated: (extensions) => extensions.slice(1),
  });
  expect(calls[0]).toMatchObject({
    version: '1.0',
    extensions: ['https://a.example/v1', 'https://b.example/v1'],
    participant: 'ann',
    lastEventId: '7',
  });
  expect(answer.headers['a2a-extensions']).toBe('https://b.example/v1');
});

test('nothing is echoed when nothing was activated, or the request refused', async () => {
  const headers = { 'a2a-extensions': 'https://a.example/v1' };
  const payload = '{"jsonrpc":"2.0","id":1,"method":"ListTasks"}';
  const none = await post(payload, { headers });
  const refused = await post(payload, {
    headers,
    activated: (extensions) => extensions,
    call: () => {
      throw new ProtocolError('UNSUPPORTED_OPERATION', 'no');
    },
  });
  for (const { answer } of [none, refused]) {
    expect(answer.headers).not.toHaveProperty('a2a-extensions');
  }
});
