import { describe, expect, it } from 'vitest';
import { addConfig, answers, openHook, outcomes, pass, startSender, world } from './push-world.ts';
import { WEBHOOK_ADDRESS } from './webhook.ts';

describe('one webhook and the others', () => {
  it('lets none wait for one that hangs, however many configs that one has', async () => {
    const hanging = await openHook(() => undefined);
    const hook = await openHook();
    const sender = startSender();
    for (let n = 0; n < 300; n += 1) await addConfig(`h${n}`, { url: hanging.url });
    await addConfig('c', { url: hook.url });
    world.store.append('t', 'a');
    world.store.append('t', 'b');
    expect(await outcomes(2)).toEqual(['c 0 delivered', 'c 1 delivered']);
    expect(hanging.received.length).toBeLessThanOrEqual(8);
    expect(sender.stats.inFlight).toBe(8);
  });

  it('delivers all that wait for a host that is busy', async () => {
    const hook = await openHook((_n, response) => setTimeout(() => response.end(), 2));
    startSender();
    for (let n = 0; n < 200; n += 1) await addConfig(`c${n}`, { url: hook.url });
    world.store.append('t', 'a');
    expect(await hook.got(200)).toHaveLength(200);
    expect(hook.connections).toBeLessThanOrEqual(8);
  });

  it('does not deliver what waited for its host when its config was removed or replaced meanwhile', async () => {
    const held: (() => void)[] = [];
    const hook = await openHook((n, response) =>
      n <= 8 ? held.push(() => response.end()) : response.end(),
    );
    startSender();
    for (let n = 0; n < 11; n += 1) await addConfig(`c${n}`, { url: `${hook.url}/${n}` });
    world.store.append('t', 'a');
    await hook.got(8);
    await world.store.deletePushConfig('t', 'alice', 'c8');
    await addConfig('c9', { url: `${hook.url}/new` });
    for (const release of held) release();
    await outcomes(9);
    expect(hook.received.map(({ path }) => path).slice(8)).toEqual(['/hook/10']);
  });

  it('leaves what waited too long to the next claim', async () => {
    const held: (() => void)[] = [];
    const hook = await openHook((n, response) =>
      n <= 8 ? held.push(() => response.end()) : response.end(),
    );
    startSender({ timeout: 60_000 });
    for (let n = 0; n < 9; n += 1) await addConfig(`c${n}`, { url: hook.url });
    world.store.append('t', 'a');
    await hook.got(8);
    world.clock += 8_001;
    for (const release of held) release();
    await outcomes(8);
    expect(hook.received).toHaveLength(8);
    pass(62_000);
    await outcomes(9);
    expect(hook.received).toHaveLength(9);
  });
});

describe('starting and stopping', () => {
  it('delivers after a restart what was due before', async () => {
    const hook = await openHook();
    await addConfig('c', { url: hook.url });
    world.store.append('t', 'a');
    startSender();
    await hook.got(1);
  });

  it('delivers again what a process that is gone had claimed, once its claim ends', async () => {
    const hook = await openHook();
    await addConfig('c', { url: hook.url });
    world.store.append('t', 'a');
    await world.store.claimDeliveries(world.clock, world.clock + 30_000, 1);
    startSender();
    pass(29_999);
    expect(world.store.outcomes).toEqual([]);
    pass(1);
    expect(await outcomes(1)).toEqual(['c 0 delivered']);
  });

  it('delivers what is due before it stops, and nothing after', async () => {
    const hook = await openHook((_n, response) => setTimeout(() => response.end(), 5));
    const sender = startSender();
    await addConfig('c', { url: hook.url });
    for (let n = 0; n < 10; n += 1) world.store.append('t', String(n));
    await sender.stop(world.clock + 5_000);
    expect(world.store.outcomes).toHaveLength(10);
    world.store.append('t', 'late');
    expect(await world.store.countDeliveries()).toEqual({ waiting: 1, dead: 0 });
    expect(sender.stats.inFlight).toBe(0);
  });

  it('cuts off what hangs at the deadline; it is due at the next start', async () => {
    const hook = await openHook((n, response) => (n === 1 ? undefined : response.end()));
    const sender = startSender({ attempts: 1 });
    await addConfig('c', { url: hook.url });
    world.store.append('t', 'a');
    await hook.got(1);
    await sender.stop(world.clock + 20);
    expect(world.store.outcomes).toEqual(['c 0 retry: cut off because the server stopped']);
    startSender();
    await hook.got(2);
  });

  it('asks the store for nothing while nothing is due', async () => {
    const hook = await openHook();
    startSender();
    await addConfig('c', { url: hook.url });
    for (let n = 0; n < 20; n += 1) world.store.append('other', 'x');
    await new Promise((done) => setTimeout(done, 20));
    expect(world.store.claims).toBe(0);
  });

  it('says what failed in the log, without paths and secrets', async () => {
    const hook = await openHook(answers(500));
    startSender({ attempts: 1 });
    await addConfig('c', { url: `${hook.url}?key=hidden`, token: 'hidden' });
    world.store.append('t', 'a');
    await outcomes(1);
    const origin = `http://${WEBHOOK_ADDRESS}:${hook.port}`;
    const details = {
      taskId: 't',
      configId: 'c',
      origin,
      seq: 0,
      attempt: 1,
      error: 'answered 500',
    };
    expect(world.logged.mock.calls).toEqual([[details, 'push: an event was given up']]);
  });
});
