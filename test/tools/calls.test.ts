/** Calls of any tool: what is no call, calls that are made twice, and calls that are begun (rule T11). */
import { TOOL_NAMES } from '@tiny-harness/contract/tools';
import { expect, test } from 'vitest';
import { dataOf } from '../support/conformance.ts';
import { expectRefused, startStage } from './stage.ts';

const circular: Record<string, unknown> = {};
circular.self = circular;

const TOO_LARGE =
  '[tool.too_large] the arguments must be JSON of at most 1048576 characters; send less in one call';

test.each([
  [
    'a tool that there is not',
    'x'.repeat(100),
    {},
    `[tool.unknown] there is no tool "${'x'.repeat(64)}"; there are ${TOOL_NAMES.join(', ')}`,
  ],
  ['a name of Object', 'constructor', {}, expect.stringMatching(/^\[tool\.unknown\] /)],
  ['a circle', 'create_plan', circular, TOO_LARGE],
  ['nothing', 'create_plan', undefined, TOO_LARGE],
  ['a number beyond JSON', 'create_plan', { steps: 1n }, TOO_LARGE],
  ['a function', 'create_plan', () => 1, TOO_LARGE],
  ['a text of 2 MB', 'create_plan', 'x'.repeat(2_000_000), TOO_LARGE],
  [
    'null',
    'list_skills',
    null,
    '[tool.invalid_arguments] /: the value must be an object; got null',
  ],
  [
    'many faults',
    'create_plan',
    { steps: Array.from({ length: 20 }, () => 0) },
    `[tool.invalid_arguments] ${Array.from({ length: 10 }, (_, at) => `/steps/${at}: steps/${at} must be an object; got 0`).join('; ')}`,
  ],
])('%s', async (_what, name, input, text) => {
  await expectRefused(await startStage(), name, input, text as string);
});

const plan = (name: string) => ({ steps: [{ name, description: '', depends_on: [] }] });

test('a call whose id was used in the turn has the result that it had, and no effect', async () => {
  const stage = await startStage();
  const texts: string[] = [];
  stage.on('go', async (turn) => {
    const call = async (id: string, name: string) =>
      texts.push((await turn.call({ id, name: 'create_plan', input: plan(name) })).text);
    await call('1', 'a');
    await call('1', 'b');
    await Promise.all([call('2', 'c'), call('2', 'd')]);
    return undefined;
  });
  const { task, data } = await stage.say('go');
  expect(texts).toEqual(['[pending] a: a', '[pending] a: a', '[pending] c: c', '[pending] c: c']);
  expect(data.plan?.steps.map(({ id }) => id)).toEqual(['c']);
  // In the next turn it is another call.
  texts.length = 0;
  stage.on('once more', async (turn) => {
    texts.push((await turn.call({ id: '1', name: 'create_plan', input: plan('e') })).text);
    return undefined;
  });
  const next = await stage.say('once more', { taskId: task.id });
  expect(texts).toEqual(['[pending] e: e']);
  expect(dataOf(next.task).plan?.steps.map(({ id }) => id)).toEqual(['e']);
});

test('a call that was begun is made as any other, and beginning it again changes nothing', async () => {
  const stage = await startStage();
  const spawn = { id: '1', name: 'spawn_subtask', input: { name: 'n', goal: 'g' } };
  const results: string[] = [];
  stage.on('go', async (turn) => {
    await turn.begin([spawn, { id: '2', name: 'list_skills', input: circular }]);
    results.push((await turn.call(spawn)).text);
    await turn.begin([spawn]);
    results.push((await turn.call(spawn)).text);
    return undefined;
  });
  const { task, data } = await stage.say('go');
  const text = `Sub-task ${task.id}.1 was started; its result comes as a message.`;
  expect(results).toEqual([text, text]);
  expect(data.sub_tasks).toHaveLength(1);
});

test('a turn sees what its calls have changed', async () => {
  const stage = await startStage();
  let seen: unknown;
  stage.on('go', async (turn) => {
    await turn.call({ id: '1', name: 'create_plan', input: plan('a') });
    seen = (await turn.task()).plan?.steps.map(({ id }) => id);
    return undefined;
  });
  await stage.say('go');
  expect(seen).toEqual(['a']);
});
