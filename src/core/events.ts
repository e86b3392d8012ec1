/** What happens to a task. Decisions return events; the store appends them and keeps its projections. */
import type { Artifact, Message, TaskState } from '@tiny-harness/contract/a2a';
import type { KnownSubState } from '@tiny-harness/contract/status/v1';
import type { TaskExtensionData } from '@tiny-harness/contract/task/v1';
import type { Surface } from './surface.ts';
import type { Json, JsonObject, OpenQuestion, RecordedCall } from './task.ts';

/** The task exists. Its sequence number is 0. */
export interface TaskCreated {
  readonly kind: 'created';
  readonly contextId: string;
  readonly data: TaskExtensionData;
  /** Ids of the participants who may see the task (rule A2). */
  readonly readers: readonly string[];
  /** Id of the remote agent that runs its turns. */
  readonly agent?: string | undefined;
}

/** A participant's message was accepted. It takes no sequence number. */
export interface MessageAccepted {
  readonly kind: 'message';
  readonly message: Message;
  readonly sender: string;
  /** Digest of what was sent (rule A5). */
  readonly fingerprint: string;
  /** The URIs of the extensions that its client activated (rule E4). */
  readonly activated: readonly string[];
  /** Whether it joins the history: commands and controls do not. */
  readonly recorded: boolean;
  /** The turn that it opens and that waits to be run; none for a message that the agent does not answer. */
  readonly turn: number | undefined;
  /** Whether it answers the open question: then its turn goes before those that wait. */
  readonly answers?: boolean;
  /** Whether the next numbered event is its answer. */
  readonly replied: boolean;
}

/** A process took up a turn. It takes no sequence number. */
export interface TurnStarted {
  readonly kind: 'turn-started';
  readonly turn: number;
  readonly owner: string;
  readonly attempt: number;
  /** Turns that were cut for it: they end with it. */
  readonly absorbed: readonly number[];
  /** When the lease ends unless it is renewed: milliseconds since 1970. */
  readonly leaseUntil: number;
}

/** A process gave up its lease without having finished: the turn waits again, as if it had not been taken up. */
interface TurnReleased {
  readonly kind: 'turn-released';
  readonly turn: number;
}

/**
 * The running turn's agent began to call a tool, or the call has its result. What the call changed stands in events
 * beside it. It takes no sequence number.
 */
export interface ToolCalled extends RecordedCall {
  readonly kind: 'tool-called';
  readonly turn: number;
}

/** Other skills are in the agent's context from now on. It takes no sequence number. */
interface SkillsChanged {
  readonly kind: 'skills-changed';
  readonly skills: readonly string[];
}

/** A surface is this from now on, or is gone. It takes no sequence number: the artifact beside it shows it. */
export interface SurfaceChanged {
  readonly kind: 'surface-changed';
  readonly surfaceId: string;
  readonly surface: Surface | undefined;
}

/** What a status update says: the message's parts and what stands beside them. */
export type StatusMessage = Pick<Message, 'parts' | 'metadata' | 'extensions'>;

/** The status changed, or something was said in the same state. Takes the next sequence number. */
export interface StatusChanged {
  readonly kind: 'status';
  readonly state: TaskState;
  readonly message: StatusMessage | undefined;
  /** What the message is, for its id: `<task>:<label>:<seq>`. */
  readonly label?: 'status' | 'help' | 'command';
  /**
   * Whether it is a reply: its message is for whoever asked and does not join the history. In an unchanged state the
   * task's status stays what it was, and so does an open question (rule T6).
   */
  readonly reply?: boolean;
  /** Why the task waits. In a reply that changes no state, what it is stays. */
  readonly subState?: KnownSubState | undefined;
  /** What it waits for an answer to. */
  readonly question?: OpenQuestion | undefined;
  /** The task's data from now on, when it changes; the update carries it. */
  readonly data?: TaskExtensionData | undefined;
  /** Who may see the task from now on, when that changes. */
  readonly readers?: readonly string[] | undefined;
  /** The turn that is over with this event. A terminal state is the end of every turn. */
  readonly endsTurn?: number | undefined;
  /** What the agent is given in the task's further turns, until it leaves something else. */
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
  | TaskCreated
  | MessageAccepted
  | TurnStarted
  | TurnReleased
  | ToolCalled
  | SkillsChanged
  | SurfaceChanged
  | StatusChanged
  | ArtifactUpdated;

/** An event that streams and push notifications carry, with its place in the task's log. */
export type NumberedEvent = (TaskCreated | StatusChanged | ArtifactUpdated) & {
  readonly seq: number;
};
