/** The sender on the embedded store: what the log holds is what webhooks are told. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { TaskEvent } from '../../src/core/events.ts';
import { parseAllowList } from '../../src/push/addresses.ts';
import { createPushConfigs } from '../../src/push/configs.ts';
import { createWebhookGuard } from '../../src/push/guard.ts';
import { createSecretBox } from '../../src/push/secrets.ts';
import { createPushSender } from '../../src/push/sender.ts';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';
import { taskData, WIRE } from '../store/fixture.ts';
import type { Webhook } from './webhook.ts';
import { openWebhook, WEBHOOK_ADDRESS } from './webhook.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const allow = parseAllowList([WEBHOOK_ADDRESS]);
const guard = createWebhookGuard(allow, () => Promise.reject(new Error('no names here')));
const configs = createPushConfigs({ guard, box: createSecretBox(Buffer.alloc(32, 7)) });
const ignore = () => undefined;
const log = { error: ignore, warn: ignore, info: ignore, debug: ignore };
const alice = { taskId: 't', owner: 'alice' };

function openStore() {
  const clock = { skew: 0 };
  const now = () => Date.now() + clock.skew;
  const store = openSqliteStore({ path: ':memory:', wire: WIRE, now });
  closers.push(() => store.close());
  const startSender = () => {
    const options = {
      store,
      guard,
      configs,
      attempts: 3,
      timeout: 5_000,
      now,
      random: () => 0.5,
      log,
    };
    const sender = createPushSender(options);
    sender.start();
    closers.push(() => sender.stop(0));
    return sender;
  };
  const append = (...events: TaskEvent[]) =>
    store.change('t', {}, () => ({ events, result: undefined }));
  const create = () =>
    append({ kind: 'created', contextId: 'c', readers: ['alice'], data: taskData() });
  const read = async () => (await store.readEvents('t', 0, 100)).map(({ body }) => body);
  return { store, clock, startSender, append, create, read };
}

async function openHook(...args: Parameters<typeof openWebhook>): Promise<Webhook> {
  const hook = await openWebhook(...args);
  closers.push(() => hook.close());
  return hook;
}

const working: TaskEvent = { kind: 'status', state: 'TASK_STATE_WORKING', message: undefined };
const completed: TaskEvent = { ...working, state: 'TASK_STATE_COMPLETED' };
const chunk = (text: string): TaskEvent => ({
  kind: 'artifact',
  artifact: { artifactId: 'a', parts: [{ text }] },
  append: text !== '0',
  lastChunk: false,
});

describe('the outbox of the embedded store', () => {
  it('delivers each event of the log once and in order, and is empty then', async () => {
    const { store, startSender, append, create, read } = openStore();
    const hook = await openHook((n, response) => response.writeHead(n % 3 === 0 ? 503 : 200).end());
    await create();
    startSender();
    const config = { url: hook.url, token: 'tok' };
    await store.putPushConfig(await configs.seal(config, { ...alice, id: 'c' }));
    await append(working, chunk('0'), chunk('1'));
    await append(chunk('2'));
    await append(completed);
    await vi.waitFor(async () => {
      expect(await store.countDeliveries()).toEqual({ waiting: 0, dead: 0 });
    }, 10_000);
    const accepted = hook.received.filter((_, at) => (at + 1) % 3 !== 0).map(({ body }) => body);
    expect(accepted).toEqual(await read());
    expect(hook.received).toHaveLength(7);
    expect(hook.received[0]!.headers).toContain('tok');
    expect(await store.nextDeliveryAt()).toBeUndefined();
  });

  it('goes on after a restart where it stopped', async () => {
    const { store, startSender, append, create, read } = openStore();
    const hook = await openHook();
    await create();
    await store.putPushConfig(await configs.seal({ url: hook.url }, { ...alice, id: 'c' }));
    const first = startSender();
    await append(working);
    await hook.got(1);
    await first.stop(Date.now() + 1_000);
    await append(chunk('0'), completed);
    expect(hook.received).toHaveLength(1);
    startSender();
    expect((await hook.got(3)).map(({ body }) => body)).toEqual(await read());
  });

  it('gives an event up after its attempts', async () => {
    const { store, clock, startSender, append, create } = openStore();
    const hook = await openHook((_n, response) => response.writeHead(500).end());
    await create();
    await store.putPushConfig(await configs.seal({ url: hook.url }, { ...alice, id: 'c' }));
    const sender = startSender();
    await append(working);
    for (const failed of [1, 2, 3]) {
      await vi.waitFor(() => {
        expect(sender.stats).toMatchObject({ failed, inFlight: 0 });
      });
      clock.skew += 10_000;
      sender.wake();
    }
    expect(await store.countDeliveries()).toEqual({ waiting: 0, dead: 1 });
  });

  it('tells a config what it is asked to begin with', async () => {
    const { store, startSender, append, create, read } = openStore();
    const hook = await openHook();
    await create();
    await append(working, chunk('0'));
    const sender = startSender();
    await store.putPushConfig(await configs.seal({ url: hook.url }, { ...alice, id: 'c' }), 1);
    sender.wake();
    expect((await hook.got(1))[0]!.body).toBe((await read())[1]);
  });

  it('shares the work between two senders', async () => {
    const { store, startSender, append, create } = openStore();
    const hook = await openHook();
    await create();
    for (let n = 0; n < 20; n += 1) {
      await store.putPushConfig(
        await configs.seal({ url: `${hook.url}/${n}` }, { ...alice, id: `c${n}` }),
      );
    }
    const senders = [startSender(), startSender()];
    await append(working, completed);
    await hook.got(40);
    for (const sender of senders) await sender.stop(Date.now() + 1_000);
    const keys = hook.received.map(({ path, body }) => path + body);
    expect(new Set(keys).size).toBe(40);
    expect(keys).toHaveLength(40);
  });
});
