/** How a store keeps what answers without a turn, what the task waits for, and who may see it. */
import { SUB_STATE_KEY } from '@tiny-harness/contract/status/v1';
import { describe, expect, it } from 'vitest';
import type { Store } from '../../src/store/port.ts';
import type { OpenStore } from './fixture.ts';
import {
  append,
  created,
  createClock,
  EVERYTHING,
  message,
  metadataOf,
  readJson,
  started,
  status,
  taskData,
  waits,
  working,
} from './fixture.ts';

const question = { asked: 'ann', text: 'Which?', options: ['a', 'b'] };
const asks = (turn: number) =>
  waits(turn, 'Which?', { subState: 'awaiting-answer', question, label: 'help' });
const settled = (id: string, recorded: boolean, replied: boolean) =>
  message(id, undefined, 'ann', { recorded, replied });
const readHead = async (store: Store, taskId = 'task') =>
  (await store.change(taskId, {}, ({ head }) => ({ events: [], result: head }))).result;

export function describeReplies(open: OpenStore): void {
  describe('a reply', () => {
    /** A task that waits for an answer, and whose model was changed by a command meanwhile. */
    async function openAsking(): Promise<Store> {
      const store = open(createClock().now);
      await append(store, 'task', created(), message('one', 1), started(1), working(), asks(1));
      const data = taskData({ model: 'm' });
      const subState = 'awaiting-answer';
      const reply = { reply: true, label: 'command', subState, data };
      const command = status('TASK_STATE_INPUT_REQUIRED', 'Model set.', reply);
      await append(store, 'task', settled('two', false, true), command);
      return store;
    }

    it('leaves status, question and history as they were, and changes the data (rules T6, T8)', async () => {
      const store = await openAsking();
      expect(await readHead(store)).toMatchObject({
        seq: 3,
        state: 'TASK_STATE_INPUT_REQUIRED',
        subState: 'awaiting-answer',
        question,
        data: { model: 'm' },
      });
      const task = await readJson(store, 'task');
      expect(task).toMatchObject({
        status: { message: { messageId: 'task:help:2', parts: [{ text: 'Which?' }] } },
        history: [{ messageId: 'one' }, { messageId: 'task:help:2' }],
        metadata: {
          ...metadataOf(taskData({ model: 'm' })),
          [SUB_STATE_KEY]: { sub_state: 'awaiting-answer' },
        },
      });
      expect(task?.history).toHaveLength(2);
      await store.close();
    });

    it('stands in the place of the status where that is asked for, also later', async () => {
      const store = await openAsking();
      // Messages have no number of their own: those that came since would join the history.
      const read = { asOf: 3, withReply: true, history: 0 };
      const answer = await readJson(store, 'task', read);
      expect(answer).toMatchObject({
        status: {
          state: 'TASK_STATE_INPUT_REQUIRED',
          message: { messageId: 'task:command:3', parts: [{ text: 'Model set.' }] },
        },
        metadata: { [SUB_STATE_KEY]: { sub_state: 'awaiting-answer' } },
      });
      await append(store, 'task', message('three', 2, 'ann', { answers: true }), started(2));
      await append(store, 'task', working('so far'));
      expect(await readJson(store, 'task', read)).toStrictEqual(answer);
      const bare = await readJson(store, 'task', { asOf: 3 });
      expect(bare).toMatchObject({ status: { message: { messageId: 'task:help:2' } } });
      await store.close();
    });

    it('is found again with its message, and so is a message that has none (rule A5)', async () => {
      const store = await openAsking();
      await append(store, 'task', settled('three', true, false));
      expect(await store.findAccepted('ann', 'two')).toMatchObject({
        taskId: 'task',
        turn: undefined,
        seq: 2,
        replied: true,
      });
      expect(await store.findAccepted('ann', 'three')).toMatchObject({
        turn: undefined,
        seq: 3,
        replied: false,
      });
      const { history } = (await readJson(store, 'task'))!;
      const ids = (history as { messageId: string }[]).map(({ messageId }) => messageId);
      expect(ids).toStrictEqual(['one', 'task:help:2', 'three']);
      await store.close();
    });

    it('moves a task in lists only when it changes the state', async () => {
      const clock = createClock();
      const store = open(clock.now);
      const idsOf = async () => {
        const { tasks } = await store.listTasks({ reader: 'ann', limit: 9, read: EVERYTHING });
        return tasks.map((json) => (JSON.parse(json) as { id: string }).id);
      };
      for (const id of ['a', 'b']) await append(store, id, created());
      clock.advance(5);
      const reply = { reply: true, subState: 'awaiting-next-message' };
      await append(store, 'a', status('TASK_STATE_SUBMITTED', 'no', { reply: true }));
      expect(await idsOf()).toStrictEqual(['b', 'a']);
      await append(store, 'a', status('TASK_STATE_INPUT_REQUIRED', 'parked', reply));
      expect(await idsOf()).toStrictEqual(['a', 'b']);
      expect(await readHead(store, 'a')).toMatchObject({ subState: 'awaiting-next-message' });
      await store.close();
    });
  });

  describe('what a task waits for', () => {
    it('is gone with the state, in the head and in metadata (rule E5)', async () => {
      const store = open(createClock().now);
      await append(store, 'task', created(), message('one', 1), started(1), working(), asks(1));
      await append(store, 'task', message('two', 2, 'ann', { answers: true }), started(2));
      expect(await readHead(store)).toMatchObject({ question: undefined });
      await append(store, 'task', working());
      expect(await readHead(store)).toMatchObject({ subState: undefined, question: undefined });
      const { metadata } = (await readJson(store, 'task'))!;
      expect(metadata).toStrictEqual(metadataOf(taskData()));
      const then = (await readJson(store, 'task', { asOf: 2 }))!;
      expect(then.metadata).toStrictEqual({
        ...metadataOf(taskData()),
        [SUB_STATE_KEY]: { sub_state: 'awaiting-answer' },
      });
      await store.close();
    });

    it('is said by the event that ends a turn with a question, and by no reply (rule T6)', async () => {
      const store = open(createClock().now);
      await append(store, 'task', created(), message('one', 1), started(1), working(), asks(1));
      const reply = { reply: true, subState: 'awaiting-answer' };
      await append(store, 'task', status('TASK_STATE_INPUT_REQUIRED', 'no', reply));
      const events = await store.readEvents('task', 0, 10);
      expect(events.map((event) => event.asks)).toStrictEqual([false, true, false]);
      await store.close();
    });

    it('keeps turns that wait from being found, until it is answered', async () => {
      const store = open(createClock().now);
      const heard: boolean[] = [];
      await append(store, 'task', created(), message('one', 1), started(1), message('two', 2));
      store.watch((changes) => heard.push(...changes.map(({ waiting }) => waiting)));
      await append(store, 'task', working(), asks(1));
      expect(await store.findIdleTasks(10)).toStrictEqual([]);
      await append(store, 'task', message('three', 3, 'ann', { answers: true }));
      expect(await store.findIdleTasks(10)).toStrictEqual(['task']);
      expect(heard).toStrictEqual([false, true]);
      expect(await readHead(store)).toMatchObject({ waiting: [3, 2] });
      await store.close();
    });
  });

  describe('turns that were cut for another', () => {
    it('share what becomes of it, its end above all', async () => {
      const store = open(createClock().now);
      await append(store, 'task', created(), message('one', 1), started(1), working());
      const cut = started(3, 'host', { absorbed: [1, 2] });
      await append(store, 'task', message('two', 2), message('three', 3), cut, working());
      await append(store, 'task', working('so far'), waits(3, 'done'));
      const events = await store.readEvents('task', 1, 10);
      expect(
        events.map(({ seq, turn, endsTurn, absorbed }) => ({ seq, turn, endsTurn, absorbed })),
      ).toStrictEqual([
        { seq: 2, turn: 3, endsTurn: false, absorbed: [1, 2] },
        { seq: 3, turn: 3, endsTurn: false, absorbed: [1, 2] },
        { seq: 4, turn: 3, endsTurn: true, absorbed: [1, 2] },
      ]);
      await store.close();
    });

    it('wait with it when it is given back', async () => {
      const store = open(createClock().now);
      await append(store, 'task', created(), message('one', 1), message('two', 2));
      await append(store, 'task', started(2, 'host', { absorbed: [1] }), working());
      await append(store, 'task', { kind: 'turn-released', turn: 2 });
      expect(await readHead(store)).toMatchObject({ running: undefined, absorbed: [1] });
      await store.close();
    });

    it('are over with a cancellation as well', async () => {
      const store = open(createClock().now);
      await append(store, 'task', created(), message('one', 1), message('two', 2));
      await append(store, 'task', started(2, 'host', { absorbed: [1] }), working());
      await append(store, 'task', status('TASK_STATE_CANCELED'));
      expect((await store.readEvents('task', 1, 1))[0]).toMatchObject({
        turn: 2,
        endsTurn: true,
        absorbed: [1],
      });
      await store.close();
    });
  });

  describe('readers', () => {
    it('change with an event: who is none any more sees nothing, in lists and totals (rule A2)', async () => {
      const clock = createClock();
      const store = open(clock.now);
      await append(store, 'task', created({ readers: ['ann', 'bob'] }), working());
      clock.advance(100_000);
      const readers = ['ann', 'cid'];
      const change = { reply: true, data: taskData({ goal: 'changed' }), readers };
      await append(store, 'task', status('TASK_STATE_WORKING', undefined, change));
      const query = { limit: 9, read: EVERYTHING, state: 'TASK_STATE_WORKING' } as const;
      for (const [reader, total] of [
        ['ann', 1],
        ['bob', 0],
        ['cid', 1],
      ] as const) {
        expect((await readJson(store, 'task', {}, reader)) !== undefined).toBe(total === 1);
        const page = await store.listTasks({ reader, ...query });
        expect([reader, page.tasks.length, page.total]).toStrictEqual([reader, total, total]);
      }
      await append(store, 'task', waits(1));
      for (const reader of ['ann', 'bob', 'cid']) {
        expect((await store.listTasks({ reader, ...query })).total).toBe(0);
      }
      await store.close();
    });

    it('who is none any more is told nothing: the push configs go (rule A2)', async () => {
      const clock = createClock();
      const store = open(clock.now);
      await append(store, 'task', created({ readers: ['ann', 'bob'] }));
      for (const owner of ['ann', 'bob']) {
        const url = `https://example.com/${owner}`;
        await store.putPushConfig({ taskId: 'task', id: 'hook', owner, url, secrets: undefined });
      }
      const change = { reply: true, data: taskData({ goal: 'changed' }), readers: ['ann', 'cid'] };
      await append(store, 'task', status('TASK_STATE_SUBMITTED', undefined, change), working());
      const due = await store.claimDeliveries(clock.now(), clock.now() + 1000, 9);
      expect(due.map(({ config }) => config.owner)).toStrictEqual(['ann']);
      expect(await store.readPushConfig('task', 'bob', 'hook')).toBeUndefined();
      expect(await store.readPushConfig('task', 'ann', 'hook')).toBeDefined();
      await store.close();
    });
  });
}
