/** What becomes of sub-tasks whose parent's agent fails, rejects the task or passes a limit. */
import { expect, test } from 'vitest';
import { dataOf } from '../support/conformance.ts';
import { startStage } from './stage.ts';
import { child, ended } from './sub-task-stage.ts';

test.each([
  ['throws', () => Promise.reject(new Error('broken'))],
  ['rejects the task', () => Promise.resolve({ end: 'rejected' } as const)],
  ['fails it', () => Promise.resolve({ end: 'failed' } as const)],
])('an agent that %s takes its sub-tasks along', async (_name, end) => {
  const stage = await startStage();
  const cut: unknown[] = [];
  stage.on(/^Find out/, async (turn) => {
    await new Promise((resolve) => {
      turn.signal.addEventListener('abort', resolve);
    });
    cut.push(turn.taskId);
    await turn.say([{ text: 'too late' }]);
    return undefined;
  });
  stage.on('go', async (turn) => {
    await turn.call({ id: '1', name: 'spawn_subtask', input: child() });
    return end();
  });
  const { task } = await stage.say('go');
  const lost = await ended(stage, `${task.id}.1`);
  expect(lost.status.state).toBe('TASK_STATE_CANCELED');
  expect(lost.status.message?.parts).toEqual([
    { text: `cancelled with ${task.id}, which it belongs to` },
  ]);
  expect(dataOf(await stage.read(task.id)).sub_tasks).toMatchObject([{ state: 'CANCELED' }]);
  expect(JSON.stringify(lost)).not.toContain('too late');
});
