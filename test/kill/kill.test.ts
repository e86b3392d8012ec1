/** A server under load is killed a hundred times: nothing that it acknowledged is lost, nothing is there twice. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { ListTasksResponse, StreamResponse, Task } from '@tiny-harness/contract/a2a';
import { expect, onTestFinished, test } from 'vitest';
import { openWebhook } from '../push/webhook.ts';
import type { Client, EventStream } from '../support/a2a-client.ts';
import { BINDINGS, createClient, messageOf, stateOf } from '../support/a2a-client.ts';
import { eventually } from '../support/eventually.ts';
import { createFolder, readMetrics } from '../support/server.ts';
import { checkDeliveries, Ledger } from './ledger.ts';
import type { Sent } from './ledger.ts';
import { createChance, MortalServer, pause } from './mortal-server.ts';

const KILLS = 100;
const WORKERS = 6;
const SEED = Number(process.env.PROPERTY_SEED ?? 20_261_130);
/** No answer takes so long unless something hangs. */
const PATIENCE = 30_000;

/** What participants share. */
interface Stage {
  readonly server: MortalServer;
  readonly ledger: Ledger;
  readonly webhook: string;
  readonly chance: () => number;
  /** Tasks that take messages. */
  readonly open: string[];
  over: boolean;
}

function pick<T>(chance: () => number, list: readonly T[]): T {
  return list[Math.floor(chance() * list.length)]!;
}

async function connect({ server, chance }: Stage): Promise<Client> {
  return createClient(await server.url(), pick(chance, BINDINGS));
}

/** Sends messages of every kind until the stage is over; what gets no answer is mostly sent again. */
async function participate(stage: Stage): Promise<void> {
  const { chance, ledger, open } = stage;
  while (!stage.over) {
    const taskId = open.length > 3 && chance() < 0.6 ? pick(chance, open) : undefined;
    const kinds =
      taskId === undefined ? ['pieces', 'question', 'hello', 'end'] : ['pieces', 'hello'];
    const hook = chance() < 0.3 ? `/hook/${ledger.sent.length}` : undefined;
    const text = `${pick(chance, kinds)} ${ledger.sent.length}`;
    const sent: Sent = { messageId: randomUUID(), text, hook, state: 'unknown', taskId };
    ledger.sent.push(sent);
    const send = pick(chance, [sendBlocking, sendBlocking, sendAtOnce, sendStreaming]);
    for (let tries = 0; sent.state === 'unknown' && tries < 20; tries += 1) {
      await send(stage, sent).catch(expectDeath);
      // Some give up: then nobody knows.
      if (chance() < 0.2) break;
    }
    if (sent.state !== 'acknowledged') continue;
    if (!text.startsWith('end') && open.length < 40 && !open.includes(sent.taskId!))
      open.push(sent.taskId!);
  }
}

/** Errors of a connection are what happens when a server is killed; any other is one of the test. */
function expectDeath(error: unknown): void {
  const broken = error instanceof TypeError && /fetch failed|terminated/.test(error.message);
  if (!broken) throw error;
}

function paramsOf({ webhook }: Stage, sent: Sent, returnImmediately: boolean): object {
  const { text, messageId, taskId, hook } = sent;
  const url = hook === undefined ? undefined : new URL(hook, webhook).href;
  return {
    message: messageOf(text, { messageId, ...(taskId === undefined ? {} : { taskId }) }),
    configuration: {
      returnImmediately,
      ...(url === undefined ? {} : { taskPushNotificationConfig: { url } }),
    },
  };
}

async function sendAtOnce(stage: Stage, sent: Sent, atOnce = true): Promise<void> {
  const client = await connect(stage);
  const signal = AbortSignal.timeout(PATIENCE);
  const answer = await client.call('SendMessage', paramsOf(stage, sent, atOnce), { signal });
  const { reason, result } = answer;
  settle(stage, sent, reason, reason === undefined ? result.task?.id : undefined);
}

