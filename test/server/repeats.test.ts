/** A message that comes again is the same message (rule A5). */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../support/a2a-client.ts';
import { BINDINGS, createClient, messageOf } from '../support/a2a-client.ts';
import { startApp } from '../support/server.ts';

describe.each(BINDINGS)('a message that is repeated over %s', (binding) => {
  let client: Client;

  beforeAll(async () => {
    const app = await startApp({ scenario: 'test/conformance/probe.yaml' }, 'stopped');
    client = createClient(app.url, binding);
    return () => app.stop();
  });

  const readTask = async (id: string) => (await client.call('GetTask', { id })).result;
  const count = async (contextId: string) =>
    (await client.call('ListTasks', { contextId })).result.totalSize;

  test('makes one task and gets the same answer', async () => {
    const [messageId, contextId] = [randomUUID(), randomUUID()];
    const first = await client.send('hello', { messageId, contextId });
    const second = await client.send('hello', { messageId, contextId });
    expect(second.result).toEqual(first.result);
    expect(await count(contextId)).toBe(1);
  });

  test('whichever way its sender is named', async () => {
    const [messageId, contextId] = [randomUUID(), randomUUID()];
    const first = await client.send('hello', { messageId, contextId }, { as: 'alice' });
    const metadata = { participant_id: 'alice' };
    const second = await client.send('hello', { messageId, contextId, metadata });
    expect(second.result).toEqual(first.result);
  });

  test('at the same time: each shares the answer', async () => {
    const [messageId, contextId] = [randomUUID(), randomUUID()];
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => client.send('probe:chat', { messageId, contextId })),
    );
    for (const { result } of answers) expect(result).toEqual(answers[0]!.result);
    expect(await count(contextId)).toBe(1);
    expect((await readTask(answers[0]!.result.task!.id)).history).toHaveLength(2);
  });

  test('as a stream: begins where the message was accepted', async () => {
    const message = messageOf('probe:slow');
    const streams = await Promise.all([
      client.stream('SendStreamingMessage', { message }),
      client.stream('SendStreamingMessage', { message }),
    ]);
    for (const stream of streams) expect(await stream.over).toBe(true);
    const [first, second] = streams;
    const again = await client.stream('SendStreamingMessage', { message });
    expect(await again.over).toBe(true);
    expect(second.heard).toEqual(first.heard);
    expect(again.heard.slice(1)).toEqual(first.heard.slice(1));
  });

  test('for a task that has gone on: the first answer again', async () => {
    const messageId = randomUUID();
    const first = await client.send('hello', { messageId });
    const { id: taskId } = first.result.task!;
    const followUp = { messageId: randomUUID(), taskId };
    const second = await client.send('probe:chat', followUp);
    await client.send('probe:chat', { taskId });
    expect((await client.send('hello', { messageId })).result.task?.status).toEqual(
      first.result.task?.status,
    );
    const again = await client.send('probe:chat', followUp);
    expect(again.result.task?.status).toEqual(second.result.task?.status);
    expect((await readTask(taskId)).history).toHaveLength(6);
  });

  test('for a task that has ended: the first answer again, while a new message is refused', async () => {
    const messageId = randomUUID();
    const first = await client.send('hello', { messageId });
    const { id: taskId } = first.result.task!;
    const followUp = { messageId: randomUUID(), taskId };
    const second = await client.send('go on', followUp);
    expect(second.result.task?.status.state).toBe('TASK_STATE_COMPLETED');
    expect((await client.send('go on', followUp)).result).toEqual(second.result);
    expect((await client.send('hello', { messageId })).result.task?.id).toBe(taskId);
    const fresh = await client.send('go on', { taskId });
    expect([fresh.reason, fresh.message]).toEqual([
      'UNSUPPORTED_OPERATION',
      expect.stringContaining('TASK_STATE_COMPLETED'),
    ]);
  });

  test('that was answered with a message: the same message', async () => {
    const messageId = randomUUID();
    const first = await client.send('probe:message', { messageId });
    expect(first.result.message?.parts).toEqual([{ text: 'A direct answer.' }]);
    expect((await client.send('probe:message', { messageId })).result).toEqual(first.result);
  });

  test.each([
    ['other text', { parts: [{ text: 'other' }] }],
    ['a part more', { parts: [{ text: 'hello' }, { text: 'more' }] }],
    ['other metadata', { metadata: { a: 1 } }],
    ['another context', { contextId: 'another' }],
  ])('with %s is refused and changes nothing', async (_, change) => {
    const messageId = randomUUID();
    const { result } = await client.send('hello', { messageId });
    const answer = await client.send('hello', { messageId, ...change } as object);
    expect([answer.reason, answer.fields]).toEqual(['INVALID_PARAMS', ['message.messageId']]);
    expect((await readTask(result.task!.id)).history).toHaveLength(2);
  });

  test('with its members in another order is the same', async () => {
    const messageId = randomUUID();
    const metadata = { a: 1, b: { c: 2, d: 3 } };
    const first = await client.send('hello', { messageId, metadata });
    const second = await client.send('hello', { metadata: { b: { d: 3, c: 2 }, a: 1 }, messageId });
    expect(second.result).toEqual(first.result);
  });

  test('by another sender is another message', async () => {
    const messageId = randomUUID();
    const first = await client.send('hello', { messageId }, { as: 'alice' });
    const second = await client.send('hello', { messageId }, { as: 'bob' });
    expect(second.result.task!.id).not.toBe(first.result.task!.id);
  });
});
