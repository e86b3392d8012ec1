/** What tools keep of what agents send stays within bounds, however often they are called. */
import { expect, test } from 'vitest';
import { callTool, done, expectRefused, refused, startStage } from './stage.ts';

const plan = (count: number, description = 'd') => ({
  steps: Array.from({ length: count }, (_, at) => ({ name: `s${at}`, description })),
});

test('the outputs of a plan are a megabyte together: every change of the task carries all of them', async () => {
  const stage = await startStage();
  const { task } = await callTool(stage, 'create_plan', plan(3));
  const complete = (step: string, length: number) =>
    callTool(stage, 'complete_step', { step, output: 'x'.repeat(length) }, { taskId: task.id });
  expect((await complete('s0', 600_000)).result).toMatchObject({ isError: false });
  const { result, data } = await complete('s1', 600_000);
  expect(result).toEqual(
    refused(
      '[tool.too_large] the plan would be 1200325 characters of JSON with this, and may be 1048576; keep outputs short',
    ),
  );
  expect(data.plan?.steps.map(({ state }) => state)).toEqual(['done', 'pending', 'pending']);
  expect((await complete('s1', 6)).result).toEqual(
    done('[done] s0: s0\n[done] s1: s1\n[pending] s2: s2'),
  );
  // One that is done already may be given a shorter one.
  expect((await complete('s0', 6)).result).toMatchObject({ isError: false });
  expect((await complete('s2', 600_000)).result).toMatchObject({ isError: false });
});

test('a refusal is four thousand characters at most, whatever it repeats', async () => {
  const stage = await startStage();
  const member = 'k'.repeat(100_000);
  await expectRefused(
    stage,
    'list_skills',
    { [member]: 1 },
    `[tool.invalid_arguments] /${'k'.repeat(3998)}…`,
  );
});
