/** What an intrinsic tool is to the server: a check of what is outside, then a pure decision (rule T11). */
import type { Message } from '@tiny-harness/contract/a2a';
import type { ToolInputs, ToolName } from '@tiny-harness/contract/tools';
import type { DecisionView, FurtherChange, Lookups } from '../core/decision.ts';
import type { TaskEvent } from '../core/events.ts';
import type { Json, TaskHead } from '../core/task.ts';
import type { TurnHolder } from '../core/turns.ts';
import type { SkillCatalog, SkillFaultCode } from '../skills/port.ts';

/** Why a tool refuses: the code with which its text begins, in brackets. */
export type ToolErrorCode =
  /** There is no such tool. */
  | 'tool.unknown'
  /** The arguments are not valid against the tool's schema. */
  | 'tool.invalid_arguments'
  /** The arguments are larger than any call may be, or what they would make is. */
  | 'tool.too_large'
  /** A crash cut the call off, and it must not be made twice. */
  | 'tool.interrupted'
  /** The task has no plan. */
  | 'plan.missing'
  /** The plan has no such step. */
  | 'plan.unknown_step'
  /** The steps are no plan: doubled ids, unknown dependencies, a cycle, too many (rule T10). */
  | 'plan.invalid'
  /** Somebody is not on the task, or not one who may ask for this. */
  | 'channel.not_a_member'
  /** The task would be left without an admin, or the agent without its work. */
  | 'channel.role_required'
  /** There is no remote agent of that id. */
  | 'agent.unknown'
  /** Sub-tasks are nested too deep. */
  | 'agent.too_deep'
  /** The task has as many sub-tasks as a task may have. */
  | 'agent.too_many'
  /** The messages do not make a user interface (rule E8). */
  | 'a2ui.invalid'
  /** The client says that it does not draw this. */
  | 'a2ui.not_supported'
  /** The context holds as many skills as it may. */
  | 'skill.too_many'
  | SkillFaultCode;

/** What a tool reads outside the store. */
export interface Outside {
  readonly skills: SkillCatalog;
}

/** What a tool decides with. */
export interface ToolContext {
  readonly head: TaskHead;
  readonly view: DecisionView;
  readonly holder: TurnHolder;
  /** The message with which a client last said what it draws: the one that the turn answers, unless that is the agent's own. */
  readonly message: Message;
  /** Who sent the message that the turn answers. */
  readonly sender: string;
  /** The agent's participant id. */
  readonly agentId: string;
  /** The ids of the remote agents. */
  readonly remoteAgents: readonly string[];
  /** How deep sub-tasks may be nested below a task that is none. */
  readonly maxDepth: number;
  /** With a question: what the agent is given in the turn that the answer opens. */
  readonly memory: Json | undefined;
}

/** What a call does, or why nothing. */
export type ToolDecision =
  | {
      readonly kind: 'done';
      /** For the agent, as data. */
      readonly text: string;
      readonly events: readonly TaskEvent[];
      readonly also: readonly FurtherChange[];
      /** Whether the events end the turn. */
      readonly endsTurn: boolean;
    }
  | { readonly kind: 'refused'; readonly code: ToolErrorCode; readonly message: string };

/** Decides in the transaction that records the call. Pure. */
export type DecideCall = (context: ToolContext) => ToolDecision;

/** A tool. */
export interface Tool<Name extends ToolName> {
  /** What its decision is told of the store. */
  readonly lookups?: Lookups;
  /** Reads what the decision needs from outside. The input is valid. */
  open(input: ToolInputs[Name], outside: Outside): DecideCall | Promise<DecideCall>;
}

/** A call that was carried out. */
export function done(
  text: string,
  {
    events = [],
    also = [],
    endsTurn = false,
  }: {
    readonly events?: readonly TaskEvent[];
    readonly also?: readonly FurtherChange[];
    readonly endsTurn?: boolean;
  } = {},
): ToolDecision {
  return { kind: 'done', text, events, also, endsTurn };
}

/** The most characters of a refusal: it may repeat what the agent sent, such as a cycle of many steps. */
const MAX_REFUSAL = 4000;

/** A call that changes nothing. */
export function refuse(code: ToolErrorCode, words: string): ToolDecision {
  const isLong = words.length > MAX_REFUSAL;
  const message = isLong ? `${words.slice(0, MAX_REFUSAL - 1)}…` : words;
  return { kind: 'refused', code, message };
}
