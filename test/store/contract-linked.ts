/** How a store changes several tasks at once: all of it happens, or nothing. */
import { describe, expect, it } from 'vitest';
import type { FurtherChange } from '../../src/core/decision.ts';
import type { TaskChange } from '../../src/store/port.ts';
import type { OpenStore } from './fixture.ts';
import {
  append,
  created,
  createClock,
  message,
  readJson,
  status,
  taskData,
  working,
} from './fixture.ts';

const further = (taskId: string, ...events: ReturnType<typeof working>[]): FurtherChange => ({
  taskId,
  decide: () => ({ events, result: undefined }),
});

export function describeLinked(open: OpenStore): void {
  describe('changes of other tasks', () => {
    it('happen with the first, in their order, each told of what came before', async () => {
      const store = open(createClock().now);
      await append(store, 'parent', created());
      const heard: TaskChange[] = [];
      store.watch((changes) => heard.push(...changes));
      const seen: (number | undefined)[] = [];
      const look: FurtherChange = {
        taskId: 'parent',
        decide: ({ head, accepted, artifact }) => {
          seen.push(head?.seq);
          expect([accepted, artifact]).toStrictEqual([undefined, undefined]);
          return { events: [working()], result: 'nobody hears this' };
        },
      };
      const committed = await store.change('child', {}, () => ({
        events: [created(), message('one', 1)],
        result: 'child',
        also: [look, further('other', created()), look],
      }));
      expect(committed).toStrictEqual({ result: 'child', seq: 0 });
      expect(seen).toStrictEqual([0, 1]);
      expect(heard.map(({ taskId, seq }) => [taskId, seq])).toStrictEqual([
        ['child', 0],
        ['parent', 1],
        ['other', 0],
        ['parent', 2],
      ]);
      await store.close();
    });

    it('may bring further ones', async () => {
      const store = open(createClock().now);
      for (const id of ['a', 'b', 'c']) await append(store, id, created());
      const cancel = (taskId: string, also: readonly FurtherChange[] = []): FurtherChange => ({
        taskId,
        decide: () => ({ events: [status('TASK_STATE_CANCELED')], also, result: undefined }),
      });
      await store.change('a', {}, cancel('a', [cancel('b', [cancel('c')])]).decide);
      for (const id of ['a', 'b', 'c']) {
        const ended = { status: { state: 'TASK_STATE_CANCELED' } };
        expect(await readJson(store, id)).toMatchObject(ended);
      }
      await store.close();
    });

    it('are told of the children that are here when they ask', async () => {
      const store = open(createClock().now);
      await append(store, 'here', created());
      const row = (task_id: string) => ({ task_id, state: null, sub_state: null, agent: null });
      const sub_tasks = [row('here'), row('elsewhere')];
      await append(store, 'parent', created({ data: taskData({ sub_tasks }) }));
      const seen: string[][] = [];
      const look = (lookups: { children?: boolean }): FurtherChange => ({
        taskId: 'parent',
        lookups,
        decide: ({ children }) => {
          seen.push(children.map(({ id }) => id));
          return { events: [], result: undefined };
        },
      });
      const also = [look({}), look({ children: true })];
      await store.change('other', {}, () => ({ events: [created()], also, result: undefined }));
      expect(seen).toStrictEqual([[], ['here']]);
      await store.close();
    });

    it('that do not change theirs tell nobody of it', async () => {
      const store = open(createClock().now);
      await append(store, 'other', created());
      const heard: TaskChange[] = [];
      store.watch((changes) => heard.push(...changes));
      const also = [further('other'), further('none')];
      await store.change('task', {}, () => ({ events: [created()], also, result: undefined }));
      expect(heard.map(({ taskId }) => taskId)).toStrictEqual(['task']);
      await store.close();
    });

    it('are undone with everything else when one throws', async () => {
      const store = open(createClock().now);
      await append(store, 'other', created());
      const heard: TaskChange[] = [];
      store.watch((changes) => heard.push(...changes));
      const refusal = new Error('not that one');
      const refuse: FurtherChange = {
        taskId: 'third',
        decide: () => {
          throw refusal;
        },
      };
      const results = await Promise.allSettled([
        store.change('task', {}, () => ({
          events: [created(), message('one', 1)],
          also: [further('other', working()), refuse],
          result: undefined,
        })),
        append(store, 'beside', created()),
      ]);
      expect(results).toMatchObject([
        { status: 'rejected', reason: refusal },
        { status: 'fulfilled' },
      ]);
      expect(await readJson(store, 'task')).toBeUndefined();
      expect(await store.findAccepted('ann', 'one')).toBeUndefined();
      expect(await readJson(store, 'other')).toMatchObject({
        status: { state: 'TASK_STATE_SUBMITTED' },
      });
      expect(await append(store, 'other', working())).toBe(1);
      expect(heard.map(({ taskId }) => taskId)).toStrictEqual(['beside', 'other']);
      await store.close();
    });
  });
}
