/** How many delegated sub-tasks run at a time: an agent may start hundreds at once. */
import { isDelegated } from '../core/participants.ts';
import type { TaskHead } from '../core/task.ts';

/** The places in which sub-tasks run. Tasks that are none need no place, and those of remote agents run elsewhere. */
export interface Slots {
  /** Whether a task has its place, or needs none. */
  has(head: TaskHead): boolean;
  /**
   * Takes a place for a task that is about to run; taking it again changes nothing. False when there is none: the task
   * then waits in the queue.
   */
  take(head: TaskHead): boolean;
  /** Gives a task's place back; whether it had one. */
  free(taskId: string): boolean;
  /** Takes a task out of the queue. */
  leave(taskId: string): void;
  /** Those that wait for a place, in the order in which they asked for one. */
  readonly queue: ReadonlySet<string>;
  /** Whether there is no place left. */
  readonly full: boolean;
}

/** So many places. */
export function createSlots(limit: number): Slots {
  const taken = new Set<string>();
  const queue = new Set<string>();
  const has = ({ id, data, agent }: TaskHead) =>
    agent !== undefined || !isDelegated(data) || data.parent_tasks.length === 0 || taken.has(id);
  return {
    has,
    take: (head) => {
      if (has(head)) return true;
      const isRoom = taken.size < limit;
      if (isRoom) queue.delete(head.id);
      (isRoom ? taken : queue).add(head.id);
      return isRoom;
    },
    free: (taskId) => taken.delete(taskId),
    leave: (taskId) => {
      queue.delete(taskId);
    },
    queue,
    get full() {
      return taken.size >= limit;
    },
  };
}