function sendBlocking(stage: Stage, sent: Sent): Promise<void> {
  return sendAtOnce(stage, sent, false);
}

/** Streams, and goes on with the stream where it was cut off until the message's turn is over. */
async function sendStreaming(stage: Stage, sent: Sent): Promise<void> {
  const client = await connect(stage);
  const stream = await client.stream('SendStreamingMessage', paramsOf(stage, sent, false));
  if (stream.reason !== undefined) {
    settle(stage, sent, stream.reason, undefined);
    return;
  }
  const ended = await stream.over;
  const id = stream.heard[0]?.body.task?.id;
  if (id === undefined) return;
  settle(stage, sent, undefined, id);
  stage.ledger.hear(id, stream.heard);
  if (!ended) await follow(stage, id, stream.heard.at(-1)!.id!);
}

/** Follows a task from an event on, across deaths, for a few events or until it rests. */
async function follow(stage: Stage, id: string, last: number): Promise<void> {
  let cursor = last;
  for (let lives = 0; lives < 5 && !stage.over; lives += 1) {
    const client = await connect(stage);
    const headers = { 'last-event-id': String(cursor) };
    const stream = await client.stream('SubscribeToTask', { id }, { headers }).catch(expectDeath);
    if (stream === undefined) continue;
    expect(stream.reason).toBeUndefined();
    const rests = await untilRest(stream, cursor);
    stage.ledger.hear(id, stream.heard);
    if (stream.heard.length > 0) expect(stream.heard[0]!.id).toBe(cursor);
    cursor = stream.heard.at(-1)?.id ?? cursor;
    if (rests) return;
  }
}

/** Whether the stream came to where its task waits or has ended, after this event. */
async function untilRest(stream: EventStream, after: number): Promise<boolean> {
  const rest = stream.until(({ id, body }) => {
    const state = stateOf(body);
    return (id! > after || body.task !== undefined) && state !== undefined && state !== 'WORKING';
  });
  const found = await rest.then(
    () => true,
    () => false,
  );
  stream.close();
  await stream.over;
  return found;
}

function settle(
  stage: Stage,
  sent: Sent,
  reason: string | undefined,
  id: string | undefined,
): void {
  if (reason === undefined) {
    expect(id).toBeDefined();
    if (sent.taskId !== undefined) expect(id).toBe(sent.taskId);
    sent.state = 'acknowledged';
    sent.taskId = id;
    return;
  }
  // A server that is drained says so; one that is killed says nothing. What is left: the task has ended.
  expect([reason, sent.taskId === undefined]).toEqual(['UNSUPPORTED_OPERATION', false]);
  sent.state = 'refused';
  const at = stage.open.indexOf(sent.taskId!);
  if (at !== -1) stage.open.splice(at, 1);
}

async function readTask(client: Client, id: string): Promise<Task> {
  const { result, reason } = await client.call('GetTask', { id, historyLength: 1000 });
  expect(reason).toBeUndefined();
  return result;
}

/** A task's events from the first on: all there are so far. */
async function readLog(client: Client, id: string): Promise<StreamResponse[]> {
  const headers = { 'last-event-id': '0' };
  const now = await client.stream('SubscribeToTask', { id });
  const seq = now.reason === undefined ? (await now.until(() => true)).id! : undefined;
  now.close();
  const stream = await client.stream('SubscribeToTask', { id }, { headers });
  if (seq === undefined) await stream.over;
  else await stream.until((heard) => heard.id! >= seq);
  stream.close();
  const events = stream.heard.slice(1);
  expect(events.map((heard) => heard.id)).toEqual(events.map((_, at) => at + 1));
  return events.map(({ body }) => body);
}

async function listTasks(client: Client): Promise<Task[]> {
  const tasks: Task[] = [];
  let pageToken = '';
  do {
    const params = { pageToken, pageSize: 100 };
    const { result }: { result: ListTasksResponse } = await client.call('ListTasks', params);
    tasks.push(...result.tasks);
    pageToken = result.nextPageToken;
  } while (pageToken !== '');
  return tasks;
}

