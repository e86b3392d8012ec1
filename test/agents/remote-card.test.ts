/** Remote agents that would lead elsewhere, by a redirect or by their card; and cards that are none. */
import { expect, test } from 'vitest';
import { createRemoteFetch } from '../../src/agents/remote/fetch.ts';
import { createTurn, summarise } from './recorded-turn.ts';
import { cardOf, createFarAgent, openDouble } from './remote-world.ts';

test('a redirect into the network is not followed, and the token goes nowhere else', async () => {
  const inside = await openDouble((_asked, response) => response.end());
  const double = await openDouble((_asked, response) =>
    response.writeHead(302, { Location: `${inside.url}/secret` }).end(),
  );
  const { agent } = createFarAgent(double.url, { token: 'hush' });
  const [end, words] = summarise(await agent.run(createTurn('Do it.').turn));
  expect([end, words.includes('hush'), inside.asked]).toEqual(['failed', false, []]);
  expect(double.asked[0]?.headers.authorization).toBe('Bearer hush');
});

test.each([
  [
    'leads to another origin',
    (url: string) =>
      cardOf(url, {
        supportedInterfaces: [
          { url: 'http://10.0.0.1/', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
        ],
      }),
    /^The remote agent far wants to be asked at another origin than http:\/\/127\.0\.0\.1:\d+, which REMOTE_AGENTS names; no other is spoken to\.$/,
  ],
  [
    'is huge',
    (url: string) => cardOf(url, { description: 'x'.repeat(2 * 1024 ** 2) }),
    /^The remote agent far sent more than 1048576 bytes in one answer\.$/,
  ],
  [
    'is of an older version',
    (url: string) =>
      cardOf(url, {
        supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '0.3' }],
      }),
    /^The remote agent far offers no interface of A2A 1\.0 over JSONRPC or HTTP\+JSON\.$/,
  ],
  [
    'is something else',
    () => [1, 2, 3],
    /^The remote agent far has no agent card of A2A 1\.0: "supportedInterfaces" is missing\.$/,
  ],
])('a card that %s', async (_name, card, words) => {
  const double = await openDouble(() => undefined, card);
  const { agent } = createFarAgent(double.url);
  const [end, said] = summarise(await agent.run(createTurn('Do it.').turn));
  expect(end).toBe('failed');
  expect(said).toMatch(words);
  expect(double.asked).toEqual([]);
});

test('a card that is elsewhere is not fetched there', async () => {
  const inside = await openDouble(() => undefined);
  const double = await openDouble(
    () => undefined,
    (_url, response) => {
      response.writeHead(301, { Location: `${inside.url}/secret` }).end();
      return undefined;
    },
  );
  const { agent } = createFarAgent(double.url, { token: 'hush' });
  expect(summarise(await agent.run(createTurn('Do it.').turn))).toEqual([
    'failed',
    'The remote agent far answers with a redirect (status 301), which is not followed.',
  ]);
  expect(inside.asked).toEqual([]);
});

test('a card that is not there', async () => {
  const double = await openDouble(
    () => undefined,
    (_url, response) => {
      response.writeHead(404).end();
      return undefined;
    },
  );
  const { agent } = createFarAgent(`${double.url}/team/`);
  expect(summarise(await agent.run(createTurn('Do it.').turn))).toEqual([
    'failed',
    `The remote agent far has no agent card at ${double.url}/team/.well-known/agent-card.json (status 404).`,
  ]);
});

test('no other origin is asked, whatever the client of A2A asks for', async () => {
  const inside = await openDouble((_asked, response) => response.end());
  const limits = { token: 'hush', answerBytes: 1000, streamBytes: 1000 };
  const get = createRemoteFetch({ ...limits, origin: 'http://127.0.0.1:1' });
  for (const input of [inside.url, new Request(inside.url)]) {
    await expect(get(input)).rejects.toThrow(
      `would have been asked at ${inside.url}, which is not its origin`,
    );
  }
  expect(inside.asked).toEqual([]);
});
