import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ErrorReason } from '../../src/core/errors.ts';
import { invalidParams, ProtocolError } from '../../src/core/errors.ts';
import { createFakeServer } from './fake-server.ts';

const NOW = '2026-01-02T03:04:05.678Z';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(NOW) });
});

afterEach(() => {
  vi.useRealTimers();
});

/** Reason, JSON-RPC code, HTTP status, google.rpc.Code, HTTP status of JSON-RPC (specification 5.4, 9.5). */
const FORMS: readonly (readonly [ErrorReason, number, number, string, number])[] = [
  ['TASK_NOT_FOUND', -32001, 404, 'NOT_FOUND', 200],
  ['TASK_NOT_CANCELABLE', -32002, 400, 'FAILED_PRECONDITION', 200],
  ['PUSH_NOTIFICATION_NOT_SUPPORTED', -32003, 400, 'FAILED_PRECONDITION', 200],
  ['UNSUPPORTED_OPERATION', -32004, 400, 'FAILED_PRECONDITION', 200],
  ['CONTENT_TYPE_NOT_SUPPORTED', -32005, 400, 'INVALID_ARGUMENT', 200],
  ['INVALID_AGENT_RESPONSE', -32006, 500, 'INTERNAL', 200],
  ['EXTENDED_AGENT_CARD_NOT_CONFIGURED', -32007, 400, 'FAILED_PRECONDITION', 200],
  ['EXTENSION_SUPPORT_REQUIRED', -32008, 400, 'FAILED_PRECONDITION', 200],
  ['VERSION_NOT_SUPPORTED', -32009, 400, 'FAILED_PRECONDITION', 200],
  ['INVALID_PARAMS', -32602, 400, 'INVALID_ARGUMENT', 200],
  ['INTERNAL', -32603, 500, 'INTERNAL', 200],
  ['UNAUTHENTICATED', -32000, 401, 'UNAUTHENTICATED', 401],
  ['RATE_LIMITED', -32000, 429, 'RESOURCE_EXHAUSTED', 429],
  ['UNAVAILABLE', -32000, 503, 'UNAVAILABLE', 503],
];

test.each(FORMS)('%s in both bindings', async (reason, code, http, status, rpcHttp) => {
  const { app } = createFakeServer(() => {
    throw new ProtocolError(reason, 'Words for "people"', { metadata: { taskId: 't1' } });
  });
  const info = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason,
    domain: 'a2a-protocol.org',
    metadata: { taskId: 't1', timestamp: NOW },
  };

  const rest = await app.inject({ method: 'GET', url: '/tasks/t1' });
  expect(rest.statusCode).toBe(http);
  expect(rest.headers['content-type']).toBe('application/a2a+json');
  expect(rest.json()).toEqual({
    error: { code: http, status, message: 'Words for "people"', details: [info] },
  });

  const rpc = await app.inject({
    method: 'POST',
    url: '/',
    payload: { jsonrpc: '2.0', id: 7, method: 'GetTask', params: { id: 't1' } },
  });
  expect(rpc.statusCode).toBe(rpcHttp);
  expect(rpc.headers['content-type']).toBe('application/json');
  expect(rpc.json()).toEqual({
    jsonrpc: '2.0',
    id: 7,
    error: { code, message: 'Words for "people"', data: [info] },
  });
});

test('fields that are wrong come as google.rpc.BadRequest', async () => {
  const fieldViolations = [
    { field: 'message.parts', description: 'message.parts is empty; it has at least one part' },
    { field: 'message.role', description: 'message.role is missing' },
  ];
  const { app } = createFakeServer(() => {
    throw invalidParams(fieldViolations);
  });
  const info = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason: 'INVALID_PARAMS',
    domain: 'a2a-protocol.org',
    metadata: { timestamp: NOW },
  };
  const bad = { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations };
  const message = 'message.parts is empty; it has at least one part (and 1 more)';

  const rest = await app.inject({ method: 'POST', url: '/message:send' });
  expect(rest.json()).toEqual({
    error: { code: 400, status: 'INVALID_ARGUMENT', message, details: [info, bad] },
  });

  const payload = { jsonrpc: '2.0', id: 'a', method: 'SendMessage', params: {} };
  const rpc = await app.inject({ method: 'POST', url: '/', payload });
  expect(rpc.json()).toEqual({
    jsonrpc: '2.0',
    id: 'a',
    error: { code: -32602, message, data: [info, bad] },
  });
});

test('a mistake of ours tells the caller a correlation id, and the log the rest', async () => {
  const { app, lines } = createFakeServer(() => {
    throw new TypeError('the secret is 42');
  });
  const rest = await app.inject({
    method: 'GET',
    url: '/tasks/t1',
    headers: { 'x-request-id': 'proxy-1' },
  });
  expect(rest.statusCode).toBe(500);
  expect(rest.headers['x-request-id']).toBe('proxy-1');
  expect(rest.json()).toEqual({
    error: {
      code: 500,
      status: 'INTERNAL',
      message: 'Internal error',
      details: [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason: 'INTERNAL',
          domain: 'a2a-protocol.org',
          metadata: { correlationId: 'proxy-1', timestamp: NOW },
        },
      ],
    },
  });
  expect(lines.filter(({ level }) => level === 50)).toMatchObject([
    {
      reqId: 'proxy-1',
      taskId: 't1',
      operation: 'GetTask',
      err: { type: 'TypeError', message: 'the secret is 42' },
    },
  ]);
});

test('an X-Request-Id that could not stand in a log is replaced', async () => {
  const { app } = createFakeServer(() => {
    throw new Error('no');
  });
  for (const id of ['a b', 'x'.repeat(65), '{"level":50}', '']) {
    const answer = await app.inject({
      method: 'GET',
      url: '/tasks/t1',
      headers: { 'x-request-id': id },
    });
    expect(answer.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
  }
});
