/** How a store keeps what agents do: their calls, skills and surfaces, and what a task's last words were. */
import { describe, expect, it } from 'vitest';
import type { Lookups, DecisionView } from '../../src/core/decision.ts';
import type { TaskEvent } from '../../src/core/events.ts';
import type { Surface } from '../../src/core/surface.ts';
import type { RecordedCall } from '../../src/core/task.ts';
import type { Store } from '../../src/store/port.ts';
import type { OpenStore } from './fixture.ts';
import {
  append,
  created,
  createClock,
  message,
  started,
  status,
  taskData,
  textsOf,
  waits,
  working,
} from './fixture.ts';

const RESULT = { isError: false, text: 'made', endsTurn: false };

function called(id: string, change: Partial<RecordedCall & { turn: number }> = {}): TaskEvent {
  const call = { id, name: 'create_plan', input: { steps: [id] }, attempt: 1, result: undefined };
  return { kind: 'tool-called', turn: 1, ...call, ...change };
}

const surface = (surfaceId: string, more: Partial<Surface> = {}): Surface => ({
  surfaceId,
  catalogId: 'basic',
  sendDataModel: false,
  components: [{ id: 'root', component: 'Text', text: 'x' }],
  ...more,
});

const shown = (surfaceId: string, value: Surface | undefined): TaskEvent => ({
  kind: 'surface-changed',
  surfaceId,
  surface: value,
});

/** What a decision is told that asks for this. */
async function look(store: Store, taskId: string, lookups: Lookups): Promise<DecisionView> {
  const { result } = await store.change(taskId, lookups, (view) => ({ events: [], result: view }));
  return result;
}

async function openTask(open: OpenStore): Promise<Store> {
  const store = open(createClock().now);
  await append(store, 'task', created(), message('one', 1), started(1), working());
  return store;
}

