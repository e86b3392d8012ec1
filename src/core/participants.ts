/** Who takes part in a task, and what their role lets them do (rules T3, C4; contract-facts, "Roles"). */
import type { Role, TaskExtensionData } from '@tiny-harness/contract/task/v1';

/** Who calls without saying who: a participant like any other (rule A6). */
export const ANONYMOUS = 'anonymous';

/** The most participants that a task has (rule T3). */
export const MAX_PARTICIPANTS = 100;

/** The role of a participant; undefined for somebody who is not on the task. */
export function roleOf(data: TaskExtensionData, id: string): Role | undefined {
  return data.participants.find((participant) => participant.id === id)?.role;
}

/** Whether a participant may interrupt, complete, cancel and change: any but a watcher. */
export function mayChange(role: Role | undefined): boolean {
  return role !== undefined && role !== 'watcher';
}

/** Whether the agent works on the task. When somebody else does, no message of it reaches the agent. */
export function isAgentsTask(data: TaskExtensionData, agentId: string): boolean {
  return data.participants.some(({ id, role }) => id === agentId && role === 'assignee');
}

/**
 * Whether the task completes when its agent is done, and not only when a participant says so (rule C1). A task that was
 * stored before there was a lifecycle is delegated when it has a parent (rule T9).
 */
export function isDelegated({ lifecycle, parent_tasks }: TaskExtensionData): boolean {
  return lifecycle === 'delegated' || (lifecycle === null && parent_tasks.length > 0);
}

/** Ids of those who may see the task (rule A2): everybody on it but the agent, which calls nobody. */
export function readersOf(data: TaskExtensionData, agentId: string): string[] {
  return data.participants.map(({ id }) => id).filter((id) => id !== agentId);
}
