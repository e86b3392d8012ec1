/** What a slash command is to the server (rules E7, T8). */
import type { TaskExtensionData } from '@tiny-harness/contract/task/v1';
import type { TaskHead } from '../core/task.ts';

/** What a command is run on. */
interface CommandContext {
  /** The task; before its first turn when the command came as its first message. */
  readonly head: TaskHead;
  /** All that followed the name and one space. */
  readonly args: string;
  /** Whether the sender may change the task. */
  readonly mayChange: boolean;
  /** The participant who typed it. */
  readonly sender: string;
  readonly agentId: string;
  /** The models that may be selected; the first is the default. */
  readonly models: readonly string[];
}

/** What comes of a command. */
interface CommandReply {
  /** What the participant is told. */
  readonly text: string;
  /** The task's data from now on, when the command changed it. */
  readonly data?: TaskExtensionData;
  /** A task that the command starts. */
  readonly child?: { readonly id: string; readonly data: TaskExtensionData };
}

/** Runs a command. Pure; a bad argument gets a helpful answer. */
export type Command = (context: CommandContext) => CommandReply;

/** What a watcher is told who may read, not change. */
export const WATCHERS_READ = 'refused: a watcher can look, not change the task.';
