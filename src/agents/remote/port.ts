/** What a remote agent needs of the server that it works for. */
import type { RemoteTask } from '../../core/remote-task.ts';

/** What is known of the tasks of remote agents, durably. */
export interface RemoteTaskLog {
  find(taskId: string): Promise<RemoteTask | undefined>;
  /** Resolves when it is durable. One that is open is cancelled there once the task here has ended. */
  remember(task: RemoteTask): Promise<void>;
}
