/**
 * What a message does, in the order of rule A7: access, duplicate, terminal state, content type, data-part schema,
 * role, field rights. Pure: from what the store knows of the task to events.
 */
import { invalidParams, ProtocolError, taskNotFound } from '../core/errors.ts';
import type { TaskCreated, TaskEvent } from '../core/events.ts';
import { createHead } from '../core/evolve.ts';
import { parkTask, requireActive, startTask } from '../core/messages.ts';
import { ANONYMOUS, isAgentsTask, mayChange, readersOf, roleOf } from '../core/participants.ts';
import { MAX_CHILDREN } from '../core/sub-tasks.ts';
import type { AcceptedMessage, TaskHead } from '../core/task.ts';
import { isTerminal } from '../core/task.ts';
import { findUnknownTarget } from '../extensions/a2ui/index.ts';
import { readChannel, requireOwnChannel } from '../extensions/channel.ts';
import { readCommand } from '../extensions/commands.ts';
import { isControl, readEnvelope } from '../extensions/envelope.ts';
import { checkExtensionData } from '../extensions/index.ts';
import type { TaskPayload } from '../extensions/task.ts';
import { createData, createDataFrom, textOf } from '../extensions/task.ts';
import type { Decision, DecisionView, FurtherChange } from '../core/decision.ts';
import type { Decided, MessageContext, Request } from './decide-content.ts';
import { decideContent, payloadField, refusalOf, runCommand } from './decide-content.ts';

/** What became of a message. */
export type Outcome =
  /** It opened a turn; `seq` is the task's last event before. */
  | { readonly kind: 'turn'; readonly taskId: string; readonly turn: number; readonly seq: number }
  /** The event after `seq` answers it. */
  | { readonly kind: 'reply'; readonly taskId: string; readonly seq: number }
  /** It joined the history and is answered with the task as it is. */
  | { readonly kind: 'recorded'; readonly taskId: string; readonly seq: number }
  /** It was answered without a task. */
  | { readonly kind: 'answered'; readonly answer: NonNullable<AcceptedMessage['answer']> }
  /** Its sender says to be somebody who is not on the task (rule T5). */
  | { readonly kind: 'stranger'; readonly head: TaskHead };

/** Refuses media types that the agent does not take (specification 3.1.1). */
export type RequireInputModes = (message: Request['message']) => void;

/** What a message for a task does. */
export function decideForTask(
  request: Request,
  taskId: string,
  context: MessageContext,
  requireInputModes: RequireInputModes,
  { head, accepted, surfaces }: DecisionView,
): Decision<Outcome> {
  if (head === undefined) throw taskNotFound(taskId);
  if (roleOf(head.data, request.sender) === undefined)
    return refuseStranger(request, head, context);
  requireSameContext(head, request.message.contextId);
  if (accepted !== undefined) return repeat(accepted, request);
  requireActive(head, 'UNSUPPORTED_OPERATION', 'takes no further messages');
  requireInputModes(request.message);
  requireValidData(request);
  const decided = decideContent(head, request, context, surfaces);
  return { ...decided, result: outcomeOf(decided.events, head) };
}

/** What a message that names no task does: it starts one. */
export function decideNewTask(
  request: Request,
  place: { readonly taskId: string; readonly contextId: string },
  context: MessageContext,
  requireInputModes: RequireInputModes,
  { accepted }: DecisionView,
): Decision<Outcome> {
  if (accepted !== undefined) return repeat(accepted, request);
  requireInputModes(request.message);
  requireValidData(request);
  if (isControl(request.message)) {
    const message = 'A control envelope is for a task that exists; name it in message.taskId';
    throw new ProtocolError('UNSUPPORTED_OPERATION', message);
  }
  const channel = readChannel(request.message);
  if (channel !== undefined) requireOwnChannel(channel, undefined, request.sender);
  const created = createTask(request, place.contextId, context);
  const head = createHead(place.taskId, created);
  const { events, also } = beginTask(created, head, request, context);
  const linked = [...also, ...linkParents(head, request)];
  return { events, also: linked, result: outcomeOf(events, head) };
}

function createTask(
  { message, sender }: Request,
  contextId: string,
  { agentId, lifecycle }: MessageContext,
): TaskCreated {
  const founders = { sender, agentId, lifecycle };
  const envelope = readEnvelope(message);
  const data =
    envelope?.value.kind === 'task'
      ? createDataFrom(envelope.value.payload as TaskPayload, founders, payloadField(envelope.at))
      : createData(textOf(message), founders);
  return { kind: 'created', contextId, data, readers: readersOf(data, agentId) };
}

