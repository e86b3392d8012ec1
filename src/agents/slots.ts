/** How many delegated sub-tasks run at a time: an agent may start hundreds at once. */
import { isDelegated } from '../core/participants.ts';
import type { TaskHead } from '../core/task.ts';

/** The places in which sub-tasks run. Tasks that are none need no place. */
export interface Slots {
  /** Whether a task has its place, or needs none. */
  has(head: TaskHead): boolean;
  /** Takes a place for a task that is about to run; false when there is none. Taking it again changes nothing. */
  take(head: TaskHead): boolean;
  /** Gives a task's place back; whether it had one. */
  free(taskId: string): boolean;
  /** Whether there is no place left. */
  readonly full: boolean;
}

/** So many places. */
export function createSlots(limit: number): Slots {
  const taken = new Set<string>();
  const has = ({ id, data }: TaskHead) =>
    !isDelegated(data) || data.parent_tasks.length === 0 || taken.has(id);
  return {
    has,
    take: (head) => {
      if (has(head)) return true;
      if (taken.size >= limit) return false;
      taken.add(head.id);
      return true;
    },
    free: (taskId) => taken.delete(taskId),
    get full() {
      return taken.size >= limit;
    },
  };
}
