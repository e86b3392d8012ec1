/** AUTH=tokens over HTTP, in both bindings (rules A2, A3, A6, A7). */
import { rmSync } from 'node:fs';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { URI as COMMANDS } from '@tiny-harness/contract/commands/v1';
import type { AgentCard } from '@tiny-harness/contract/agent-card';
import type { Config } from '../../src/config.ts';
import type { Client } from '../support/a2a-client.ts';
import { BINDINGS, createClient, messageOf } from '../support/a2a-client.ts';
import { startApp } from '../support/server.ts';
import { bearer, hashOf, writeText, writeTokens } from './token-file.ts';

const OWNERS = { 'tok-a': 'alice', 'tok-b': 'bob', 'tok-a2': 'alice' };
const alice = bearer('tok-a');
const bob = bearer('tok-b');

afterEach(() => {
  vi.useRealTimers();
});

function start(overrides: Partial<Config> = {}) {
  return startApp({ auth: 'tokens', authTokens: writeTokens(OWNERS), ...overrides });
}

/** A request of each operation that is as it should be. */
const REQUESTS = {
  SendMessage: { message: messageOf('hello') },
  GetTask: { id: 't' },
  ListTasks: {},
  CancelTask: { id: 't' },
  CreateTaskPushNotificationConfig: { taskId: 't', url: 'https://example.com/hook' },
  GetTaskPushNotificationConfig: { taskId: 't', id: 'c' },
  ListTaskPushNotificationConfigs: { taskId: 't' },
  DeleteTaskPushNotificationConfig: { taskId: 't', id: 'c' },
  GetExtendedAgentCard: {},
} as const;
const STREAMS = {
  SendStreamingMessage: { message: messageOf('hello') },
  SubscribeToTask: { id: 't' },
} as const;

