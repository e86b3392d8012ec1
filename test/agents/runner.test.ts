/** What the runner of turns does when its store fails it. */
import { expect, test } from 'vitest';
import type { Agent } from '../../src/agents/port.ts';
import { createTurnRunner } from '../../src/agents/runner.ts';
import { ProtocolError } from '../../src/core/errors.ts';
import type { Store } from '../../src/store/port.ts';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';
import { RUNNER_OPTIONS } from '../support/runner-options.ts';
import { append, created, message, started, WIRE, working } from '../store/fixture.ts';

/** Runs a task's first turn on a store that fails some calls; gives the states of its log once the turn is over. */
async function runTurn(
  attempts: number,
  failing: (store: Store) => Partial<Store>,
  run: Agent['run'] = () => Promise.resolve({ end: 'input-required' }),
) {
  const whole = openSqliteStore({ path: ':memory:', wire: WIRE });
  const store = { ...whole, ...failing(whole) };
  const agent: Agent = { lifecycle: 'conversation', run };
  const runner = createTurnRunner({
    ...RUNNER_OPTIONS,
    store,
    agent,
    agentId: 'tiny-harness',
    owner: 'host',
    now: Date.now,
    leaseTime: 30,
    attempts,
  });
  await runner.start();
  const over = new Promise<void>((resolve) => {
    whole.watch(([change]) => {
      if (change?.running === undefined) resolve();
    });
  });
  await append(whole, 'task', created(), message('m', 1), started(1, 'host'), working());
  await over;
  await runner.drain(0);
  const states = (await whole.readEvents('task', 0, 10)).map(({ state }) => state);
  await whole.close();
  return { states, running: runner.running };
}

const readFails = (times: number) => (store: Store) => {
  let left = times;
  const readTurn: Store['readTurn'] = (...where) =>
    left-- > 0 ? Promise.reject(new Error('the disk is busy')) : store.readTurn(...where);
  return { readTurn };
};

test('a turn that could not be read is run again', async () => {
  expect(await runTurn(2, readFails(1))).toEqual({
    states: ['TASK_STATE_WORKING', 'TASK_STATE_INPUT_REQUIRED'],
    running: 0,
  });
});

test('a turn that can never be read fails its task: nothing stays in WORKING for ever', async () => {
  const { states } = await runTurn(2, readFails(Infinity));
  expect(states).toEqual(['TASK_STATE_WORKING', 'TASK_STATE_FAILED']);
});

test('a turn whose end could not be written ends after all', async () => {
  const { states } = await runTurn(2, (store) => {
    let left = 2;
    const change: Store['change'] = (...what) =>
      left-- > 0 ? Promise.reject(new Error('the disk is full')) : store.change(...what);
    return { change };
  });
  expect(states).toEqual(['TASK_STATE_WORKING', 'TASK_STATE_INPUT_REQUIRED']);
});

/** Keeps nothing once, as a store whose disk is full or whose file another process holds. */
const keepsNothingOnce = (store: Store) => {
  let left = 1;
  const change: Store['change'] = (...what) =>
    left-- > 0
      ? Promise.reject(new ProtocolError('UNAVAILABLE', 'the disk is full'))
      : store.change(...what);
  return { change };
};

test('that the store can keep nothing for a moment is no failure of the agent: the turn is run again', async () => {
  const { states } = await runTurn(2, keepsNothingOnce);
  expect(states).toEqual(['TASK_STATE_WORKING', 'TASK_STATE_INPUT_REQUIRED']);
});

test('nor is it when the agent is still at work: what it does beside is cut', async () => {
  const signals: AbortSignal[] = [];
  const { states } = await runTurn(2, keepsNothingOnce, async (turn) => {
    signals.push(turn.signal);
    await turn.say([{ text: 'on it' }]);
    return { end: 'input-required' };
  });
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  expect(states).toEqual(['TASK_STATE_WORKING', 'TASK_STATE_WORKING', 'TASK_STATE_INPUT_REQUIRED']);
});

test('what was left is taken up at once, however much it is, and not a part of it every few seconds', async () => {
  const count = 2100;
  const store = openSqliteStore({ path: ':memory:', wire: WIRE });
  const ids = Array.from({ length: count }, (_, index) => `task-${index}`);
  await Promise.all(
    ids.map((id) =>
      append(
        store,
        id,
        created(),
        message(id, 1),
        ...(id.endsWith('0') ? [] : [started(1, 'gone')]),
      ),
    ),
  );
  let left = count;
  const over = new Promise<void>((resolve) => {
    store.watch((changes) => {
      left -= changes.filter(({ running }) => running === undefined).length;
      if (left === 0) resolve();
    });
  });
  const runner = createTurnRunner({
    ...RUNNER_OPTIONS,
    store,
    agent: { lifecycle: 'conversation', run: () => Promise.resolve({ end: 'input-required' }) },
    agentId: 'tiny-harness',
    owner: 'host',
    // Long after the leases of whoever is gone; nothing is looked for a second time while the test runs.
    now: () => Number.MAX_SAFE_INTEGER / 2,
    leaseTime: 3_600_000,
    attempts: 2,
  });
  await runner.start();
  await over;
  await runner.drain(0);
  await store.close();
  expect(runner.running).toBe(0);
});

test('a call that a tool refuses is in the log: a play may go on without a word', async () => {
  const store = openSqliteStore({ path: ':memory:', wire: WIRE });
  const logged: unknown[][] = [];
  const runner = createTurnRunner({
    ...RUNNER_OPTIONS,
    store,
    agent: {
      lifecycle: 'conversation',
      run: async (turn) => {
        await turn.call({ id: '1', name: 'list_skills', input: {} });
        await turn.call({ id: '2', name: 'complete_step', input: { step: 'a', output: '' } });
        return { end: 'input-required' };
      },
    },
    agentId: 'tiny-harness',
    owner: 'host',
    now: Date.now,
    leaseTime: 600_000,
    attempts: 1,
    log: { ...RUNNER_OPTIONS.log, info: (...entry) => logged.push(entry) },
  });
  await runner.start();
  const over = new Promise<void>((resolve) => {
    store.watch(([change]) => {
      if (change?.running === undefined && !change?.waiting) resolve();
    });
  });
  await append(store, 'task', created(), message('m', 1));
  await over;
  await runner.drain(0);
  await store.close();
  const error = '[plan.missing] the task has no plan; make one with create_plan';
  const details = { taskId: 'task', turn: 1, tool: 'complete_step', error };
  expect(logged).toEqual([[details, 'a tool refused a call']]);
});
