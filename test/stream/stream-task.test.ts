import { expect, test } from 'vitest';
import { streamTask } from '../../src/protocol/stream-task.ts';
import type { StoredEvent } from '../../src/store/port.ts';
import type { Follower } from '../../src/stream/hub.ts';

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
  const frames = streamTask({ id: 0, body: '{}' }, follower, () => false);
  const iterator = frames[Symbol.asyncIterator]();
  expect(await iterator.next()).toMatchObject({ value: { id: 0 } });
  const pending = iterator.next();
  await iterator.return?.();
  expect(isClosed()).toBe(true);
  expect(await pending).toEqual({ done: true, value: undefined });
});

test('a reader that leaves before the first frame is not followed', async () => {
  const { follower, isClosed } = quietFollower();
  const frames = streamTask({ id: 0, body: '{}' }, follower, () => false);
  await frames[Symbol.asyncIterator]().return?.();
  expect(isClosed()).toBe(true);
});
