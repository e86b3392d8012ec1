/** AUTH=oidc over HTTP, in both bindings (rules A2, A3). */
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { AgentCard } from '@tiny-harness/contract/agent-card';
import { UnsecuredJWT } from 'jose';
import type { Config } from '../../src/config.ts';
import type { Client } from '../support/a2a-client.ts';
import { BINDINGS, createClient } from '../support/a2a-client.ts';
import { startApp } from '../support/server.ts';
import type { Issuer, SigningKey } from './issuer.ts';
import { createKey, signToken, signWithPublicKey, startIssuer } from './issuer.ts';
import { bearer } from './token-file.ts';

let key: SigningKey;
let otherKey: SigningKey;

beforeAll(async () => {
  [key, otherKey] = await Promise.all([createKey('k1', 'RS256'), createKey('k2')]);
});

afterEach(() => {
  vi.useRealTimers();
});

/** A server that trusts a new issuer. */
async function start(overrides: Partial<Config> = {}) {
  const issuer = await startIssuer(key);
  const app = await startApp({
    auth: 'oidc',
    authIssuer: issuer.url,
    authAudience: 'agent',
    ...overrides,
  });
  return { issuer, app };
}

/** What is wrong with tokens that are never taken, by what they would be taken for. */
const FORGERIES: Readonly<Record<string, (issuer: Issuer) => Promise<string> | string>> = {
  'of another issuer': (issuer) => signToken(issuer, key, { iss: 'https://id.example.com' }),
  'of its issuer with a slash': (issuer) => signToken(issuer, key, { iss: `${issuer.url}/` }),
  'for another audience': (issuer) => signToken(issuer, key, { aud: ['other', 'agents'] }),
  'for no audience': (issuer) => signToken(issuer, key, { aud: undefined }),
  'that never expires': (issuer) => signToken(issuer, key, { exp: undefined }),
  'that is not valid yet': (issuer) => signToken(issuer, key, { nbf: Date.now() / 1000 + 60 }),
  'that is not signed': ({ url }) =>
    new UnsecuredJWT({ iss: url, aud: 'agent', sub: 'alice', exp: Date.now() }).encode(),
  'that is signed with the public key': (issuer) => signWithPublicKey(issuer, key),
  'that another key signed under the name of its key': (issuer) =>
    signToken(issuer, { ...key, alg: otherKey.alg, privateKey: otherKey.privateKey }),
  'that was changed': async (issuer) => {
    const [header, , signature] = (await signToken(issuer, key)).split('.');
    const claims = { iss: issuer.url, aud: 'agent', sub: 'bob', exp: Date.now() };
    const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
    return `${header}.${payload}.${signature}`;
  },
  'of nobody': (issuer) => signToken(issuer, key, { sub: undefined }),
  'of an empty name': (issuer) => signToken(issuer, key, { sub: '' }),
  'of a name that is too long': (issuer) => signToken(issuer, key, { sub: 'x'.repeat(257) }),
  'of a name that is no text': (issuer) => signToken(issuer, key, { sub: 7 }),
  'of the agent': (issuer) => signToken(issuer, key, { sub: 'tiny-harness' }),
  'of anonymous': (issuer) => signToken(issuer, key, { sub: 'anonymous' }),
  'that is none': () => 'abc.def.ghi',
  'that is one word': () => 'abc',
};

