/** What a change of a task does to its relatives beside it. */
import type { TaskExtensionData } from '@tiny-harness/contract/task/v1';
import { expect, test } from 'vitest';
import type { DecisionView } from '../../src/core/decision.ts';
import { cancelTask } from '../../src/core/endings.ts';
import { createHead } from '../../src/core/evolve.ts';
import { rowOf } from '../../src/core/sub-tasks.ts';
import type { TaskHead } from '../../src/core/task.ts';
import { linkTasks } from '../../src/extensions/linked-tasks.ts';
import type { Store } from '../../src/store/port.ts';
import { AGENT, created } from '../core/fixture.ts';

const head = (id: string, data: Partial<TaskExtensionData>) => createHead(id, created(data));

/** Parents that are no more than ids. */
const under = (...ids: string[]) =>
  ids.map((task_id) => ({ task_id, agent: null, state: null, sub_state: null }));

/** A store of these tasks that changes nothing, and says which it was asked to decide on, in their order. */
function createLedger(heads: readonly TaskHead[]) {
  const asked: string[] = [];
  const decideOn = (taskId: string, decide: (view: DecisionView) => { also?: unknown }) => {
    asked.push(taskId);
    const found = heads.find(({ id }) => id === taskId);
    const children = heads.filter(({ id }) => id.startsWith(`${taskId}.`));
    const view = { head: found, children, accepted: undefined, artifact: undefined };
    const { also = [] } = decide({ ...view, call: undefined, surfaces: [], lastWords: [] });
    for (const further of also as { taskId: string; decide: typeof decide }[]) {
      decideOn(further.taskId, further.decide);
    }
  };
  const change = (taskId: string, _lookups: unknown, decide: never) => {
    decideOn(taskId, decide);
    return Promise.resolve({ result: undefined, seq: 0 });
  };
  return { asked, store: linkTasks({ change } as unknown as Store, AGENT) };
}

test('whose end ends its children is not told of theirs; another parent is', async () => {
  const child = (id: string, ...parents: string[]) =>
    head(id, { lifecycle: 'delegated', parent_tasks: under(...parents) });
  const children = [child('a.1', 'a'), child('a.2', 'a', 'b'), child('a.3', 'a')];
  const heads = [head('a', { sub_tasks: children.map(rowOf) }), head('b', {}), ...children];
  const { asked, store } = createLedger(heads);
  await store.change('a', { children: true }, ({ head: parent, children: found }) => ({
    ...cancelTask(parent!, found, 'ann'),
    result: undefined,
  }));
  expect(asked).toEqual(['a', 'a.1', 'a.2', 'b', 'a.3']);
});
