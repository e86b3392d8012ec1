/** Names under which a server answers that asks nobody who he is. */
import { expect, test } from 'vitest';
import { createFakeServer, value } from './fake-server.ts';

async function statusOf(host: string, settings: Readonly<Record<string, string>> = {}) {
  const { app, calls } = createFakeServer(() => value({}), { settings });
  const { statusCode } = await app.inject({ url: '/tasks/t1', headers: { host } });
  return [statusCode, calls.length];
}

test.each([
  ['localhost'],
  ['LOCALHOST:4180'],
  ['a.localhost:4180'],
  ['laptop'],
  ['127.0.0.1:4180'],
  ['192.168.1.2'],
  ['[::1]:4180'],
  ['[::ffff:127.0.0.1]'],
])('%s is answered', async (host) => {
  expect(await statusOf(host)).toEqual([200, 1]);
});

test.each([
  'evil.example',
  'evil.example:4180',
  'localhost.evil.example',
  'evil.example.',
  '1.2.3',
])('%s is refused: a page of that name could act as anybody', async (host) => {
  expect(await statusOf(host)).toEqual([400, 0]);
});

test('the name of BASE_URL is answered, and every name where AUTH is set', async () => {
  const named = { BASE_URL: 'https://agent.example/' };
  expect(await statusOf('agent.example', named)).toEqual([200, 1]);
  expect(await statusOf('evil.example', named)).toEqual([400, 0]);
  expect(await statusOf('agent.example', { AUTH: 'none' })).toEqual([200, 1]);
});
