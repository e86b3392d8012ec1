/** What a decision on a task is told, and what it says: pure, from what is known to events. */
import type { Message } from '@tiny-harness/contract/a2a';
import type { TaskEvent } from './events.ts';
import type { Surface } from './surface.ts';
import type { AcceptedMessage, ArtifactHead, RecordedCall, TaskHead } from './task.ts';

/** What a decision wants to be told beside the task's head. */
export interface Lookups {
  /** Whether this message was accepted before, in this task or another (rule A5). */
  readonly message?: { readonly sender: string; readonly messageId: string };
  /** The task's children that are in this store. */
  readonly children?: boolean;
  /** The artifact of this id. */
  readonly artifactId?: string;
  /** Whether this tool call was begun or made before. */
  readonly call?: { readonly turn: number; readonly id: string };
  /** The surfaces that the agent has shown and not deleted. */
  readonly surfaces?: boolean;
  /** The last messages in the history of this task, another one as a rule. */
  readonly lastWordsOf?: string;
}

/** What a decision is told; undefined or empty for what does not exist or was not asked for. */
export interface DecisionView {
  readonly head: TaskHead | undefined;
  readonly children: readonly TaskHead[];
  readonly accepted: AcceptedMessage | undefined;
  readonly artifact: ArtifactHead | undefined;
  readonly call: RecordedCall | undefined;
  readonly surfaces: readonly Surface[];
  /** At most two messages, oldest first. */
  readonly lastWords: readonly Message[];
}

/** Events to append, none for no change, and what the caller wants back. */
export interface Decision<T> {
  readonly events: readonly TaskEvent[];
  readonly result: T;
  /** Changes of other tasks that happen with it or not at all, in their order, after its own events. */
  readonly also?: readonly FurtherChange[];
}

/** A change of another task in the same transaction. */
export interface FurtherChange {
  readonly taskId: string;
  readonly lookups?: Lookups;
  readonly decide: (view: DecisionView) => Decision<unknown>;
}
