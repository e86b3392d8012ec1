/** SendMessage and SendStreamingMessage (specification 3.1.1, 3.1.2). */
import type { Message, SendMessageRequest } from '@tiny-harness/contract/a2a';
import { parseSendMessageRequest } from '@tiny-harness/contract/a2a';
import { identifySender } from '../auth/caller.ts';
import type { Incoming } from '../core/decide.ts';
import { acceptMessage, createTask } from '../core/decide.ts';
import { invalidParams, ProtocolError, taskNotFound } from '../core/errors.ts';
import type { AcceptedMessage, TaskHead } from '../core/task.ts';
import type { Decision, DecisionView, StoredEvent } from '../store/port.ts';
import type { Answer, Call } from './call.ts';
import { fingerprint } from './fingerprint.ts';
import { createId } from './ids.ts';
import { orUnset, parseRequest } from './proto-json.ts';
import { keepInlineConfig, sealInlineConfig } from './push-configs.ts';
import type { Service } from './service.ts';
import { historyLength } from './service.ts';
import { endsTask, streamOnce, streamTask, waitFor } from './stream-task.ts';

/** A message that opened a turn, now or when it came before. */
interface Accepted {
  readonly kind: 'task';
  readonly taskId: string;
  readonly sender: string;
  readonly turn: number;
  /** The task's last event when the message was accepted. */
  readonly seq: number;
}

/** A message that was answered without a task. */
interface Answered {
  readonly kind: 'message';
  readonly message: Message;
}

/** Answers with the task when the message's turn is over, or a message; at once when that is asked for. */
export async function sendMessage(service: Service, call: Call): Promise<Answer> {
  const request = readRequest(service, call);
  const accepted = await accept(service, request, call.signal);
  if (accepted.kind === 'message') return value(wrapMessage(accepted.message));
  const { taskId, sender } = accepted;
  const atOnce = request.configuration?.returnImmediately === true;
  const end = atOnce ? undefined : await waitForTurn(service, accepted, call.signal);
  const snapshot = await service.store.readTask(taskId, sender, {
    history: historyLength(request.configuration?.historyLength),
    artifacts: true,
    ...(end === undefined ? {} : { asOf: end.seq }),
  });
  if (snapshot === undefined) throw taskNotFound(taskId);
  return value(wrapTask(snapshot.json));
}

/** Streams the task and what happens to it until the message's turn is over, or one message. */
export async function sendStreamingMessage(service: Service, call: Call): Promise<Answer> {
  service.profile.requireStreaming();
  const request = readRequest(service, call);
  const accepted = await accept(service, request, call.signal);
  if (accepted.kind === 'message') {
    const frame = { id: undefined, body: wrapMessage(accepted.message) };
    return { kind: 'stream', frames: streamOnce(frame) };
  }
  const { taskId, sender, seq } = accepted;
  const snapshot = await service.store.readTask(taskId, sender, {
    history: historyLength(request.configuration?.historyLength),
    artifacts: true,
    asOf: seq,
  });
  if (snapshot === undefined) throw taskNotFound(taskId);
  const follower = service.hub.follow(taskId, seq);
  const first = { id: seq, body: wrapTask(snapshot.json) };
  return { kind: 'stream', frames: streamTask(first, follower, isTurnEnd(accepted.turn)) };
}

type Request = SendMessageRequest & Incoming;

function readRequest({ profile, agentId }: Service, call: Call): Request {
  const request = parseRequest(call.params, parseSendMessageRequest);
  const { sender, message } = identifySender(request.message, call.participant, agentId);
  profile.requireExtensions([...call.extensions, ...(message.extensions ?? [])]);
  if (request.configuration?.taskPushNotificationConfig !== undefined) profile.requirePush();
  return { ...request, message, sender, fingerprint: fingerprint(request.message) };
}

async function accept(
  service: Service,
  request: Request,
  signal: AbortSignal,
): Promise<Accepted | Answered> {
  const { sender, message } = request;
  const taskId = orUnset(message.taskId);
  if (taskId !== undefined)
    return change(service, request, taskId, (view) => continueTask(service, request, taskId, view));
  const contextId = orUnset(message.contextId) ?? createId();
  const answered = await answerWithoutTask(service, request, contextId, signal);
  if (answered !== undefined) return answered;
  return change(service, request, createId(), ({ accepted }) => {
    if (accepted !== undefined) return repeat(accepted, request);
    service.profile.requireInputModes(message);
    const created = { kind: 'created', contextId, readers: [sender], metadata: undefined } as const;
    const events = createTask(created, request, service.runner.lease());
    return { events, result: { turn: 1, seq: 0 } };
  });
}

