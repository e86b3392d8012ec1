import { expect, test } from 'vitest';
import { streamTask } from '../../src/protocol/stream-task.ts';
import type { StoredEvent } from '../../src/store/port.ts';
import type { Follower } from '../../src/stream/hub.ts';

const first = { id: 0, body: '{}' };
const mayRead = () => Promise.resolve(true);

/** A follower of a task to which nothing happens. */
function quietFollower() {
  let end: (() => void) | undefined;
  let closed = false;
  const follower: Follower = {
    next: () =>
      new Promise<IteratorResult<StoredEvent>>((resolve) => {
        const done = () => {
          resolve({ done: true, value: undefined });
        };
        if (closed) done();
        end = done;
      }),
    close: () => {
      closed = true;
      end?.();
    },
    onCut: () => undefined,
    [Symbol.asyncIterator]: () => follower,
  };
  return { follower, isClosed: () => closed };
}

test('a reader that leaves while nothing happens is not followed for any longer', async () => {
  const { follower, isClosed } = quietFollower();
  const frames = streamTask({ first, follower, isLast: () => false, mayRead });
  const iterator = frames[Symbol.asyncIterator]();
  expect(await iterator.next()).toMatchObject({ value: { id: 0 } });
  const pending = iterator.next();
  await iterator.return?.();
  expect(isClosed()).toBe(true);
  expect(await pending).toEqual({ done: true, value: undefined });
});

test('a reader that leaves before the first frame is not followed', async () => {
  const { follower, isClosed } = quietFollower();
  const frames = streamTask({ first, follower, isLast: () => false, mayRead });
  await frames[Symbol.asyncIterator]().return?.();
  expect(isClosed()).toBe(true);
});

test('a reader who was taken off the task is told nothing more, what took it off included (rule A2)', async () => {
  const events = [1, 2, 3, 4].map((seq): IteratorResult<StoredEvent> => {
    const changesData = seq % 2 === 0;
    const none = { turn: undefined, endsTurn: false, asks: false, absorbed: [] };
    const value = { seq, body: `${seq}`, state: undefined, changesData, ...none };
    return { done: false, value };
  });
  const { follower, isClosed } = quietFollower();
  const told: Follower = {
    ...follower,
    next: () => Promise.resolve(events.shift()!),
    [Symbol.asyncIterator]: () => told,
  };
  let asked = 0;
  const frames = streamTask({
    first,
    follower: told,
    isLast: () => false,
    mayRead: () => Promise.resolve((asked += 1) < 2),
  });
  const ids: (number | undefined)[] = [];
  for await (const { id } of { [Symbol.asyncIterator]: () => frames[Symbol.asyncIterator]() }) {
    ids.push(id);
  }
  expect([ids, asked, isClosed()]).toStrictEqual([[0, 1, 2, 3], 2, true]);
});
