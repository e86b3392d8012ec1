import { expect, test } from 'vitest';
import type { Call } from '../../src/protocol/call.ts';
import { createFakeServer, value } from './fake-server.ts';

const echo = ({ operation, params }: Call) => value({ operation, params });

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'HEAD' | 'OPTIONS';

async function request(
  method: Method,
  url: string,
  body?: string,
  headers: Record<string, string> = { 'content-type': 'application/json' },
) {
  const { app, calls } = createFakeServer(echo);
  const answer = await app.inject({
    method,
    url,
    ...(body === undefined ? {} : { payload: body, headers }),
  });
  return { answer, calls };
}

/** The status of a refusal and what is said of it; it has the form of a google.rpc.Status. */
async function refusal(
  method: Method,
  url: string,
  body?: string,
  headers?: Record<string, string>,
) {
  const { answer, calls } = await request(method, url, body, headers);
  expect(calls).toEqual([]);
  expect(answer.headers['content-type']).toBe('application/a2a+json');
  const { error } = answer.json<{
    error: {
      code: number;
      status: string;
      message: string;
      details: { reason?: string; fieldViolations?: object[] }[];
    };
  }>();
  expect(error.code).toBe(answer.statusCode);
  const { status, message, details } = error;
  const fields = details[1]?.fieldViolations;
  return { http: answer.statusCode, status, message, reason: details[0]?.reason, fields };
}

test.each([
  ['POST', '/message:send', 'SendMessage', {}],
  ['GET', '/tasks', 'ListTasks', {}],
  ['GET', '/tasks/t1', 'GetTask', { id: 't1' }],
  ['POST', '/tasks/t1:cancel', 'CancelTask', { id: 't1' }],
  [
    'POST',
    '/tasks/t1/pushNotificationConfigs',
    'CreateTaskPushNotificationConfig',
    { taskId: 't1' },
  ],
  ['GET', '/tasks/t1/pushNotificationConfigs', 'ListTaskPushNotificationConfigs', { taskId: 't1' }],
  [
    'GET',
    '/tasks/t1/pushNotificationConfigs/c1',
    'GetTaskPushNotificationConfig',
    { taskId: 't1', id: 'c1' },
  ],
  [
    'DELETE',
    '/tasks/t1/pushNotificationConfigs/c1',
    'DeleteTaskPushNotificationConfig',
    { taskId: 't1', id: 'c1' },
  ],
  ['GET', '/extendedAgentCard', 'GetExtendedAgentCard', {}],
] as const)('%s %s is %s', async (method, url, operation, params) => {
  const { answer } = await request(method, url);
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['content-type']).toBe('application/a2a+json');
  expect(answer.body).toBe(JSON.stringify({ operation, params }));
});

test.each([
  ['POST', '/message:stream', 'SendStreamingMessage'],
  ['POST', '/tasks/t1:subscribe', 'SubscribeToTask'],
  ['GET', '/tasks/t1:subscribe', 'SubscribeToTask'],
] as const)('%s %s is %s', async (method, url, operation) => {
  const { calls } = await request(method, url);
  expect(calls.map((call) => call.operation)).toEqual([operation]);
});

test.each([
  ['/tasks/a%2Fb', 'a/b'],
  ['/tasks/%C3%A9%20%25', 'é %'],
  ['/tasks/a+b', 'a+b'],
  ['/tasks/a%3Acancel', 'a:cancel'],
  ['/tasks/a:b', 'a:b'],
  ['/tasks/__proto__', '__proto__'],
  [`/tasks/${'x'.repeat(5000)}`, 'x'.repeat(5000)],
])('the id of %.40s', async (url, id) => {
  const { calls } = await request('GET', url);
  expect(calls[0]?.params).toEqual({ id });
});

test.each(['/tasks/%', '/tasks/%zz', '/tasks/%ff', '/tasks/t1%C3:subscribe'])(
  'a malformed escape: %s',
  async (url) => {
    expect(await refusal('GET', url)).toMatchObject({ http: 400, status: 'INVALID_ARGUMENT' });
  },
);

test.each([
  [
    'pageSize=5&historyLength=0&includeArtifacts=true&status=TASK_STATE_WORKING&contextId=a+b%26',
    {
      pageSize: 5,
      historyLength: 0,
      includeArtifacts: true,
      status: 'TASK_STATE_WORKING',
      contextId: 'a b&',
    },
  ],
  ['includeArtifacts=false&pageToken=', { includeArtifacts: false, pageToken: '' }],
  ['pageSize=-1', { pageSize: -1 }],
  ['pageSize=99999999999', { pageSize: 99_999_999_999 }],
  ['pageSize=1e2', { pageSize: '1e2' }],
  ['pageSize=&includeArtifacts=yes', { pageSize: '', includeArtifacts: 'yes' }],
  ['statusTimestampAfter=2026-01-01T00:00:00Z', { statusTimestampAfter: '2026-01-01T00:00:00Z' }],
  ['other=1&&x', { other: '1', x: '' }],
  ['A2A-Version=1.0', {}],
])('the query %s', async (query, params) => {
  const { calls } = await request('GET', `/tasks?${query}`);
  expect(calls[0]?.params).toEqual(params);
});

