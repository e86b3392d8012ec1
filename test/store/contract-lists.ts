/** How a store lists: filters, order, pages, totals. */
import type { TaskState } from '@tiny-harness/contract/a2a';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Store, TaskKey, TaskPage, TaskQuery } from '../../src/store/port.ts';
import type { OpenStore } from './fixture.ts';
import {
  append,
  chunk,
  created,
  createClock,
  message,
  readJson,
  START,
  status,
  working,
} from './fixture.ts';

const READ = { history: 0, artifacts: false };

interface Listed {
  id: string;
  contextId: string;
  status: { state: TaskState; timestamp: string };
}

const list = (store: Store, query: Partial<TaskQuery> = {}): Promise<TaskPage> =>
  store.listTasks({ reader: 'ann', limit: 50, read: READ, ...query });

const parseTasks = ({ tasks }: TaskPage) => tasks.map((json) => JSON.parse(json) as Listed);
const idsOf = (page: TaskPage) => parseTasks(page).map(({ id }) => id);

/** All pages, one after the other. */
async function listAll(
  store: Store,
  query: Partial<TaskQuery>,
  limit: number,
): Promise<TaskPage[]> {
  const pages: TaskPage[] = [];
  let after: TaskKey | undefined;
  do {
    const page = await list(store, { ...query, limit, ...(after && { after }) });
    pages.push(page);
    after = page.next;
  } while (after !== undefined);
  return pages;
}

export function describeLists(open: OpenStore): void {
  describe('listTasks', () => {
    it('gives the latest status first, and those of one moment by id', async () => {
      const clock = createClock();
      const store = open(clock.now);
      for (const id of ['a', 'c', 'b']) await append(store, id, created());
      clock.advance(1);
      await append(store, 'd', created());
      await append(store, 'a', working());
      expect(idsOf(await list(store))).toStrictEqual(['d', 'a', 'c', 'b']);
      // What is no change of status is no change of place.
      clock.advance(1);
      await append(store, 'c', chunk('x', '1'), message('m', 1));
      expect(idsOf(await list(store))).toStrictEqual(['d', 'a', 'c', 'b']);
      await store.close();
    });

    it('gives what was asked for of each task', async () => {
      const store = open(createClock().now);
      await append(store, 'a', created(), message('one', 1), message('two', 2));
      await append(store, 'b', created(), chunk('x', '1'));
      const [b, a] = parseTasks(await list(store, { read: { history: 1, artifacts: true } }));
      expect(b).toStrictEqual(await readJson(store, 'b'));
      // An empty list of artifacts says that there are none; alone, a task is without it.
      const alone = (await readJson(store, 'a', { history: 0 }))!;
      expect(a).toMatchObject({ ...alone, artifacts: [], history: [{ messageId: 'two' }] });
      expect(Object.keys(parseTasks(await list(store))[1]!)).toStrictEqual([
        'id',
        'contextId',
        'status',
        'metadata',
      ]);
      await store.close();
    });

    it('lists the tasks of a reader alone', async () => {
      const store = open(createClock().now);
      await append(store, 'a', created());
      await append(store, 'b', created({ readers: ['ann', 'bob'] }));
      expect(await list(store)).toMatchObject({ total: 2 });
      const bobs = await list(store, { reader: 'bob' });
      expect([idsOf(bobs), bobs.total]).toStrictEqual([['b'], 1]);
      expect(await list(store, { reader: 'eve' })).toStrictEqual({
        tasks: [],
        next: undefined,
        total: 0,
      });
      await store.close();
    });

    it('ends with the last page, full or not', async () => {
      const store = open(createClock().now);
      for (const id of ['a', 'b', 'c', 'd']) await append(store, id, created());
      for (const [limit, sizes] of [
        [1, [1, 1, 1, 1]],
        [2, [2, 2]],
        [3, [3, 1]],
        [4, [4]],
        [5, [4]],
      ] as const) {
        const pages = await listAll(store, {}, limit);
        expect(pages.map(({ tasks }) => tasks.length)).toStrictEqual(sizes);
        expect(pages.flatMap(idsOf)).toStrictEqual(['d', 'c', 'b', 'a']);
        expect(pages.every(({ total }) => total === 4)).toBe(true);
      }
      await store.close();
    });

    it('shows each task that stays as it is once, whatever happens to others', async () => {
      const clock = createClock();
      const store = open(clock.now);
      const ids = Array.from({ length: 40 }, (_, n) => `t${String(n).padStart(2, '0')}`);
      for (const id of ids) {
        clock.advance(1);
        await append(store, id, created());
      }
      const seen: string[] = [];
      let after: TaskKey | undefined;
      for (let page = 0; page < 8; page++) {
        const { next, ...rest } = await list(store, { limit: 5, ...(after && { after }) });
        seen.push(...idsOf({ next, ...rest }));
        after = next;
        if (next === undefined) break;
        clock.advance(1);
        // One that was seen and one that was not jump to the front; a new one comes.
        await append(store, seen[0]!, working());
        await append(store, ids[page]!, working());
        await append(store, `new${page}`, created());
      }
      const still = ids.slice(8).reverse();
      expect(seen.filter((id) => still.includes(id))).toStrictEqual(still);
      expect(new Set(seen).size).toBe(seen.length);
      await store.close();
    });

    it('takes a bound that is far away or between two milliseconds', async () => {
      const store = open(createClock().now);
      await append(store, 'a', created());
      for (const [since, total] of [
        [-1e15, 1],
        [-1, 1],
        [0, 1],
        [START, 1],
        [START - 0.5, 1],
        [START + 0.5, 0],
        [START + 1, 0],
        [8.64e15, 0],
      ] as const) {
        const page = await list(store, { since });
        expect([since, page.total, page.tasks.length]).toStrictEqual([since, total, total]);
      }
      await store.close();
    });

    it('agrees with a list that is made by looking at each task', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(arbitraryStep(), { maxLength: 30 }), async (steps) => {
          const clock = createClock();
          const store = open(clock.now);
          const ids = new Set<string>();
          const moments = new Set<number>([START]);
          for (const { id, wait, contextId, readers, to } of steps) {
            clock.advance(wait);
            const born = ids.has(id) ? [] : [created({ contextId, readers })];
            ids.add(id);
            await append(store, id, ...born, status(to));
            moments.add(clock.now());
          }
          for (const query of allQueries([...moments])) {
            const expected = await listByHand(store, query, [...ids]);
            const pages = await listAll(store, query, 3);
            expect(pages.flatMap(idsOf)).toStrictEqual(expected);
            expect(pages.map(({ total }) => total)).toStrictEqual(pages.map(() => expected.length));
          }
          await store.close();
        }),
        { numRuns: 15 },
      );
    });
  });
}

