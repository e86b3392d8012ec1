/** Many sub-tasks at once: they share a number of places, and all of them end. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Turn } from '../../src/agents/port.ts';
import { dataOf, historyOf, wordsOf } from '../support/conformance.ts';
import { eventually } from '../support/eventually.ts';
import { createFolder } from '../support/server.ts';
import { AGENT, done, refused, startShared, startStage } from './stage.ts';
import { child, createBarrier, ended, spawn, when } from './sub-task-stage.ts';

describe('many sub-tasks', () => {
  test('run in as many places as there are, and all end; the 257th is refused', async () => {
    const places = 3;
    const stage = await startStage({ subTaskParallel: places, turnToolCalls: 1000 });
    const id = await startShared(stage);
    let running = 0;
    let most = 0;
    let ran = 0;
    stage.on(/^Find out/, async () => {
      running += 1;
      ran += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return undefined;
    });
    const results: unknown[] = [];
    stage.on('many', async (turn) => {
      const calls = Array.from({ length: 257 }, (_, at) =>
        turn.call({ id: `${at}`, name: 'spawn_subtask', input: child() }),
      );
      results.push(...(await Promise.all(calls)));
      return undefined;
    });
    await stage.say('many', { taskId: id });
    expect(results.at(255)).toEqual(
      done(`Sub-task ${id}.256 was started; its result comes as a message.`),
    );
    expect(results.at(256)).toEqual(refused('[agent.too_many] a task has at most 256 sub-tasks'));
    const rows = await eventually(
      'all ends',
      async () => {
        const { sub_tasks } = dataOf(await stage.read(id));
        return sub_tasks.every(({ state }) => state === 'COMPLETED') ? sub_tasks : undefined;
      },
      30_000,
    );
    expect(rows).toHaveLength(256);
    expect([ran, most]).toEqual([256, places]);
    expect(stage.server.complaints).toEqual([]);
  }, 60_000);

  test('a place is free again when its sub-task waits, fails or is cancelled', async () => {
    const stage = await startStage({ subTaskParallel: 1 });
    const id = await startShared(stage);
    const gate = createBarrier();
    const ran: string[] = [];
    for (const [goal, outcome] of [
      ['wait', { end: 'input-required', parts: [{ text: 'more?' }] }],
      ['fail', { end: 'failed' }],
    ] as const) {
      stage.on(goal, (turn) => {
        ran.push(turn.text);
        return Promise.resolve(outcome as never);
      });
    }
    stage.on('hang', async (turn) => {
      ran.push(turn.text);
      await gate.wait(turn);
      return undefined;
    });
    stage.on('last', (turn) => {
      ran.push(turn.text);
      return Promise.resolve(undefined);
    });
    stage.on('many', async (turn) => {
      for (const goal of ['hang', 'wait', 'fail', 'last']) {
        const input = child({ goal, description: '', acceptance_criteria: [] });
        await turn.call({ id: goal, name: 'spawn_subtask', input });
      }
      return undefined;
    });
    await stage.say('many', { taskId: id });
    await eventually('the first', () => gate.inside[0]);
    expect(ran).toEqual(['hang']);
    await stage.ann.call('CancelTask', { id: `${id}.1` });
    await ended(stage, `${id}.4`);
    await ended(stage, `${id}.3`);
    await when(stage, `${id}.2`, (task) => wordsOf(task) === 'more?');
    expect([...ran].sort()).toEqual(['fail', 'hang', 'last', 'wait']);
  });

  test('all end after a restart, those that ran and those that waited for a place', async () => {
    const config = { subTaskParallel: 2, database: join(createFolder(), 'tasks.db') };
    const first = await startStage(config, 'stopped');
    const id = await startShared(first);
    const gate = createBarrier();
    first.on(/^Find out/, async (turn) => {
      await gate.wait(turn);
      return undefined;
    });
    for (const each of [1, 2, 3, 4, 5]) await spawn(first, id, { name: `n${each}` });
    await eventually('two that run', () => gate.inside[1]);
    await first.server.stop();
    expect(first.turns.filter((turn) => turn.includes('Find out'))).toHaveLength(2);
    const second = await startStage(config);
    for (const each of [1, 2, 3, 4, 5]) await ended(second, `${id}.${each}`);
    const told = [1, 2, 3, 4, 5].map(
      (each) => `[sub-task "n${each}" (${id}.${each}) COMPLETED] done`,
    );
    await eventually('five results', () =>
      second.turns.filter((turn) => turn.startsWith(`${id}: [`)).length === 5 ? true : undefined,
    );
    const results = historyOf(await second.read(id)).filter((said) => said.includes('[sub-task'));
    expect(results.sort()).toEqual(told.map((text) => `${AGENT}: ${text}`));
  });

  test("a participant's message does not make one run beside the others", async () => {
    const stage = await startStage({ subTaskParallel: 1 });
    const id = await startShared(stage);
    const gate = createBarrier();
    const wait = async (turn: Turn) => {
      await gate.wait(turn);
      return undefined;
    };
    stage.on('hang', wait);
    stage.on('more', wait);
    stage.on('ask', (turn) => {
      const end = turn.number === 1 ? 'input-required' : 'completed';
      return Promise.resolve({ end, parts: [{ text: `turn ${turn.number}` }] });
    });
    const plain = { description: '', acceptance_criteria: [] };
    await spawn(stage, id, { goal: 'ask', ...plain });
    await when(stage, `${id}.1`, (task) => wordsOf(task) === 'turn 1');
    await spawn(stage, id, { goal: 'hang', ...plain });
    await eventually('the second', () => gate.inside[0]);
    await spawn(stage, id, { goal: 'queued', ...plain });
    const sent = await stage.ann.send('more', { taskId: `${id}.1` }, { atOnce: true });
    expect(sent.result.task?.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    await stage.ann.send('hello', { taskId: `${id}.3` }, { atOnce: true });
    // Whatever runs when it may not has begun by the time that a turn of another task is over.
    await stage.say('another task');
    expect(gate.inside.map(({ text }) => text)).toEqual(['hang']);
    expect(stage.turns).not.toContain(`${id}.3: queued`);
    gate.open();
    for (const each of [1, 2, 3]) await ended(stage, `${id}.${each}`);
    expect(stage.turns.filter((turn) => turn.startsWith(`${id}.3`))).toContain(`${id}.3: queued`);
  });
});