describe.each(BINDINGS)('%s', (binding) => {
  async function connect(overrides: Partial<Config> = {}) {
    const { issuer, app } = await start(overrides);
    return { issuer, app, client: createClient(app.url, binding) };
  }

  const list = (client: Client, token: string) => client.call('ListTasks', {}, bearer(token));

  test('A2 the subject is the participant; its keys are found and fetched once', async () => {
    const { issuer, client } = await connect();
    expect(issuer.asked).toEqual([]);
    const alice = bearer(await signToken(issuer, key));
    const bob = bearer(await signToken(issuer, key, { sub: 'bob', aud: ['other', 'agent'] }));
    const { result } = await client.send('hello', {}, alice);
    const { id, history } = result.task!;
    expect(history?.[0]?.metadata).toMatchObject({ participant_id: 'alice' });
    expect((await client.call('GetTask', { id }, alice)).result.id).toBe(id);
    expect((await client.call('GetTask', { id }, bob)).reason).toBe('TASK_NOT_FOUND');
    expect(issuer.asked).toEqual(['/.well-known/openid-configuration', '/keys']);
  });

  test('A3 a header that names somebody else is refused', async () => {
    const { issuer, client } = await connect();
    const { headers } = bearer(await signToken(issuer, key));
    const as = (name: string) =>
      client.call('ListTasks', {}, { headers: { ...headers, 'x-participant-id': name } });
    expect((await as('alice')).reason).toBeUndefined();
    expect((await as('bob')).reason).toBe('INVALID_PARAMS');
  });

  test.each(Object.entries(FORGERIES))('A2 a token %s is not taken', async (_, forge) => {
    const { issuer, client, app } = await connect();
    const token = await forge(issuer);
    const refused = await list(client, token);
    expect([refused.status, refused.reason]).toEqual([401, 'UNAUTHENTICATED']);
    expect(refused.message).toBe('The token is not valid');
    expect(refused.headers.get('www-authenticate')).toBe(
      'Bearer realm="a2a", error="invalid_token", error_description="The token is not valid"',
    );
    expect(app.complaints).toEqual(['a token was refused']);
  });

  test('A2 an expired token is refused as such, half a minute later: clocks differ', async () => {
    const { issuer, client } = await connect();
    const seconds = Math.floor(Date.now() / 1000);
    const recent = await list(client, await signToken(issuer, key, { exp: seconds - 20 }));
    expect(recent.status).toBe(200);
    const refused = await list(client, await signToken(issuer, key, { exp: seconds - 40 }));
    expect([refused.status, refused.message]).toEqual([401, 'The token has expired']);
    expect(refused.headers.get('www-authenticate')).toContain('"The token has expired"');
    // Whoever cannot sign is not told.
    const forged = await signToken(issuer, { ...otherKey, kid: 'k1' }, { exp: seconds - 40 });
    expect((await list(client, forged)).message).toBe('The token is not valid');
  });

  test('a key that is not known has the keys fetched once more, and not again for half a minute', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { issuer, client } = await connect({ authJwks: undefined });
    const fetched = () => issuer.asked.filter((path) => path === '/keys').length;
    const statusOf = async (by: SigningKey) =>
      (await list(client, await signToken(issuer, by))).status;
    expect([await statusOf(key), fetched()]).toEqual([200, 1]);
    issuer.keys = [key, otherKey];
    expect([await statusOf(otherKey), fetched()]).toEqual([401, 1]);
    vi.setSystemTime(Date.now() + 31_000);
    expect([await statusOf(otherKey), fetched()]).toEqual([200, 2]);
    const unknown = { ...key, kid: 'k3' };
    expect([await statusOf(unknown), fetched()]).toEqual([401, 2]);
    // A key that is no longer published is no longer taken, once the keys are ten minutes old.
    issuer.keys = [otherKey];
    vi.setSystemTime(Date.now() + 600_000);
    expect([await statusOf(key), fetched()]).toEqual([401, 3]);
  });

  test.each([
    ['answers with an error', { status: 500, body: 'oops' }],
    ['answers with no JSON', { status: 200, body: '<html>' }],
    ['answers with other JSON', { status: 200, body: '{"keys":7}' }],
    ['sends elsewhere', { status: 302, body: '' }],
  ])('an issuer that %s: 503, and it goes on when the issuer does', async (_, broken) => {
    for (const discovered of [true, false]) {
      const issuer = await startIssuer(key);
      const app = await startApp({
        auth: 'oidc',
        authIssuer: issuer.url,
        authAudience: 'agent',
        authJwks: discovered ? undefined : `${issuer.url}/keys`,
      });
      const client = createClient(app.url, binding);
      const token = await signToken(issuer, key);
      issuer.broken = broken;
      const refused = await list(client, token);
      expect([refused.status, refused.reason]).toEqual([503, 'UNAVAILABLE']);
      expect(refused.headers.get('retry-after')).toBe('1');
      expect(refused.headers.get('www-authenticate')).toBeNull();
      expect(app.complaints[0]).toContain('the keys of the issuer cannot be had');
      issuer.broken = undefined;
      expect((await list(client, token)).status).toBe(200);
    }
  });

  test('an issuer that cannot be reached: 503; what needs no key is refused without it', async () => {
    const { client } = await connect({ authJwks: 'http://127.0.0.1:1/keys' });
    const token = await signToken({ url: 'x' }, key);
    expect((await list(client, token)).status).toBe(503);
    expect((await list(client, 'abc')).status).toBe(401);
    expect((await client.call('ListTasks', {})).status).toBe(401);
  });

  test.each([
    [
      'of another issuer',
      { issuer: 'https://id.example.com' },
      'is the document of another issuer',
    ],
    ['without keys', { jwks_uri: undefined }, 'must have the member "jwks_uri", an https URL'],
    [
      'with keys over http',
      { jwks_uri: 'http://id.example.com/k' },
      'must have the member "jwks_uri"',
    ],
  ])('a discovery document %s is not used', async (_, discovery, words) => {
    const { issuer, client, app } = await connect();
    issuer.discovery = discovery;
    expect((await list(client, await signToken(issuer, key))).status).toBe(503);
    expect(app.complaints[0]).toContain(words);
    expect(issuer.asked).toEqual(['/.well-known/openid-configuration']);
  });

  test('another claim may be the participant', async () => {
    const { issuer, client } = await connect({ authClaim: 'email' });
    const token = await signToken(issuer, key, { sub: '42', email: 'alice@example.com' });
    const { result } = await client.send('hello', {}, bearer(token));
    expect(result.task?.history?.[0]?.metadata).toMatchObject({
      participant_id: 'alice@example.com',
    });
    expect((await list(client, await signToken(issuer, key))).status).toBe(401);
  });
});

test('the card names the issuer', async () => {
  const { issuer, app } = await start();
  const response = await fetch(`${app.url}/.well-known/agent-card.json`);
  const { securitySchemes, securityRequirements } = (await response.json()) as AgentCard;
  const openIdConnectUrl = `${issuer.url}/.well-known/openid-configuration`;
  expect(securitySchemes).toEqual({
    openIdConnect: { openIdConnectSecurityScheme: { openIdConnectUrl } },
    bearer: { httpAuthSecurityScheme: { scheme: 'Bearer', bearerFormat: 'JWT' } },
  });
  expect(securityRequirements).toEqual([
    { schemes: { openIdConnect: { list: [] } } },
    { schemes: { bearer: { list: [] } } },
  ]);
});
