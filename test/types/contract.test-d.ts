/**
 * What the compiler has to accept and to refuse of the contract package. Compiled, never run: an
 * expected error that does not come is an error itself.
 */

/* eslint-disable @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-call, @typescript-eslint/no-unsafe-return, @typescript-eslint/no-unnecessary-condition, @typescript-eslint/no-unnecessary-type-parameters -- lines that must not compile have no types, and comparing types to the letter takes an idle type parameter */
import type {
  EXTENSION_URIS,
  ExtensionId,
  ExtensionUri,
  Result,
  ToolCall,
  ToolCallInputs,
  ToolInputs,
  ToolName,
} from '@tiny-harness/contract';
import type { taskV1 } from '@tiny-harness/contract';
import type { HelpRequest } from '@tiny-harness/contract';
import {
  changeTaskMessage,
  commandsOf,
  completeMessage,
  createAgentCard,
  createChannelMessage,
  createHelpReply,
  createMessage,
  createTaskMessage,
  createTextMessage,
  helpRequestOf,
  parseToolCall,
  parseToolInput,
  subStateOf,
} from '@tiny-harness/contract';
import type { Message, Task as A2aTask, TaskStatusUpdateEvent } from '@tiny-harness/contract/a2a';
import { PARAMS, readParams } from '@tiny-harness/contract/commands/v1';
import type { AGENT_EXTENSION, CommandsParamsInput } from '@tiny-harness/contract/commands/v1';
import type { ChannelMessage, ChannelMessageInput } from '@tiny-harness/contract/channel/v1';
import type { KnownSubState, TaskSubState } from '@tiny-harness/contract/status/v1';
import type { readSubState } from '@tiny-harness/contract/status/v1';
import { writeSubState } from '@tiny-harness/contract/status/v1';
import type {
  EventEnvelope,
  Role,
  TaskChanges,
  TaskChangesInput,
  TaskExtensionData,
  TaskExtensionDataInput,
  URI,
  parseEventEnvelope,
  parseTaskExtensionDataInput,
  readEventEnvelope,
  TASK_EXTENSION_DATA_REASONING_EFFORT_VALUES,
} from '@tiny-harness/contract/task/v1';
import {
  ROLE_VALUES,
  TASK_EXTENSION_KEY,
  createEventEnvelopePart,
  isTaskExtensionData,
  readTaskExtension,
  writeSender,
  writeTaskExtension,
} from '@tiny-harness/contract/task/v1';

/** True when two types are the same, to the letter: only then are these functions. */
type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** A claim that has to be true. */
type Holds<Claim extends true> = Claim;

/** The names of members that must be there. */
type Required<T> = { [K in keyof T]-?: object extends Pick<T, K> ? never : K }[keyof T];

/** The names of members that cannot be assigned. */
type ReadOnly<T> = {
  [K in keyof T]-?: Same<Pick<T, K>, Readonly<Pick<T, K>>> extends true ? K : never;
}[keyof T];

// --- The data of a task: held with its defaults, sent without what the server sets. ---

type ServerControlled = 'lifecycle' | 'model' | 'reasoning_effort';

export type TaskClaims = [
  Holds<Same<Required<TaskExtensionData>, keyof TaskExtensionData>>,
  Holds<Same<ReadOnly<TaskExtensionData>, ServerControlled>>,
  Holds<Same<Required<TaskExtensionDataInput>, 'name' | 'goal'>>,
  Holds<Same<keyof TaskExtensionDataInput, Exclude<keyof TaskExtensionData, ServerControlled>>>,
  Holds<Same<TaskExtensionData['lifecycle'], 'conversation' | 'delegated' | null>>,
  Holds<Same<TaskExtensionData['participants'][number]['role'], Role>>,
  Holds<Same<Role, 'assignee' | 'reporter' | 'watcher' | 'admin'>>,
  Holds<Same<Role, (typeof ROLE_VALUES)[number]>>,
  Holds<
    Same<
      NonNullable<TaskExtensionData['reasoning_effort']>,
      (typeof TASK_EXTENSION_DATA_REASONING_EFFORT_VALUES)[number]
    >
  >,
  Holds<
    Same<keyof TaskChangesInput, 'name' | 'description' | 'acceptance_criteria' | 'participants'>
  >,
  Holds<Same<keyof TaskChanges, keyof TaskExtensionData>>,
];

