/** How many delegated sub-tasks run at a time: an agent may start hundreds at once. */
import { isDelegated } from '../core/participants.ts';
import type { TaskHead } from '../core/task.ts';

/** The places of sub-tasks that wait for each other. */
export interface Room {
  /** Takes a task out of the queue. */
  leave(taskId: string): void;
  /** Those that wait for a place, in the order in which they asked for one. */
  readonly queue: ReadonlySet<string>;
  /** Whether there is no place left. */
  readonly full: boolean;
}

/** The places in which sub-tasks run. Tasks that are none need no place. */
export interface Slots {
  /** Whether a task has its place, or needs none. */
  has(head: TaskHead): boolean;
  /**
   * Takes a place for a task that is about to run; taking it again changes nothing. False when there is none: the task
   * then waits in the queue.
   */
  take(head: TaskHead): boolean;
  /** Gives a task's place back: where one is free now. Undefined when it had none. */
  free(taskId: string): Room | undefined;
}

/**
 * So many places for the sub-tasks of this server, and as many for those of each remote agent: one that hangs keeps
 * nobody waiting but its own.
 */
export function createSlots(limit: number): Slots {
  const rooms = new Map<string | undefined, Set<string>>();
  const places = new Map<string, Set<string>>();
  const enter = (agent: string | undefined): Set<string> => {
    const room = rooms.get(agent) ?? new Set();
    rooms.set(agent, room);
    return room;
  };
  const has = ({ id, data }: TaskHead) =>
    !isDelegated(data) || data.parent_tasks.length === 0 || places.has(id);
  return {
    has,
    take: (head) => {
      if (has(head)) return true;
      const room = enter(head.agent);
      if (room.size >= limit) return false;
      room.add(head.id);
      places.set(head.id, room);
      return true;
    },
    free: (taskId) => {
      const room = places.get(taskId);
      if (room === undefined) return undefined;
      places.delete(taskId);
      room.delete(taskId);
      return {
        get full() {
          return room.size >= limit;
        },
      };
    },
  };
}
