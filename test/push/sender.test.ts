import type { LookupAddress } from 'node:dns';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseAllowList } from '../../src/push/addresses.ts';
import { createPushConfigs } from '../../src/push/configs.ts';
import { createWebhookGuard } from '../../src/push/guard.ts';
import { createSecretBox } from '../../src/push/secrets.ts';
import type { PushSender } from '../../src/push/sender.ts';
import { createPushSender } from '../../src/push/sender.ts';
import type { TaskPushNotificationConfig } from '@tiny-harness/contract/a2a';
import type { MemoryOutbox } from './memory-outbox.ts';
import { createMemoryOutbox } from './memory-outbox.ts';
import type { Respond, Webhook } from './webhook.ts';
import { openWebhook, WEBHOOK_ADDRESS } from './webhook.ts';

/** A clock that a test moves; waiting for a retry is moving it. */
let clock: number;
let store: MemoryOutbox;
let hosts: Record<string, string[]>;
const open: (Webhook | PushSender)[] = [];
const logged = vi.fn();
const log = { error: logged, warn: logged, info: logged, debug: logged };

const now = () => clock;
const resolve = (name: string): Promise<LookupAddress[]> => {
  const found = hosts[name]?.map((address) => ({ address, family: 4 }));
  return found
    ? Promise.resolve(found)
    : Promise.reject(new Error(`getaddrinfo ENOTFOUND ${name}`));
};
const guard = createWebhookGuard(parseAllowList(`${WEBHOOK_ADDRESS}/32`), resolve);
const configs = createPushConfigs({ guard, box: createSecretBox(undefined) });

beforeEach(() => {
  clock = 1_000_000;
  store = createMemoryOutbox(now);
  hosts = {};
  logged.mockClear();
});

afterEach(async () => {
  for (const each of open.splice(0)) await ('stop' in each ? each.stop(0) : each.close());
});

function startSender(options: { attempts?: number; timeout?: number } = {}): PushSender {
  const { attempts = 3, timeout = 10_000 } = options;
  const sender = createPushSender({
    store,
    guard,
    configs,
    attempts,
    timeout,
    now,
    random: () => 0.5,
    log,
  });
  open.unshift(sender);
  sender.start();
  return sender;
}

async function openHook(respond?: Respond): Promise<Webhook> {
  const hook = await openWebhook(respond);
  open.push(hook);
  return hook;
}

async function addConfig(
  id: string,
  config: TaskPushNotificationConfig,
  taskId = 't',
): Promise<void> {
  await store.putPushConfig(await configs.seal(config, { taskId, owner: 'alice', id }));
}

const outcomes = (count: number) =>
  vi.waitFor(() => {
    expect(store.outcomes.length).toBeGreaterThanOrEqual(count);
    return store.outcomes;
  }, 5000);

/** Moves the clock and wakes the sender as a commit to some other task does. */
function pass(milliseconds: number): void {
  clock += milliseconds;
  store.append('other', '{}');
}

const answers =
  (...statuses: number[]): Respond =>
  (n, response) =>
    response.writeHead(statuses[n - 1] ?? 200).end();

describe('a push request', () => {
  it('has exactly these headers, and the event as it is in the log', async () => {
    const hook = await openHook();
    startSender();
    const authentication = { scheme: 'Bearer', credentials: 's3cret' };
    await addConfig('c', { url: `${hook.url}?key=1`, token: 'tök', authentication });
    store.append('t', '{"statusUpdate":{"taskId":"t","x":"é"}}');
    const [request] = await hook.got(1);
    expect(request).toEqual({
      path: '/hook?key=1',
      headers: [
        ...['User-Agent', 'tiny-harness'],
        ...['Content-Type', 'application/a2a+json'],
        ...['Content-Length', '40'],
        ...['Authorization', 'Bearer s3cret'],
        ...['X-A2A-Notification-Token', 'tök'],
        ...['Host', `${WEBHOOK_ADDRESS}:${hook.port}`],
        ...['Connection', 'keep-alive'],
      ],
      body: '{"statusUpdate":{"taskId":"t","x":"é"}}',
    });
  });

  it('has no header that the config does not ask for', async () => {
    const hook = await openHook();
    startSender();
    await addConfig('c', { url: hook.url });
    await addConfig('d', { url: hook.url, authentication: { scheme: 'Negotiate' } });
    store.append('t', '{}');
    const [plain, scheme] = await hook.got(2);
    expect(plain!.headers).not.toContain('Authorization');
    expect(plain!.headers).not.toContain('X-A2A-Notification-Token');
    expect(scheme!.headers.slice(6, 8)).toEqual(['Authorization', 'Negotiate']);
  });
});