export const smallest: TaskExtensionDataInput = { name: 'Report', goal: 'Write it' };

// @ts-expect-error: what is held has its defaults.
export const unfilled: TaskExtensionData = { name: 'Report', goal: 'Write it' };

// @ts-expect-error: the server sets the model.
export const presumptuous: TaskExtensionDataInput = { name: 'a', goal: 'b', model: 'm' };

// @ts-expect-error: closed, and `colour` is not in it.
export const coloured: TaskExtensionDataInput = { name: 'a', goal: 'b', colour: 'red' };

// @ts-expect-error: a member that is absent is absent; undefined is no JSON.
export const undefinedMember: TaskExtensionDataInput = { name: 'a', goal: 'b', type: undefined };

// @ts-expect-error: no such role.
export const owner: Role = 'owner';

export function rename(task: TaskExtensionData): void {
  task.name = 'new';
  // @ts-expect-error: only the server sets it.
  task.lifecycle = 'delegated';
  // @ts-expect-error: the list is frozen.
  ROLE_VALUES.push('owner');
}

/** Definitions that are open may hold more, and what it is has to be looked at. */
export function readMore(task: TaskExtensionData): string {
  const more = task.participants[0]?.avatar;
  // @ts-expect-error: it may be anything.
  const text: string = more;
  return text;
}

// --- The event envelope narrows on `kind`. ---

export function describe(event: EventEnvelope): string {
  switch (event.kind) {
    case 'task':
      // @ts-expect-error: only a control has an action.
      return event.action;
    case 'status_update':
    case 'artifact_update': {
      const payload: Record<string, unknown> = event.payload;
      return Object.keys(payload).join();
    }
    case 'control': {
      const action: 'complete' = event.action;
      // @ts-expect-error: a control has no payload.
      return action + String(event.payload);
    }
    default: {
      const nothing: never = event;
      return nothing;
    }
  }
}

export const events: readonly EventEnvelope[] = [
  { kind: 'task', payload: { name: 'Report', goal: 'Write it' } },
  { kind: 'task', payload: { name: 'Quarterly report' } },
  { kind: 'status_update', payload: { taskId: 'a' } },
  { kind: 'control', action: 'complete' },
  // @ts-expect-error: completing is the only action.
  { kind: 'control', action: 'abort' },
  // @ts-expect-error: a control has no payload.
  { kind: 'control', action: 'complete', payload: {} },
  // @ts-expect-error: a task event has one.
  { kind: 'task' },
  // @ts-expect-error: no such kind.
  { kind: 'nope', payload: {} },
];

// --- The sub-state is an open string that offers what is known. ---

export type StatusClaims = [
  Holds<Same<KnownSubState, 'awaiting-next-message' | 'awaiting-answer'>>,
  Holds<KnownSubState extends TaskSubState['sub_state'] ? true : false>,
];

export const waiting: TaskSubState = { sub_state: 'awaiting-answer' };
export const waitingForMore: TaskSubState = { sub_state: 'awaiting-something-new' };
// @ts-expect-error: a closed object.
export const waitingBecause: TaskSubState = { sub_state: 'awaiting-answer', because: 'x' };

// --- Accessors: undefined when nothing is there, else a result. ---