test('a query cannot reach a prototype', async () => {
  const { calls } = await request('GET', '/tasks?__proto__=x&constructor=y');
  const params = calls[0]?.params as object;
  expect(Object.entries(params)).toEqual([
    ['__proto__', 'x'],
    ['constructor', 'y'],
  ]);
  expect(Object.getPrototypeOf(params)).toBe(Object.prototype);
});

test('a parameter that is given twice is refused by name', async () => {
  expect(await refusal('GET', '/tasks?contextId=a&pageToken=x&contextId=b&pageToken=x')).toEqual({
    http: 400,
    status: 'INVALID_ARGUMENT',
    reason: 'INVALID_PARAMS',
    message: 'contextId is in the query more than once; give it once (and 1 more)',
    fields: [
      {
        field: 'contextId',
        description: 'contextId is in the query more than once; give it once',
      },
      {
        field: 'pageToken',
        description: 'pageToken is in the query more than once; give it once',
      },
    ],
  });
});

test('a malformed escape in a query is refused by name', async () => {
  expect(await refusal('GET', '/tasks?contextId=%zz')).toMatchObject({
    http: 400,
    fields: [{ field: 'contextId' }],
  });
});

test.each(['application/json', 'application/a2a+json', 'Application/A2A+JSON; charset=UTF-8'])(
  'a body of %s is taken',
  async (type) => {
    const { calls } = await request('POST', '/message:send', '{"message":{"parts":[]}}', {
      'content-type': type,
    });
    expect(calls[0]?.params).toEqual({ message: { parts: [] } });
  },
);

test('members of the body and of the path are the parameters', async () => {
  const { calls } = await request('POST', '/tasks/t1:cancel', '{"id":"t1","metadata":{"a":1}}');
  expect(calls[0]?.params).toEqual({ id: 't1', metadata: { a: 1 } });
});

test('a member that contradicts the path is refused by name', async () => {
  expect(await refusal('POST', '/tasks/t1:cancel', '{"id":"t2"}')).toEqual({
    http: 400,
    status: 'INVALID_ARGUMENT',
    reason: 'INVALID_PARAMS',
    message: 'id in the body or query differs from the one in the path; leave it out',
    fields: [
      {
        field: 'id',
        description: 'id in the body or query differs from the one in the path; leave it out',
      },
    ],
  });
});

test.each(['{"message":', '[', '\u0000'])('a body that is not JSON: %j', async (body) => {
  expect(await refusal('POST', '/message:send', body)).toMatchObject({
    http: 400,
    status: 'INVALID_ARGUMENT',
    message: 'Invalid JSON payload',
    reason: 'PARSE_ERROR',
  });
});

test.each(['[]', '42', '"x"', 'null'])('a body that is no object: %s', async (body) => {
  expect(await refusal('POST', '/message:send', body)).toMatchObject({
    http: 400,
    reason: 'INVALID_PARAMS',
    message: 'The body is not a JSON object',
  });
});

test.each([
  ['text/plain', 'Content-Type \\"text/plain\\"; send application/a2a+json or application/json'],
  ['nonsense', 'send application/json'],
])('a body of %s is refused with 415', async (type, words) => {
  const refused = await refusal('POST', '/message:send', '{}', { 'content-type': type });
  expect(refused).toMatchObject({ http: 415, reason: 'CONTENT_TYPE_NOT_SUPPORTED' });
  expect(JSON.stringify(refused.message)).toContain(words);
});

test.each([
  ['PUT', '/tasks', 'GET'],
  ['POST', '/tasks', 'GET'],
  ['DELETE', '/tasks/t1', 'GET'],
  ['POST', '/tasks/t1:archive', 'GET'],
  ['PATCH', '/tasks/t1:subscribe', 'GET, POST'],
  ['GET', '/message:send', 'POST'],
  ['GET', '/', 'POST'],
  ['OPTIONS', '/tasks', 'GET'],
  ['POST', '/healthz', 'GET'],
  ['DELETE', '/.well-known/agent-card.json', 'GET, HEAD'],
] as const)('%s %s is refused with 405', async (method, url, allow) => {
  expect(await refusal(method, url)).toMatchObject({
    http: 405,
    status: 'UNIMPLEMENTED',
    reason: 'METHOD_NOT_ALLOWED',
    message: `This path does not take ${method}; it takes ${allow}`,
  });
  const { answer } = await request(method, url);
  expect(answer.headers.allow).toBe(allow);
});

test.each(['/nope', '/tasks/', '/tasks/t1/other', '/message:sends', '/messageXsend', '//tasks'])(
  'GET %s is refused with 404',
  async (url) => {
    expect(await refusal('GET', url)).toMatchObject({
      http: 404,
      status: 'NOT_FOUND',
      reason: 'ROUTE_NOT_FOUND',
    });
  },
);
