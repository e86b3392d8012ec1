/** What happens to a task. Decisions return events; the store appends them and keeps its projections. */
import type { Artifact, Message, TaskState } from '@tiny-harness/contract/a2a';
import type { Json, JsonObject } from './task.ts';

/** The task exists. Its sequence number is 0. */
export interface TaskCreated {
  readonly kind: 'created';
  readonly contextId: string;
  /** Ids of the participants who may see the task (rule A2). */
  readonly readers: readonly string[];
  readonly metadata: JsonObject | undefined;
}

/** A participant's message was accepted: it joins the history. It takes no sequence number. */
export interface MessageAccepted {
  readonly kind: 'message';
  readonly message: Message;
  readonly sender: string;
  /** Digest of what was sent (rule A5). */
  readonly fingerprint: string;
  /** The turn that it opens and that waits to be run; none for a message that is only recorded. */
  readonly turn: number | undefined;
}

/** A process took up a turn. It takes no sequence number. */
export interface TurnStarted {
  readonly kind: 'turn-started';
  readonly turn: number;
  readonly owner: string;
  readonly attempt: number;
  /** When the lease ends unless it is renewed: milliseconds since 1970. */
  readonly leaseUntil: number;
}

/** A process gave up its lease without having finished: the turn waits again, as if it had not been taken up. */
export interface TurnReleased {
  readonly kind: 'turn-released';
  readonly turn: number;
}

/** The status changed, or an update was given in the same state. Takes the next sequence number. */
export interface StatusChanged {
  readonly kind: 'status';
  readonly state: TaskState;
  /** The status message; its id is made from the sequence number: `<task>:status:<seq>`. */
  readonly message: Pick<Message, 'parts' | 'metadata' | 'extensions'> | undefined;
  /** Metadata of the update. */
  readonly metadata?: JsonObject | undefined;
  /** The task's whole new metadata, when it changes. */
  readonly taskMetadata?: JsonObject | undefined;
  /** The turn that is over with this event. A terminal state is the end of every turn. */
  readonly endsTurn?: number | undefined;
  /** What the agent wants to know again in the task's next turn. */
  readonly memory?: Json | undefined;
}

/** An artifact, or a further chunk of one. Takes the next sequence number. */
export interface ArtifactUpdated {
  readonly kind: 'artifact';
  readonly artifact: Artifact;
  readonly append: boolean;
  readonly lastChunk: boolean;
  readonly metadata?: JsonObject | undefined;
}

/** Everything that can happen to a task. */
export type TaskEvent =
  TaskCreated | MessageAccepted | TurnStarted | TurnReleased | StatusChanged | ArtifactUpdated;

/** An event that streams and push notifications carry, with its place in the task's log. */
export type NumberedEvent = (TaskCreated | StatusChanged | ArtifactUpdated) & {
  readonly seq: number;
};