describe.each(BINDINGS)('%s', (binding) => {
  async function connect(overrides: Partial<Config> = {}) {
    const app = await start(overrides);
    return { app, client: createClient(app.url, binding) };
  }

  async function createTask(client: Client): Promise<string> {
    const { result } = await client.send('hello', {}, alice);
    return result.task!.id;
  }

  test('A2 no operation answers without credentials; each says which are wanted', async () => {
    const { client } = await connect();
    for (const [operation, params] of Object.entries(REQUESTS)) {
      const refused = await client.call(operation as keyof typeof REQUESTS, params);
      expect([operation, refused.status, refused.reason]).toEqual([
        operation,
        401,
        'UNAUTHENTICATED',
      ]);
      expect(refused.headers.get('www-authenticate')).toBe('Bearer realm="a2a"');
    }
    for (const [operation, params] of Object.entries(STREAMS)) {
      const stream = await client.stream(operation as keyof typeof STREAMS, params);
      expect([stream.status, stream.reason]).toEqual([401, 'UNAUTHENTICATED']);
    }
  });

  test.each([
    ['another', 'Bearer tok-c'],
    ['the hash in its place', `Bearer ${hashOf('tok-a')}`],
    ['a part', 'Bearer tok-'],
    ['one in other letters', 'Bearer TOK-A'],
  ])('A2 an invalid token: %s', async (_, authorization) => {
    const { client, app } = await connect();
    const refused = await client.call('ListTasks', {}, { headers: { authorization } });
    expect([refused.status, refused.reason]).toEqual([401, 'UNAUTHENTICATED']);
    expect(refused.headers.get('www-authenticate')).toBe(
      'Bearer realm="a2a", error="invalid_token", error_description="The token is not valid"',
    );
    expect(app.complaints).toEqual(['a token was refused']);
  });

  test.each(['', 'Bearer', 'Bearer ', 'Basic dG9rLWE6', 'tok-a', 'Bearer tok-a tok-b'])(
    'A2 "%s" is no bearer token',
    async (authorization) => {
      const { client } = await connect();
      const refused = await client.call('ListTasks', {}, { headers: { authorization } });
      expect([refused.status, refused.reason]).toEqual([401, 'UNAUTHENTICATED']);
      expect(refused.headers.get('www-authenticate')).toBe('Bearer realm="a2a"');
    },
  );

  test('A2 the identity is the participant, with whichever of its tokens; the scheme in any case', async () => {
    const { client } = await connect();
    const id = await createTask(client);
    for (const authorization of ['Bearer tok-a', 'bearer tok-a2', 'BEARER   tok-a ']) {
      const { result } = await client.call('GetTask', { id }, { headers: { authorization } });
      expect(result.id).toBe(id);
      expect(result.history?.[0]?.metadata).toMatchObject({ participant_id: 'alice' });
    }
    const list = await client.call('ListTasks', {}, bob);
    expect(list.result).toMatchObject({ tasks: [], totalSize: 0 });
    expect((await client.call('GetTask', { id }, bob)).reason).toBe('TASK_NOT_FOUND');
    expect((await client.call('CancelTask', { id }, bob)).reason).toBe('TASK_NOT_FOUND');
    const sent = await client.send('hello', { taskId: id }, bob);
    expect(sent.reason).toBe('TASK_NOT_FOUND');
    expect((await client.stream('SubscribeToTask', { id }, bob)).reason).toBe('TASK_NOT_FOUND');
  });

  test('A3 a header that says who the credentials are is taken, any other refused', async () => {
    const { client } = await connect();
    for (const [name, reason] of [
      ['alice', undefined],
      ['bob', 'INVALID_PARAMS'],
      ['anonymous', 'INVALID_PARAMS'],
      ['tiny-harness', 'INVALID_PARAMS'],
    ] as const) {
      const headers = { ...alice.headers, 'x-participant-id': name };
      const list = await client.call('ListTasks', {}, { headers });
      expect([name, list.reason]).toEqual([name, reason]);
      if (reason !== undefined) expect(list.fields).toEqual(['X-Participant-Id']);
      expect((await client.send('hello', {}, { headers })).reason).toBe(reason);
    }
  });

  test('A3 metadata that names another sender than the credentials is refused', async () => {
    const { client } = await connect();
    const send = (participant_id: string) =>
      client.send('hello', { metadata: { participant_id } }, alice);
    expect((await send('alice')).reason).toBeUndefined();
    for (const name of ['bob', 'anonymous', 'tiny-harness']) {
      const refused = await send(name);
      expect([name, refused.reason, refused.fields]).toEqual([
        name,
        'INVALID_PARAMS',
        ['message.metadata.participant_id'],
      ]);
    }
    const stranger = await client.send(
      'hello',
      { metadata: { participant_id: 'alice' }, taskId: await createTask(client) },
      bob,
    );
    expect(stranger.reason).toBe('INVALID_PARAMS');
  });

  test('A7 version, request, credentials, sender, extensions: the first fault is answered', async () => {
    const { client } = await connect();
    const wrong = { 'a2a-extensions': 'https://example.com/unknown', 'x-participant-id': 'bob' };
    const ask = async (params: object, headers: Record<string, string>) =>
      (await client.call('GetTaskPushNotificationConfig', params, { headers })).reason;
    const good = { taskId: 't', id: 'c' };
    expect(await ask(good, { ...wrong, 'a2a-version': '0.3' })).toBe('VERSION_NOT_SUPPORTED');
    expect(await ask(good, wrong)).toBe('UNAUTHENTICATED');
    expect(await ask(good, { ...wrong, ...alice.headers })).toBe('INVALID_PARAMS');
    expect(await ask(good, { ...wrong, ...bob.headers })).toBe('UNSUPPORTED_OPERATION');
    const list = await client.call('ListTasks', { pageSize: 0 }, { headers: wrong });
    expect(list.reason).toBe('INVALID_PARAMS');
    expect(list.fields).toEqual(['pageSize']);
  });

  test('the card is public, says how to authenticate, and promises more', async () => {
    const { app, client } = await connect({ models: ['small', 'large'] });
    const response = await fetch(`${app.url}/.well-known/agent-card.json`);
    const card = (await response.json()) as AgentCard;
    expect(card.securitySchemes).toEqual({
      bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } },
    });
    expect(card.securityRequirements).toEqual([{ schemes: { bearer: { list: [] } } }]);
    expect(card.capabilities.extendedAgentCard).toBe(true);
    expect(JSON.stringify(card)).not.toContain('large');

    const extended = await client.call('GetExtendedAgentCard', {}, alice);
    expect(extended.headers.get('cache-control')).toBe('private, no-cache');
    const hint = '[small|large]';
    const expected = structuredClone(card);
    const commands = expected.capabilities.extensions!.find(({ uri }) => uri === COMMANDS)!;
    const params = commands.params as { commands: { name: string; argument_hint?: string }[] };
    params.commands.find(({ name }) => name === 'model')!.argument_hint = hint;
    const { capabilities, ...rest } = extended.result as AgentCard;
    expect(rest).toEqual({ ...expected, capabilities: undefined });
    expect(capabilities).toMatchObject(expected.capabilities);
  });

  test('too many invalid tokens from one address: no more are looked at for a minute', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { client, app } = await connect({ authFailures: 3, trustProxy: ['127.0.0.1'] });
    const ask = (token: string | undefined, address: string) => {
      const authorization = token === undefined ? undefined : `Bearer ${token}`;
      const headers = { 'x-forwarded-for': address, authorization };
      return client.call('ListTasks', {}, { headers });
    };
    for (const token of ['1', '2', '3']) expect((await ask(token, '192.0.2.1')).status).toBe(401);
    const refused = await ask('tok-a', '192.0.2.1');
    expect([refused.status, refused.reason]).toEqual([429, 'RATE_LIMITED']);
    expect(refused.headers.get('retry-after')).toBe('60');
    expect((await ask(undefined, '192.0.2.1')).status).toBe(401);
    expect((await ask('tok-a', '192.0.2.2')).status).toBe(200);
    vi.setSystemTime(Date.now() + 60_000);
    expect((await ask('tok-a', '192.0.2.1')).status).toBe(200);
    expect(app.complaints).toHaveLength(3);
  });

  test('the file is read again when it has changed; while it is wrong the tokens stay', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const path = writeTokens(OWNERS);
    const { client, app } = await connect({ authTokens: path });
    const statusOf = async (token: string) =>
      (await client.call('ListTasks', {}, bearer(token))).status;
    const later = () => vi.setSystemTime(Date.now() + 1000);
    expect(await statusOf('tok-a')).toBe(200);
    writeTokens({ 'tok-new': 'alice' }, path);
    expect(await statusOf('tok-a')).toBe(200);
    later();
    expect(await statusOf('tok-a')).toBe(401);
    expect(await statusOf('tok-new')).toBe(200);
    for (const damage of [
      () => writeText('{', path),
      () => {
        rmSync(path);
      },
    ]) {
      damage();
      later();
      expect(await statusOf('tok-new')).toBe(200);
      later();
      expect(await statusOf('tok-new')).toBe(200);
    }
    const said = 'the tokens stay as they were';
    expect(app.complaints.filter((line) => line.startsWith(said))).toHaveLength(2);
    writeTokens({}, path);
    later();
    expect(await statusOf('tok-new')).toBe(401);
  });
});

