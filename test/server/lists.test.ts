/** ListTasks: filters, pages, totals and order (specification 3.1.4), and how much history is given (3.2.4). */
import { randomUUID } from 'node:crypto';
import type { Task } from '@tiny-harness/contract/a2a';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../support/a2a-client.ts';
import { BINDINGS, createClient } from '../support/a2a-client.ts';
import { startApp } from '../support/server.ts';

describe.each(BINDINGS)('over %s', (binding) => {
  let client: Client;
  const contextId = randomUUID();
  /** In the order of their last status. */
  const tasks: Task[] = [];

  beforeAll(async () => {
    const app = await startApp({ scenario: 'test/conformance/probe.yaml' }, 'stopped');
    client = createClient(app.url, binding);
    for (let at = 0; at < 12; at += 1) {
      const text = ['hello', 'probe:complete', 'probe:fail'][at % 3]!;
      const { result } = await client.send(text, at < 9 ? { contextId } : {});
      tasks.push(result.task!);
      // Statuses have milliseconds: these shall differ.
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return () => app.stop();
  });

  const list = async (params: object) => (await client.call('ListTasks', params)).result;
  const idsOf = (found: readonly Task[]) => found.map(({ id }) => id);
  const newest = (filter: (task: Task, at: number) => boolean) =>
    idsOf(tasks.filter(filter)).reverse();

  describe('lists', () => {
    test.each([
      ['everything', () => ({}), () => true],
      ['a context', () => ({ contextId }), (task: Task) => task.contextId === contextId],
      [
        'a state',
        () => ({ status: 'TASK_STATE_COMPLETED' }),
        (task: Task) => task.status.state === 'TASK_STATE_COMPLETED',
      ],
      [
        'both',
        () => ({ contextId, status: 'TASK_STATE_FAILED' }),
        (task: Task) => task.contextId === contextId && task.status.state === 'TASK_STATE_FAILED',
      ],
      ['what is no state', () => ({ status: 'TASK_STATE_UNSPECIFIED' }), () => true],
      [
        'since a status, with it',
        () => ({ statusTimestampAfter: tasks[7]!.status.timestamp! }),
        (_: Task, at: number) => at >= 7,
      ],
      [
        'since a moment after a status',
        () => ({ statusTimestampAfter: tasks[7]!.status.timestamp!.replace('Z', '001Z') }),
        (_: Task, at: number) => at > 7,
      ],
      ['since the future', () => ({ statusTimestampAfter: '2999-01-01T00:00:00Z' }), () => false],
      ['a context that nobody has', () => ({ contextId: 'none' }), () => false],
    ])('%s, latest first', async (_, params, filter) => {
      const found = await list(params());
      expect(idsOf(found.tasks)).toEqual(newest(filter));
      expect([found.totalSize, found.nextPageToken]).toEqual([found.tasks.length, '']);
    });

    test.each([1, 4, 5, 12, 50])('in pages of %s', async (pageSize) => {
      const seen: string[] = [];
      let pageToken = '';
      do {
        const page = await list({ pageSize, pageToken });
        expect([page.totalSize, page.pageSize]).toEqual([12, pageSize]);
        expect(page.tasks.length).toBeGreaterThan(0);
        seen.push(...idsOf(page.tasks));
        pageToken = page.nextPageToken;
      } while (pageToken !== '');
      expect(seen).toEqual(newest(() => true));
    });

    test('each task once while others change between the pages', async () => {
      const own = randomUUID();
      const made = [];
      for (let at = 0; at < 6; at += 1)
        made.push((await client.send('hello', { contextId: own })).result.task!.id);
      const first = await list({ contextId: own, pageSize: 3 });
      // One that was seen comes to the front, one that was not leaves its place.
      await client.call('CancelTask', { id: made[5]! });
      await client.call('CancelTask', { id: made[0]! });
      const { nextPageToken: pageToken } = first;
      const second = await list({ contextId: own, pageSize: 3, pageToken });
      expect(idsOf(first.tasks)).toEqual([made[5], made[4], made[3]]);
      expect(idsOf(second.tasks)).toEqual([made[2], made[1]]);
      expect(second.totalSize).toBe(6);
      const states = ['TASK_STATE_CANCELED', 'TASK_STATE_INPUT_REQUIRED'];
      const totals = await Promise.all(states.map((status) => list({ contextId: own, status })));
      expect(totals.map(({ totalSize }) => totalSize)).toEqual([2, 4]);
    });

    test.each([
      ['pageSize', { pageSize: 0 }],
      ['pageSize', { pageSize: 101 }],
      ['pageSize', { pageSize: -1 }],
      ['pageToken', { pageToken: 'nonsense' }],
      ['status', { status: 'TASK_STATE_BOGUS' }],
      ['historyLength', { historyLength: -1 }],
      ['statusTimestampAfter', { statusTimestampAfter: 'yesterday' }],
    ])('no %s that is wrong: %j', async (field, params) => {
      const answer = await client.call('ListTasks', params);
      expect([answer.reason, answer.fields]).toEqual(['INVALID_PARAMS', [field]]);
    });

    test('artifacts and history only when they are asked for', async () => {
      const [bare] = (await list({ contextId, pageSize: 1 })).tasks;
      expect([bare!.artifacts ?? [], bare!.history ?? []]).toEqual([[], []]);
      const params = { contextId, includeArtifacts: true, historyLength: 1 };
      const rich = await list({ ...params, status: 'TASK_STATE_INPUT_REQUIRED' });
      for (const task of rich.tasks) {
        expect(task.artifacts?.map(({ artifactId }) => artifactId)).toEqual(['a1']);
        expect(task.history?.map(({ role }) => role)).toEqual(['ROLE_AGENT']);
      }
    });
  });

  describe('history', () => {
    const texts = (task: Task) =>
      (task.history ?? []).map(({ parts }) => parts.map(({ text }) => text).join());
    let id: string;

    beforeAll(async () => {
      id = (await client.send('one')).result.task!.id;
      await client.send('two', { taskId: id });
    });

    const all = ['one', 'Shall I go on?', 'two', 'Shall I go on?'];

    test.each([
      [undefined, all],
      [0, []],
      [1, all.slice(-1)],
      [3, all.slice(-3)],
      [100, all],
      [2_000_000_000, all],
    ])('of length %s: the latest messages, in order', async (historyLength, expected) => {
      const asked = historyLength === undefined ? {} : { historyLength };
      const read = await client.call('GetTask', { id, ...asked });
      expect(texts(read.result)).toEqual(expected);
    });

    test.each([
      [0, []],
      [1, ['Shall I go on?']],
      [undefined, ['three', 'Shall I go on?']],
    ])('of length %s in the answer to a message', async (historyLength, expected) => {
      const message = { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text: 'three' }] };
      const configuration = historyLength === undefined ? {} : { historyLength };
      const { result } = await client.call('SendMessage', { message, configuration });
      expect(texts(result.task!)).toEqual(expected);
    });

    test('that is negative is refused', async () => {
      const answer = await client.call('GetTask', { id, historyLength: -1 });
      expect([answer.reason, answer.fields]).toEqual(['INVALID_PARAMS', ['historyLength']]);
    });
  });
});
