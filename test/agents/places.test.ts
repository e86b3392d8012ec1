/** Sub-tasks run in as many places as there are, whoever speaks to them meanwhile. */
import { expect, test } from 'vitest';
import { messageOf } from '../support/a2a-client.ts';
import { dataOf } from '../support/conformance.ts';
import { eventually } from '../support/eventually.ts';
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
    const message = messageOf('hurry', { taskId: `${id}.${child}` });
    const configuration = { returnImmediately: true };
    const { result } = await stage.ann.call('SendMessage', { message, configuration });
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
