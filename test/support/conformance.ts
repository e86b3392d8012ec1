/**
 * The conformance tests of the contract: what they have in common. They know a server by its base URL and an adapter
 * (conformance-agent.ts), and run over both bindings.
 *
 * `CONFORMANCE_ADAPTER=/path/to/adapter.ts npx vitest run test/conformance/contract` points them at another server.
 */
import type { SendMessageResponse, Task, TaskStatus } from '@tiny-harness/contract/a2a';
import { createChannelMessagePart } from '@tiny-harness/contract/channel/v1';
import type { ChannelMessageInput } from '@tiny-harness/contract/channel/v1';
import { SUB_STATE_KEY } from '@tiny-harness/contract/status/v1';
import type { TaskExtensionData } from '@tiny-harness/contract/task/v1';
import { EVENT_ENVELOPE_MEDIA_TYPE, TASK_EXTENSION_KEY } from '@tiny-harness/contract/task/v1';
import { afterEach, beforeAll, describe, expect } from 'vitest';
import type { Client, EventStream, Outcome, UserMessage } from './a2a-client.ts';
import { BINDINGS, createClient, messageOf } from './a2a-client.ts';
import type { AgentControl, Settings, StartSubject, Step, Subject } from './conformance-agent.ts';

const adapter = process.env.CONFORMANCE_ADAPTER;
const { startSubject } =
  adapter === undefined
    ? await import('./conformance-server.ts')
    : ((await import(adapter)) as { startSubject: StartSubject });

/** One who calls the server, and what he may try. */
export interface Person {
  readonly id: string;
  readonly client: Client;
  /** Starts a task; resolves with it when it waits or has ended. */
  start(text?: string, more?: Partial<UserMessage>): Promise<Task>;
  /** Starts a task whose agent is left at a hold or the like. */
  startAtOnce(text: string, more?: Partial<UserMessage>): Promise<Task>;
  /** Sends a text for a task. */
  say(
    taskId: string,
    text: string,
    more?: Partial<UserMessage>,
  ): Promise<Outcome<SendMessageResponse>>;
  /** Sends a message. */
  send(message: UserMessage): Promise<Outcome<SendMessageResponse>>;
  /** Sends a message and does not wait for its turn. */
  sendAtOnce(message: UserMessage): Promise<Outcome<SendMessageResponse>>;
  stream(message: UserMessage): Promise<EventStream>;
  /** Sends the order to complete the task. */
  complete(taskId: string): Promise<Outcome<SendMessageResponse>>;
  cancel(taskId: string): Promise<Outcome<Task>>;
  get(taskId: string): Promise<Outcome<Task>>;
  subscribe(taskId: string, lastEventId?: number): Promise<EventStream>;
}

/** A server, for the tests of one suite. */
export interface Kit {
  readonly subject: Subject;
  readonly agent: AgentControl;
  /** Somebody with this name before the number that makes the id unique. */
  person(name: string): Person;
  /** Whoever asserts nobody. */
  readonly nobody: Person;
  /** Somebody with exactly this id. */
  personOf(id: string): Person;
  /** Stops the server and starts it again. */
  restart(): Promise<void>;
}

let people = 0;

/** A suite that is run over each binding against a server of its own. `breaks`: its agent does what no agent may. */
export function describeContract(
  title: string,
  define: (kit: Kit) => void,
  { breaks = false, ...settings }: Settings & { readonly breaks?: boolean } = {},
): void {
  describe.each(BINDINGS)(`${title} (%s)`, (binding) => {
    let subject: Subject;
    beforeAll(async () => {
      subject = await startSubject(settings);
      return () => subject.stop();
    });
    afterEach(() => {
      // No refusal is anything that an operator has to look at.
      if (!breaks) expect(subject.complaints).toEqual([]);
    });
    const personOf = (id: string | undefined) =>
      createPerson(id, () => createClient(subject.url, binding, id));
    define({
      get subject() {
        return subject;
      },
      get agent() {
        return subject.agent;
      },
      person: (name) => personOf(`${name}-${(people += 1)}`),
      personOf,
      nobody: personOf(undefined),
      async restart() {
        subject = await subject.restart();
      },
    });
  });
}

function createPerson(id: string | undefined, connect: () => Client): Person {
  const send = (message: UserMessage) => connect().call('SendMessage', { message });
  const sendAtOnce = (message: UserMessage) =>
    connect().call('SendMessage', { message, configuration: { returnImmediately: true } });
  return {
    id: id ?? 'anonymous',
    get client() {
      return connect();
    },
    start: async (text = 'hello', more = {}) => taskOf(await send(messageOf(text, more))),
    startAtOnce: async (text, more = {}) => taskOf(await sendAtOnce(messageOf(text, more))),
    say: (taskId, text, more = {}) => send(messageOf(text, { taskId, ...more })),
    send,
    sendAtOnce,
    stream: (message) => connect().stream('SendStreamingMessage', { message }),
    complete: (taskId) => send(completion(taskId)),
    cancel: (id) => connect().call('CancelTask', { id }),
    get: (id) => connect().call('GetTask', { id }),
    subscribe: (id, cursor) =>
      connect().stream(
        'SubscribeToTask',
        { id },
        cursor === undefined ? {} : { headers: { 'last-event-id': String(cursor) } },
      ),
  };
}

