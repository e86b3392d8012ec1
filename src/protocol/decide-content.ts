/** What the content of a message does to a task that exists: an order, a command, talk, a change, or words for the agent. */
import type { SendMessageRequest } from '@tiny-harness/contract/a2a';
import { CREATED_TASK_KEY, REPLIED_COMMAND_KEY } from '@tiny-harness/contract/commands/v1';
import type { TaskExtensionData } from '@tiny-harness/contract/task/v1';
import { readInterrupt } from '@tiny-harness/contract/task/v1';
import { COMMANDS } from '../commands/index.ts';
import { completeTask } from '../core/endings.ts';
import type { StatusChanged, TaskEvent } from '../core/events.ts';
import { evolve } from '../core/evolve.ts';
import type { Incoming } from '../core/messages.ts';
import { acceptMessage, replyTo } from '../core/messages.ts';
import { isAgentsTask, mayChange, readersOf, roleOf } from '../core/participants.ts';
import { unresolvedChildren } from '../core/sub-tasks.ts';
import type { Surface } from '../core/surface.ts';
import type { TaskHead } from '../core/task.ts';
import type { Lease } from '../core/turns.ts';
import { findUnknownTarget, isUiErrorAlone } from '../extensions/a2ui/index.ts';
import { readChannel, requireOwnChannel } from '../extensions/channel.ts';
import type { TypedCommand } from '../extensions/commands.ts';
import { readCommand } from '../extensions/commands.ts';
import { readEnvelope } from '../extensions/envelope.ts';
import type { TaskPayload } from '../extensions/task.ts';
import { changeTask, textOf } from '../extensions/task.ts';
import type { FurtherChange } from '../core/decision.ts';

/** A message as it is decided on. */
export interface Request extends Incoming {
  readonly message: SendMessageRequest['message'];
  /** Whether header or credentials, and not only the message itself, say who sends it. */
  readonly isAsserted: boolean;
}

/** What decisions are made with. */
export interface MessageContext {
  readonly agentId: string;
  readonly lifecycle: 'conversation' | 'delegated';
  /** Whether strangers are told that there is nothing, however they are named (rules T5, A6). */
  readonly failsClosed: boolean;
  /** The models that may be selected; the first is the default. */
  readonly models: readonly string[];
  /** The lease of a turn that starts now, for a task as it is; undefined when none is to start. */
  readonly lease: (head: TaskHead) => Lease | undefined;
}

/** What happens to the task, and to others with it. */
export interface Decided {
  readonly events: TaskEvent[];
  readonly also: readonly FurtherChange[];
}

/** Why a task waits that nothing was asked in. */
const NEXT_MESSAGE = 'awaiting-next-message';

/** Where in the request an envelope's payload stands. */
export function payloadField(at: number): string {
  return `message.parts[${at}].data.payload`;
}

/** Decides by content. The message is valid, and its sender is on the task. */
export function decideContent(
  head: TaskHead,
  request: Request,
  context: MessageContext,
  surfaces: readonly Surface[],
): Decided {
  const { message, sender } = request;
  const envelope = readEnvelope(message);
  const command = readCommand(message);
  if (command !== undefined) {
    const { reply, also } = runCommand(command, head, request, context);
    return { events: replyTo(head, request, reply), also };
  }
  const only = (events: TaskEvent[]): Decided => ({ events, also: [] });
  if (envelope?.value.kind === 'control')
    return only(completeTask(head, request, context.lease(head)));
  const channel = readChannel(message);
  if (channel !== undefined) requireOwnChannel(channel, head.id, sender);
  const talk = channel?.value.kind === 'help_reply' ? undefined : channel;
  const alone = textOf(message) === '' && envelope === undefined;
  if (talk !== undefined && alone) return only(passOn(head, request));
  const refusal =
    findRefusal(head, request, context.agentId) ?? findUnknownTarget(surfaces, message);
  if (refusal !== undefined) return only(refuse(head, request, refusal));
  const said = talk === undefined ? [] : [tellChannel(head, message, talk.at)];
  if (envelope?.value.kind !== 'task') return only(acceptAfter(said, head, request, context));
  const payload = envelope.value.payload as TaskPayload;
  return only(changeAndAccept(said, head, request, context, envelope.at, payload));
}

/** Runs a command on a task as it is; what it says is the reply (rule E7). */
export function runCommand(
  { name, args }: TypedCommand,
  head: TaskHead,
  { sender }: Request,
  { agentId, models }: MessageContext,
): { reply: Pick<StatusChanged, 'label' | 'message' | 'data'>; also: readonly FurtherChange[] } {
  const allowed = mayChange(roleOf(head.data, sender));
  const context = { head, args, mayChange: allowed, sender, agentId, models };
  const { text, data, child } = COMMANDS[name](context);
  const created = child === undefined ? {} : { [CREATED_TASK_KEY]: child.id };
  const metadata = { [REPLIED_COMMAND_KEY]: name, ...created };
  return {
    reply: { label: 'command', message: { parts: [{ text }], metadata }, data },
    also: child === undefined ? [] : [startChild(child, head.contextId, agentId)],
  };
}

