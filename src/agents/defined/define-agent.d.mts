/** Agents of your own: see docs/guide/agents.md. */
import type { Message } from '@tiny-harness/contract/a2a';
import type { ToolCallInputs, ToolName } from '@tiny-harness/contract/tools';
import type {
  Agent,
  ArtifactChunk,
  Json,
  Opening,
  ToolCallRequest,
  ToolResult,
  Turn,
  TurnOutcome,
} from './port.d.mts';

export type * from './port.d.mts';

/** What is said: a text, or the parts of a message. */
export type Said = string | Message['parts'];

/** A call whose tool is known, and so are its arguments. */
export interface KnownCall<Name extends ToolName> {
  /** Left out, the calls of a tool are numbered; that will do while a turn makes them in the same order when it is run again. */
  readonly id?: string;
  readonly name: Name;
  /** Left out, there are no arguments. */
  readonly input?: ToolCallInputs[Name];
}

/** A turn, in which texts will do where parts are asked for. What it is given is checked. */
export interface AgentTurn extends Omit<Turn, 'say' | 'requireAuth' | 'writeArtifact' | 'call'> {
  /** Tells the participants something while the work goes on. */
  say(said: Said): Promise<void>;
  /** Waits for authorisation that is given outside A2A; `resume` goes on (specification 7.6). */
  requireAuth(said: Said): Promise<void>;
  writeArtifact(chunk: Omit<ArtifactChunk, 'parts'> & { readonly parts: Said }): Promise<void>;
  /**
   * Calls a tool: the call, its result and what it changed are recorded together. What goes wrong is a result, too. A
   * call whose id has a result already gets that one. `memory` is what a question leaves, as in an outcome. Once a
   * result `endsTurn`, return: nothing more is to be done.
   */
  call<Name extends ToolName>(call: KnownCall<Name>, memory?: Json): Promise<ToolResult>;
  /** The same for a call that a model made: any name, any arguments. */
  call(call: ToolCallRequest, memory?: Json): Promise<ToolResult>;
}

/** How a turn ends when a text is not all there is to say. */
export interface Outcome extends Omit<TurnOutcome, 'parts'> {
  /** The reply, question or reason. */
  readonly parts?: Said;
}

// What a function without a return gives: a definition is not to be bothered with `return undefined`.
// eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- the type of such a function
type Nothing = void | undefined;

/** An agent, as its author writes it down. */
export interface AgentDefinition {
  /**
   * Whether tasks are conversations, which only participants complete, or complete when the agent is done.
   *
   * @default 'conversation'
   */
  readonly lifecycle?: Agent['lifecycle'];
  /** Answers a message without a task, or with nothing to work on it in a task. What it throws fails the request. */
  answer?(opening: Opening): Promise<Said | Nothing> | Said | Nothing;
  /**
   * Works on one message of a task. A text is the reply, or the answer that completes a delegated task; without one the
   * turn ends likewise and says nothing. It is called again, with what was recorded, when a crash has cut a turn off.
   * What it throws fails the task; participants are not told the exception's text.
   */
  run(turn: AgentTurn): Promise<string | Outcome | Nothing> | string | Outcome | Nothing;
}

/**
 * Makes an agent of what it does, to be the default export of the file that AGENT names.
 *
 * @throws TypeError when the definition is not one; the message says what to change
 */
export declare function defineAgent(definition: AgentDefinition): Agent;