describe('JSON-RPC', () => {
  const listTasks = { jsonrpc: '2.0', method: 'ListTasks' };
  const post = async (url: string, payload: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'a2a-version': '1.0', ...headers },
      body: JSON.stringify(payload),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  test('a batch without credentials is answered 401, each request of it refused; its token counts once', async () => {
    const { url, complaints } = await start();
    const batch = [{ ...listTasks, id: 1 }, { ...listTasks, id: 2 }, listTasks];
    const refused = await post(url, batch, { authorization: 'Bearer wrong' });
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toContain('error="invalid_token"');
    expect(JSON.parse(refused.text)).toMatchObject([
      { id: 1, error: { code: -32000, data: [{ reason: 'UNAUTHENTICATED' }] } },
      { id: 2, error: { code: -32000, data: [{ reason: 'UNAUTHENTICATED' }] } },
    ]);
    expect(complaints).toHaveLength(1);
    const taken = await post(url, batch, alice.headers);
    expect(taken.status).toBe(200);
    expect(JSON.parse(taken.text)).toMatchObject([
      { id: 1, result: {} },
      { id: 2, result: {} },
    ]);
  });

  test.each([
    ['alone', listTasks],
    ['in a batch', [listTasks]],
  ])('a notification %s without credentials has a status, and no answer', async (_, payload) => {
    const { url } = await start();
    const refused = await post(url, payload);
    expect([refused.status, refused.text]).toEqual([401, '']);
    expect(refused.headers.get('www-authenticate')).toBe('Bearer realm="a2a"');
    expect((await post(url, payload, alice.headers)).status).toBe(204);
  });
});