function beginTask(
  created: TaskCreated,
  head: TaskHead,
  request: Request,
  context: MessageContext,
): Decided {
  const command = readCommand(request.message);
  if (command !== undefined) {
    const { reply, also } = runCommand(command, head, request, context);
    const parked = { ...reply, reply: true, subState: 'awaiting-next-message' } as const;
    return { events: parkTask(created, request, false, parked), also };
  }
  const unknown = findUnknownTarget([], request.message);
  if (unknown !== undefined) {
    const refused = {
      ...refusalOf(unknown),
      reply: true,
      subState: 'awaiting-next-message',
    } as const;
    return { events: parkTask(created, request, false, refused), also: [] };
  }
  if (isAgentsTask(head.data, context.agentId)) {
    return { events: startTask(created, request, context.lease(head)), also: [] };
  }
  const message = { parts: [{ text: head.data.goal }] as [{ text: string }] };
  return { events: parkTask(created, request, true, { message }), also: [] };
}

/** Each parent gets a row of the child; the sender has to be one who may change it (contract-facts, "Sending", 5). */
function linkParents(head: TaskHead, { sender, message }: Request): FurtherChange[] {
  const payload = payloadField(readEnvelope(message)?.at ?? 0);
  return head.data.parent_tasks.map(({ task_id }, at) => ({
    taskId: task_id,
    decide: ({ head: parent }) => {
      const field = `${payload}.parent_tasks[${at}]`;
      const isOpen = parent !== undefined && !isTerminal(parent.state);
      if (!isOpen || !mayChange(roleOf(parent.data, sender))) {
        const description = `${task_id} is no task that ${sender} may change: only such a task can be a parent`;
        throw invalidParams([{ field, description }]);
      }
      if (parent.data.sub_tasks.length >= MAX_CHILDREN) {
        const description = `${task_id} has ${MAX_CHILDREN} sub-tasks, the most that a task may have`;
        throw invalidParams([{ field, description }]);
      }
      // Its row on the parent comes with the child's own change.
      return { events: [], result: undefined };
    },
  }));
}

/**
 * Whether a message says no more than words and files: what is an order, a command or the data of an extension is
 * decided on, and nothing for an agent to answer without a task (rules C2, E7).
 */
export function isPlain(message: Request['message']): boolean {
  const isData = checkExtensionData(message).length > 0 || readEnvelope(message) !== undefined;
  return !isData && readChannel(message) === undefined && readCommand(message) === undefined;
}

function requireValidData({ message }: Request): void {
  const violations = checkExtensionData(message);
  if (violations.length > 0) throw invalidParams(violations);
}

function requireSameContext(head: TaskHead, contextId: string | undefined): void {
  if (contextId === undefined || contextId === '' || contextId === head.contextId) return;
  const description =
    "message.contextId is not the context of the task in message.taskId; leave it out, or send the task's";
  throw invalidParams([{ field: 'message.contextId', description }]);
}

/** The same message again is the same message; other content under its id is refused (rule A5). */
function repeat(accepted: AcceptedMessage, request: Request): Decision<Outcome> {
  if (accepted.fingerprint !== request.fingerprint) {
    const description =
      'message.messageId was used before for a message with other content; give each message an id of its own';
    throw invalidParams([{ field: 'message.messageId', description }]);
  }
  return { events: [], result: outcomeAgain(accepted) };
}

function outcomeAgain(accepted: Omit<AcceptedMessage, 'fingerprint'>): Outcome {
  const { answer, taskId, turn, seq, replied } = accepted;
  if (answer !== undefined) return { kind: 'answered', answer };
  if (taskId === undefined) throw new Error('an accepted message without task and answer');
  if (turn !== undefined) return { kind: 'turn', taskId, turn, seq };
  return { kind: replied ? 'reply' : 'recorded', taskId, seq };
}

/** What the events say of the message that is among them. */
function outcomeOf(events: readonly TaskEvent[], head: TaskHead): Outcome {
  let { seq } = head;
  for (const event of events) {
    if (event.kind === 'message') {
      const { turn, replied } = event;
      return outcomeAgain({ answer: undefined, taskId: head.id, turn, seq, replied });
    }
    if (event.kind === 'status' || event.kind === 'artifact') seq += 1;
  }
  throw new Error('a decision on a message accepts or refuses it');
}

/** Nobody, and who is named by header or credentials, is told nothing (rules A2, T5); an order is not discussed (C4). */
function refuseStranger(
  { isAsserted, sender, message }: Request,
  head: TaskHead,
  { failsClosed }: MessageContext,
): Decision<Outcome> {
  if (failsClosed || isAsserted || sender === ANONYMOUS || isControl(message))
    throw taskNotFound(head.id);
  return { events: [], result: { kind: 'stranger', head } };
}
