/** SendMessage and SendStreamingMessage (specification 3.1.1, 3.1.2). */
import type { Message, SendMessageRequest } from '@tiny-harness/contract/a2a';
import { SENDER_KEY } from '@tiny-harness/contract/task/v1';
import { identifySender } from '../auth/caller.ts';
import { invalidParams, ProtocolError, taskNotFound } from '../core/errors.ts';
import { ANONYMOUS } from '../core/participants.ts';
import { isUiEvent } from '../extensions/a2ui/index.ts';
import { isControl } from '../extensions/envelope.ts';
import type { Decision, DecisionView } from '../core/decision.ts';
import type { TaskHead } from '../core/task.ts';
import type { StoredEvent, TaskRead } from '../store/port.ts';
import type { Answer, KnownCall } from './call.ts';
import type { MessageContext, Request } from './decide-content.ts';
import type { Outcome } from './decide-message.ts';
import { decideForTask, decideNewTask, isPlain } from './decide-message.ts';
import { fingerprint } from './fingerprint.ts';
import { createId } from './ids.ts';
import { orUnset } from './proto-json.ts';
import { keepInlineConfig, sealInlineConfig } from './push-configs.ts';
import type { Service } from './service.ts';
import { historyLength } from './service.ts';
import { refuseStranger, streamStranger } from './stranger.ts';
import { endsTask, streamOnce, streamTask, waitFor } from './stream-task.ts';

/** A request with its sender. */
interface Sent extends Request {
  readonly configuration?: SendMessageRequest['configuration'] | undefined;
}

/** Answers with the task when the message's turn is over, or a message; at once when that is asked for. */
export async function sendMessage(
  service: Service,
  known: KnownCall<SendMessageRequest>,
): Promise<Answer> {
  const sent = readSent(service, known);
  const { call } = known;
  const outcome = await accept(service, sent, call.signal);
  if (outcome.kind === 'answered') return value(wrapMessage(outcome.answer));
  if (outcome.kind === 'stranger') return value(wrapTask(refuseStranger(outcome.head)));
  const read = await readAnswer(service, sent, outcome, call.signal);
  return value(wrapTask(await readTask(service, sent, outcome.taskId, read)));
}

/** Streams the task and what happens to it until the message's turn is over or its reply was sent, or one message. */
export async function sendStreamingMessage(
  service: Service,
  known: KnownCall<SendMessageRequest>,
): Promise<Answer> {
  service.profile.requireStreaming();
  const sent = readSent(service, known);
  const outcome = await accept(service, sent, known.call.signal);
  if (outcome.kind === 'answered') {
    const frame = { id: undefined, body: wrapMessage(outcome.answer) };
    return { kind: 'stream', frames: streamOnce(frame) };
  }
  if (outcome.kind === 'stranger') return { kind: 'stream', frames: streamStranger(outcome.head) };
  const { taskId, seq } = outcome;
  const json = await readTask(service, sent, taskId, { asOf: seq });
  const first = { id: seq, body: wrapTask(json) };
  if (outcome.kind === 'recorded') return { kind: 'stream', frames: streamOnce(first) };
  const isLast = outcome.kind === 'turn' ? isTurnEnd(outcome.turn) : isEvent(seq + 1);
  const follower = service.hub.follow(taskId, seq);
  const mayRead = () => service.store.isReader(taskId, sent.sender);
  return { kind: 'stream', frames: streamTask({ first, follower, isLast, mayRead }) };
}

function readSent(
  service: Service,
  { request, call, participant }: KnownCall<SendMessageRequest>,
): Sent {
  const { profile, agentId } = service;
  const { sender, message } = identifySender(request.message, participant, agentId);
  requireSender(service, sender, message);
  const asked = [...call.extensions, ...(message.extensions ?? [])];
  profile.requireExtensions(asked);
  if (request.configuration?.taskPushNotificationConfig !== undefined) profile.requirePush();
  const isAsserted = participant !== undefined;
  return {
    ...request,
    message,
    sender,
    isAsserted,
    fingerprint: fingerprint(message),
    activated: profile.activated(asked),
  };
}

/** Nobody cannot give orders (rule C4), and nothing at all where the server is set to fail closed (rule A6). */
function requireSender({ requireParticipant }: Service, sender: string, message: Message): void {
  if (sender !== ANONYMOUS || !(requireParticipant || isControl(message))) return;
  const description = `the message must say who sends it: in the X-Participant-Id header or in metadata.${SENDER_KEY}`;
  throw invalidParams([{ field: `message.metadata.${SENDER_KEY}`, description }]);
}

async function accept(service: Service, sent: Sent, signal: AbortSignal): Promise<Outcome> {
  const { message } = sent;
  const requireInputModes = (sentMessage: Message) => {
    service.profile.requireInputModes(sentMessage);
  };
  const taskId = orUnset(message.taskId);
  if (taskId !== undefined) {
    return change(service, sent, taskId, (view) =>
      decideForTask(sent, taskId, contextOf(service), requireInputModes, view),
    );
  }
  const contextId = orUnset(message.contextId) ?? createId();
  const answered = await answerWithoutTask(service, sent, contextId, signal);
  if (answered !== undefined) return answered;
  const place = { taskId: createId(), contextId };
  return change(service, sent, place.taskId, (view) =>
    decideNewTask(sent, place, contextOf(service), requireInputModes, view),
  );
}

