// Copied by tiny-harness codegen from schemas/code/client.d.ts. Do not edit: change that file and run codegen.
import type { Part, UserMessage } from './a2a/index.js';
import type {
  ChannelMessage,
  ContentPartInput,
  readChannelMessage,
} from './extensions/channel/v1/index.js';
import type { Command, readParams } from './extensions/commands/v1/index.js';
import type { TaskSubState } from './extensions/status/v1/index.js';
import type { TaskChangesInput, TaskExtensionDataInput } from './extensions/task/v1/index.js';

export { readTaskExtension } from './extensions/task/v1/index.js';

/** What any message may say beside its content. */
export interface MessageOptions {
  /**
   * Who sends it: `metadata.participant_id` (rule T4). Left out where the `X-Participant-Id` header or
   * authentication names the sender.
   */
  readonly participantId?: string | undefined;
  /** Made by `crypto.randomUUID` when left out. To send a message again, repeat its id (rule A5). */
  readonly messageId?: string | undefined;
  /** The conversation; it follows from the task when left out. */
  readonly contextId?: string | undefined;
}

/** What a message to an agent may say further. */
export interface TaskMessageOptions extends MessageOptions {
  /** The task that the message is for; without one it starts a task. */
  readonly taskId?: string | undefined;
  /** Drops the turn that is running and takes this message next. */
  readonly interrupt?: boolean | undefined;
}

/** What may go with an envelope. */
export interface EnvelopeOptions extends MessageOptions {
  /** Text for the agent, in a part of its own. */
  readonly text?: string | undefined;
}

/** Who says something in a channel, and what goes with the text. */
export interface ChannelOptions extends MessageOptions {
  /** Who says it: the sender of the message and of what it holds, which have to be the same (rule E6). */
  readonly participantId: string;
  /** Further content, in order. */
  readonly parts?: readonly ContentPartInput[] | undefined;
}

/** A message of a client, valid as `parseMessage` says: its role is `ROLE_USER`. */
export declare function createMessage(
  parts: readonly [Part, ...Part[]],
  options?: TaskMessageOptions,
): UserMessage;

/** A message of plain text: to the agent, or a slash command such as `/status` (rule E7). */
export declare function createTextMessage(text: string, options?: TaskMessageOptions): UserMessage;

/**
 * Creates a task with data of its own, where plain text would create one from its first line. What the
 * server sets is no part of the data (rule T7).
 */
export declare function createTaskMessage(
  data: TaskExtensionDataInput,
  options?: EnvelopeOptions,
): UserMessage;

/** Changes fields of a task; those that are not named stay. Participants an admin alone may change. */
export declare function changeTaskMessage(
  taskId: string,
  changes: TaskChangesInput,
  options?: EnvelopeOptions,
): UserMessage;

/**
 * Completes a task (rules C2 and C9): the control envelope is the only part. The agent refuses it
 * without a sender, so leave `participantId` out only where a header or authentication names one.
 */
export declare function completeMessage(taskId: string, options?: MessageOptions): UserMessage;

/** Says something to the other participants of a task; no turn of the agent runs (rule E6). */
export declare function createChannelMessage(
  taskId: string,
  text: string,
  options: ChannelOptions & {
    /** The id of the message that this one answers. */
    readonly inReplyTo?: string | undefined;
  },
): UserMessage;

/**
 * Answers a question that a task waits on (rule E6). Where the question offers choices, the text has to
 * be one of them.
 *
 * @throws TypeError when there is no question: `helpRequestOf` gave undefined
 */
export declare function createHelpReply(
  request: HelpRequest,
  text: string,
  options: ChannelOptions,
): UserMessage;

/** A question that a task waits on. */
export interface HelpRequest {
  /** The task that waits; its channel has the same id. */
  readonly taskId: string;
  /** The conversation, where the carrier names it. */
  readonly contextId?: string;
  /** The id of the message that asks; a reply refers to it. */
  readonly messageId: string;
  /** Who asks: the agent's participant id. */
  readonly sender: string;
  /** The question alone. */
  readonly question: string;
  /** What the agent says to people: the question, and the choices where it offers any. */
  readonly text: string;
  /** The question as the channel carries it, with all that goes with it. */
  readonly channelMessage: ChannelMessage;
}

/** A structure of A2A that may have metadata, as ProtoJSON or as an SDK holds it. */
export interface WithMetadata {
  readonly metadata?: { readonly [key: string]: unknown } | null | undefined;
}

/** What of a message says whether it asks. */
export interface WithParts {
  readonly messageId?: string | undefined;
  readonly contextId?: string | undefined;
  readonly parts?: readonly Parameters<typeof readChannelMessage>[0][] | undefined;
}

/** What of a task or a status update says whether it waits. */
export interface WithStatus {
  readonly status?:
    | {
        readonly state?: string | undefined;
        readonly message?: WithParts | null | undefined;
      }
    | null
    | undefined;
}

/**
 * Why a task waits (rule E5), from the metadata of a task or a status update; undefined when it says
 * nothing. A string that this version does not know comes as it is: treat it as plain
 * `TASK_STATE_INPUT_REQUIRED`. Never throws.
 */
export declare function subStateOf<T extends object>(
  taskOrUpdate: (T & WithMetadata) | null | undefined,
): TaskSubState['sub_state'] | undefined;

/**
 * The question that a task waits on (rule T6): from a task or a status update in
 * `TASK_STATE_INPUT_REQUIRED`, or from a message that asks; undefined when there is none. An update
 * that refuses a message or replies to a command holds no question, and the task goes on waiting for
 * the one it had. Never throws.
 */
export declare function helpRequestOf(
  carrier: WithStatus | WithParts | null | undefined,
): HelpRequest | undefined;

/**
 * The slash commands of an agent (rule E7), defaults filled in. Empty when its card lists none, and
 * when what it lists is not valid: `readParams` of the commands extension says why. Never throws.
 */
export declare function commandsOf(card: Parameters<typeof readParams>[0]): readonly Command[];
