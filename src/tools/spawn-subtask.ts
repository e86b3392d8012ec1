/** `spawn_subtask`: a delegated child, for an agent of this server or a remote one. */
import { startChild } from './children.ts';
import type { Tool } from './tool.ts';
import { refuse } from './tool.ts';

/** The child has the parent's participants, so that whoever sees the parent sees it, too. */
export const spawnSubtask: Tool<'spawn_subtask'> = {
  open:
    ({ agent, ...assignment }) =>
    (context) => {
      const { head, remoteAgents, maxDepth } = context;
      if (agent !== null && !remoteAgents.includes(agent)) {
        const known =
          remoteAgents.length === 0 ? 'there are none' : `there are ${remoteAgents.join(', ')}`;
        const words = `there is no remote agent "${agent.slice(0, 64)}"; ${known}. Leave agent out for one of this server`;
        return refuse('agent.unknown', words);
      }
      if (depthOf(head.id) >= maxDepth) {
        const words = `sub-tasks are nested ${maxDepth} deep at most, and this is one of the last; do the work here`;
        return refuse('agent.too_deep', words);
      }
      return startChild(context, assignment, {
        participants: head.data.participants,
        lifecycle: 'delegated',
        agent: agent ?? undefined,
        said: (id) => `Sub-task ${id} was started; its result comes as a message.`,
      });
    },
};

/** How many ancestors a task has, as its id says: a child's is its parent's and a number. */
function depthOf(taskId: string): number {
  const [numbers = ''] = /(?:\.\d+)*$/.exec(taskId) ?? [];
  return numbers.split('.').length - 1;
}
