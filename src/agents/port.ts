/** What an agent is to the server: it answers messages, and says what it does while it works. */
import type { Message } from '@tiny-harness/contract/a2a';
import type { Json } from '../core/task.ts';

/** A piece of an artifact. */
export interface ArtifactChunk {
  /** Unique within the task. */
  readonly artifactId: string;
  readonly parts: Message['parts'];
  readonly name?: string;
  readonly description?: string;
  /** Whether the parts join those that were written before. Otherwise they take their place. */
  readonly append?: boolean;
  /** Whether the artifact is complete with this. */
  readonly lastChunk?: boolean;
}

/** How a turn ends. In a conversation `completed` is not the agent's to choose (rule C1). */
export interface TurnOutcome {
  readonly end: 'input-required' | 'completed' | 'failed' | 'rejected';
  /** The reply, question or reason; it becomes the status message. */
  readonly parts?: Message['parts'];
  /** With `input-required`: asks the sender of the turn's message, whose next message is the answer (rule T6). */
  readonly question?: { readonly text: string; readonly options?: readonly string[] };
  /** What the agent is given in the task's further turns, until it leaves something else. */
  readonly memory?: Json;
}

/** One message that the agent works on, and what it can do meanwhile. Each act resolves when it is durable. */
export interface Turn {
  readonly taskId: string;
  readonly contextId: string;
  /** 1 for the message that started the task. */
  readonly number: number;
  /** More than 1 when the turn was cut off by a crash and is run again. */
  readonly attempt: number;
  readonly message: Message;
  /** What the message says in words: its text, or what its data amounts to. */
  readonly text: string;
  readonly sender: string;
  /** The URIs of the extensions that the client activated with the message: whether it shows A2UI, say (rule E4). */
  readonly activated: readonly string[];
  readonly memory: Json | undefined;
  /** Aborted when the task is cancelled or the turn taken away. What is written afterwards is refused. */
  readonly signal: AbortSignal;
  /** The latest messages of the task, this one among them, without those that wait for turns of their own; oldest first. */
  history(limit: number): Promise<readonly Message[]>;
  /** Tells the participants something while the work goes on. */
  say(parts: Message['parts']): Promise<void>;
  /** Waits for authorisation that is given outside A2A; `resume` goes on (specification 7.6). */
  requireAuth(parts: Message['parts']): Promise<void>;
  /** Goes on after `requireAuth`. */
  resume(): Promise<void>;
  writeArtifact(chunk: ArtifactChunk): Promise<void>;
}

/** A message that would start a task. */
export interface Opening {
  readonly contextId: string;
  readonly message: Message;
  readonly sender: string;
  readonly signal: AbortSignal;
}

/** An agent. What it throws fails the task; participants are not told the exception's text. */
export interface Agent {
  /** Whether tasks are conversations, which only participants complete, or complete when the agent is done. */
  readonly lifecycle: 'conversation' | 'delegated';
  /** Answers a message without a task, or undefined to work on it in a task (specification 3.1.1). */
  answer?(opening: Opening): Promise<Message['parts'] | undefined>;
  /** Works on one message of a task. */
  run(turn: Turn): Promise<TurnOutcome>;
}