/** What decisions are made with. */
function contextOf({ agentId, agent, models, runner, ...service }: Service): MessageContext {
  const { lifecycle } = agent;
  const failsClosed = service.requireParticipant;
  // Asked for in the decision: a lease that was taken before would run out while that waits.
  const lease = (head: TaskHead) => runner.lease(head);
  return { agentId, lifecycle, failsClosed, models, lease };
}

async function change(
  service: Service,
  sent: Sent,
  taskId: string,
  decide: (view: DecisionView) => Decision<Outcome>,
): Promise<Outcome> {
  const { sender, message } = sent;
  const webhook = await sealInlineConfig(service, sent, taskId);
  const lookups = {
    message: { sender, messageId: message.messageId },
    surfaces: isUiEvent(message),
  };
  const { result } = await service.store.change(taskId, lookups, decide);
  if (webhook !== undefined && 'seq' in result) {
    // A message that came again, and whose answer may not have arrived, belongs to the task it started.
    await keepInlineConfig(service, sent, webhook, result);
  }
  return result;
}

/** Asks the agent whether it answers without a task; the first answer is kept and given again (rule A5). */
async function answerWithoutTask(
  { agent, store, profile }: Service,
  { message, sender, fingerprint: digest }: Sent,
  contextId: string,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  if (agent.answer === undefined || !isPlain(message)) return undefined;
  const { messageId } = message;
  if ((await store.findAccepted(sender, messageId)) !== undefined) return undefined;
  profile.requireInputModes(message);
  const parts = await agent.answer({ contextId, message, sender, signal });
  if (parts === undefined) return undefined;
  const answer: Message = { messageId: createId(), contextId, role: 'ROLE_AGENT', parts };
  const kept = await store.keepAnswer({ sender, messageId, fingerprint: digest }, answer);
  // Other content under the same id, sent meanwhile, is refused where a repeated message is decided on.
  if (kept.answer === undefined || kept.fingerprint !== digest) return undefined;
  return { kind: 'answered', answer: kept.answer };
}

type InTask = Extract<Outcome, { readonly seq: number }>;

/** Waits for what answers the message, unless it wants no waiting; says which moment of the task that is. */
async function readAnswer(
  service: Service,
  { configuration }: Sent,
  outcome: InTask,
  signal: AbortSignal,
): Promise<Pick<TaskRead, 'asOf' | 'withReply'>> {
  if (outcome.kind === 'reply') return { asOf: outcome.seq + 1, withReply: true };
  if (outcome.kind === 'recorded' || configuration?.returnImmediately === true) return {};
  const end = await waitForTurn(service, outcome, signal);
  return end === undefined ? {} : { asOf: end.seq };
}

async function readTask(
  { store }: Service,
  { sender, configuration }: Sent,
  taskId: string,
  moment: Pick<TaskRead, 'asOf' | 'withReply'>,
): Promise<string> {
  const history = historyLength(configuration?.historyLength);
  const snapshot = await store.readTask(taskId, sender, { history, artifacts: true, ...moment });
  if (snapshot === undefined) throw taskNotFound(taskId);
  return snapshot.json;
}

/** Whether the turn is over with this event. */
function isTurnEnd(turn: number): (event: StoredEvent) => boolean {
  return (event) => endsTask(event) || (event.endsTurn && isOfTurn(event, turn));
}

/** Whether the event is one of the turn, or of the turn that cut it and answers its message as well. */
function isOfTurn(event: StoredEvent, turn: number): boolean {
  return event.turn === turn || event.absorbed.includes(turn);
}

function isEvent(seq: number): (event: StoredEvent) => boolean {
  return (event) => event.seq >= seq;
}

/**
 * The event with which the turn is over, or with which the task waits for authorisation or an answer: then a blocking
 * call returns (specification 3.2.2). A message that waits behind a question is not answered before the question is.
 */
async function waitForTurn(
  service: Service,
  { taskId, turn, seq }: Extract<Outcome, { readonly kind: 'turn' }>,
  signal: AbortSignal,
): Promise<StoredEvent | undefined> {
  const isEnd = isTurnEnd(turn);
  const interrupts = (event: StoredEvent) =>
    event.asks || (event.state === 'TASK_STATE_AUTH_REQUIRED' && isOfTurn(event, turn));
  const follower = service.hub.follow(taskId, seq);
  const end = await waitFor(follower, (event) => isEnd(event) || interrupts(event), signal);
  if (end !== undefined || signal.aborted) return end;
  throw new ProtocolError(
    'UNAVAILABLE',
    'The server stops. The message is kept and will be worked on; send it again with the same messageId to get its answer',
    { metadata: { taskId } },
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
