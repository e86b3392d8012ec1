/** Sub-tasks run in as many places as there are, whoever speaks to them meanwhile. */
import { expect, test } from 'vitest';
import { createTurnRunner } from '../../src/agents/runner.ts';
import { createSlots } from '../../src/agents/slots.ts';
import { createHead } from '../../src/core/evolve.ts';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';
import { append, created, message, taskData, WIRE } from '../store/fixture.ts';
import { messageOf } from '../support/a2a-client.ts';
import { dataOf } from '../support/conformance.ts';
import { eventually } from '../support/eventually.ts';
import { RUNNER_OPTIONS } from '../support/runner-options.ts';
import { startStage } from '../tools/stage.ts';

test('a message to a sub-task that waits for its place waits with it', async () => {
  const stage = await startStage({ subTaskParallel: 1 });
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  let running = 0;
  let most = 0;
  stage.on(/^(?:goal|hurry)/, async () => {
    most = Math.max(most, (running += 1));
    await gate;
    running -= 1;
    return undefined;
  });
  stage.on('spawn', async (turn) => {
    const input = { name: 'child', goal: 'goal' };
    for (const id of ['1', '2', '3']) await turn.call({ id, name: 'spawn_subtask', input });
    return undefined;
  });
  const { id } = (await stage.say('spawn')).task;
  for (const child of [2, 3]) {
    const { result } = await stage.ann.call('SendMessage', {
      message: messageOf('hurry', { taskId: `${id}.${child}` }),
      configuration: { returnImmediately: true },
    });
    expect(result.task?.status.state).toBe('TASK_STATE_SUBMITTED');
  }
  open();
  await eventually('all end', async () => {
    const { sub_tasks } = dataOf(await stage.read(id));
    return sub_tasks.every(({ state }) => state === 'COMPLETED') || undefined;
  });
  expect(most).toBe(1);
  for (const child of [2, 3]) {
    const turns = stage.turns.filter((turn) => turn.startsWith(`${id}.${child}: `));
    expect(turns).toEqual([`${id}.${child}: goal`, `${id}.${child}: hurry`]);
  }
});

test('a thousand sub-tasks that wait for a place keep no other task waiting after a restart', async () => {
  const store = openSqliteStore({ path: ':memory:', wire: WIRE });
  const parent = { task_id: 'parent', agent: null, state: null, sub_state: null };
  const data = taskData({ lifecycle: 'delegated', parent_tasks: [parent] });
  const begin = (id: string, own: object) => append(store, id, created(own), message(id, 1));
  const children = Array.from({ length: 1001 }, (_, at) => `child.${at}`);
  await Promise.all(children.map((id) => begin(id, { data })));
  await begin('conversation', {});
  const ran: string[] = [];
  const runner = createTurnRunner({
    ...RUNNER_OPTIONS,
    store,
    agent: {
      lifecycle: 'conversation',
      run: ({ taskId, signal }) => {
        ran.push(taskId);
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reject(new Error('cut'));
          });
        });
      },
    },
    parallelSubTasks: 1,
    agentId: 'tiny-harness',
    owner: 'host',
    now: Date.now,
    leaseTime: 600_000,
    attempts: 2,
  });
  await runner.start();
  await eventually('the conversation runs', () => ran.includes('conversation') || undefined, 2000);
  expect(ran).toHaveLength(2);
  await runner.drain(0);
  await store.close();
});

test('a sub-task that a remote agent works on needs no place', () => {
  const slots = createSlots(1);
  const parent = { task_id: 'parent', agent: null, state: null, sub_state: null };
  const data = taskData({ lifecycle: 'delegated', parent_tasks: [parent] });
  const head = (id: string, agent?: string) =>
    createHead(id, { kind: 'created', contextId: 'context', data, readers: [], agent });
  const taken = [head('a'), head('b', 'bookkeeper'), head('c')].map((each) => slots.take(each));
  expect(taken).toEqual([true, true, false]);
  expect(slots.free('b')).toBe(false);
});
