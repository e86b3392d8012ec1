/** A plan is a graph of steps without cycles (rule T10). Pure. */
import type { Plan } from '@tiny-harness/contract/task/v1';

type Steps = ReadonlyMap<string, readonly string[]>;

/** What is wrong with a plan: a doubled step, an unknown dependency, a cycle as a path. Undefined when nothing is. */
export function findPlanFault({ steps }: Plan): string | undefined {
  const graph = new Map<string, readonly string[]>();
  for (const { id, depends_on } of steps) {
    if (graph.has(id)) return `steps must have ids of their own; "${id}" is there twice`;
    graph.set(id, depends_on);
  }
  for (const { id, depends_on } of steps) {
    const unknown = depends_on.find((other) => !graph.has(other));
    if (unknown !== undefined)
      return `step "${id}" depends on "${unknown}", which is no step of the plan`;
  }
  const cycle = findCycle(graph);
  return cycle === undefined
    ? undefined
    : `steps must not depend on each other in a circle: ${cycle.join(' -> ')}`;
}

/** Steps that lead back to the first of them, that one named at both ends. Walks without recursion: plans may be long. */
function findCycle(graph: Steps): string[] | undefined {
  const done = new Set<string>();
  for (const start of graph.keys()) {
    const path: string[] = [];
    const onPath = new Set<string>();
    const stack: { id: string; leave: boolean }[] = [{ id: start, leave: false }];
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      const { id, leave } = next;
      if (leave) {
        done.add(id);
        onPath.delete(id);
        path.pop();
      } else if (onPath.has(id)) {
        return [...path.slice(path.indexOf(id)), id];
      } else if (!done.has(id)) {
        path.push(id);
        onPath.add(id);
        stack.push({ id, leave: true });
        for (const other of graph.get(id) ?? []) stack.push({ id: other, leave: false });
      }
    }
  }
  return undefined;
}
