/** What an agent is to the server: it answers messages, and says what it does while it works. */
import type { Message } from '@tiny-harness/contract/a2a';
import type { TaskExtensionData } from '@tiny-harness/contract/task/v1';
import type { Json, RecordedCall, ToolResult } from '../core/task.ts';

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
  /**
   * With `input-required`: asks a participant, whose next message is the answer (rule T6); by default the sender of the
   * turn's message, or who reported the task when that was the agent itself.
   */
  readonly question?: {
    readonly text: string;
    readonly options?: readonly string[];
    readonly asked?: string;
  };
  /** What the agent is given in the task's further turns, until it leaves something else. */
  readonly memory?: Json;
}

/** A call of one of the intrinsic tools (rule T11). */
export interface ToolCallRequest {
  /** Unique in the turn, and the same when the turn is run again: a call that was made before is not made twice. */
  readonly id: string;
  readonly name: string;
  /** The arguments; unchecked. */
  readonly input: unknown;
}

/**
 * One message that the agent works on, and what it can do meanwhile. Each act resolves when it is durable, and rejects
 * when the turn is over or over a limit; an agent lets that pass through.
 */
export interface Turn {
  /** The agent's own participant id. */
  readonly agentId: string;
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
  /** Whether the task completes when the agent is done; otherwise it is a conversation (rule C1). */
  readonly delegated: boolean;
  /** The calls that an earlier run of this turn began or made, in their order; empty in the first run. */
  readonly calls: readonly RecordedCall[];
  /** The remote agents to which `spawn_subtask` may give work. */
  readonly remoteAgents: readonly RemoteAgentSummary[];
  /** Aborted when the task is cancelled or the turn taken away. What is written afterwards is refused. */
  readonly signal: AbortSignal;
  /** The latest messages of the task, this one among them, without those that wait for turns of their own; oldest first. */
  history(limit: number): Promise<readonly Message[]>;
  /**
   * Tells the participants something while the work goes on. When the turn is run again after a crash, what an earlier
   * run said is not said twice, as long as it comes in the same order.
   */
  say(parts: Message['parts']): Promise<void>;
  /** Waits for authorisation that is given outside A2A; `resume` goes on (specification 7.6). */
  requireAuth(parts: Message['parts']): Promise<void>;
  /** Goes on after `requireAuth`. */
  resume(): Promise<void>;
  /** Begin an artifact without `append`: when the turn is run again after a crash, it is then written anew. */
  writeArtifact(chunk: ArtifactChunk): Promise<void>;
  /** The task's data as it is now, with what calls of this turn have changed. */
  task(): Promise<TaskExtensionData>;
  /** The skills in the agent's context, with their texts as they are now. */
  skills(): Promise<readonly LoadedSkill[]>;
  /**
   * Records calls before they are made. One that a crash then keeps from being made or recorded is made when the turn
   * is run again if its tool is idempotent; otherwise its result is an error that says so.
   */
  begin(calls: readonly ToolCallRequest[]): Promise<void>;
  /**
   * Calls a tool: the call, its result and what it changed are recorded together. What goes wrong is a result, too. A
   * call whose id has a result already gets that one. Calls that are made at once are decided in their order, and wait for
   * the disk together. `memory` is what a question leaves, as in an outcome.
   */
  call(request: ToolCallRequest, memory?: Json): Promise<ToolResult>;
}

/** A remote agent that the operator has named. */
export interface RemoteAgentSummary {
  readonly id: string;
  /** What it is good at. */
  readonly description: string;
}

/** A skill in the agent's context. */
export interface LoadedSkill {
  readonly name: string;
  /** Its instructions; undefined when it is not there any more. */
  readonly body: string | undefined;
}

/** A message that would start a task. */
export interface Opening {
  readonly contextId: string;
  readonly message: Message;
  readonly sender: string;
  readonly signal: AbortSignal;
}

/** An agent. Its `run` is called again, with what was recorded, when a crash has cut a turn off. What it throws fails the task; participants are not told the exception's text. */
export interface Agent {
  /** Whether tasks are conversations, which only participants complete, or complete when the agent is done. */
  readonly lifecycle: 'conversation' | 'delegated';
  /** Answers a message without a task, or undefined to work on it in a task (specification 3.1.1). */
  answer?(opening: Opening): Promise<Message['parts'] | undefined>;
  /** Works on one message of a task. */
  run(turn: Turn): Promise<TurnOutcome>;
}
