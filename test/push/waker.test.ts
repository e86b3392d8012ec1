import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createWaker } from '../../src/push/waker.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A waker over a list of times at which something is due; doing it takes it off the list. */
function createWorld(due: number[] = []) {
  const start = Date.now();
  const done: number[] = [];
  const onError = vi.fn();
  const world = {
    due,
    done,
    onError,
    canWork: true,
    asked: 0,
    waker: createWaker({
      now: () => Date.now() - start,
      nextAt: () => {
        world.asked += 1;
        return Promise.resolve(due[0]);
      },
      work: () => {
        if (!world.canWork) return Promise.resolve(false);
        done.push(due.shift()!);
        return Promise.resolve(true);
      },
      onError,
    }),
  };
  return world;
}

describe('a waker', () => {
  it('does what is due, and the rest when it becomes due', async () => {
    const world = createWorld([0, 0, 500, 700]);
    await world.waker.wake();
    expect(world.done).toEqual([0, 0]);
    await vi.advanceTimersByTimeAsync(499);
    expect(world.done).toEqual([0, 0]);
    await vi.advanceTimersByTimeAsync(1);
    expect(world.done).toEqual([0, 0, 500]);
    await vi.advanceTimersByTimeAsync(200);
    expect(world.done).toEqual([0, 0, 500, 700]);
  });

  it('misses no wake-up, whenever it comes', async () => {
    for (let turns = 0; turns < 12; turns += 1) {
      const world = createWorld();
      void world.waker.wake();
      for (let n = 0; n < turns; n += 1) await Promise.resolve();
      world.due.push(0);
      await world.waker.wake();
      expect([turns, world.done]).toEqual([turns, [0]]);
    }
  });

  it('looks once for many wake-ups, and twice a minute for none', async () => {
    const world = createWorld();
    for (let n = 0; n < 100; n += 1) void world.waker.wake();
    await world.waker.wake();
    expect(world.asked).toBe(1);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(world.asked).toBe(3);
  });

  it('does not spin while what is due cannot be done', async () => {
    const world = createWorld([0]);
    world.canWork = false;
    await world.waker.wake();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(world.asked).toBe(11);
    world.canWork = true;
    await world.waker.wake();
    expect(world.done).toEqual([0]);
  });

  it('goes on after an error, be it thrown at once or later', async () => {
    const onError = vi.fn();
    let asked = 0;
    const nextAt = () => {
      asked += 1;
      if (asked === 1) throw new Error('at once');
      return asked === 2 ? Promise.reject(new Error('later')) : Promise.resolve(undefined);
    };
    const waker = createWaker({ now: () => 0, nextAt, work: () => Promise.resolve(true), onError });
    await waker.wake();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(onError.mock.calls).toEqual([[new Error('at once')], [new Error('later')]]);
    expect(asked).toBe(3);
  });

  it('sleeps for good when it is stopped', async () => {
    const world = createWorld([100]);
    await world.waker.wake();
    world.waker.stop();
    await world.waker.wake();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(world.done).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