const CONTEXTS = ['x', 'y'];
const STATES: TaskState[] = ['TASK_STATE_WORKING', 'TASK_STATE_INPUT_REQUIRED'];
const READERS = ['ann', 'bob'];

function arbitraryStep() {
  return fc.record({
    id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
    wait: fc.constantFrom(0, 0, 1, 63, 64, 5000, 16_384, 2 ** 22 - 1, 2 ** 27 + 7, 2 ** 30),
    contextId: fc.constantFrom(...CONTEXTS),
    readers: fc.subarray(READERS),
    to: fc.constantFrom(...STATES),
  });
}

/** Every combination of filters; bounds at, just before and just after moments at which something happened. */
function allQueries(moments: readonly number[]): Omit<TaskQuery, 'limit' | 'read'>[] {
  const some = [moments[0]!, moments[moments.length >> 1]!, moments.at(-1)!];
  const bounds = some.flatMap((moment) => [moment, moment + 1, moment - 1]);
  return READERS.flatMap((reader) =>
    [undefined, ...CONTEXTS, 'none'].flatMap((contextId) =>
      [undefined, ...STATES].flatMap((state) =>
        [undefined, ...bounds].map((since) => ({ reader, contextId, state, since })),
      ),
    ),
  );
}

async function listByHand(
  store: Store,
  { reader, contextId, state, since = 0 }: Omit<TaskQuery, 'limit' | 'read'>,
  ids: readonly string[],
): Promise<string[]> {
  const tasks = await Promise.all(ids.map((id) => store.readTask(id, reader, READ)));
  const timeOf = (task: Listed) => Date.parse(task.status.timestamp);
  return tasks
    .flatMap((task) => (task === undefined ? [] : (JSON.parse(task.json) as Listed)))
    .filter((task) => contextId === undefined || task.contextId === contextId)
    .filter((task) => state === undefined || task.status.state === state)
    .filter((task) => timeOf(task) >= since)
    .sort((a, b) => timeOf(b) - timeOf(a) || (a.id < b.id ? 1 : -1))
    .map(({ id }) => id);
}
