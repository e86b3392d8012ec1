/** Mutated valid requests over both bindings: never a 5xx, never a hang, always an answer of the binding's form. */
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { effort } from '../properties/effort.ts';
import { openWebhook } from '../push/webhook.ts';
import { createClient } from '../support/a2a-client.ts';
import { startApp } from '../support/server.ts';
import { Connection } from './connection.ts';
import { findFault } from './judge.ts';
import type { Plan } from './mutations.ts';
import { planArbitrary, writePlan } from './mutations.ts';
import type { Seed, World } from './seeds.ts';
import { createSeeds } from './seeds.ts';

/** Requests that are on their way at once, and how often so many are sent. */
const AT_ONCE = 20;
const ROUNDS = Math.ceil(1050 * effort);
/** Milliseconds for an answer; one that is waited for because the machine is slow still comes. */
const PATIENCE = 15_000;

async function createWorld(url: string, webhook: string): Promise<World> {
  const client = createClient(url, 'rest', 'fuzz');
  const create = async () => (await client.send('begin')).result.task!;
  const { id: taskId, contextId = '' } = await create();
  const { id: endedId } = await create();
  await client.call('CancelTask', { id: endedId });
  const victims: string[] = [];
  for (let at = 0; at < 8; at += 1) victims.push((await create()).id);
  const config = await client.call('CreateTaskPushNotificationConfig', { taskId, url: webhook });
  return { taskId, contextId, endedId, victims, webhook, configId: config.result.id! };
}

/** What is wrong with the answer to a plan; undefined when nothing is. */
async function tryPlan(
  plan: Plan,
  seeds: readonly Seed[],
  connection: Connection,
  statuses: Map<number, number>,
): Promise<string | undefined> {
  const bytes = writePlan(plan, seeds);
  const [line = ''] = bytes.toString('latin1').split('\r\n');
  const isRpc = /^POST \/([?#]\S*)? HTTP/.test(line);
  const outcome = await connection.send(bytes, line.startsWith('HEAD '), PATIENCE);
  const status = typeof outcome === 'string' ? 0 : outcome.status;
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  const fault = findFault(
    outcome,
    isRpc,
    plan.headers.some(([name]) => name === 'connection'),
  );
  if (fault === undefined) return undefined;
  return `${fault}\n${bytes.toString('latin1').slice(0, 3000)}`;
}

test('what mutations begin with is valid', async () => {
  const webhook = await openWebhook();
  onTestFinished(() => webhook.close());
  const app = await startApp({ pushAllow: ['127.0.0.2/32'] });
  const seeds = createSeeds(await createWorld(app.url, webhook.url));
  for (const [seed, { operation, binding }] of seeds.entries()) {
    const unchanged = { structure: [], bytes: [], headers: [], path: null, method: null };
    const bytes = writePlan({ ...unchanged, seed, salt: seed }, seeds);
    const connection = new Connection(app.url);
    const answer = await connection.send(bytes, false, PATIENCE);
    connection.close();
    // Some speak of tasks that have ended: that is no fault of the request.
    expect(JSON.stringify(answer), `${operation} over ${binding}`).not.toMatch(
      /INVALID_PARAMS|INVALID_REQUEST|CONTENT_TYPE/,
    );
  }
});

test('20,000 mutated requests', { timeout: 120_000 * Math.max(1, effort) }, async () => {
  const webhook = await openWebhook();
  const app = await startApp({ pushAllow: ['127.0.0.2/32'] });
  const seeds = createSeeds(await createWorld(app.url, webhook.url));
  const connections = Array.from({ length: AT_ONCE }, () => new Connection(app.url));
  let sent = 0;
  const statuses = new Map<number, number>();
  const plans = fc.array(planArbitrary(seeds.length), { minLength: AT_ONCE, maxLength: AT_ONCE });
  try {
    await fc.assert(
      fc.asyncProperty(plans, async (batch) => {
        sent += batch.length;
        const faults = await Promise.all(
          batch.map((plan, at) => tryPlan(plan, seeds, connections[at]!, statuses)),
        );
        const found = faults.filter((fault) => fault !== undefined);
        if (found.length > 0) throw new Error(found.join('\n\n'));
      }),
      // Shrinking would send thousands more; what was sent is in the message.
      { numRuns: ROUNDS, endOnFailure: true },
    );
    expect(sent).toBeGreaterThanOrEqual(Math.min(20_000, 20_000 * effort));
    // Neither so broken that nothing gets beyond the edge, nor so tame that nothing is refused.
    expect(statuses.get(200)).toBeGreaterThan(sent / 4);
    expect(statuses.get(400)).toBeGreaterThan(sent / 10);
    const plain = await createClient(app.url, 'jsonrpc').send('after all that');
    expect(plain.result.task?.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(app.complaints).toEqual([]);
  } finally {
    for (const connection of connections) connection.close();
    await webhook.close();
  }
});