/** The task of an answer; the test fails when there is none. */
export function taskOf(answer: Outcome<SendMessageResponse>): Task {
  expect(answer.message, 'a task was expected, not a refusal').toBeUndefined();
  expect(answer.result.task).toBeDefined();
  return answer.result.task!;
}

/** A message whose parts are these. */
export function partsMessage(
  parts: UserMessage['parts'],
  more: Partial<UserMessage> = {},
): UserMessage {
  return messageOf('', { ...more, parts });
}

/** A data part with an event envelope, valid or not. */
export function envelopePart(data: unknown): UserMessage['parts'][number] {
  return { data, mediaType: EVENT_ENVELOPE_MEDIA_TYPE };
}

/** A message that is an event envelope, valid or not. */
export function envelope(data: unknown, more: Partial<UserMessage> = {}): UserMessage {
  return partsMessage([envelopePart(data)], more);
}

/** An envelope that starts a task or changes one. */
export function taskEnvelope(payload: object, more: Partial<UserMessage> = {}): UserMessage {
  return envelope({ kind: 'task', payload }, more);
}

/** The order to complete a task (rule C2). */
export function completion(taskId: string, more: Partial<UserMessage> = {}): UserMessage {
  return envelope({ kind: 'control', action: 'complete' }, { taskId, ...more });
}

/** A message with a channel message, and a text beside it when there is one. */
export function channelMessage(
  taskId: string,
  data: ChannelMessageInput,
  text?: string,
): UserMessage {
  const part = createChannelMessagePart(data);
  return partsMessage(text === undefined ? [part] : [part, { text }], { taskId });
}

/** A participant as an envelope names it. */
export function member(
  id: string,
  role: 'assignee' | 'reporter' | 'watcher' | 'admin',
  kind: 'human' | 'agent' = 'human',
): { id: string; role: typeof role; kind: typeof kind } {
  return { id, role, kind };
}

/** A task with these participants besides the agent, waiting for its next message. */
export async function startWith(
  kit: Kit,
  founder: Person,
  members: readonly ReturnType<typeof member>[],
  ...steps: readonly Step[]
): Promise<Task> {
  const goal = steps.length === 0 ? 'hello' : kit.agent.cue(...steps);
  const participants = [...members, member(kit.subject.agentId, 'assignee', 'agent')];
  const part = envelopePart({ kind: 'task', payload: { name: 'shared', goal, participants } });
  return taskOf(await founder.send(partsMessage([part, { text: goal }])));
}

/** The task extension's data of a task. */
export function dataOf(task: { readonly metadata?: unknown }): TaskExtensionData {
  const metadata = task.metadata as Record<string, TaskExtensionData>;
  return metadata[TASK_EXTENSION_KEY]!;
}

/** The sub-state of a task or a status update; undefined when there is none. */
export function subStateOf(carrier: { readonly metadata?: unknown }): string | undefined {
  const metadata = (carrier.metadata ?? {}) as Record<string, { sub_state: string }>;
  return metadata[SUB_STATE_KEY]?.sub_state;
}

/** State and sub-state, as in `INPUT_REQUIRED · awaiting-answer`. */
export function stateOf(carrier: { status: TaskStatus; metadata?: unknown }): string {
  const state = carrier.status.state.replace('TASK_STATE_', '');
  const subState = subStateOf(carrier);
  return subState === undefined ? state : `${state} · ${subState}`;
}

/** The text of a status' message. */
export function wordsOf({ status }: { readonly status: TaskStatus }): string {
  return (status.message?.parts ?? []).flatMap(({ text = [] }) => text).join('\n');
}

/** The texts of a task's history, each with who said it. */
export function historyOf({ history = [] }: Task): string[] {
  return history.map(({ metadata, parts, role }) => {
    const named = metadata?.participant_id as string | undefined;
    const sender = role === 'ROLE_AGENT' ? 'agent' : (named ?? 'nobody');
    return `${sender}: ${parts.map(({ text, data }) => text ?? JSON.stringify(data)).join(' | ')}`;
  });
}

/** Checks that an answer is a refusal with this reason, and with words like these. */
export function expectRefusal(
  answer: Pick<Outcome<unknown>, 'reason' | 'message'>,
  reason: string,
  words: RegExp | string = '',
): void {
  expect([answer.reason, answer.message]).toEqual([reason, expect.stringMatching(words)]);
}

/** Does something to a task, and checks that whoever looks at it finds it as it was. */
export async function expectUnchanged<T>(
  looker: Person,
  taskId: string,
  act: () => Promise<T>,
): Promise<T> {
  const look = async () => {
    const task = await looker.get(taskId);
    const list = await looker.client.call('ListTasks', { historyLength: 100 });
    return [task.result, list.result];
  };
  const before = await look();
  const result = await act();
  expect(await look()).toEqual(before);
  return result;
}
