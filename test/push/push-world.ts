/** A sender, its outbox and its webhooks, in a world whose clock and names a test decides. */
import type { LookupAddress } from 'node:dns';
import type { TaskPushNotificationConfig } from '@tiny-harness/contract/a2a';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { parseAllowList } from '../../src/push/addresses.ts';
import { createPushConfigs } from '../../src/push/configs.ts';
import { createWebhookGuard } from '../../src/push/guard.ts';
import { createSecretBox } from '../../src/push/secrets.ts';
import type { PushSender } from '../../src/push/sender.ts';
import { createPushSender } from '../../src/push/sender.ts';
import { createMemoryOutbox } from './memory-outbox.ts';
import type { Respond, Webhook } from './webhook.ts';
import { openWebhook } from './webhook.ts';

const open: (Webhook | PushSender)[] = [];
const now = () => world.clock;
const logged = vi.fn();

/** What is new with each test. */
export const world = {
  /** Moved by tests: waiting for a retry is moving it. */
  clock: 0,
  store: createMemoryOutbox(now),
  /** The addresses of host names. */
  hosts: {} as Record<string, string[]>,
  /** Every call of the log. */
  logged,
};

const resolve = (name: string): Promise<LookupAddress[]> => {
  const found = world.hosts[name]?.map((address) => ({ address, family: 4 }));
  if (found !== undefined) return Promise.resolve(found);
  return Promise.reject(new Error(`getaddrinfo ENOTFOUND ${name}`));
};

/** Lets through 127.0.0.2 and 127.0.0.3. */
export const guard = createWebhookGuard(parseAllowList(['127.0.0.2/31']), resolve);
const configs = createPushConfigs({ guard, box: createSecretBox(undefined) });

beforeEach(() => {
  Object.assign(world, { clock: 1_000_000, store: createMemoryOutbox(now), hosts: {} });
  logged.mockClear();
});

afterEach(async () => {
  for (const each of open.splice(0)) await ('stop' in each ? each.stop(0) : each.close());
});

/** A started sender; by default it tries three times, each at most ten seconds. */
export function startSender({ attempts = 3, timeout = 10_000 } = {}): PushSender {
  const log = { error: logged, warn: logged, info: logged, debug: logged };
  const { store } = world;
  const random = () => 0.5;
  const sender = createPushSender({ store, guard, configs, attempts, timeout, now, random, log });
  // Senders are stopped before the webhooks that they talk to.
  open.unshift(sender);
  sender.start();
  return sender;
}

export async function openHook(respond?: Respond): Promise<Webhook> {
  const hook = await openWebhook(respond);
  open.push(hook);
  return hook;
}

/** Adds a config of alice's. */
export async function addConfig(
  id: string,
  config: TaskPushNotificationConfig,
  taskId = 't',
): Promise<void> {
  await world.store.putPushConfig(await configs.seal(config, { taskId, owner: 'alice', id }));
}

/** All outcomes, once there are so many. */
export function outcomes(count: number): Promise<string[]> {
  return vi.waitFor(
    () => {
      expect(world.store.outcomes.length).toBeGreaterThanOrEqual(count);
      return world.store.outcomes;
    },
    { timeout: 5000, interval: 5 },
  );
}

/** Moves the clock and wakes the sender as a commit to some other task does. */
export function pass(milliseconds: number): void {
  world.clock += milliseconds;
  world.store.append('other', '{}');
}

/** Answers the n-th request with the n-th status, and 200 when there is none. */
export function answers(...statuses: number[]): Respond {
  return (n, response) => response.writeHead(statuses[n - 1] ?? 200).end();
}
