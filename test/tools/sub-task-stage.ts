/** What tests of sub-tasks share: assignments, and waiting for tasks and turns. */
import type { Task } from '@tiny-harness/contract/a2a';
import type { Turn } from '../../src/agents/port.ts';
import { eventually } from '../support/eventually.ts';
import type { Program, Stage } from './stage.ts';
import { callTool } from './stage.ts';

/** A sub-task's assignment. */
export const child = (more: object = {}) => ({
  name: 'Research',
  goal: 'Find out.',
  description: 'All about it.',
  acceptance_criteria: ['It is true'],
  agent: null,
  step: null,
  ...more,
});

/** Has the agent start one in a turn of its own. */
export const spawn = (stage: Stage, taskId: string, more: object = {}) =>
  callTool(stage, 'spawn_subtask', child(more), { taskId });

/** The task, once it is like this. */
export function when(stage: Stage, taskId: string, isIt: (task: Task) => boolean): Promise<Task> {
  return eventually(`task ${taskId}`, async () => {
    const task = await stage.read(taskId);
    return isIt(task) ? task : undefined;
  });
}

/** The task, once it has ended. */
export const ended = (stage: Stage, taskId: string) =>
  when(stage, taskId, ({ status }) => /COMPLETED|FAILED|CANCELED/.test(status.state));

/** A point at which turns stop until the test lets them go on, or they are cut. */
export function createBarrier() {
  let open: () => void = () => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  const inside: Turn[] = [];
  const wait = async (turn: Turn) => {
    inside.push(turn);
    await new Promise<void>((resolve, reject) => {
      void passed.then(resolve);
      turn.signal.addEventListener('abort', () => {
        reject(turn.signal.reason as Error);
      });
    });
  };
  return { inside, wait, open };
}

/** Has a sub-task with the goal `outer` start one of its own, which stops at the barrier, and then go on with this. */
export function nest(stage: Stage, barrier: ReturnType<typeof createBarrier>, goOn: Program): void {
  stage.on('inner', async (turn) => {
    await barrier.wait(turn);
    return undefined;
  });
  stage.on('outer', async (turn) => {
    const only = { name: 'Inner', goal: 'inner', description: '', acceptance_criteria: [] };
    await turn.call({ id: '1', name: 'spawn_subtask', input: child(only) });
    return goOn(turn);
  });
}
