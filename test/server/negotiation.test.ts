/** Versions, extensions and content types: what is agreed on before anything happens (specification 3.6, 4.6). */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { URI as CHANNEL } from '@tiny-harness/contract/channel/v1';
import { URI as TASK } from '@tiny-harness/contract/task/v1';
import type { Client } from '../support/a2a-client.ts';
import { BINDINGS, createClient, messageOf } from '../support/a2a-client.ts';
import { createFolder, startApp } from '../support/server.ts';

describe.each(BINDINGS)('over %s', (binding) => {
  let client: Client;
  let url: string;

  beforeAll(async () => {
    const app = await startApp({}, 'stopped');
    url = app.url;
    client = createClient(url, binding);
    return () => app.stop();
  });

  const withHeader = (name: string, value: string | undefined) => ({ headers: { [name]: value } });
  const contexts = async (contextId: string) =>
    (await client.call('ListTasks', { contextId })).result.totalSize;

  test.each(['1.0', '1.0.0', '1.0.17'])('version %s is spoken', async (version) => {
    expect((await client.send('hello', {}, withHeader('a2a-version', version))).status).toBe(200);
  });

  test.each([
    undefined,
    '',
    '0.3',
    '0.3.0',
    '1',
    '1.1',
    '2.0',
    '1.0-beta',
    'v1.0',
    'x'.repeat(500),
  ])('version %s is refused with what is spoken', async (version) => {
    const contextId = randomUUID();
    const options = withHeader('a2a-version', version);
    const answer = await client.send('hello', { contextId }, options);
    expect(answer.reason).toBe('VERSION_NOT_SUPPORTED');
    expect(answer.message).toContain('1.0');
    expect((await client.stream('SubscribeToTask', { id: 'x' }, options)).reason).toBe(
      'VERSION_NOT_SUPPORTED',
    );
    expect(await contexts(contextId)).toBe(0);
  });

  test('a version in the query counts where there is no header', async () => {
    const path = binding === 'rest' ? '/message:send' : '/';
    const params = { message: messageOf('hello') };
    const body =
      binding === 'rest' ? params : { jsonrpc: '2.0', id: 1, method: 'SendMessage', params };
    const send = (query: string) =>
      fetch(`${url}${path}${query}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }).then((response) => response.text());
    expect(await send('?A2A-Version=1.0')).toContain('TASK_STATE_INPUT_REQUIRED');
    expect(await send('')).toContain('VERSION_NOT_SUPPORTED');
  });

  test.each([
    ['one', TASK, [TASK]],
    ['two, with spaces', ` ${TASK} ,  ${CHANNEL}`, [TASK, CHANNEL]],
    ['one twice', `${TASK},${TASK}`, [TASK]],
    ['none', ' , ', []],
  ])('extensions are activated and echoed: %s', async (_, header, expected) => {
    const options = withHeader('a2a-extensions', header);
    const echoOf = ({ headers }: { headers: Headers }) =>
      (headers.get('a2a-extensions') ?? '').split(', ').filter((uri) => uri !== '');
    expect(echoOf(await client.send('hello', {}, options))).toEqual(expected);
    const params = { message: messageOf('hello') };
    const stream = await client.stream('SendStreamingMessage', params, options);
    expect(echoOf(stream)).toEqual(expected);
    expect(await stream.over).toBe(true);
    expect(echoOf(await client.call('ListTasks', {}, options))).toEqual(expected);
  });

  test('an extension that the card does not list is refused, in the header and in a message', async () => {
    const contextId = randomUUID();
    const unknown = 'https://example.com/unknown';
    const header = withHeader('a2a-extensions', `${TASK}, ${unknown}`);
    const answers = [
      await client.send('hello', { contextId }, header),
      await client.send('hello', { contextId, extensions: [unknown] }),
      await client.call('ListTasks', {}, header),
    ];
    for (const answer of answers) {
      expect(answer.reason).toBe('UNSUPPORTED_OPERATION');
      expect(answer.message).toContain(unknown);
    }
    expect(await contexts(contextId)).toBe(0);
  });

  test.each([
    ['text/plain', undefined],
    ['TEXT/PLAIN; charset=utf-8', undefined],
    ['video/mp4', 'CONTENT_TYPE_NOT_SUPPORTED'],
    ['nonsense', 'CONTENT_TYPE_NOT_SUPPORTED'],
  ])('a part of %s', async (mediaType, reason) => {
    const contextId = randomUUID();
    const answer = await client.send('', { contextId, parts: [{ text: 'x', mediaType }] });
    expect(answer.reason).toBe(reason);
    expect(await contexts(contextId)).toBe(reason === undefined ? 1 : 0);
  });

  test('the extended card is refused: the card does not promise one', async () => {
    expect((await client.call('GetExtendedAgentCard', {})).reason).toBe('UNSUPPORTED_OPERATION');
  });
});

describe.each(BINDINGS)('what the card does not promise, over %s', (binding) => {
  const startWith = async (capabilities: object) => {
    const card = join(createFolder(), 'card.json');
    writeFileSync(card, JSON.stringify({ capabilities }));
    return createClient((await startApp({ card })).url, binding);
  };

  test('streams are refused', async () => {
    const client = await startWith({ streaming: false });
    const message = messageOf('hello');
    const { id } = (await client.send('hello')).result.task!;
    for (const stream of [
      await client.stream('SendStreamingMessage', { message }),
      await client.stream('SubscribeToTask', { id }),
    ]) {
      expect(stream.reason).toBe('UNSUPPORTED_OPERATION');
    }
    expect((await client.call('ListTasks', {})).result.totalSize).toBe(1);
  });

  test('push notifications are refused, in a message too', async () => {
    const client = await startWith({ pushNotifications: false });
    const { id: taskId } = (await client.send('hello')).result.task!;
    const webhook = { url: 'https://example.com/' };
    const answers = [
      await client.call('CreateTaskPushNotificationConfig', { taskId, ...webhook }),
      await client.call('GetTaskPushNotificationConfig', { taskId, id: 'x' }),
      await client.call('ListTaskPushNotificationConfigs', { taskId }),
      await client.call('DeleteTaskPushNotificationConfig', { taskId, id: 'x' }),
      await client.call('SendMessage', {
        message: messageOf('hello'),
        configuration: { taskPushNotificationConfig: webhook },
      }),
    ];
    expect(new Set(answers.map(({ reason }) => reason))).toEqual(
      new Set(['PUSH_NOTIFICATION_NOT_SUPPORTED']),
    );
    expect((await client.call('ListTasks', {})).result.totalSize).toBe(1);
  });

  test('a client has to ask for an extension that the card requires', async () => {
    const uri = 'https://example.com/ext/required/v1';
    const client = await startWith({ extensions: [{ uri, required: true }] });
    expect((await client.send('hello')).reason).toBe('EXTENSION_SUPPORT_REQUIRED');
    const options = { headers: { 'a2a-extensions': uri } };
    expect((await client.send('hello', {}, options)).status).toBe(200);
    expect((await client.call('ListTasks', {}, options)).result.totalSize).toBe(1);
  });
});
