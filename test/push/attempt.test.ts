import { describe, expect, it } from 'vitest';
import { createPushConfigs } from '../../src/push/configs.ts';
import { createSecretBox } from '../../src/push/secrets.ts';
import {
  addConfig,
  answers,
  guard,
  openHook,
  outcomes,
  pass,
  startSender,
  world,
} from './push-world.ts';
import { openWebhook, WEBHOOK_ADDRESS } from './webhook.ts';

describe('a push request', () => {
  it('has exactly these headers, and the event as it is in the log', async () => {
    const hook = await openHook();
    startSender();
    const authentication = { scheme: 'Bearer', credentials: 's3cret' };
    await addConfig('c', { url: `${hook.url}?key=1`, token: 'tök', authentication });
    world.store.append('t', '{"statusUpdate":{"taskId":"t","x":"é"}}');
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
    world.store.append('t', '{}');
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
    for (let n = 0; n < 50; n += 1) world.store.append('t', String(n));
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
    world.store.append('t', 'a');
    world.store.append('t', 'b');
    await outcomes(1);
    pass(999);
    expect(hook.received).toHaveLength(1);
    pass(1);
    await outcomes(2);
    pass(2_000);
    await outcomes(4);
    expect(hook.received.map(({ body }) => body)).toEqual(['a', 'a', 'a', 'b']);
    expect(world.store.outcomes).toEqual([
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
    world.store.append('t', 'a');
    world.store.append('t', 'b');
    await outcomes(1);
    pass(1_000);
    await outcomes(2);
    pass(2_000);
    await outcomes(4);
    expect(world.store.outcomes.slice(2)).toEqual(['c 0 dead: answered 500', 'c 1 delivered']);
    expect(await world.store.countDeliveries()).toEqual({ waiting: 0, dead: 1 });
  });

  it('follows no redirect', async () => {
    const target = await openHook();
    const hook = await openHook((_n, response) =>
      response.writeHead(307, { Location: target.url }).end(),
    );
    startSender();
    await addConfig('c', { url: hook.url });
    world.store.append('t', 'a');
    expect(await outcomes(1)).toEqual(['c 0 retry: answered 307']);
    expect(target.received).toEqual([]);
  });

  it('waits as long as Retry-After says', async () => {
    const hook = await openHook((n, response) =>
      response.writeHead(n === 1 ? 429 : 200, { 'Retry-After': '60' }).end(),
    );
    startSender();
    await addConfig('c', { url: hook.url });
    world.store.append('t', 'a');
    await outcomes(1);
    expect(await world.store.nextDeliveryAt()).toBe(world.clock + 60_000);
    pass(60_000);
    expect(await outcomes(2)).toEqual(['c 0 retry: answered 429', 'c 0 delivered']);
  });

  it('gives an event up at once when the webhook is gone', async () => {
    const hook = await openHook(answers(410));
    startSender();
    await addConfig('c', { url: hook.url });
    world.store.append('t', 'a');
    expect(await outcomes(1)).toEqual(['c 0 dead: answered 410']);
  });

  it('does not wait longer than the timeout for an answer', async () => {
    const hook = await openHook(() => undefined);
    startSender({ timeout: 50 });
    await addConfig('c', { url: hook.url });
    world.store.append('t', 'a');
    expect(await outcomes(1)).toEqual(['c 0 retry: no answer within 50 ms']);
  });

  it('needs no more than the status: a body that does not end in time is left', async () => {
    const hook = await openHook((_n, response) => response.writeHead(200).write('x'));
    startSender({ timeout: 100 });
    await addConfig('c', { url: hook.url });
    world.store.append('t', 'a');
    expect(await outcomes(1)).toEqual(['c 0 delivered']);
  });

  it('does not read a long body to its end', async () => {
    const hook = await openHook((_n, response) => {
      response.writeHead(200).write('x'.repeat(10_000));
    });
    startSender({ timeout: 60_000 });
    await addConfig('c', { url: hook.url });
    world.store.append('t', 'a');
    expect(await outcomes(1)).toEqual(['c 0 delivered']);
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
    world.store.append('t', 'a');
    for (const id of ['c', 'd', 'e']) await addConfig(id, { url: hook.url }, 'u');
    world.store.append('u', 'a');
    const all = (await outcomes(5)).map((line) => line.split(': ')[0]);
    expect(all.sort()).toEqual(['a', 'b', 'c', 'd', 'e'].map((id) => `${id} 0 retry`));
  });

  it('speaks TLS to an https webhook', async () => {
    const hook = await openHook();
    startSender();
    await addConfig('c', { url: hook.url.replace('http:', 'https:') });
    world.store.append('t', 'a');
    expect((await outcomes(1))[0]).toMatch(/^c 0 retry: .*(SSL|EPROTO|TLS)/);
    expect(hook.received).toEqual([]);
  });

  it('says what became of each address of a host', async () => {
    world.hosts['two.example'] = ['127.0.0.2', '127.0.0.3'];
    startSender();
    await addConfig('c', { url: 'http://two.example:1/' });
    world.store.append('t', 'a');
    const refused = 'connect ECONNREFUSED';
    const expected = `c 0 retry: ${refused} 127.0.0.2:1; ${refused} 127.0.0.3:1`;
    expect(await outcomes(1)).toEqual([expected]);
  });

  it('sends no secrets where they cannot be opened, and says which setting is wrong', async () => {
    const hook = await openHook();
    startSender();
    const sealed = createPushConfigs({ guard, box: createSecretBox(Buffer.alloc(32)) });
    const place = { taskId: 't', owner: 'alice', id: 'c' };
    await world.store.putPushConfig(await sealed.seal({ url: hook.url, token: 'tok' }, place));
    world.store.append('t', 'a');
    expect((await outcomes(1))[0]).toContain('set SECRET_KEY');
    expect(hook.received).toEqual([]);
  });
});

describe('the address that is connected to', () => {
  it('is checked when it is connected to: a name that leads elsewhere later is not followed', async () => {
    const hook = await openHook();
    startSender();
    world.hosts['hook.example'] = [WEBHOOK_ADDRESS];
    await addConfig('c', { url: `http://hook.example:${hook.port}/hook` });
    world.hosts['hook.example'] = ['127.0.0.1'];
    world.store.append('t', 'a');
    const [outcome] = await outcomes(1);
    expect(outcome).toBe(
      'c 0 retry: the URL leads to a private or reserved address that PUSH_ALLOW does not hold',
    );
    world.hosts['hook.example'] = [WEBHOOK_ADDRESS];
    pass(10_000);
    await outcomes(2);
    expect(hook.received[0]!.headers).toContain(`hook.example:${hook.port}`);
  });

  it('is checked when the URL holds it: PUSH_ALLOW may have changed since', async () => {
    startSender();
    const url = 'http://127.0.0.4:9/';
    await world.store.putPushConfig({
      taskId: 't',
      owner: 'alice',
      id: 'c',
      url,
      secrets: undefined,
    });
    world.store.append('t', 'a');
    expect((await outcomes(1))[0]).toContain('PUSH_ALLOW');
  });
});