describe('delivery', () => {
  it('keeps the order of each config, on connections that are used again', async () => {
    const hook = await openHook();
    startSender();
    await addConfig('c', { url: hook.url });
    for (let n = 0; n < 50; n += 1) store.append('t', String(n));
    const received = await hook.got(50);
    expect(received.map(({ body }) => body)).toEqual(
      Array.from({ length: 50 }, (_, n) => String(n)),
    );
    expect(hook.connections).toBe(1);
  });

  it('tries again what is not answered with success, before anything later', async () => {
    const hook = await openHook(answers(503, 302, 200, 204));
    const sender = startSender();
    await addConfig('c', { url: hook.url });
    store.append('t', 'a');
    store.append('t', 'b');
    await outcomes(1);
    pass(999);
    expect(hook.received).toHaveLength(1);
    pass(1);
    await outcomes(2);
    pass(2_000);
    await outcomes(4);
    expect(hook.received.map(({ body }) => body)).toEqual(['a', 'a', 'a', 'b']);
    expect(store.outcomes).toEqual([
      'c 0 retry: answered 503',
      'c 0 retry: answered 302',
      'c 0 delivered',
      'c 1 delivered',
    ]);
    expect(sender.stats).toEqual({ delivered: 2, failed: 2, dead: 0, inFlight: 0 });
  });

  it('gives an event up after so many attempts, and goes on with the next', async () => {
    const hook = await openHook((n, response) => response.writeHead(n > 3 ? 200 : 500).end());
    startSender({ attempts: 3 });
    await addConfig('c', { url: hook.url });
    store.append('t', 'a');
    store.append('t', 'b');
    await outcomes(1);
    pass(1_000);
    await outcomes(2);
    pass(2_000);
    await outcomes(4);
    expect(store.outcomes.slice(2)).toEqual(['c 0 dead: answered 500', 'c 1 delivered']);
    expect(await store.countDeliveries()).toEqual({ waiting: 0, dead: 1 });
  });

  it('follows no redirect', async () => {
    const target = await openHook();
    const hook = await openHook((_n, response) =>
      response.writeHead(307, { Location: target.url }).end(),
    );
    startSender();
    await addConfig('c', { url: hook.url });
    store.append('t', 'a');
    expect(await outcomes(1)).toEqual(['c 0 retry: answered 307']);
    expect(target.received).toEqual([]);
  });

  it('waits as long as Retry-After says', async () => {
    const hook = await openHook((n, response) =>
      response.writeHead(n === 1 ? 429 : 200, { 'Retry-After': '60' }).end(),
    );
    startSender();
    await addConfig('c', { url: hook.url });
    store.append('t', 'a');
    await outcomes(1);
    expect(await store.nextDeliveryAt()).toBe(clock + 60_000);
    pass(60_000);
    expect(await outcomes(2)).toEqual(['c 0 retry: answered 429', 'c 0 delivered']);
  });

  it('gives an event up at once when the webhook is gone', async () => {
    const hook = await openHook(answers(410));
    startSender();
    await addConfig('c', { url: hook.url });
    store.append('t', 'a');
    expect(await outcomes(1)).toEqual(['c 0 dead: answered 410']);
  });

  it('does not wait longer than the timeout for an answer', async () => {
    const hook = await openHook(() => undefined);
    startSender({ timeout: 50 });
    await addConfig('c', { url: hook.url });
    store.append('t', 'a');
    expect(await outcomes(1)).toEqual(['c 0 retry: no answer within 50 ms']);
  });

  it('needs no more than the status: a body that drips or never ends is left', async () => {
    const hook = await openHook((n, response) => {
      response.writeHead(200).write('x'.repeat(n === 1 ? 1 : 100_000));
    });
    startSender({ timeout: 100 });
    await addConfig('c', { url: hook.url });
    store.append('t', 'a');
    store.append('t', 'b');
    expect(await outcomes(2)).toEqual(['c 0 delivered', 'c 1 delivered']);
  });

  it('tries again when there is no connection, no name or no sensible answer', async () => {
    const closed = await openWebhook();
    await closed.close();
    const hook = await openHook((n, response) => {
      if (n === 1) response.socket?.destroy();
      else if (n === 2)
        response.socket?.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n');
      else response.socket?.end('garbage\r\n\r\n');
    });
    startSender();
    await addConfig('a', { url: closed.url });
    await addConfig('b', { url: 'http://nowhere.example/' });
    store.append('t', 'a');
    for (const id of ['c', 'd', 'e']) await addConfig(id, { url: hook.url }, 'u');
    store.append('u', 'a');
    const all = (await outcomes(5)).map((line) => line.split(': ')[0]);
    expect(all.sort()).toEqual(['a', 'b', 'c', 'd', 'e'].map((id) => `${id} 0 retry`));
  });

  it('sends no secrets where they cannot be opened, and says which setting is wrong', async () => {
    const hook = await openHook();
    startSender();
    const sealed = createPushConfigs({ guard, box: createSecretBox(Buffer.alloc(32)) });
    const place = { taskId: 't', owner: 'alice', id: 'c' };
    await store.putPushConfig(await sealed.seal({ url: hook.url, token: 'tok' }, place));
    store.append('t', 'a');
    expect((await outcomes(1))[0]).toContain('set SECRET_KEY');
    expect(hook.received).toEqual([]);
  });
});

