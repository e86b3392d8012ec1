/** `create_plan` and `complete_step` (rule T10). */
import type { Step } from '@tiny-harness/contract/task/v1';
import { expect, test } from 'vitest';
import { dataOf } from '../support/conformance.ts';
import {
  callTool,
  dataIn,
  describeEvent,
  done,
  expectRefused,
  refused,
  startStage,
} from './stage.ts';

const step = (name: string, depends_on: string[] = []) => ({ name, description: '', depends_on });

const TWO = { steps: [step('Gather facts'), step('Write', ['Gather facts'])] };

test('a plan is shown to everybody and described to the agent', async () => {
  const stage = await startStage();
  const { result, data, events, task } = await callTool(stage, 'create_plan', TWO);
  expect(result).toEqual(
    done('[pending] gather-facts: Gather facts\n[pending] write: Write (after gather-facts)'),
  );
  const steps: Step[] = [
    {
      id: 'gather-facts',
      name: 'Gather facts',
      description: '',
      depends_on: [],
      state: 'pending',
      output: null,
      linked_tasks: [],
    },
    {
      id: 'write',
      name: 'Write',
      description: '',
      depends_on: ['gather-facts'],
      state: 'pending',
      output: null,
      linked_tasks: [],
    },
  ];
  expect(data.plan).toEqual({ steps });
  expect(events.map(describeEvent).slice(1)).toEqual([
    'WORKING',
    'WORKING +data',
    'INPUT_REQUIRED · awaiting-next-message: done',
  ]);
  expect(dataIn(events[2]!)).toEqual(data);
  expect(task.history?.map(({ role }) => role)).toEqual(['ROLE_USER', 'ROLE_AGENT']);
});

test('a new plan takes the place of the old one whole', async () => {
  const stage = await startStage();
  const { task } = await callTool(stage, 'create_plan', TWO);
  await callTool(stage, 'complete_step', { step: 'write', output: 'text' }, { taskId: task.id });
  const { data } = await callTool(
    stage,
    'create_plan',
    { steps: [step('Write')] },
    { taskId: task.id },
  );
  expect(data.plan?.steps.map(({ id, state, output }) => [id, state, output])).toEqual([
    ['write', 'pending', null],
  ]);
});

test.each([
  ['Gather facts', 'gather-facts'],
  ['  --Trim me!!  ', 'trim-me'],
  ['A_B/C.d', 'a-b-c-d'],
  ['ÜBER 9000', 'ber-9000'],
  ['日本語', 'step'],
  ['!', 'step'],
  ['STEP', 'step'],
])('the step %j has the id %j', async (name, id) => {
  const stage = await startStage();
  const { data } = await callTool(stage, 'create_plan', { steps: [step(name)] });
  expect(data.plan?.steps.map((each) => [each.id, each.name])).toEqual([[id, name]]);
});

test('a dependency is the name of a step, or its id', async () => {
  const stage = await startStage();
  const steps = [step('Gather facts'), step('A', ['Gather facts']), step('B', ['gather-facts'])];
  const { data } = await callTool(stage, 'create_plan', { steps });
  expect(data.plan?.steps.map(({ depends_on }) => depends_on)).toEqual([
    [],
    ['gather-facts'],
    ['gather-facts'],
  ]);
});

const circle = (length: number) => ({
  steps: Array.from({ length }, (_, at) => step(`s${at}`, [`s${(at + 1) % length}`])),
});