interface Task {
  readonly id: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export function readName(task: Task): string {
  const result = readTaskExtension(task);
  // @ts-expect-error: there may be nothing.
  if (result.ok) return '';
  if (result === undefined) return 'plain';
  // @ts-expect-error: only a good result has a value.
  const early = result.value;
  if (!result.ok) return result.errors.map(({ path, message }) => `${path} ${message}`).join();
  // @ts-expect-error: a good result has no errors.
  const none = result.errors;
  return result.value.name + String(early) + String(none);
}

export type AccessorClaims = [
  Holds<Same<ReturnType<typeof readTaskExtension>, Result<TaskExtensionData> | undefined>>,
  Holds<Same<ReturnType<typeof readSubState>, Result<TaskSubState> | undefined>>,
  Holds<Same<ReturnType<typeof readEventEnvelope>, Result<EventEnvelope> | undefined>>,
  Holds<Same<ReturnType<typeof parseEventEnvelope>, Result<EventEnvelope>>>,
  Holds<Same<ReturnType<typeof parseTaskExtensionDataInput>, Result<TaskExtensionData>>>,
  Holds<Same<typeof URI, 'https://madarauchiha-314.github.io/tiny-harness/a2a/ext/task/v1'>>,
  Holds<Same<(typeof taskV1)['URI'], typeof URI>>,
];

export function write(task: Task, data: TaskExtensionData): string {
  const written = writeTaskExtension(task, data);
  const back: TaskExtensionData = written.metadata[TASK_EXTENSION_KEY];
  const { id }: Task = writeSubState(written, { sub_state: 'awaiting-answer' });
  // @ts-expect-error: what is written is whole.
  writeTaskExtension(task, { name: 'a', goal: 'b' });
  return id + back.name;
}

export function guard(value: unknown): string {
  if (!isTaskExtensionData(value)) return '';
  const sent: TaskExtensionDataInput = value;
  // @ts-expect-error: nothing was filled in.
  const held: TaskExtensionData = value;
  return sent.name + held.name;
}

export function send(): string {
  const part = createEventEnvelopePart({ kind: 'control', action: 'complete' });
  const { data, mediaType }: { data: EventEnvelope; mediaType: string } = part;
  // @ts-expect-error: not an envelope.
  createEventEnvelopePart({ kind: 'control' });
  return data.kind + mediaType;
}

/** Accessors take any A2A structure, as it is: one that has no metadata yet, and one that says more. */
export function writeAndRead(): string {
  const message = writeSender({ messageId: 'm-1', role: 'ROLE_USER' }, 'alice');
  const { sender }: { sender: string } = { sender: message.metadata.participant_id };
  // @ts-expect-error: metadata is an object.
  writeSender({ messageId: 'm-1', metadata: 3 }, 'alice');
  return message.messageId + sender + String(readTaskExtension({ id: 'task-1' })?.ok);
}

export function commandNames(card: Parameters<typeof readParams>[0]): readonly string[] {
  const result = readParams(card);
  return result?.ok === true ? result.value.commands.map(({ name, runsOn }) => name + runsOn) : [];
}

// --- What the card carries is known to the letter, and tables over the contract are whole. ---

type CommandName = (typeof PARAMS)['commands'][number]['name'];

export type CommandClaims = [
  Holds<Same<CommandName, 'model' | 'effort' | 'sub-task' | 'status' | 'help' | 'plan'>>,
  Holds<Same<(typeof AGENT_EXTENSION)['uri'], (typeof EXTENSION_URIS)['commandsV1']>>,
  Holds<Same<(typeof EXTENSION_URIS)[ExtensionId], ExtensionUri>>,
];

export const commandHandlers: Record<CommandName, () => string> = {
  model: () => 'a',
  effort: () => 'b',
  'sub-task': () => 'c',
  status: () => 'd',
  help: () => 'e',
  plan: () => 'f',
  // @ts-expect-error: no such command.
  dance: () => 'g',
};

export const extensions: Record<ExtensionId, string> = {
  taskV1: 'a',
  channelV1: 'b',
  a2uiV0_9_1: 'c',
  statusV1: 'd',
  commandsV1: 'e',
};

// @ts-expect-error: one is missing.
export const lacking: Record<ExtensionId, string> = {
  taskV1: 'a',
  channelV1: 'b',
  a2uiV0_9_1: 'c',
  statusV1: 'd',
};

export const held: CommandsParamsInput['commands'][number]['name'] = PARAMS.commands[0].name;

// @ts-expect-error: what is shared is frozen.
PARAMS.commands[0].name = 'model';

export type ChannelClaims = [
  Holds<Same<Required<ChannelMessageInput>, 'channel_id' | 'sender'>>,
  Holds<Same<Required<ChannelMessage>, keyof ChannelMessage>>,
];

// --- For clients: messages, and what they show. ---

export const messages: readonly Message[] = [
  completeMessage('task-1', { participantId: 'alice' }),
  createTextMessage('/status', { taskId: 'task-1', interrupt: true }),
  createTaskMessage({ name: 'Report', goal: 'Write it' }, { text: 'Please.' }),
  changeTaskMessage('task-1', { description: 'Shorter.' }),
  createChannelMessage('task-1', 'Lunch?', { participantId: 'alice', parts: [{ kind: 'data' }] }),
  // @ts-expect-error: a new task has a goal.
  createTaskMessage({ name: 'Report' }),
  // @ts-expect-error: the server sets the model.
  changeTaskMessage('task-1', { model: 'm' }),
  // @ts-expect-error: a channel says who speaks.
  createChannelMessage('task-1', 'Lunch?', {}),
  // @ts-expect-error: a message has a part.
  createMessage([]),
  // @ts-expect-error: which task?
  completeMessage({ participantId: 'alice' }),
];

export type ClientClaims = [
  Holds<Same<ReturnType<typeof subStateOf>, TaskSubState['sub_state'] | undefined>>,
  Holds<Same<ReturnType<typeof helpRequestOf>, HelpRequest | undefined>>,
  Holds<Same<HelpRequest['channelMessage'], ChannelMessage>>,
];

export function show(task: A2aTask, update: TaskStatusUpdateEvent, message: Message): string {
  const [request] = [helpRequestOf(task), helpRequestOf(update), helpRequestOf(message)];
  const names = commandsOf(card).map(({ name, argument_hint }) => name + argument_hint);
  const reply = request && createHelpReply(request, 'yes', { participantId: 'alice' });
  // @ts-expect-error: it may be undefined.
  const state: string = subStateOf(task);
  // @ts-expect-error: a number is no task.
  subStateOf(3);
  return names.join() + state + (reply?.messageId ?? '') + String(subStateOf(update));
}

// --- Tools: each name has its input. ---

export type ToolClaims = [
  Holds<Same<keyof ToolInputs, ToolName>>,
  Holds<Same<keyof ToolCallInputs, ToolName>>,
  Holds<Same<ToolInputs['complete_step']['output'], string>>,
  Holds<Same<ToolInputs['set_participant_role']['role'], Role>>,
  Holds<Same<Required<ToolCallInputs['spawn_subtask']>, 'name' | 'goal'>>,
  Holds<Same<Required<ToolInputs['spawn_subtask']>, keyof ToolInputs['spawn_subtask']>>,
];

/** Each handler knows its input. */
export const handlers: { readonly [Name in ToolName]?: (input: ToolInputs[Name]) => string } = {
  create_plan: ({ steps }) => steps.map(({ depends_on }) => depends_on.join()).join(),
  complete_step: ({ step, output }) => step + output,
  // @ts-expect-error: no such tool.
  make_coffee: () => '',
};

export function run(call: ToolCall): string {
  if (call.name !== 'ask_participant') return '';
  return call.input.question + call.input.options.join();
}

export function parse(text: string): string {
  const plan = parseToolInput('create_plan', {});
  if (plan.ok) return plan.value.steps.map(({ name }) => name).join();
  const call = parseToolCall<ToolName>('whatever', text);
  // @ts-expect-error: no such tool.
  parseToolInput('make_coffee', {});
  return call.ok ? run(call.value) : (call.errors[0]?.message ?? '');
}

export const card = createAgentCard({ baseUrl: 'https://acme.example' });
// @ts-expect-error: a card needs an address.
export const nowhere = createAgentCard({});
/* eslint-enable @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-call, @typescript-eslint/no-unsafe-return, @typescript-eslint/no-unnecessary-condition, @typescript-eslint/no-unnecessary-type-parameters -- the end */
