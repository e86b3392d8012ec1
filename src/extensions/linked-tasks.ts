/** Parents follow their children: a child's row on its parent changes with the child, in the same transaction. */
import { createHead, evolve } from '../core/evolve.ts';
import type { TaskEvent } from '../core/events.ts';
import { followChild } from '../core/sub-tasks.ts';
import type { TaskHead } from '../core/task.ts';
import type { Decision, FurtherChange } from '../core/decision.ts';
import type { Store } from '../store/port.ts';

/** The store, in which every change of a child's state changes its parents' rows. */
export function linkTasks(store: Store): Store {
  return {
    ...store,
    change: (taskId, lookups, decide) =>
      store.change(taskId, lookups, (view) => link(taskId, view.head, decide(view))),
  };
}

function link<T>(taskId: string, before: TaskHead | undefined, decision: Decision<T>): Decision<T> {
  const { events, also = [] } = decision;
  const linked = also.map(({ taskId: other, decide, ...rest }): FurtherChange => ({
    ...rest,
    taskId: other,
    decide: (view) => link(other, view.head, decide(view)),
  }));
  const after = replay(taskId, before, events);
  if (after === undefined || !hasMoved(before, after)) return { ...decision, also: linked };
  const parents = after.data.parent_tasks.map(({ task_id }): FurtherChange => ({
    taskId: task_id,
    decide: ({ head }) => ({
      events: head === undefined ? [] : followChild(head, after),
      result: undefined,
    }),
  }));
  return { ...decision, also: [...linked, ...parents] };
}

function replay(
  taskId: string,
  before: TaskHead | undefined,
  events: readonly TaskEvent[],
): TaskHead | undefined {
  return events.reduce<TaskHead | undefined>((head, event) => {
    if (event.kind === 'created') return createHead(taskId, event);
    return head === undefined ? undefined : evolve(head, event);
  }, before);
}

function hasMoved(before: TaskHead | undefined, after: TaskHead): boolean {
  return before?.state !== after.state || before.subState !== after.subState;
}
