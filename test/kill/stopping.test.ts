/** Stopping in order, and what becomes of turns that a crash cut off. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Client, Heard } from '../support/a2a-client.ts';
import { createClient, messageOf, stateOf } from '../support/a2a-client.ts';
import { eventually } from '../support/eventually.ts';
import type { ServerProcess } from '../support/server.ts';
import { createFolder, readMetrics, startServer } from '../support/server.ts';

/** Settings of servers that come one after the other over one file. */
function createSettings(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    DATABASE: join(createFolder(), 'tasks.db'),
    SCENARIO: 'test/kill/scenario.yaml',
    DRAIN_TIMEOUT: '6s',
    ...more,
  };
}

function clientOf({ url }: ServerProcess): Client {
  return createClient(url, 'rest');
}

/** The state of a task and what its status says. */
async function readStatus(client: Client, id: string): Promise<[string, string | undefined]> {
  const { state, message } = (await client.call('GetTask', { id })).result.status;
  return [state, message?.parts[0]?.text];
}

async function untilState(client: Client, id: string, state: string): Promise<string | undefined> {
  return eventually(`${state} of ${id}`, async () => {
    const [now, text] = await readStatus(client, id);
    return now === state ? (text ?? '') : undefined;
  });
}

/** Begins a turn; resolves with its task when the agent works on it. */
async function begin(client: Client, text: string): Promise<string> {
  const { result } = await client.send(text, {}, { atOnce: true });
  const { id } = result.task!;
  await untilState(client, id, 'TASK_STATE_WORKING');
  return id;
}

test('SIGTERM lets a turn that ends in time end, and its callers get their answers', async () => {
  const server = await startServer(createSettings());
  const client = clientOf(server);
  const idle = (await client.send('hello')).result.task!.id;
  const watching = await client.stream('SubscribeToTask', { id: idle });
  await watching.until(() => true);
  const streaming = await client.stream('SendStreamingMessage', { message: messageOf('long') });
  const blocking = client.send('long');
  const turns = async () => (await readMetrics(server.url)).get('tiny_harness_running_turns');
  await eventually('two running turns', async () => (await turns()) === 2 || undefined);

  const started = Date.now();
  const exit = server.stop('SIGTERM');
  expect((await blocking).result.task?.status.message?.parts).toEqual([{ text: 'Here you are.' }]);
  expect(await streaming.over).toBe(true);
  expect(stateOf(streaming.heard.at(-1)!.body)).toBe('INPUT_REQUIRED');
  // Whoever only watches is told that this is not the end of the task.
  expect(await watching.over).toBe(true);
  expect(watching.comments.at(-1)).toMatch(/resume/i);
  expect(await exit).toEqual({ code: 0, signal: null });
  expect(Date.now() - started).toBeLessThan(8000);
});

test('a turn that does not end in time is given back, and run by the next server', async () => {
  const settings = createSettings({ DRAIN_TIMEOUT: '300ms' });
  const before = await startServer(settings);
  const id = await begin(clientOf(before), 'long');
  const stream = await clientOf(before).stream('SubscribeToTask', { id });
  const last = (await stream.until(() => true)).id!;
  const waiting = clientOf(before).send('hello', { taskId: id });

  const started = Date.now();
  expect(await before.stop('SIGTERM')).toEqual({ code: 0, signal: null });
  expect(Date.now() - started).toBeLessThan(5000);
  // Its caller is told that the message is kept.
  expect([(await waiting).status, (await waiting).reason]).toEqual([503, 'UNAVAILABLE']);
  expect(await stream.over).toBe(true);

  const after = clientOf(await startServer(settings));
  const cursor = String(stream.heard.at(-1)?.id ?? last);
  const headers = { 'last-event-id': cursor };
  const resumed = await after.stream('SubscribeToTask', { id }, { headers });
  const wordsOf = ({ body }: Heard) => body.statusUpdate?.status.message?.parts[0]?.text;
  await resumed.until((heard) => wordsOf(heard) === 'You said: hello');
  resumed.close();
  // What the turn had said when it was given back it does not say again.
  const heard = [...stream.heard, ...resumed.heard].flatMap((each) => wordsOf(each) ?? []);
  const said = ['This takes a while.', 'Here you are.', 'You said: hello'];
  expect(heard.filter((words) => words !== said[0])).toEqual(said.slice(1));
  const { history = [] } = (await after.call('GetTask', { id })).result;
  const agents = history.filter(({ role }) => role === 'ROLE_AGENT');
  expect(agents.map(({ parts }) => parts[0].text)).toEqual(said);
});

test('a second signal ends the process at once', async () => {
  const server = await startServer(createSettings({ DRAIN_TIMEOUT: '60s' }));
  await begin(clientOf(server), 'endless');
  const exit = server.stop('SIGTERM');
  const isDraining = async () => (await fetch(`${server.url}/readyz`)).status === 503 || undefined;
  await eventually('the beginning of the end', isDraining);
  const started = Date.now();
  await server.stop('SIGTERM');
  expect(await exit).toEqual({ code: 130, signal: null });
  expect(Date.now() - started).toBeLessThan(5000);
});

test('RECOVERY=fail: a turn that a crash cut off fails, in words that a participant understands', async () => {
  const settings = createSettings({ RECOVERY: 'fail' });
  const before = await startServer(settings);
  const id = await begin(clientOf(before), 'long');
  await before.stop('SIGKILL');
  const after = clientOf(await startServer(settings));
  const text = await untilState(after, id, 'TASK_STATE_FAILED');
  expect(text).toMatch(/interrupted once/);
});

test('a turn that a crash cut off is run again, and fails when that ends in a crash, too', async () => {
  const settings = createSettings();
  let server = await startServer(settings);
  const long = await begin(clientOf(server), 'long');
  const endless = await begin(clientOf(server), 'endless');
  await server.stop('SIGKILL');

  server = await startServer(settings);
  expect(await untilState(clientOf(server), long, 'TASK_STATE_INPUT_REQUIRED')).toBe(
    'Here you are.',
  );
  expect((await readStatus(clientOf(server), endless))[0]).toBe('TASK_STATE_WORKING');
  await server.stop('SIGKILL');

  server = await startServer(settings);
  expect(await untilState(clientOf(server), endless, 'TASK_STATE_FAILED')).toMatch(
    /interrupted 2 times/,
  );
});

test('messages that waited for a turn are answered after a crash, in order', async () => {
  const settings = createSettings();
  let server = await startServer(settings);
  const id = await begin(clientOf(server), 'long');
  for (const text of ['hello one', 'hello two', 'hello three'])
    await clientOf(server).send(text, { taskId: id }, { atOnce: true });
  await server.stop('SIGKILL');

  server = await startServer(settings);
  const client = clientOf(server);
  await client.send('hello four', { taskId: id });
  const { history = [] } = (await client.call('GetTask', { id })).result;
  const said = history
    .filter(({ role }) => role === 'ROLE_AGENT')
    .map((each) => each.parts[0].text);
  expect(said.slice(-4)).toEqual(
    ['one', 'two', 'three', 'four'].map((n) => `You said: hello ${n}`),
  );
});