export function describeAgents(open: OpenStore): void {
  describe('tool calls', () => {
    it('are kept from their beginning, with their result once there is one', async () => {
      const store = await openTask(open);
      const seq = await append(store, 'task', called('b'), called('a', { input: null }));
      expect(seq).toBe(1);
      const find = async (id: string, turn = 1) =>
        (await look(store, 'task', { call: { turn, id } })).call;
      const begun = { id: 'b', name: 'create_plan', input: { steps: ['b'] }, attempt: 1 };
      expect(await find('b')).toStrictEqual({ ...begun, result: undefined });
      expect(await find('c')).toBeUndefined();
      expect(await find('b', 2)).toBeUndefined();
      await append(store, 'task', called('b', { attempt: 2, result: RESULT }), working('x'));
      expect(await find('b')).toStrictEqual({ ...begun, attempt: 2, result: RESULT });
      expect((await look(store, 'other', { call: { turn: 1, id: 'b' } })).call).toBeUndefined();
      expect((await look(store, 'task', {})).call).toBeUndefined();
      await store.close();
    });

    it("are in their turn's record, in the order in which they were begun", async () => {
      const store = await openTask(open);
      await append(store, 'task', called('b'), called('a', { result: RESULT }));
      await append(store, 'task', called('b', { result: { ...RESULT, isError: true } }));
      const record = await store.readTurn('task', 1);
      expect(record?.calls.map(({ id, result }) => [id, result?.isError])).toStrictEqual([
        ['b', true],
        ['a', false],
      ]);
      await append(store, 'task', message('two', 2), waits(1), started(2));
      expect((await store.readTurn('task', 2))?.calls).toStrictEqual([]);
      await append(store, 'task', called('b', { turn: 2, result: RESULT }));
      expect((await store.readTurn('task', 2))?.calls.map(({ id }) => id)).toStrictEqual(['b']);
      await store.close();
    });

    it('are gone when their turn is over: nobody asks for them then', async () => {
      const store = await openTask(open);
      const find = async (turn: number) =>
        (await look(store, 'task', { call: { turn, id: 'a' } })).call?.id;
      await append(store, 'task', called('a', { result: RESULT }), message('two', 2));
      await append(store, 'task', started(2, 'host', { absorbed: [1] }), working());
      await append(store, 'task', called('a', { turn: 2 }));
      expect([await find(1), await find(2)]).toStrictEqual(['a', 'a']);
      await append(store, 'task', called('a', { turn: 2, result: RESULT }), waits(2));
      expect([await find(1), await find(2)]).toStrictEqual([undefined, undefined]);
      await append(store, 'task', message('three', 3), started(3), called('a', { turn: 3 }));
      await append(store, 'task', { kind: 'turn-released', turn: 3 });
      expect(await find(3)).toBe('a');
      await append(store, 'task', status('TASK_STATE_CANCELED'));
      expect(await find(3)).toBeUndefined();
      await store.close();
    });

    it('take no number and wake no stream', async () => {
      const store = await openTask(open);
      await append(store, 'task', called('a', { result: RESULT }));
      expect(await store.readEvents('task', 1, 10)).toStrictEqual([]);
      expect(await append(store, 'task', working('x'))).toBe(2);
      await store.close();
    });
  });

  describe('what an earlier run has said', () => {
    it("is in the turn's record: its own words while it worked, in their order", async () => {
      const store = await openTask(open);
      const saidIn = async (turn: number) =>
        (await store.readTurn('task', turn))?.said.map((text) => JSON.parse(text) as unknown);
      expect(await saidIn(1)).toStrictEqual([]);
      await append(store, 'task', working('a'), working('b'), message('two', 2));
      await append(store, 'task', status('TASK_STATE_AUTH_REQUIRED', 'sign in'), working('c'));
      const reply = { reply: true, subState: undefined };
      await append(store, 'task', working('a reply to a command', reply));
      expect(await saidIn(1)).toStrictEqual([[{ text: 'a' }], [{ text: 'b' }], [{ text: 'c' }]]);
      expect(await saidIn(2)).toStrictEqual([]);
      await append(store, 'task', waits(1, 'done'), started(2), working('d'));
      expect(await saidIn(2)).toStrictEqual([[{ text: 'd' }]]);
      await store.close();
    });
  });

  describe('skills', () => {
    it('are those of the last change', async () => {
      const store = await openTask(open);
      const skillsOf = async () => (await store.readHead('task'))?.skills;
      expect(await skillsOf()).toStrictEqual([]);
      for (const skills of [['b'], ['b', 'a'], []]) {
        expect(await append(store, 'task', { kind: 'skills-changed', skills })).toBe(1);
        expect(await skillsOf()).toStrictEqual(skills);
        expect((await store.readTurn('task', 1))?.head.skills).toStrictEqual(skills);
      }
      await store.close();
    });
  });

  describe('surfaces', () => {
    it('are those that were shown and not deleted', async () => {
      const store = await openTask(open);
      await append(store, 'task', shown('b', surface('b')), shown('a', surface('a')));
      const changed = surface('b', { sendDataModel: true, components: [] });
      await append(store, 'task', shown('b', changed));
      const read = async () =>
        [...(await store.readSurfaces('task'))].sort((x, y) =>
          x.surfaceId < y.surfaceId ? -1 : 1,
        );
      expect(await read()).toStrictEqual([surface('a'), changed]);
      const told = await look(store, 'task', { surfaces: true });
      expect([...told.surfaces].sort((x, y) => (x.surfaceId < y.surfaceId ? -1 : 1))).toStrictEqual(
        await read(),
      );
      expect((await look(store, 'task', {})).surfaces).toStrictEqual([]);
      await append(store, 'task', shown('a', undefined), shown('none', undefined));
      expect(await read()).toStrictEqual([changed]);
      expect(await store.readSurfaces('other')).toStrictEqual([]);
      await store.close();
    });

    it('are forgotten when their task has ended', async () => {
      const store = await openTask(open);
      await append(store, 'other', created());
      await append(store, 'other', shown('b', surface('b')));
      await append(store, 'task', shown('b', surface('b')), waits(1));
      expect(await store.readSurfaces('task')).toHaveLength(1);
      await append(store, 'task', status('TASK_STATE_CANCELED'));
      expect(await store.readSurfaces('task')).toStrictEqual([]);
      expect(await store.readSurfaces('other')).toHaveLength(1);
      await store.close();
    });
  });

  describe('last words', () => {
    it('are the last two of another task, oldest first, those of this very change included', async () => {
      const store = await openTask(open);
      await append(store, 'parent', created());
      const read = async (of: string) =>
        textsOf((await look(store, 'parent', { lastWordsOf: of })).lastWords);
      expect(await read('task')).toStrictEqual(['one']);
      expect(await read('none')).toStrictEqual([]);
      await append(store, 'task', working('said'), message('two', 2));
      expect(await read('task')).toStrictEqual(['said', 'two']);
      expect((await look(store, 'parent', {})).lastWords).toStrictEqual([]);
      let heard: string[] | undefined[] = [];
      await store.change('task', {}, () => ({
        events: [status('TASK_STATE_COMPLETED', 'answer')],
        result: undefined,
        also: [
          {
            taskId: 'parent',
            lookups: { lastWordsOf: 'task' },
            decide: ({ lastWords }) => {
              heard = textsOf(lastWords) as string[];
              return { events: [], result: undefined };
            },
          },
        ],
      }));
      expect(heard).toStrictEqual(['two', 'answer']);
      await store.close();
    });
  });

  describe('readHead', () => {
    it('gives the task as decisions see it', async () => {
      const store = open(createClock().now);
      expect(await store.readHead('task')).toBeUndefined();
      await append(store, 'task', created({ agent: 'remote' }), message('one', 1));
      expect(await store.readHead('task')).toStrictEqual({
        id: 'task',
        contextId: 'context',
        state: 'TASK_STATE_SUBMITTED',
        seq: 0,
        data: taskData(),
        agent: 'remote',
        skills: [],
        subState: undefined,
        question: undefined,
        lastTurn: 1,
        running: undefined,
        absorbed: [],
        waiting: [1],
      });
      await append(store, 'task', started(1), working());
      const { head } = await look(store, 'task', {});
      expect(await store.readHead('task')).toStrictEqual(head);
      expect(head).toMatchObject({
        agent: 'remote',
        running: { number: 1, owner: 'host', attempt: 1 },
      });
      await store.close();
    });
  });
}