type Outcome = { readonly turn: number; readonly seq: number; readonly taskId?: string } | Answered;

async function change(
  service: Service,
  request: Request,
  taskId: string,
  decide: (view: DecisionView) => Decision<Outcome>,
): Promise<Accepted | Answered> {
  const { sender, message } = request;
  const webhook = await sealInlineConfig(service, request, taskId);
  const lookups = { reader: sender, message: { sender, messageId: message.messageId } };
  const { result } = await service.store.change(taskId, lookups, decide);
  if ('kind' in result) return result;
  // A message that came again, and whose answer may not have arrived, belongs to the task it started.
  const accepted: Accepted = { kind: 'task', sender, taskId, ...result };
  if (webhook !== undefined) await keepInlineConfig(service, request, webhook, accepted);
  return accepted;
}

function continueTask(
  { profile, runner }: Service,
  request: Request,
  taskId: string,
  { head, isReader, accepted }: DecisionView,
): Decision<Outcome> {
  if (head === undefined || !isReader) throw taskNotFound(taskId);
  requireSameContext(head, request.message);
  if (accepted !== undefined) return repeat(accepted, request);
  const events = acceptMessage(head, request, runner.lease());
  profile.requireInputModes(request.message);
  return { events, result: { turn: head.lastTurn + 1, seq: head.seq } };
}

function requireSameContext(head: TaskHead, { contextId }: Message): void {
  if (!contextId || contextId === head.contextId) return;
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
  const { answer, taskId, turn, seq } = accepted;
  if (answer !== undefined) return { events: [], result: { kind: 'message', message: answer } };
  if (taskId === undefined || turn === undefined)
    throw new Error('an accepted message without task and answer');
  return { events: [], result: { taskId, turn, seq } };
}

/** Asks the agent whether it answers without a task; the first answer is kept and given again (rule A5). */
async function answerWithoutTask(
  { agent, store, profile }: Service,
  { message, sender, fingerprint: digest }: Request,
  contextId: string,
  signal: AbortSignal,
): Promise<Answered | undefined> {
  if (agent.answer === undefined) return undefined;
  const { messageId } = message;
  if ((await store.findAccepted(sender, messageId)) !== undefined) return undefined;
  profile.requireInputModes(message);
  const parts = await agent.answer({ contextId, message, sender, signal });
  if (parts === undefined) return undefined;
  const answer: Message = { messageId: createId(), contextId, role: 'ROLE_AGENT', parts };
  const kept = await store.keepAnswer({ sender, messageId, fingerprint: digest }, answer);
  return kept.answer === undefined ? undefined : { kind: 'message', message: kept.answer };
}

/** Whether a blocking call returns with this event: its own turn is over or waits for authorisation, or the task has ended. */
function isTurnEnd(turn: number): (event: StoredEvent) => boolean {
  return (event) => endsTask(event) || (event.endsTurn && event.turn === turn);
}

async function waitForTurn(
  service: Service,
  accepted: Accepted,
  signal: AbortSignal,
): Promise<StoredEvent | undefined> {
  const isEnd = isTurnEnd(accepted.turn);
  const waitsForAuth = ({ state, turn }: StoredEvent) =>
    state === 'TASK_STATE_AUTH_REQUIRED' && turn === accepted.turn;
  const end = await waitFor(
    service.hub.follow(accepted.taskId, accepted.seq),
    (event) => isEnd(event) || waitsForAuth(event),
    signal,
  );
  if (end !== undefined || signal.aborted) return end;
  throw new ProtocolError(
    'UNAVAILABLE',
    'The server stops. The message is kept and will be worked on; send it again with the same messageId to get its answer',
    { metadata: { taskId: accepted.taskId } },
  );
}

function value(body: string): Answer {
  return { kind: 'value', body };
}

function wrapTask(json: string): string {
  return `{"task":${json}}`;
}

function wrapMessage(message: Message): string {
  return JSON.stringify({ message });
}
