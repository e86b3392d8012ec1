import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StoredEvent, TaskChange } from '../../src/store/port.ts';
import { createStreamHub } from '../../src/stream/hub.ts';

/** A log in memory whose reads take as long as the test says. */
class FakeLog {
  readonly events: StoredEvent[] = [];
  reads = 0;
  #listeners = new Set<(changes: readonly TaskChange[]) => void>();
  delay: () => Promise<void> = () => Promise.resolve();

  append(): void {
    const seq = this.events.length;
    this.events.push({
      seq,
      body: `{"n":${seq}}`,
      state: undefined,
      turn: undefined,
      endsTurn: false,
      asks: false,
      changesData: false,
      absorbed: [],
    });
    for (const listener of this.#listeners) {
      listener([{ taskId: 'task', seq, running: undefined, waiting: false }]);
    }
  }

  async readEvents(_taskId: string, after: number, limit: number): Promise<StoredEvent[]> {
    this.reads += 1;
    const found = this.events.slice(after + 1, after + 1 + limit);
    await this.delay();
    return found;
  }

  watch(listener: (changes: readonly TaskChange[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

const onError = (error: unknown) => {
  throw error;
};

async function take(follower: AsyncIterator<StoredEvent>, count: number): Promise<number[]> {
  const seqs: number[] = [];
  while (seqs.length < count) {
    const next = await follower.next();
    if (next.done === true) break;
    seqs.push(next.value.seq);
  }
  return seqs;
}

describe('followers', () => {
  it('get what is there, then what comes', async () => {
    const log = new FakeLog();
    const hub = createStreamHub({ store: log, queueLimit: 10, onError });
    for (let at = 0; at < 3; at += 1) log.append();
    const follower = hub.follow('task', 0);
    const got = take(follower, 4);
    await new Promise(setImmediate);
    log.append();
    log.append();
    expect(await got).toStrictEqual([1, 2, 3, 4]);
    follower.close();
    expect(hub.size).toBe(0);
  });

  it('share one read of the log', async () => {
    const log = new FakeLog();
    const hub = createStreamHub({ store: log, queueLimit: 10, onError });
    log.append();
    const all = Array.from({ length: 100 }, () => take(hub.follow('task', 0), 1));
    await new Promise(setImmediate);
    log.reads = 0;
    log.append();
    expect(await Promise.all(all)).toStrictEqual(all.map(() => [1]));
    expect(log.reads).toBe(1);
  });

  it('are let go when they read too slowly, and are told', async () => {
    const log = new FakeLog();
    const hub = createStreamHub({ store: log, queueLimit: 3, onError });
    log.append();
    const follower = hub.follow('task', 0);
    let cut = 0;
    follower.onCut(() => (cut += 1));
    const first = follower.next();
    await new Promise(setImmediate);
    for (let at = 0; at < 6; at += 1) {
      log.append();
      await new Promise(setImmediate);
    }
    expect((await first).value).toMatchObject({ seq: 1 });
    expect(cut).toBe(1);
    expect(await follower.next()).toStrictEqual({ done: true, value: undefined });
    // It resumes from what it saw.
    expect(await take(hub.follow('task', 1), 5)).toStrictEqual([2, 3, 4, 5, 6]);
  });

  it('end when the hub is closed, those that come later as well', async () => {
    const log = new FakeLog();
    const hub = createStreamHub({ store: log, queueLimit: 3, onError });
    log.append();
    const follower = hub.follow('task', 0);
    const next = follower.next();
    hub.close();
    expect(await next).toStrictEqual({ done: true, value: undefined });
    expect(await hub.follow('task', -1).next()).toStrictEqual({ done: true, value: undefined });
  });

  it('end when the log cannot be read', async () => {
    const log = new FakeLog();
    const errors: unknown[] = [];
    const hub = createStreamHub({
      store: log,
      queueLimit: 3,
      onError: (error) => errors.push(error),
    });
    log.append();
    const follower = hub.follow('task', 0);
    const next = follower.next();
    await new Promise(setImmediate);
    log.delay = () => Promise.reject(new Error('disk'));
    log.append();
    expect(await next).toStrictEqual({ done: true, value: undefined });
    expect(errors).toStrictEqual([new Error('disk')]);
  });

  it('lose nothing and get nothing twice, however reads and commits interleave (rule A4)', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.nat(3), { minLength: 1, maxLength: 6 }),
        async (scheduler, cursors) => {
          const log = new FakeLog();
          const hub = createStreamHub({ store: log, queueLimit: 1000, onError });
          log.delay = () => scheduler.schedule(Promise.resolve(), 'read');
          for (let at = 0; at < 4; at += 1) log.append();
          const total = 12;
          const got = cursors.map(async (after, at) => {
            await scheduler.schedule(Promise.resolve(), `join ${at}`);
            return take(hub.follow('task', after), total - 1 - after);
          });
          for (let at = 4; at < total; at += 1) {
            void scheduler.schedule(Promise.resolve(), 'commit').then(() => {
              log.append();
            });
          }
          const seen = await scheduler.waitFor(Promise.all(got));
          expect(seen).toStrictEqual(
            cursors.map((after) =>
              Array.from({ length: total - 1 - after }, (_, at) => after + 1 + at),
            ),
          );
          hub.close();
        },
      ),
    );
  });
});