/** A child that waits for its first message. */
function startChild(
  { id, data }: { id: string; data: TaskExtensionData },
  contextId: string,
  agentId: string,
): FurtherChange {
  const readers = readersOf(data, agentId);
  return {
    taskId: id,
    decide: () => ({
      events: [
        { kind: 'created', contextId, data, readers },
        {
          kind: 'status',
          state: 'TASK_STATE_INPUT_REQUIRED',
          message: undefined,
          subState: NEXT_MESSAGE,
        },
      ],
      result: undefined,
    }),
  };
}

function accept(head: TaskHead, request: Request, context: MessageContext): TaskEvent[] {
  const { agentId, lease } = context;
  const { message } = request;
  const interrupt = wantsInterrupt(request);
  return acceptMessage(head, request, {
    agentId,
    interrupt,
    speaks: speaks(message),
    lease: lease(head),
  });
}

/** A message of the channel alone: those who follow the task are given it, and no turn runs. */
function passOn(head: TaskHead, request: Request): TaskEvent[] {
  const { parts } = request.message;
  return replyTo(head, request, { message: { parts } }, true);
}

/** What is said in the channel beside words for the agent: followers are given that part alone. */
function tellChannel(
  { state, subState }: TaskHead,
  { parts }: Request['message'],
  at: number,
): StatusChanged {
  const part = parts[at] ?? parts[0];
  return { kind: 'status', state, message: { parts: [part] }, reply: true, subState };
}

/** Takes a message that followers are told more of than its turn, in updates that leave the state alone. */
function acceptAfter(
  updates: readonly StatusChanged[],
  head: TaskHead,
  request: Request,
  context: MessageContext,
): TaskEvent[] {
  const [first, ...rest] = accept(updates.reduce<TaskHead>(evolve, head), request, context);
  if (first?.kind !== 'message') throw new Error('an accepted message comes first');
  // A message that opens a turn comes first: its stream shows the updates. The event after another is its answer.
  return first.turn === undefined ? [...updates, first, ...rest] : [first, ...updates, ...rest];
}

/** Applies a change of the task's data; apart from that the message is one like others. */
function changeAndAccept(
  said: readonly StatusChanged[],
  head: TaskHead,
  request: Request,
  context: MessageContext,
  at: number,
  payload: TaskPayload,
): TaskEvent[] {
  const { agentId } = context;
  const role = roleOf(head.data, request.sender);
  const change = changeTask(head.data, payload, role, { agentId, field: payloadField(at) });
  if (change.kind === 'refused') return refuse(head, request, change.why);
  const { data, fields } = change;
  const readers = fields.includes('participants') ? readersOf(data, agentId) : undefined;
  const { state, subState, question } = head;
  // Nobody is left to answer: the task waits for whatever is said next.
  const isOrphaned = question !== undefined && roleOf(data, question.asked) === undefined;
  const waits = isOrphaned ? ({ subState: NEXT_MESSAGE } as const) : { reply: true, subState };
  const changed: StatusChanged = {
    kind: 'status',
    state,
    message: undefined,
    ...waits,
    data,
    readers,
  };
  return acceptAfter([...said, changed], head, request, context);
}

/** Why a request that is valid is not accepted; undefined when it is (contract-facts, "Sending", 8). */
function findRefusal(head: TaskHead, request: Request, agentId: string): string | undefined {
  const { data, question } = head;
  const { message, sender } = request;
  const completes = !isAgentsTask(data, agentId) && roleOf(data, sender) === 'assignee';
  const open = unresolvedChildren(data);
  if (completes && speaks(message) && open.length > 0) {
    // The assignee's words complete the task, and rule C6 holds for that as for any completion.
    return `it would complete the task, and ${open.join(', ')} ${open.length === 1 ? 'is' : 'are'} unresolved`;
  }
  if (wantsInterrupt(request) && !mayChange(roleOf(data, sender))) {
    return 'a watcher cannot interrupt the agent';
  }
  const reply = readChannel(message)?.value;
  if (reply?.kind === 'help_reply' && question === undefined) return 'no question is open';
  if (question === undefined || question.options.length === 0) return undefined;
  if (question.asked !== sender || !speaks(message)) return undefined;
  const answer = (textOf(message) || (reply?.text ?? '')).trim();
  if (question.options.some((option) => option.trim() === answer)) return undefined;
  return `the answer must be one of ${question.options.join(', ')}`;
}

function refuse(head: TaskHead, request: Request, why: string): TaskEvent[] {
  return replyTo(head, request, refusalOf(why));
}

/** What the sender of a message is told that the task does not allow. */
export function refusalOf(why: string): Pick<StatusChanged, 'message'> {
  return { message: { parts: [{ text: `message not accepted: ${why}` }] } };
}

/** Whether a message says something itself: an envelope without a text does not, nor does a client that could not draw. */
function speaks(message: Request['message']): boolean {
  if (isUiErrorAlone(message)) return false;
  return readEnvelope(message) === undefined || textOf(message) !== '';
}

function wantsInterrupt({ message }: Request): boolean {
  const interrupt = readInterrupt(message);
  return interrupt?.ok === true && interrupt.value;
}
