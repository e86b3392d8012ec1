/** How a store keeps push notification configs and what they have to deliver. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Delivery, PushConfig, Store } from '../../src/store/port.ts';
import type { Clock, OpenStore } from './fixture.ts';
import { append, chunk, created, createClock, message, status, working } from './fixture.ts';

const config = (change: Partial<PushConfig> = {}): PushConfig => ({
  taskId: 'task',
  id: 'hook',
  owner: 'ann',
  url: 'https://example.com/hook',
  secrets: undefined,
  ...change,
});

const HOLD = 60_000;

function claim(store: Store, clock: Clock, limit = 10): Promise<readonly Delivery[]> {
  return store.claimDeliveries(clock.now(), clock.now() + HOLD, limit);
}

const brief = (deliveries: readonly Delivery[]) =>
  deliveries.map(({ config: { id }, seq, attempts }) => ({ id, seq, attempts }));

export function describePush(open: OpenStore): void {
  describe('push configs', () => {
    it('are kept by task, owner and id', async () => {
      const store = open(createClock().now);
      await append(store, 'task', created({ readers: ['ann', 'bob'] }));
      await append(store, 'other', created());
      const mine = config({ secrets: '{"token":"x"}' });
      const his = config({ owner: 'bob', url: 'https://example.com/bob' });
      await store.putPushConfig(mine);
      await store.putPushConfig(his);
      expect(await store.readPushConfig('task', 'ann', 'hook')).toStrictEqual(mine);
      expect(await store.readPushConfig('task', 'bob', 'hook')).toStrictEqual(his);
      expect(await store.readPushConfig('other', 'ann', 'hook')).toBeUndefined();
      const changed = config({ url: 'https://example.com/other' });
      await store.putPushConfig(changed);
      expect(await store.readPushConfig('task', 'ann', 'hook')).toStrictEqual(changed);
      await store.deletePushConfig('task', 'ann', 'hook');
      await store.deletePushConfig('task', 'ann', 'hook');
      expect(await store.readPushConfig('task', 'ann', 'hook')).toBeUndefined();
      expect(await store.readPushConfig('task', 'bob', 'hook')).toStrictEqual(his);
      await store.close();
    });

    it('are refused for a task that is not there, or that their owner may not see', async () => {
      const store = open(createClock().now);
      await append(store, 'task', created({ readers: ['ann', 'bob'] }));
      await append(store, 'task', working(undefined, { readers: ['ann'] }));
      const refusal = (change: Partial<PushConfig>) =>
        expect(store.putPushConfig(config(change))).rejects;
      await refusal({ taskId: 'none' }).toMatchObject({ reason: 'TASK_NOT_FOUND' });
      await refusal({ owner: 'bob' }).toMatchObject({ reason: 'TASK_NOT_FOUND' });
      expect(await store.readPushConfig('task', 'bob', 'hook')).toBeUndefined();
      await store.close();
    });

    it('are listed in the order of their ids', async () => {
      const store = open(createClock().now);
      await append(store, 'task', created({ readers: ['ann', 'bob'] }));
      for (const id of ['c', 'a', 'b']) await store.putPushConfig(config({ id }));
      await store.putPushConfig(config({ id: 'd', owner: 'bob' }));
      const list = async (after: string | undefined, limit: number) =>
        (await store.listPushConfigs('task', 'ann', after, limit)).map(({ id }) => id);
      expect(await list(undefined, 10)).toStrictEqual(['a', 'b', 'c']);
      expect(await list(undefined, 2)).toStrictEqual(['a', 'b']);
      expect(await list('b', 2)).toStrictEqual(['c']);
      expect(await list('c', 2)).toStrictEqual([]);
      await store.close();
    });
  });

  describe('the outbox', () => {
    it('delivers what comes after the config, one event at a time', async () => {
      const clock = createClock();
      const store = open(clock.now);
      await append(store, 'task', created(), working());
      await store.putPushConfig(config({ secrets: 's' }));
      expect(await store.nextDeliveryAt()).toBeUndefined();
      expect(await claim(store, clock)).toStrictEqual([]);

      await append(store, 'task', message('note', undefined));
      expect(await store.nextDeliveryAt()).toBeUndefined();
      await append(store, 'task', chunk('a', '2'));
      expect(await store.nextDeliveryAt()).toBe(clock.now());
      await append(store, 'task', working('three'));
      expect(await store.countDeliveries()).toStrictEqual({ waiting: 2, dead: 0 });
      const [first] = await claim(store, clock);
      const [event] = await store.readEvents('task', 1, 1);
      expect(first).toStrictEqual({
        config: config({ secrets: 's' }),
        seq: 2,
        body: event?.body,
        attempts: 0,
      });
      // Held, and the next one waits behind it.
      expect(await claim(store, clock)).toStrictEqual([]);
      await store.settleDelivery(first!, { kind: 'delivered' });
      const [second] = await claim(store, clock);
      expect(second).toMatchObject({ seq: 3 });
      await store.settleDelivery(second!, { kind: 'delivered' });
      expect(await claim(store, clock)).toStrictEqual([]);
      expect(await store.nextDeliveryAt()).toBeUndefined();
      expect(await store.countDeliveries()).toStrictEqual({ waiting: 0, dead: 0 });
      await store.close();
    });

    it('goes on when the same webhook is put again, and begins anew for another', async () => {
      const clock = createClock();
      const store = open(clock.now);
      await append(store, 'task', created(), working());
      await store.putPushConfig(config());
      await append(store, 'task', working(), working());
      const [first] = await claim(store, clock);
      // The event that is on its way, and the one behind it, are told as if nothing had been put.
      await store.putPushConfig(config({ secrets: 'new' }));
      await store.settleDelivery(first!, { kind: 'delivered' });
      await store.putPushConfig(config({ secrets: 'new' }), 0);
      const [second, ...none] = await claim(store, clock);
      expect(second).toMatchObject({ seq: 3, config: { secrets: 'new' } });
      expect(none).toStrictEqual([]);
      await store.putPushConfig(config({ url: 'https://example.com/other' }), 2);
      // What becomes of the event at the webhook that was there before is nothing to the new one.
      await store.settleDelivery(second!, { kind: 'delivered' });
      expect(await claim(store, clock)).toMatchObject([{ seq: 3, attempts: 0 }]);
      await store.close();
    });

    it('begins after the event that is named', async () => {
      const clock = createClock();
      const store = open(clock.now);
      await append(store, 'task', created(), working(), working());
      await store.putPushConfig(config({ id: 'all' }), -1);
      await store.putPushConfig(config({ id: 'one' }), 1);
      await store.putPushConfig(config({ id: 'none' }), 2);
      expect(brief(await claim(store, clock)).sort((a, b) => a.seq - b.seq)).toStrictEqual([
        { id: 'all', seq: 0, attempts: 0 },
        { id: 'one', seq: 2, attempts: 0 },
      ]);
      await store.close();
    });

    it('tries again when it is time, and goes on when it is given up', async () => {
      const clock = createClock();
      const store = open(clock.now);
      await append(store, 'task', created());
      await store.putPushConfig(config());
      await append(store, 'task', working(), working());
      const [first] = await claim(store, clock);
      const at = clock.now() + 1000;
      await store.settleDelivery(first!, { kind: 'retry', at, error: 'refused' });
      expect(await store.nextDeliveryAt()).toBe(at);
      clock.advance(999);
      expect(await claim(store, clock)).toStrictEqual([]);
      // A new event does not bring the next attempt forward.
      await append(store, 'task', working());
      expect(await claim(store, clock)).toStrictEqual([]);
      clock.advance(1);
      const [again] = await claim(store, clock);
      expect(again).toMatchObject({ seq: 1, attempts: 1 });
      await store.settleDelivery(again!, { kind: 'dead', error: 'refused' });
      expect(await store.countDeliveries()).toStrictEqual({ waiting: 2, dead: 1 });
      expect(brief(await claim(store, clock))).toStrictEqual([{ id: 'hook', seq: 2, attempts: 0 }]);
      await store.close();
    });

    it('gives a delivery out again when its sender does not say what became of it', async () => {
      const clock = createClock();
      const store = open(clock.now);
      await append(store, 'task', created());
      await store.putPushConfig(config());
      await append(store, 'task', working(), status('TASK_STATE_COMPLETED'));
      const [lost] = await claim(store, clock);
      clock.advance(HOLD - 1);
      expect(await claim(store, clock)).toStrictEqual([]);
      clock.advance(1);
      const [again] = await claim(store, clock);
      expect(brief([again!])).toStrictEqual(brief([lost!]));
      await store.settleDelivery(again!, { kind: 'delivered' });
      // The first one comes late: the event is settled, the next one is not touched.
      await store.settleDelivery(lost!, { kind: 'dead', error: 'late' });
      await store.settleDelivery(lost!, { kind: 'retry', at: clock.now() + 1e6, error: 'late' });
      expect(brief(await claim(store, clock))).toStrictEqual([{ id: 'hook', seq: 2, attempts: 0 }]);
      expect(await store.countDeliveries()).toMatchObject({ dead: 0 });
      await store.close();
    });

    it('forgets what a config had to deliver when it is deleted or replaced', async () => {
      const clock = createClock();
      const store = open(clock.now);
      await append(store, 'task', created());
      await store.putPushConfig(config());
      await append(store, 'task', working());
      const [held] = await claim(store, clock);
      await store.deletePushConfig('task', 'ann', 'hook');
      for (const outcome of [
        { kind: 'delivered' },
        { kind: 'dead', error: '' },
        { kind: 'retry', at: 0, error: '' },
      ] as const) {
        await store.settleDelivery(held!, outcome);
      }
      clock.advance(HOLD);
      expect(await claim(store, clock)).toStrictEqual([]);
      expect(await store.countDeliveries()).toStrictEqual({ waiting: 0, dead: 0 });

      await store.putPushConfig(config({ url: 'https://example.com/new' }));
      await store.settleDelivery(held!, { kind: 'delivered' });
      await append(store, 'task', working());
      expect(await claim(store, clock)).toMatchObject([
        { seq: 2, config: { url: 'https://example.com/new' } },
      ]);
      await store.close();
    });

    it('gives out what is due longest, at most so many', async () => {
      const clock = createClock();
      const store = open(clock.now);
      for (const id of ['a', 'b', 'c']) {
        await append(store, id, created());
        await store.putPushConfig(config({ taskId: id, id }));
      }
      for (const id of ['b', 'c', 'a']) {
        clock.advance(1);
        await append(store, id, working());
      }
      expect(brief(await claim(store, clock, 2)).map(({ id }) => id)).toStrictEqual(['b', 'c']);
      expect(brief(await claim(store, clock, 2)).map(({ id }) => id)).toStrictEqual(['a']);
      await store.close();
    });

    it('delivers each event of each config in order, whatever goes wrong', async () => {
      const step = fc.constantFrom(
        'commit',
        'commit',
        'claim',
        'deliver',
        'retry',
        'crash',
        'wait',
      );
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
          const clock = createClock();
          const store = open(clock.now);
          await append(store, 'task', created());
          for (const id of ['a', 'b']) await store.putPushConfig(config({ id }));
          const arrived: Record<string, number[]> = { a: [], b: [] };
          const held: Delivery[] = [];
          let last = 0;
          const arrive = ({ config: { id }, seq }: Delivery) => arrived[id]!.push(seq);
          for (const each of steps) {
            if (each === 'commit') last = await append(store, 'task', working());
            else if (each === 'claim') held.push(...(await claim(store, clock)));
            else if (each === 'crash') held.splice(0).forEach(arrive);
            else if (each === 'wait') clock.advance(HOLD);
            else {
              const delivery = held.shift();
              if (delivery === undefined) continue;
              const retry = { kind: 'retry', at: clock.now() + 10, error: '' } as const;
              if (each === 'deliver') arrive(delivery);
              await store.settleDelivery(
                delivery,
                each === 'deliver' ? { kind: 'delivered' } : retry,
              );
            }
          }
          for (let round = 0; round < 200; round++) {
            clock.advance(HOLD);
            const claimed = await claim(store, clock);
            if (claimed.length === 0) break;
            for (const delivery of claimed) {
              arrive(delivery);
              await store.settleDelivery(delivery, { kind: 'delivered' });
            }
          }
          for (const seqs of Object.values(arrived)) {
            // At least once, and none before the first arrival of the one before it.
            const first = [...new Set(seqs)];
            expect(first).toStrictEqual(Array.from({ length: last }, (_, n) => n + 1));
          }
          await store.close();
        }),
        { numRuns: 40 },
      );
    });
  });
}