describe('the address that is connected to', () => {
  it('is checked when it is connected to: a name that leads elsewhere later is not followed', async () => {
    const hook = await openHook();
    startSender();
    hosts['hook.example'] = [WEBHOOK_ADDRESS];
    await addConfig('c', { url: `http://hook.example:${hook.port}/hook` });
    hosts['hook.example'] = ['127.0.0.1'];
    store.append('t', 'a');
    const [outcome] = await outcomes(1);
    expect(outcome).toBe(
      'c 0 retry: the URL leads to a private or reserved address that PUSH_ALLOW does not hold',
    );
    hosts['hook.example'] = [WEBHOOK_ADDRESS];
    pass(10_000);
    await outcomes(2);
    expect(hook.received[0]!.headers).toContain(`hook.example:${hook.port}`);
  });

  it('is checked when the URL holds it: PUSH_ALLOW may have changed since', async () => {
    startSender();
    const url = 'http://127.0.0.3:9/';
    await store.putPushConfig({ taskId: 't', owner: 'alice', id: 'c', url, secrets: undefined });
    store.append('t', 'a');
    expect((await outcomes(1))[0]).toContain('PUSH_ALLOW');
  });
});

describe('one webhook and the others', () => {
  it('lets none wait for one that hangs, however many configs that one has', async () => {
    const hanging = await openHook(() => undefined);
    const hook = await openHook();
    const sender = startSender();
    for (let n = 0; n < 300; n += 1) await addConfig(`h${n}`, { url: hanging.url });
    await addConfig('c', { url: hook.url });
    store.append('t', 'a');
    store.append('t', 'b');
    expect(await outcomes(2)).toEqual(['c 0 delivered', 'c 1 delivered']);
    expect(hanging.received.length).toBeLessThanOrEqual(8);
    expect(sender.stats.inFlight).toBe(8);
  });

  it('delivers all that wait for a host that is busy', async () => {
    const hook = await openHook((_n, response) => setTimeout(() => response.end(), 2));
    startSender();
    for (let n = 0; n < 200; n += 1) await addConfig(`c${n}`, { url: hook.url });
    store.append('t', 'a');
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
    store.append('t', 'a');
    await hook.got(8);
    await store.deletePushConfig('t', 'alice', 'c8');
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
    store.append('t', 'a');
    await hook.got(8);
    clock += 8_001;
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
    store.append('t', 'a');
    startSender();
    await hook.got(1);
  });

  it('delivers again what a process that is gone had claimed, once its claim ends', async () => {
    const hook = await openHook();
    await addConfig('c', { url: hook.url });
    store.append('t', 'a');
    await store.claimDeliveries(clock, clock + 30_000, 1);
    startSender();
    pass(29_999);
    expect(store.outcomes).toEqual([]);
    pass(1);
    expect(await outcomes(1)).toEqual(['c 0 delivered']);
  });

  it('delivers what is due before it stops, and nothing after', async () => {
    const hook = await openHook((_n, response) => setTimeout(() => response.end(), 5));
    const sender = startSender();
    await addConfig('c', { url: hook.url });
    for (let n = 0; n < 10; n += 1) store.append('t', String(n));
    await sender.stop(clock + 5_000);
    expect(store.outcomes).toHaveLength(10);
    store.append('t', 'late');
    expect(await store.countDeliveries()).toEqual({ waiting: 1, dead: 0 });
    expect(sender.stats.inFlight).toBe(0);
  });

  it('cuts off what hangs at the deadline; it is due at the next start', async () => {
    const hook = await openHook((n, response) => (n === 1 ? undefined : response.end()));
    const sender = startSender({ attempts: 1 });
    await addConfig('c', { url: hook.url });
    store.append('t', 'a');
    await hook.got(1);
    await sender.stop(clock + 20);
    expect(store.outcomes).toEqual(['c 0 retry: cut off because the server stopped']);
    startSender();
    await hook.got(2);
  });

  it('asks the store for nothing while nothing is due', async () => {
    const hook = await openHook();
    startSender();
    await addConfig('c', { url: hook.url });
    for (let n = 0; n < 20; n += 1) store.append('other', 'x');
    await new Promise((done) => setTimeout(done, 20));
    expect(store.claims).toBe(0);
  });

  it('says what failed in the log, without paths and secrets', async () => {
    const hook = await openHook(answers(500));
    startSender({ attempts: 1 });
    await addConfig('c', { url: `${hook.url}?key=hidden`, token: 'hidden' });
    store.append('t', 'a');
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
    expect(logged.mock.calls).toEqual([[details, 'push: an event was given up']]);
  });
});