/** After a restart: what was acknowledged last is there, once, and the logs of those tasks have no gap. */
async function inspectLast({ ledger }: Stage, url: string): Promise<void> {
  const client = createClient(url, 'rest');
  const known = ledger.sent.slice(-20).filter(({ state }) => state === 'acknowledged');
  for (const { messageId, taskId } of known.slice(-6)) {
    const { history = [] } = await readTask(client, taskId!);
    const times = history.filter((message) => message.messageId === messageId);
    expect(times, `message ${messageId} of ${taskId}`).toHaveLength(1);
  }
  for (const taskId of new Set(known.slice(-2).map((each) => each.taskId!)))
    await readLog(client, taskId);
}

test(`${KILLS} kills under load`, { timeout: 400_000 }, async () => {
  const webhook = await openWebhook();
  onTestFinished(() => webhook.close());
  const server = new MortalServer({
    DATABASE: join(createFolder(), 'tasks.db'),
    SCENARIO: 'test/kill/scenario.yaml',
    PUSH_ALLOW: '127.0.0.2/32',
    PUSH_TIMEOUT: '1s',
    LOG_LEVEL: 'error',
  });
  const chance = createChance(SEED);
  const ledger = new Ledger();
  const stage: Stage = { server, ledger, webhook: webhook.url, chance, open: [], over: false };

  await server.start();
  const work = Promise.all(Array.from({ length: WORKERS }, () => participate(stage)));
  // A participant that fails must not wait for all the kills to tell.
  const failed = work.then(
    () => undefined,
    (error: unknown) => error as Error,
  );
  for (let kill = 0; kill < KILLS; kill += 1) {
    const first = await Promise.race([failed, pause(40 + chance() * 220)]);
    if (first !== undefined) throw first;
    await server.kill();
    if (kill % 10 === 9) {
      await server.startAndKill(chance() * 500);
      kill += 1;
    }
    await server.start((url) => inspectLast(stage, url));
  }
  stage.over = true;
  await work;

  const client = createClient(await server.url(), 'jsonrpc');
  const unfinished = async () => {
    const states = ['TASK_STATE_WORKING', 'TASK_STATE_SUBMITTED'];
    const lists = states.map((status) => client.call('ListTasks', { status, pageSize: 1 }));
    const sizes = await Promise.all(lists);
    return sizes.every(({ result }) => result.totalSize === 0) || undefined;
  };
  await eventually('the end of every turn', unfinished, 30_000);
  const waiting = 'tiny_harness_push_deliveries{state="waiting"}';
  const delivered = async () =>
    (await readMetrics(await server.url())).get(waiting) === 0 || undefined;
  await eventually('the delivery of every event', delivered, 40_000);

  const tasks = await listTasks(client);
  const count = new Map<string, number>();
  for (const { id } of tasks) {
    const [task, log] = [await readTask(client, id), await readLog(client, id)];
    ledger.checkTask(task, log);
    for (const { messageId } of task.history ?? [])
      count.set(messageId, (count.get(messageId) ?? 0) + 1);
    const hooked = ledger.sent.filter(
      ({ taskId, hook, state }) => taskId === id && hook !== undefined && state === 'acknowledged',
    );
    for (const { hook } of hooked) {
      const bodies = webhook.received.filter(({ path }) => path === hook);
      checkDeliveries(
        bodies.map(({ body }) => body),
        log,
      );
    }
  }
  // No message is in two tasks, and what was acknowledged is in one.
  for (const { messageId, state } of ledger.sent) {
    const times = count.get(messageId) ?? 0;
    expect(times, messageId).toBeLessThanOrEqual(1);
    if (state === 'acknowledged') expect(times, messageId).toBe(1);
  }
  const acknowledged = ledger.sent.filter(({ state }) => state === 'acknowledged').length;
  expect(acknowledged).toBeGreaterThan(KILLS);
  console.info(
    `${ledger.sent.length} messages, ${acknowledged} acknowledged, ${tasks.length} tasks`,
  );
});
