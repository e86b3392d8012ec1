/** How a store decides, appends and tells. */
import { describe, expect, it, vi } from 'vitest';
import { acceptMessage } from '../../src/core/messages.ts';
import { toStreamResponse } from '../../src/extensions/wire.ts';
import type { TaskChange } from '../../src/store/port.ts';
import type { OpenStore } from './fixture.ts';
import {
  append,
  chunk,
  created,
  createClock,
  EVERYTHING,
  message,
  readJson,
  START,
  started,
  status,
  taskData,
  userMessage,
  waits,
  working,
} from './fixture.ts';

export function describeLog(open: OpenStore): void {
  describe('change', () => {
    it('shows the head that follows from the events', async () => {
      const store = open(createClock().now);
      const first = await store.change('task', {}, ({ head }) => ({
        events: [created(), message('one', 1), started(1), working()],
        result: head,
      }));
      expect(first).toStrictEqual({ result: undefined, seq: 1 });
      const data = taskData({ description: 'changed' });
      const question = { asked: 'ann', text: 'Yes?', options: ['yes', 'no'] };
      const asks = { data, question, subState: 'awaiting-answer' };
      await append(store, 'task', message('two', 2), waits(1, 'Yes?', asks));
      const { result, seq } = await store.change('task', {}, ({ head }) => ({
        events: [],
        result: head,
      }));
      expect(seq).toBe(2);
      expect(result).toStrictEqual({
        id: 'task',
        contextId: 'context',
        state: 'TASK_STATE_INPUT_REQUIRED',
        seq: 2,
        data,
        subState: 'awaiting-answer',
        question,
        agent: undefined,
        skills: [],
        lastTurn: 2,
        running: undefined,
        absorbed: [],
        waiting: [2],
      });
      const answer = message('three', 3, 'ann', { answers: true });
      const begun = started(3, 'other', { attempt: 3, absorbed: [1] });
      await append(store, 'task', answer, begun, working(), chunk('a', '1'));
      const later = await store.change('task', {}, ({ head }) => ({ events: [], result: head }));
      expect(later.result).toMatchObject({
        state: 'TASK_STATE_WORKING',
        seq: 4,
        subState: undefined,
        question: undefined,
        agent: undefined,
        skills: [],
        lastTurn: 3,
        running: { number: 3, owner: 'other', attempt: 3 },
        absorbed: [1],
        waiting: [2],
        data,
      });
      await store.close();
    });

    it('answers what was looked up, and nothing that was not', async () => {
      const store = open(createClock().now);
      await append(
        store,
        'task',
        created(),
        message('one', 1),
        chunk('a', '1', { lastChunk: true }),
      );
      const look = async (taskId: string, lookups: Parameters<typeof store.change>[1]) =>
        (await store.change(taskId, lookups, (view) => ({ events: [], result: view }))).result;
      expect(await look('task', {})).toMatchObject({
        accepted: undefined,
        artifact: undefined,
      });
      const sent = { sender: 'ann', messageId: 'one' };
      const accepted = {
        taskId: 'task',
        turn: 1,
        seq: 0,
        replied: false,
        fingerprint: 'digest of one',
        answer: undefined,
      };
      expect(await look('task', { message: sent, artifactId: 'a' })).toMatchObject({
        accepted,
        artifact: { artifactId: 'a', complete: true },
      });
      expect((await look('task', { children: true })).children).toStrictEqual([]);
      // The message was accepted, in whichever task it is looked for.
      expect(await look('other', { message: sent, artifactId: 'a' })).toStrictEqual({
        head: undefined,
        children: [],
        accepted,
        artifact: undefined,
        call: undefined,
        surfaces: [],
        lastWords: [],
      });
      expect(
        await look('task', {
          message: { sender: 'bob', messageId: 'one' },
          artifactId: 'b',
        }),
      ).toMatchObject({ accepted: undefined, artifact: undefined });
      await store.close();
    });

    it('tells an artifact that is complete from one that is begun anew', async () => {
      const store = open(createClock().now);
      await append(store, 'task', created(), chunk('a', '1'));
      const isComplete = async () =>
        (
          await store.change('task', { artifactId: 'a' }, ({ artifact }) => ({
            events: [],
            result: artifact?.complete,
          }))
        ).result;
      expect(await isComplete()).toBe(false);
      await append(store, 'task', chunk('a', '2', { append: true }));
      expect(await isComplete()).toBe(false);
      await append(store, 'task', chunk('a', '3', { append: true, lastChunk: true }));
      expect(await isComplete()).toBe(true);
      await append(store, 'task', chunk('a', '4'));
      expect(await isComplete()).toBe(false);
      await store.close();
    });

    it('gives -1 for a task that does not exist and was not created', async () => {
      const store = open(createClock().now);
      expect(await store.change('none', {}, () => ({ events: [], result: 'x' }))).toStrictEqual({
        result: 'x',
        seq: -1,
      });
      await store.close();
    });

    it('undoes what fails, and only that', async () => {
      const store = open(createClock().now);
      const refusal = new Error('no');
      const heard: TaskChange[] = [];
      store.watch((changes) => heard.push(...changes));
      const results = await Promise.allSettled([
        append(store, 'one', created(), message('m1', 1)),
        store.change('two', {}, () => {
          throw refusal;
        }),
        // No second creation, nothing for nobody, and no message twice: the start of each is undone with it.
        append(store, 'one', created()),
        append(store, 'three', working()),
        append(store, 'four', created(), message('m2', 1), message('m1', 2)),
        append(store, 'five', created(), message('m2', 1)),
      ]);
      expect(results.map(({ status: outcome }) => outcome)).toStrictEqual([
        'fulfilled',
        'rejected',
        'rejected',
        'rejected',
        'rejected',
        'fulfilled',
      ]);
      expect(results[1]).toHaveProperty('reason', refusal);
      expect(heard.map(({ taskId }) => taskId)).toStrictEqual(['one', 'five']);
      for (const id of ['two', 'three', 'four']) expect(await readJson(store, id)).toBeUndefined();
      expect(await store.readEvents('four', -1, 10)).toStrictEqual([]);
      expect(await store.findAccepted('ann', 'm2')).toMatchObject({ taskId: 'five' });
      await store.close();
    });

    it('decides one after the other, in the order of the calls', async () => {
      const store = open(createClock().now);
      await append(store, 'task', created());
      const turns = await Promise.all(
        Array.from({ length: 600 }, (_, index) =>
          store.change('task', {}, ({ head }) => ({
            events: acceptMessage(
              head!,
              { message: userMessage(`m${index}`), sender: 'ann', fingerprint: '', activated: [] },
              { agentId: 'tiny-harness', interrupt: false, lease: undefined },
            ),
            result: head!.lastTurn + 1,
          })),
        ),
      );
      expect(turns.map(({ result }) => result)).toStrictEqual(
        Array.from({ length: 600 }, (_, index) => index + 1),
      );
      await store.close();
    });

    it('is visible once it has resolved', async () => {
      const store = open(createClock().now);
      await append(store, 'task', created());
      for (let seq = 1; seq < 20; seq++) {
        expect(await append(store, 'task', working())).toBe(seq);
        expect((await store.readTask('task', 'ann', EVERYTHING))?.seq).toBe(seq);
      }
      await store.close();
    });
  });

  describe('the log', () => {
    it('holds each numbered event as it goes over the wire, without a gap', async () => {
      const clock = createClock();
      const store = open(clock.now);
      const create = created();
      const events = [
        working(),
        chunk('a', '1', { name: 'A' }),
        chunk('a', '2', { append: true, lastChunk: true }),
        working('So far', { data: taskData({ goal: 'changed' }) }),
        waits(1, 'Yes?'),
      ];
      await append(store, 'task', create, message('one', 1), started(1), ...events);
      const place = { taskId: 'task', contextId: 'context', at: START };
      const bodies = [create, ...events].map((event, seq) =>
        JSON.stringify(toStreamResponse({ ...event, seq } as never, place)),
      );
      const read = await store.readEvents('task', -1, 100);
      expect(read.map(({ body }) => body)).toStrictEqual(bodies);
      const none = { turn: undefined, endsTurn: false, asks: false, absorbed: [] };
      const inTurn = { ...none, turn: 1 };
      const state = 'TASK_STATE_WORKING';
      const ended = { state: 'TASK_STATE_INPUT_REQUIRED', turn: 1, endsTurn: true };
      expect(read.map(({ body: _, ...rest }) => rest)).toStrictEqual([
        { ...none, seq: 0, state: undefined, changesData: true },
        { ...inTurn, seq: 1, state, changesData: false },
        { ...inTurn, seq: 2, state: undefined, changesData: false },
        { ...inTurn, seq: 3, state: undefined, changesData: false },
        { ...inTurn, seq: 4, state, changesData: true },
        { ...inTurn, ...ended, seq: 5, changesData: false },
      ]);
      expect(await store.readEvents('task', 3, 1)).toStrictEqual([read[4]]);
      expect(await store.readEvents('task', 5, 10)).toStrictEqual([]);
      expect(await store.readEvents('none', -1, 10)).toStrictEqual([]);
      await store.close();
    });

    it('says which turn a cancellation ends, and none when none ran', async () => {
      const store = open(createClock().now);
      await append(store, 'one', created(), message('one', 1), started(1), working());
      await append(store, 'one', status('TASK_STATE_CANCELED'));
      await append(store, 'two', created(), status('TASK_STATE_CANCELED'));
      expect(await store.readEvents('one', 1, 10)).toMatchObject([{ turn: 1, endsTurn: true }]);
      expect(await store.readEvents('two', 0, 10)).toMatchObject([
        { turn: undefined, endsTurn: false },
      ]);
      await store.close();
    });

    it('keeps a task from going back in time with the clock', async () => {
      const clock = createClock();
      const store = open(clock.now);
      clock.advance(5000);
      await append(store, 'task', created());
      clock.advance(-3000);
      await append(store, 'task', working());
      const latest = { status: { timestamp: new Date(START + 5000).toISOString() } };
      expect(await readJson(store, 'task')).toMatchObject(latest);
      expect((await store.listTasks({ reader: 'ann', limit: 1, read: EVERYTHING })).total).toBe(1);
      await store.close();
    });
  });

  describe('watch', () => {
    it('tells each listener of each commit, in order, until it is stopped', async () => {
      const store = open(createClock().now);
      const heard: TaskChange[] = [];
      const stop = store.watch((changes) => heard.push(...changes));
      const other = vi.fn();
      store.watch(() => {
        throw new Error('a listener that fails harms nobody else');
      });
      store.watch(other);
      await append(store, 'task', created(), message('one', 1));
      await append(store, 'task', started(1), working());
      await append(store, 'task', message('two', 2));
      await append(store, 'task', waits(1));
      await store.change('task', {}, () => ({ events: [], result: undefined }));
      const running = { number: 1, owner: 'host', attempt: 1 };
      expect(heard).toStrictEqual([
        { taskId: 'task', seq: 0, running: undefined, waiting: true },
        { taskId: 'task', seq: 1, running, waiting: false },
        { taskId: 'task', seq: 1, running, waiting: true },
        { taskId: 'task', seq: 2, running: undefined, waiting: true },
      ]);
      stop();
      stop();
      await append(store, 'task', working());
      expect(heard).toHaveLength(4);
      expect(other).toHaveBeenCalledTimes(5);
      await store.close();
    });
  });

  describe('keepAnswer', () => {
    it('keeps the first answer to a message', async () => {
      const store = open(createClock().now);
      const sent = { sender: 'ann', messageId: 'one', fingerprint: 'f' };
      const answer = userMessage('answer');
      const kept = {
        taskId: undefined,
        turn: undefined,
        seq: -1,
        replied: false,
        fingerprint: 'f',
        answer,
      };
      expect(await store.keepAnswer(sent, answer)).toStrictEqual(kept);
      expect(
        await store.keepAnswer({ ...sent, fingerprint: 'g' }, userMessage('other')),
      ).toStrictEqual(kept);
      expect(await store.findAccepted('ann', 'one')).toStrictEqual(kept);
      expect(await store.findAccepted('bob', 'one')).toBeUndefined();
      await store.close();
    });

    it('keeps nothing for a message that started a task', async () => {
      const store = open(createClock().now);
      await append(store, 'task', created(), message('one', 1));
      const sent = { sender: 'ann', messageId: 'one', fingerprint: 'f' };
      expect(await store.keepAnswer(sent, userMessage('answer'))).toMatchObject({
        taskId: 'task',
        turn: 1,
        answer: undefined,
      });
      await store.close();
    });
  });

  describe('check and close', () => {
    it('finishes what was asked for, and takes nothing more', async () => {
      const store = open(createClock().now);
      await store.check();
      const last = append(store, 'task', created());
      const closed = store.close();
      expect(await last).toBe(0);
      await closed;
      await expect(append(store, 'task', working())).rejects.toThrow('closed');
      await expect(store.readTask('task', 'ann', EVERYTHING)).rejects.toThrow();
      await expect(store.check()).rejects.toThrow();
    });
  });
}
