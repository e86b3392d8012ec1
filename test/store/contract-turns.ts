/** How a store keeps turns and leases. */
import { describe, expect, it } from 'vitest';
import type { OpenStore } from './fixture.ts';
import {
  append,
  created,
  createClock,
  message,
  START,
  started,
  status,
  textsOf,
  waits,
  working,
} from './fixture.ts';

const nobodyIsGone = () => false;

export function describeTurns(open: OpenStore): void {
  describe('readTurn', () => {
    it('gives the message while the turn waits or runs', async () => {
      const store = open(createClock().now);
      await append(store, 'task', created(), message('one', 1), started(1), working());
      await append(store, 'task', message('two', 2, 'bob'), message('three', 3));
      const turn = {
        taskId: 'task',
        contextId: 'context',
        turn: 2,
        attempt: 1,
        message: {
          messageId: 'two',
          role: 'ROLE_USER',
          parts: [{ text: 'two' }],
          taskId: 'task',
          contextId: 'context',
        },
        sender: 'bob',
        activated: [],
        memory: undefined,
        calls: [],
        said: [],
        head: await store.readHead('task'),
      };
      expect(await store.readTurn('task', 1)).toMatchObject({ turn: 1, sender: 'ann' });
      expect(await store.readTurn('task', 2)).toStrictEqual(turn);
      expect(await store.readTurn('task', 4)).toBeUndefined();
      expect(await store.readTurn('none', 1)).toBeUndefined();

      await append(store, 'task', waits(1, 'Yes?', { memory: { seen: [1] } }));
      await append(store, 'task', started(2, 'host', { attempt: 2 }));
      expect(await store.readTurn('task', 1)).toBeUndefined();
      expect(await store.readTurn('task', 2)).toStrictEqual({
        ...turn,
        attempt: 2,
        memory: { seen: [1] },
        head: await store.readHead('task'),
      });
      expect(await store.readTurn('task', 3)).toMatchObject({ turn: 3, attempt: 1 });
      await append(store, 'task', status('TASK_STATE_CANCELED'));
      for (const each of [1, 2, 3]) expect(await store.readTurn('task', each)).toBeUndefined();
      await store.close();
    });

    it('keeps the memory that was left last, null included', async () => {
      const store = open(createClock().now);
      const remember = async (turn: number, memory: unknown) => {
        await append(store, 'task', message(`m${turn}`, turn), started(turn));
        const before = (await store.readTurn('task', turn))?.memory;
        await append(store, 'task', waits(turn, undefined, memory === undefined ? {} : { memory }));
        return before;
      };
      await append(store, 'task', created());
      expect(await remember(1, 'a')).toBeUndefined();
      expect(await remember(2, undefined)).toBe('a');
      expect(await remember(3, null)).toBe('a');
      expect(await remember(4, undefined)).toBeNull();
      await store.close();
    });
  });

  describe('readHistory', () => {
    it('gives the latest messages, without those whose turns wait', async () => {
      const store = open(createClock().now);
      await append(store, 'task', created(), message('one', 1), started(1), working('busy'));
      await append(
        store,
        'task',
        message('two', 2),
        message('note', undefined),
        message('three', 3),
      );
      await append(store, 'task', waits(1, 'done'), started(2), working());
      const read = async (turn: number, limit = 10) =>
        textsOf(await store.readHistory('task', turn, limit));
      expect(await read(2)).toStrictEqual(['one', 'busy', 'two', 'note', 'done']);
      expect(await read(2, 2)).toStrictEqual(['note', 'done']);
      expect(await read(3, 3)).toStrictEqual(['note', 'three', 'done']);
      expect(await store.readHistory('none', 1, 10)).toStrictEqual([]);
      await store.close();
    });

    it('follows the order in which turns run: one that interrupts goes before those that wait', async () => {
      const store = open(createClock().now);
      const read = async (turn: number) => textsOf(await store.readHistory('task', turn, 10));
      await append(store, 'task', created(), message('one', 1), started(1), working());
      const cut = started(3, 'host', { absorbed: [1] });
      await append(store, 'task', message('two', 2), message('three', 3), cut, working());
      expect(await read(3)).toStrictEqual(['one', 'three']);
      await append(store, 'task', waits(3, 'done'), started(2), working());
      expect(await read(2)).toStrictEqual(['one', 'two', 'three', 'done']);
      await store.close();
    });
  });

  describe('leases', () => {
    it('finds turns whose lease is over or whose process is gone', async () => {
      const store = open(createClock().now);
      for (const [id, owner, leaseUntil] of [
        ['a', 'p', START + 10],
        ['b', 'p', START + 20],
        ['c', 'q', START + 30],
      ] as const) {
        await append(store, id, created(), message(id, 1), started(1, owner, { leaseUntil }));
      }
      const find = async (now: number, isGone: (owner: string) => boolean, limit = 10) =>
        (await store.findLostTurns(START + now, isGone, limit)).map(({ taskId }) => taskId).sort();
      expect(await find(10, nobodyIsGone)).toStrictEqual([]);
      expect(await store.findLostTurns(START + 11, nobodyIsGone, 10)).toStrictEqual([
        { taskId: 'a', turn: 1, owner: 'p', attempt: 1 },
      ]);
      expect(await find(25, nobodyIsGone)).toStrictEqual(['a', 'b']);
      expect(await find(0, (owner) => owner === 'q')).toStrictEqual(['c']);
      expect(await find(11, (owner) => owner === 'q')).toStrictEqual(['a', 'c']);
      expect(await find(100, nobodyIsGone, 2)).toHaveLength(2);

      await store.renewLeases('p', START + 200);
      expect(await find(100, nobodyIsGone)).toStrictEqual(['c']);
      // Whatever happens in a turn leaves its lease alone; what ends it ends its lease.
      await append(store, 'a', working());
      expect(await find(100, nobodyIsGone)).toStrictEqual(['c']);
      expect(await find(201, nobodyIsGone)).toStrictEqual(['a', 'b', 'c']);
      await append(store, 'c', started(1, 'p', { attempt: 2, leaseUntil: START + 150 }));
      expect(await find(160, nobodyIsGone)).toStrictEqual(['c']);
      await append(store, 'b', waits(1));
      await append(store, 'c', { kind: 'turn-released', turn: 1 });
      await append(store, 'a', status('TASK_STATE_CANCELED'));
      expect(await find(1e9, () => true)).toStrictEqual([]);
      await store.close();
    });

    it('finds tasks with turns of which none runs', async () => {
      const store = open(createClock().now);
      await append(store, 'running', created(), message('r1', 1), started(1), message('r2', 2));
      await append(store, 'idle', created(), message('i1', 1));
      await append(store, 'released', created(), message('s1', 1), started(1));
      await append(store, 'released', { kind: 'turn-released', turn: 1 });
      await append(store, 'ended', created(), message('e1', 1), status('TASK_STATE_CANCELED'));
      await append(store, 'quiet', created(), message('q1', 1), started(1), waits(1));
      expect(await store.findIdleTasks(10)).toStrictEqual(['idle', 'released']);
      expect(await store.findIdleTasks(1)).toStrictEqual(['idle']);
      expect(await store.findIdleTasks(10, 'idle')).toStrictEqual(['released']);
      expect(await store.findIdleTasks(10, 'released')).toStrictEqual([]);
      expect(await store.readTurn('released', 1)).toMatchObject({ attempt: 1 });
      await append(store, 'running', waits(1));
      await append(store, 'idle', started(1));
      expect(await store.findIdleTasks(10)).toStrictEqual(['released', 'running']);
      await store.close();
    });
  });
}
