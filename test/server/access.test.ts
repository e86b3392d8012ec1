/** Who is calling, and what a caller may see (rules A2, A3, A6). */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Client, CallOptions } from '../support/a2a-client.ts';
import { BINDINGS, createClient, messageOf } from '../support/a2a-client.ts';
import { startApp } from '../support/server.ts';

/** Calls on a task, and what the parameters of each are. */
const calls = [
  ['GetTask', (id: string) => ({ id })],
  ['CancelTask', (id: string) => ({ id })],
  ['CreateTaskPushNotificationConfig', (taskId: string) => ({ taskId, url: 'https://127.0.0.2/' })],
  ['GetTaskPushNotificationConfig', (taskId: string) => ({ taskId, id: 'mine' })],
  ['ListTaskPushNotificationConfigs', (taskId: string) => ({ taskId })],
  ['DeleteTaskPushNotificationConfig', (taskId: string) => ({ taskId, id: 'mine' })],
  ['SendMessage', (taskId: string) => ({ message: messageOf('hello', { taskId }) })],
] as const;
const streams = [
  ['SubscribeToTask', (id: string) => ({ id })],
  ['SendStreamingMessage', (taskId: string) => ({ message: messageOf('hello', { taskId }) })],
] as const;

describe.each(BINDINGS)('over %s', (binding) => {
  let client: Client;
  let id: string;
  const contextId = randomUUID();

  beforeAll(async () => {
    const app = await startApp({ pushAllow: ['127.0.0.2/32'] }, 'stopped');
    client = createClient(app.url, binding, 'alice');
    id = (await client.send('hello', { contextId })).result.task!.id;
    const url = 'https://127.0.0.2/';
    await client.call('CreateTaskPushNotificationConfig', { taskId: id, id: 'mine', url });
    return () => app.stop();
  });

  const strangers: [string, string | undefined][] = [
    ['a stranger', 'bob'],
    ['nobody', undefined],
  ];

  describe.each(strangers)("another's task, asked for by %s", (_, as) => {
    /** The refusal for a task of somebody else's and for one that does not exist, apart from the id. */
    const compare = async (
      answer: (id: string) => Promise<{ reason: string | undefined; message?: string | undefined }>,
    ) => {
      const none = randomUUID();
      const [hidden, absent] = [await answer(id), await answer(none)];
      expect(hidden.reason).toBe('TASK_NOT_FOUND');
      expect(hidden.message?.replaceAll(id, none)).toBe(absent.message);
    };

    test.each(calls)('%s: as if it did not exist', async (operation, params) => {
      await compare((taskId) => client.call(operation, params(taskId), { as }));
    });

    test.each(streams)('%s: as if it did not exist', async (operation, params) => {
      const stream = await client.stream(operation, params(id), { as });
      expect(stream.reason).toBe('TASK_NOT_FOUND');
      const headers = { 'last-event-id': '0' };
      const resumed = await client.stream(operation, params(id), { as, headers });
      expect(resumed.reason).toBe('TASK_NOT_FOUND');
    });

    test('it is in no list and no total', async () => {
      for (const params of [{}, { contextId }, { status: 'TASK_STATE_INPUT_REQUIRED' }]) {
        const { result } = await client.call('ListTasks', params, { as });
        expect([result.tasks, result.totalSize, result.nextPageToken]).toEqual([[], 0, '']);
      }
    });

    test('a message of theirs in its context makes a task of their own', async () => {
      const theirContext = `${contextId}-${String(as)}`;
      const { result } = await client.send('hello', { contextId: theirContext }, { as });
      const list = await client.call('ListTasks', { contextId: theirContext }, { as });
      expect(list.result.tasks.map((task) => task.id)).toEqual([result.task!.id]);
      const mine = await client.call('ListTasks', { contextId: theirContext });
      expect(mine.result.totalSize).toBe(0);
      await client.call('CancelTask', { id: result.task!.id }, { as });
    });

    test('nothing of it has changed', async () => {
      const { result } = await client.call('GetTask', { id });
      expect([result.status.state, result.history?.length]).toEqual([
        'TASK_STATE_INPUT_REQUIRED',
        2,
      ]);
      const configs = await client.call('ListTaskPushNotificationConfigs', { taskId: id });
      expect(configs.result.configs?.map((config) => config.id)).toEqual(['mine']);
    });
  });

  describe('the sender of a message', () => {
    const send = (metadata: object, options: CallOptions) =>
      client.send('hello', { metadata } as object, options);

    test.each([
      ['header and metadata that differ', { participant_id: 'bob' }, 'alice'],
      ['the agent, in the header', {}, 'tiny-harness'],
      ['the agent, in metadata', { participant_id: 'tiny-harness' }, undefined],
      ['anonymous, in the header', {}, 'anonymous'],
      ['anonymous, in metadata', { participant_id: 'anonymous' }, undefined],
      ['a name of 257 characters', {}, 'x'.repeat(257)],
      ['a name that is no text', { participant_id: 7 }, undefined],
      ['an empty name', { participant_id: '' }, undefined],
    ])('%s is refused', async (_, metadata, as) => {
      expect((await send(metadata, { as })).reason).toBe('INVALID_PARAMS');
    });

    test.each([
      ['the header alone', {}, 'carol'],
      ['metadata alone', { participant_id: 'carol' }, undefined],
      ['both, the same', { participant_id: 'carol' }, 'carol'],
    ])('%s names it', async (_, metadata, as) => {
      const { result } = await send(metadata, { as });
      const read = await client.call('GetTask', { id: result.task!.id }, { as: 'carol' });
      expect(read.result.history?.[0]?.metadata?.participant_id).toBe('carol');
      const none = await client.call('GetTask', { id: result.task!.id }, { as: undefined });
      expect(none.reason).toBe('TASK_NOT_FOUND');
    });

    test('without either it is anonymous, who sees what nobody else has begun', async () => {
      const { result } = await send({}, { as: undefined });
      const read = { id: result.task!.id };
      expect((await client.call('GetTask', read, { as: undefined })).status).toBe(200);
      expect((await client.call('GetTask', read, { as: 'alice' })).reason).toBe('TASK_NOT_FOUND');
    });
  });

  test("push configs are their owner's, also on the same task", async () => {
    const taskId = id;
    const config = await client.call('GetTaskPushNotificationConfig', { taskId, id: 'mine' });
    expect(config.result).toMatchObject({ id: 'mine', taskId, url: 'https://127.0.0.2/' });
    const none = await client.call('GetTaskPushNotificationConfig', { taskId, id: 'none' });
    expect(none.reason).toBe('TASK_NOT_FOUND');
  });
});