test.each([
  [
    'two steps of one id',
    { steps: [step('A b'), step('a-B')] },
    '[plan.invalid] steps must have ids of their own; "a-b" is there twice',
  ],
  [
    'a dependency that is no step',
    { steps: [step('A'), step('B', ['A', 'Nowhere'])] },
    '[plan.invalid] step "b" depends on "nowhere", which is no step of the plan',
  ],
  [
    'a step that waits for itself',
    { steps: [step('A', ['A'])] },
    '[plan.invalid] steps must not depend on each other in a circle: a -> a',
  ],
  [
    'a circle',
    { steps: [step('D'), step('A', ['B']), step('B', ['C', 'D']), step('C', ['A'])] },
    '[plan.invalid] steps must not depend on each other in a circle: a -> b -> c -> a',
  ],
  [
    '10,000 steps',
    { steps: Array.from({ length: 10_000 }, (_, at) => step(`s${at}`)) },
    '[plan.invalid] a plan has at most 1000 steps, and this one has 10000; make steps larger, or hand parts over with spawn_subtask',
  ],
  [
    'a circle of 500',
    circle(500),
    `[plan.invalid] steps must not depend on each other in a circle: ${Array.from({ length: 501 }, (_, at) => `s${at % 500}`).join(' -> ')}`,
  ],
  ['no steps', { steps: [] }, '[tool.invalid_arguments] /steps: steps must not be empty'],
])('a plan with %s is refused', async (_what, input, text) => {
  await expectRefused(await startStage(), 'create_plan', input, text);
});

test('a circle that is too long to print is cut, and says so', async () => {
  const stage = await startStage();
  const { result } = await callTool(stage, 'create_plan', circle(1000));
  expect(result.text).toHaveLength('[plan.invalid] '.length + 4000);
  expect(result.text).toMatch(/^\[plan\.invalid\] steps must not .* s0 -> s1 -> .*…$/);
});

test('a step is done: by id or by name, again with another output', async () => {
  const stage = await startStage();
  const { task } = await callTool(stage, 'create_plan', TWO);
  const at = { taskId: task.id };
  const first = await callTool(stage, 'complete_step', { step: 'Gather facts', output: 'f' }, at);
  expect(first.result).toEqual(
    done('[done] gather-facts: Gather facts\n[pending] write: Write (after gather-facts)'),
  );
  expect(first.events.map(describeEvent).slice(1)).toEqual([
    'WORKING',
    'WORKING +data',
    'INPUT_REQUIRED · awaiting-next-message: done',
  ]);
  await callTool(stage, 'complete_step', { step: 'gather-facts', output: 'facts' }, at);
  const { data } = await callTool(stage, 'complete_step', { step: 'write', output: '' }, at);
  expect(data.plan?.steps.map(({ state, output }) => [state, output])).toEqual([
    ['done', 'facts'],
    ['done', ''],
  ]);
});

test('an id counts before a name', async () => {
  const stage = await startStage();
  const { task } = await callTool(stage, 'create_plan', { steps: [step('a-b'), step('A B C')] });
  const { data } = await callTool(
    stage,
    'complete_step',
    { step: 'a-b-c', output: 'x' },
    { taskId: task.id },
  );
  expect(data.plan?.steps.map(({ output }) => output)).toEqual([null, 'x']);
});

test('a step of no plan is refused', async () => {
  const input = { step: 'write', output: 'x' };
  const text = '[plan.missing] the task has no plan; make one with create_plan';
  await expectRefused(await startStage(), 'complete_step', input, text);
});

test('a step that the plan has not is refused', async () => {
  const stage = await startStage();
  const { task } = await callTool(stage, 'create_plan', TWO);
  await expectRefused(
    stage,
    'complete_step',
    { step: 'reading', output: 'x' },
    '[plan.unknown_step] the plan has no step "reading"; its steps are gather-facts, write',
    { taskId: task.id },
  );
  const long = await callTool(
    stage,
    'complete_step',
    { step: 'x'.repeat(100_000), output: '' },
    { taskId: task.id },
  );
  const words = `the plan has no step "${'x'.repeat(256)}"; its steps are gather-facts, write`;
  expect(long.result).toEqual(refused(`[plan.unknown_step] ${words}`));
  expect(dataOf(long.task).plan?.steps.map(({ state }) => state)).toEqual(['pending', 'pending']);
});
