/** What is remembered of a task that a remote agent works on. */

/** A remote agent's task, by which one of ours is done. */
export interface RemoteTask {
  /** Our task: the sub-task. */
  readonly taskId: string;
  /** The remote agent, by its id in the configuration. */
  readonly agent: string;
  /** The id that the remote agent gave its task. */
  readonly remoteTaskId: string;
  /** The remote conversation; undefined when the remote agent has none. */
  readonly contextId: string | undefined;
  /** The turn of our task whose message the remote task was last sent. */
  readonly turn: number;
  /** Whether the remote agent may still work on it, as far as is known. */
  readonly open: boolean;
}
