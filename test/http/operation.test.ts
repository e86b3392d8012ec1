import { expect, test } from 'vitest';
import { ProtocolError } from '../../src/core/errors.ts';
import { createFakeServer, value } from './fake-server.ts';

test('the process is alive as long as it answers', async () => {
  const health = { draining: true, check: () => Promise.reject(new Error('disk full')) };
  const { app } = createFakeServer(() => value({}), { health });
  const answer = await app.inject({ method: 'GET', url: '/healthz' });
  expect([answer.statusCode, answer.body]).toEqual([200, '{"status":"alive"}']);
});

test.each([
  [false, true, 200, 'ready'],
  [true, true, 503, 'unavailable'],
  [false, false, 503, 'unavailable'],
])('draining %s, store %s: %i', async (draining, store, http, status) => {
  const check = () => (store ? Promise.resolve() : Promise.reject(new Error('disk full')));
  const { app, lines } = createFakeServer(() => value({}), { health: { draining, check } });
  const answer = await app.inject({ method: 'GET', url: '/readyz' });
  expect(answer.statusCode).toBe(http);
  expect(answer.json()).toEqual({ status, checks: { accepting: !draining, store } });
  expect(lines.some(({ level }) => level === 50)).toBe(!store);
});

test('a detail is shown and does not make the server unavailable', async () => {
  const skills = { loaded: ['a'], skipped: [{ directory: 'b', reason: 'no' }] };
  const health = {
    draining: false,
    check: () => Promise.resolve(),
    detail: () => Promise.resolve({ skills }),
  };
  const { app } = createFakeServer(() => value({}), { health });
  const answer = await app.inject({ method: 'GET', url: '/readyz' });
  expect([answer.statusCode, answer.json()]).toEqual([
    200,
    { status: 'ready', checks: { accepting: true, store: true }, skills },
  ]);
});

test('metrics count calls by outcome, and what is open, running and waiting', async () => {
  const { app } = createFakeServer(
    ({ operation }) => {
      if (operation === 'GetTask') throw new ProtocolError('TASK_NOT_FOUND', 'no');
      if (operation === 'CancelTask') throw new Error('no');
      return value({});
    },
    {
      metrics: {
        runningTurns: () => 3,
        countDeliveries: () => Promise.resolve({ waiting: 4, dead: 5 }),
      },
    },
  );
  const payload = { jsonrpc: '2.0', id: 1, method: 'ListTasks' };
  await app.inject({ method: 'POST', url: '/', payload });
  await app.inject({ method: 'GET', url: '/tasks' });
  await app.inject({ method: 'GET', url: '/tasks' });
  await app.inject({ method: 'GET', url: '/tasks/t1' });
  await app.inject({ method: 'POST', url: '/tasks/t1:cancel' });
  const answer = await app.inject({ method: 'GET', url: '/metrics' });
  expect(answer.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
  const lines = answer.body.split('\n');
  for (const line of [
    'tiny_harness_requests_total{operation="ListTasks",binding="jsonrpc",outcome="OK"} 1',
    'tiny_harness_requests_total{operation="ListTasks",binding="rest",outcome="OK"} 2',
    'tiny_harness_requests_total{operation="GetTask",binding="rest",outcome="TASK_NOT_FOUND"} 1',
    'tiny_harness_requests_total{operation="CancelTask",binding="rest",outcome="INTERNAL"} 1',
    'tiny_harness_request_duration_seconds_count{operation="ListTasks",binding="rest"} 2',
    'tiny_harness_open_streams 0',
    'tiny_harness_running_turns 3',
    'tiny_harness_push_deliveries{state="waiting"} 4',
    'tiny_harness_push_deliveries{state="dead"} 5',
  ]) {
    expect(lines).toContain(line);
  }
  expect(answer.body).toContain('process_resident_memory_bytes');
});