describe('a file that is wrong', () => {
  const entry = { sha256: hashOf('x'), participant: 'alice' };

  test.each([
    ['{', ['FILE is not JSON']],
    ['[]', ['FILE must be a JSON object with one member, "tokens"']],
    ['{"tokens":{}}', ['FILE must be a JSON object with one member, "tokens"']],
    ['{"tokens":[],"version":1}', ['FILE must be a JSON object with one member, "tokens"']],
    [{ tokens: ['x'] }, ['FILE: tokens[0] must be an object with the members']],
    [
      { tokens: [entry, { ...entry, sha256: 'my-secret' }] },
      ['FILE: tokens[1].sha256 must be the SHA-256'],
    ],
    [{ tokens: [{ ...entry, note: 'x' }] }, ['FILE: tokens[0] has the member "note"']],
    [{ tokens: [{ sha256: entry.sha256 }] }, ['FILE: tokens[0].participant must be a string']],
    [
      { tokens: [{ ...entry, participant: '' }] },
      ['FILE: tokens[0].participant must be 1 to 256 characters; got 0'],
    ],
    [
      { tokens: [{ ...entry, participant: 'anonymous' }] },
      ['FILE: tokens[0].participant must not be "anonymous"'],
    ],
    [
      { tokens: [{ ...entry, participant: 'tiny-harness' }] },
      ['FILE: tokens[0].participant must not be "tiny-harness"'],
    ],
    [
      { tokens: [entry, { ...entry, sha256: entry.sha256.toUpperCase() }] },
      ['FILE: tokens[1].sha256 is that of tokens[0] as well'],
    ],
    [
      { tokens: [1, { sha256: 1, participant: 1 }] },
      ['FILE: tokens[0] must', 'FILE: tokens[1].sha256 must', 'FILE: tokens[1].participant must'],
    ],
  ])('%j', async (content, expected) => {
    const path = writeText(typeof content === 'string' ? content : JSON.stringify(content));
    const error = await start({ authTokens: path }).catch((thrown: unknown) => thrown);
    const lines = (error as Error).message.split('\n');
    expect(lines).toHaveLength(expected.length);
    for (const [at, words] of expected.entries()) {
      expect(lines[at]).toContain(`AUTH_TOKENS: ${words.replace('FILE', path)}`);
    }
    expect((error as Error).message).not.toContain('my-secret');
  });

  test('one that is missing', async () => {
    await expect(start({ authTokens: '/nowhere/tokens.json' })).rejects.toThrow(
      'AUTH_TOKENS: /nowhere/tokens.json cannot be read: there is no such file',
    );
  });
});
