import { expect, test } from 'vitest';
import { createFakeServer, value } from './fake-server.ts';

const URL = '/.well-known/agent-card.json';

function serve(card: string) {
  return createFakeServer(() => value({}), { card }).app;
}

test('the card is served with a strong tag and a lifetime', async () => {
  const answer = await serve('{"name":"é"}').inject({ method: 'GET', url: URL });
  expect(answer.statusCode).toBe(200);
  expect(answer.body).toBe('{"name":"é"}');
  expect(answer.headers).toMatchObject({
    'content-type': 'application/json',
    'cache-control': 'public, max-age=300',
    etag: expect.stringMatching(/^"[\w-]{27}"$/) as string,
  });
});

test('the tag follows the bytes', async () => {
  const tag = async (card: string) =>
    (await serve(card).inject({ method: 'GET', url: URL })).headers.etag;
  expect(await tag('{"a":1}')).toBe(await tag('{"a":1}'));
  expect(await tag('{"a":1}')).not.toBe(await tag('{"a":2}'));
});

test('HEAD says the same without a body', async () => {
  const app = serve('{"name":"é"}');
  const get = await app.inject({ method: 'GET', url: URL });
  const head = await app.inject({ method: 'HEAD', url: URL });
  expect(head.statusCode).toBe(200);
  for (const name of ['etag', 'cache-control', 'content-type', 'content-length']) {
    expect(head.headers[name]).toBe(get.headers[name]);
  }
});

test.each([
  [(tag: string) => tag, 304],
  [(tag: string) => `W/${tag}`, 304],
  [(tag: string) => `"other", W/"x" ,${tag}`, 304],
  [() => '*', 304],
  [(tag: string) => tag.slice(0, -1), 200],
  [() => '"other"', 200],
  [() => '', 200],
])('If-None-Match %#', async (header, status) => {
  const app = serve('{}');
  const { etag = '' } = (await app.inject({ method: 'GET', url: URL })).headers;
  const headers = { 'if-none-match': header(etag) };
  const answer = await app.inject({ method: 'GET', url: URL, headers });
  expect(answer.statusCode).toBe(status);
  expect(answer.headers).toMatchObject({ etag, 'cache-control': 'public, max-age=300' });
  if (status === 304) expect(answer.body).toBe('');
});
