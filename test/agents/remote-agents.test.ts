/** What becomes of remote tasks whose task here has ended. */
import { expect, onTestFinished, test } from 'vitest';
import { createRemoteAgents } from '../../src/agents/remote-agents.ts';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';
import { append, created, status, WIRE } from '../store/fixture.ts';
import { eventually } from '../support/eventually.ts';
import { createTurn } from './recorded-turn.ts';
import type { Answer } from './remote-world.ts';
import { openDouble, refuse, reply, taskOf, write } from './remote-world.ts';

const open = {
  taskId: 'task',
  agent: 'far',
  remoteTaskId: 'theirs',
  contextId: undefined,
  turn: 1,
  open: true,
};

/** A store with a task that has a remote one, and remote agents that are not started yet. */
async function setUp(answer: Answer, id = 'far') {
  const double = await openDouble(answer);
  const store = openSqliteStore({ path: ':memory:', wire: WIRE });
  const said: string[] = [];
  const say = (details: object, words: string) => {
    const { because = '' } = details as { because?: string };
    said.push(`${words}: ${because}`);
  };
  const log = { error: say, warn: say, info: say, debug: say };
  const far = { id, url: double.url, description: 'Far.', token: undefined, participant: 'near' };
  const options = { definitions: [far], store, timeout: 1000, poll: 10, log, retry: 1 };
  const remotes = createRemoteAgents(options);
  await append(store, 'task', created());
  await store.putRemoteTask(open);
  onTestFinished(async () => {
    remotes.stop();
    await store.close();
  });
  const closed = () =>
    eventually(
      'the end',
      async () => (await store.readRemoteTask('task'))?.open === false || undefined,
    );
  return { double, store, remotes, said, closed };
}

const cancel: Answer = (asked, response) => {
  reply(response, asked, taskOf('CANCELED').task);
};

test('what ended before the start is cancelled at the start', async () => {
  const { store, remotes, double, closed } = await setUp(cancel);
  await append(store, 'task', status('TASK_STATE_FAILED'));
  await remotes.start();
  await closed();
  expect(double.asked.map(({ rpc }) => [rpc.method, rpc.params.id])).toEqual([
    ['CancelTask', 'theirs'],
  ]);
});

test('what ends later is cancelled then, and nothing before', async () => {
  const { store, remotes, double, closed } = await setUp(cancel);
  await remotes.start();
  await append(store, 'task', status('TASK_STATE_WORKING'));
  await append(store, 'task', status('TASK_STATE_INPUT_REQUIRED'));
  expect(await store.readRemoteTask('task')).toEqual(open);
  await append(store, 'task', status('TASK_STATE_CANCELED'));
  await closed();
  expect(double.methods).toEqual(['CancelTask']);
});

test('what is heard of only after the end is cancelled as soon as it is', async () => {
  const { store, remotes, double } = await setUp((asked, response, n) => {
    if (asked.rpc.method === 'CancelTask') cancel(asked, response, n);
    else write(response, asked, taskOf('WORKING'));
  });
  await remotes.start();
  await append(store, 'late', created());
  await append(store, 'late', status('TASK_STATE_CANCELED'));
  const { turn, cut } = createTurn('Do it.');
  const over = remotes.agents.get('far')!.run({ ...turn, taskId: 'late' });
  await eventually(
    'the end',
    async () => (await store.readRemoteTask('late'))?.open === false || undefined,
  );
  expect(double.methods).toEqual(['SendStreamingMessage', 'CancelTask']);
  cut();
  await expect(over).rejects.toThrow();
});

test('an agent that cannot be reached is asked again, one that refuses is not', async () => {
  const { store, remotes, double, closed, said } = await setUp((asked, response, n) => {
    if (n < 3) response.destroy();
    else refuse(response, asked, -32602, 'never');
  });
  await append(store, 'task', status('TASK_STATE_CANCELED'));
  await remotes.start();
  await closed();
  expect(double.methods).toEqual(['CancelTask', 'CancelTask', 'CancelTask']);
  expect(said).toEqual([
    'a remote task goes on: cannot be reached',
    'a remote task goes on: cannot be reached',
    'a remote task goes on: refused: never (INVALID_PARAMS)',
  ]);
});

test('an agent that goes on all the same is given up after ten attempts', async () => {
  const { store, remotes, double, closed } = await setUp((asked, response) => {
    reply(response, asked, taskOf('WORKING').task);
  });
  await append(store, 'task', status('TASK_STATE_CANCELED'));
  await remotes.start();
  await closed();
  expect(double.methods).toEqual(Array.from({ length: 10 }, () => 'CancelTask'));
});

test('an agent that does not know tasks is told that one is over by a cancellation', async () => {
  const { store, remotes, double, closed } = await setUp(cancel);
  await append(store, 'task', status('TASK_STATE_COMPLETED'));
  await remotes.start();
  await closed();
  expect(double.methods).toEqual(['CancelTask']);
});

test('a task of an agent that is not configured any more is left for the day that it is', async () => {
  const { store, remotes, double } = await setUp(cancel, 'other');
  await append(store, 'task', status('TASK_STATE_CANCELED'));
  await remotes.start();
  await store.check();
  expect([await store.readRemoteTask('task'), double.asked]).toEqual([open, []]);
});
