/** Turns: one at a time, in the order of their messages, cut by a cancellation, and independent of their callers. */
import { randomUUID } from 'node:crypto';
import type { Task } from '@tiny-harness/contract/a2a';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../support/a2a-client.ts';
import { BINDINGS, createClient, messageOf, stateOf } from '../support/a2a-client.ts';
import type { InProcessServer } from '../support/server.ts';
import { startApp } from '../support/server.ts';

describe.each(BINDINGS)('turns over %s', (binding) => {
  let app: InProcessServer;
  let client: Client;

  beforeAll(async () => {
    app = await startApp({ scenario: 'test/server/scenarios/turns.yaml' }, 'stopped');
    client = createClient(app.url, binding);
    return () => app.stop();
  });

  const readTask = async (id: string) =>
    (await client.call('GetTask', { id, historyLength: 1000 })).result;
  const begin = async (text: string) =>
    (await client.send(text, {}, { atOnce: true })).result.task!.id;
  const said = ({ history = [] }: Task) =>
    history.filter(({ role }) => role === 'ROLE_AGENT').map(({ parts }) => parts[0].text);
  const asked = ({ history = [] }: Task) =>
    history.filter(({ role }) => role === 'ROLE_USER').map(({ parts }) => parts[0].text);

  test('messages are answered in their order, each caller by its own turn', async () => {
    const taskId = await begin('slow 0');
    const answers: Promise<Task>[] = [];
    for (let at = 1; at <= 5; at += 1) {
      // One after the other: each is accepted before the next is sent.
      await client.send(`slow ${at}`, { taskId, messageId: `${taskId}-${at}` }, { atOnce: true });
      answers.push(
        client
          .send(`slow ${at}`, { taskId, messageId: `${taskId}-${at}` })
          .then(({ result }) => result.task!),
      );
    }
    const tasks = await Promise.all(answers);
    expect(tasks.map(({ status }) => status.message?.parts[0]?.text)).toEqual(
      [1, 2, 3, 4, 5].map((at) => `Slowly: slow ${at}`),
    );
    const task = await readTask(taskId);
    expect(said(task)).toEqual([0, 1, 2, 3, 4, 5].map((at) => `Slowly: slow ${at}`));
    expect(asked(task)).toEqual([0, 1, 2, 3, 4, 5].map((at) => `slow ${at}`));
  });

  test('a flood of messages at once: each is answered once', async () => {
    const taskId = (await client.send('hello')).result.task!.id;
    const texts = Array.from({ length: 50 }, (_, at) => `hello ${at}`);
    const answers = await Promise.all(texts.map((text) => client.send(text, { taskId })));
    expect(answers.map(({ result }) => result.task?.status.message?.parts[0]?.text)).toEqual(
      texts.map((text) => `You said: ${text}`),
    );
    const task = await readTask(taskId);
    expect(said(task)).toEqual(asked(task).map((text) => `You said: ${text}`));
    expect(asked(task).toSorted()).toEqual(['hello', ...texts].toSorted());
  });

  test('a stream of a message that waits: the task first, its own end last', async () => {
    const taskId = await begin('slow 0');
    const stream = await client.stream('SendStreamingMessage', {
      message: messageOf('slow 1', { taskId }),
    });
    expect(await stream.over).toBe(true);
    expect(stream.heard[0]!.body.task?.id).toBe(taskId);
    const states = stream.heard.map(({ body }) => stateOf(body));
    expect(states).toEqual(['WORKING', 'INPUT_REQUIRED', 'WORKING', 'INPUT_REQUIRED']);
    const last = stream.heard.at(-1)!.body.statusUpdate;
    expect(last?.status.message?.parts).toEqual([{ text: 'Slowly: slow 1' }]);
  });

  test('cancelling cuts the turn, answers those who wait, and nothing is written after it', async () => {
    const taskId = await begin('chunks');
    const subscriber = await client.stream('SubscribeToTask', { id: taskId });
    const waiting = client.send('slow', { taskId });
    await subscriber.until(({ body }) => body.artifactUpdate !== undefined);
    // The message that waits is in the history before the task is cancelled.
    while (asked(await readTask(taskId)).length < 2) await Promise.resolve();
    const { result } = await client.call('CancelTask', { id: taskId });
    expect(result.status.state).toBe('TASK_STATE_CANCELED');
    expect((await waiting).result.task?.status.state).toBe('TASK_STATE_CANCELED');
    expect(await subscriber.over).toBe(true);
    expect(stateOf(subscriber.heard.at(-1)!.body)).toBe('CANCELED');
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(await readTask(taskId)).toEqual(result);
  });

  test('of many who cancel at once, one does', async () => {
    const id = await begin('chunks');
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => client.call('CancelTask', { id })),
    );
    const reasons = answers.map(({ reason }) => reason ?? 'done').toSorted();
    expect(reasons).toEqual([...Array.from({ length: 19 }, () => 'TASK_NOT_CANCELABLE'), 'done']);
    const late = await client.call('CancelTask', { id });
    expect(late.message).toContain('TASK_STATE_CANCELED');
  });

  test('messages and cancellations that race: accepted ones are in the history, refused ones are not', async () => {
    for (let round = 0; round < 10; round += 1) {
      const taskId = await begin('chunks');
      const texts = Array.from({ length: 6 }, () => `hello ${randomUUID()}`);
      const [answers] = await Promise.all([
        Promise.all(texts.map((text) => client.send(text, { taskId }, { atOnce: true }))),
        client.call('CancelTask', { id: taskId }),
      ]);
      const accepted = texts.filter((_, at) => answers[at]!.reason === undefined);
      for (const { reason } of answers)
        expect([undefined, 'UNSUPPORTED_OPERATION']).toContain(reason);
      const task = await readTask(taskId);
      expect(task.status.state).toBe('TASK_STATE_CANCELED');
      expect(asked(task).slice(1).toSorted()).toEqual(accepted.toSorted());
    }
  });

  test('authorisation that is asked for answers a blocking caller; the work goes on', async () => {
    const { result } = await client.send('sign in');
    const { id, status } = result.task!;
    expect(status.state).toBe('TASK_STATE_AUTH_REQUIRED');
    expect(status.message?.parts).toEqual([{ text: 'Sign in, please.' }]);
    const stream = await client.stream('SubscribeToTask', { id });
    await stream.until(({ body }) => stateOf(body) === 'INPUT_REQUIRED');
    stream.close();
    const { status: now } = await readTask(id);
    expect(now.message?.parts).toEqual([{ text: 'Thank you.' }]);
  });

  test('authorisation that is asked for does not end a stream', async () => {
    const stream = await client.stream('SendStreamingMessage', { message: messageOf('sign in') });
    expect(await stream.over).toBe(true);
    const states = stream.heard.map(({ body }) => stateOf(body));
    const last = ['AUTH_REQUIRED', 'WORKING', 'INPUT_REQUIRED'];
    expect(states).toEqual(['SUBMITTED', 'WORKING', ...last]);
  });

  test('an agent that breaks fails its task, in words that give nothing away', async () => {
    const { result } = await client.send('crash');
    const { state, message } = result.task!.status;
    expect(state).toBe('TASK_STATE_FAILED');
    expect(JSON.stringify(result)).not.toContain('secret');
    expect(message?.parts[0]?.text).toMatch(/agent failed/);
    expect(app.complaints.some((text) => text.includes('a secret that nobody shall see'))).toBe(
      true,
    );
  });

  test('a message without waiting is acknowledged while it is worked on', async () => {
    const { result } = await client.send('slow', {}, { atOnce: true });
    expect(['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING']).toContain(result.task!.status.state);
    const stream = await client.stream('SubscribeToTask', { id: result.task!.id });
    await stream.until(({ body }) => stateOf(body) === 'INPUT_REQUIRED');
    stream.close();
  });

  test('a message for a task in another context is refused', async () => {
    const { id: taskId } = (await client.send('hello')).result.task!;
    const answer = await client.send('hello', { taskId, contextId: 'another' });
    expect([answer.reason, answer.fields]).toEqual(['INVALID_PARAMS', ['message.contextId']]);
    const none = await client.send('hello', { taskId: randomUUID() });
    expect(none.reason).toBe('TASK_NOT_FOUND');
  });
});
