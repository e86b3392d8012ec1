/** A server whose agent does what a test says, seen from outside: messages go in over HTTP, tasks and events come out. */
import type { StreamResponse, Task } from '@tiny-harness/contract/a2a';
import type { TaskExtensionData } from '@tiny-harness/contract/task/v1';
import { TASK_EXTENSION_KEY } from '@tiny-harness/contract/task/v1';
import { expect } from 'vitest';
import type { Agent, Turn, TurnOutcome } from '../../src/agents/port.ts';
import type { Config } from '../../src/config.ts';
import type { ToolResult } from '../../src/core/task.ts';
import type { Client, EventStream, UserMessage } from '../support/a2a-client.ts';
import { createClient, messageOf, stateOf } from '../support/a2a-client.ts';
import { dataOf, member, taskEnvelope } from '../support/conformance.ts';
import type { InProcessServer } from '../support/server.ts';
import { startApp } from '../support/server.ts';

/** What the agent does in a turn; without an outcome it replies `done`, in a delegated task as its answer. */
export type Program = (turn: Turn) => Promise<TurnOutcome | undefined>;

/** What a task's participants see of a turn. */
export interface Seen {
  readonly task: Task;
  readonly data: TaskExtensionData;
  /** State, sub-state and words of each update, and what else it carries: see `describeEvent`. */
  readonly events: readonly StreamResponse[];
}

/** A server with its agent. */
export interface Stage {
  readonly server: InProcessServer;
  readonly ann: Client;
  /** What the agent does with a text. */
  on(text: string | RegExp, program: Program): void;
  /** Sends a text as ann, and reads the stream until the turn is over. */
  say(text: string, more?: Partial<UserMessage>, as?: string): Promise<Seen>;
  read(taskId: string, as?: string): Promise<Task>;
  /** All turns so far, as `taskId: text`. */
  readonly turns: readonly string[];
}

export const AGENT = 'tiny-harness';

/** The words of a turn that was not given any. */
const DONE: NonNullable<TurnOutcome['parts']> = [{ text: 'done' }];

/** Starts one; it is stopped when the test ends. */
export async function startStage(
  config: Partial<Config> = {},
  until: 'test-ends' | 'stopped' = 'test-ends',
): Promise<Stage> {
  const programs: [string | RegExp, Program][] = [];
  const turns: string[] = [];
  const agent: Agent = {
    lifecycle: 'conversation',
    run: async (turn) => {
      turns.push(`${turn.taskId}: ${turn.text}`);
      // What was said last counts.
      const found = programs.findLast(([text]) =>
        typeof text === 'string' ? text === turn.text : text.test(turn.text),
      );
      const end = turn.delegated ? 'completed' : 'input-required';
      return (await found?.[1](turn)) ?? { end, parts: DONE };
    },
  };
  const server = await startApp(config, until, { agent });
  const ann = createClient(server.url, 'jsonrpc', 'ann');
  const read = async (id: string, as = 'ann') => {
    const { result } = await ann.call('GetTask', { id, historyLength: 1000 }, { as });
    return result;
  };
  return {
    server,
    ann,
    turns,
    on: (text, program) => programs.push([text, program]),
    read,
    say: async (text, more = {}, as = 'ann') => {
      const stream = await ann.stream(
        'SendStreamingMessage',
        { message: messageOf(text, more) },
        { as },
      );
      await stream.over;
      const events = bodiesOf(stream);
      const task = await read(idOf(events), as);
      return { task, data: dataOf(task), events };
    },
  };
}

/** The bodies of what a stream gave. */
function bodiesOf(stream: EventStream): StreamResponse[] {
  return stream.heard.map(({ body }) => body);
}

function idOf(events: readonly StreamResponse[]): string {
  const id = events[0]?.task?.id;
  if (id === undefined) throw new Error(`no task: ${JSON.stringify(events)}`);
  return id;
}

/** A task of ann, an admin called ada and a watcher called wim, which the agent works on. */
export const SHARED = ['reporter ann', 'admin ada', 'watcher wim', 'assignee tiny-harness'];

/** Starts a task with these participants (`role id`) and does nothing in it; gives its id. */
export async function startShared(stage: Stage, who: readonly string[] = SHARED): Promise<string> {
  const participants = who.map((text) => {
    const [role = '', id = ''] = text.split(' ');
    return member(id, role as 'admin', id === AGENT ? 'agent' : 'human');
  });
  const message = taskEnvelope({ name: 'shared', goal: 'goal', participants });
  const { result } = await stage.ann.call('SendMessage', { message });
  return result.task!.id;
}

/** Has the agent call one tool in a turn; what came of it, and what participants saw. */
export async function callTool(
  stage: Stage,
  name: string,
  input: unknown,
  { taskId, as }: { taskId?: string; as?: string } = {},
): Promise<Seen & { readonly result: ToolResult }> {
  let result: ToolResult | undefined;
  const text = `call ${name} ${stage.turns.length}`;
  stage.on(text, async (turn) => {
    result = await turn.call({ id: '1', name, input });
    return undefined;
  });
  const seen = await stage.say(text, taskId === undefined ? {} : { taskId }, as);
  if (result === undefined) throw new Error('the tool was not called');
  return { ...seen, result };
}

/** What a call gives back when it was carried out. */
export function done(text: string): ToolResult {
  return { isError: false, text, endsTurn: false };
}

/** What it gives back when it was not. */
export function refused(text: string): ToolResult {
  return { isError: true, text, endsTurn: false };
}

/** A turn that called one tool without any effect but its reply: the data and the history are as if it had not. */
export async function expectRefused(
  stage: Stage,
  name: string,
  input: unknown,
  text: string,
  options: { taskId?: string; as?: string } = {},
): Promise<void> {
  const taskId = options.taskId ?? (await stage.say('begin')).task.id;
  const before = await stage.read(taskId);
  const { result, task, events } = await callTool(stage, name, input, { ...options, taskId });
  expect(result).toEqual(refused(text));
  expect(dataOf(task)).toEqual(dataOf(before));
  expect(task.artifacts).toEqual(before.artifacts);
  expect(task.history?.length).toBe((before.history?.length ?? 0) + 2);
  expect(events.slice(1).map(describeEvent)).toEqual([
    'WORKING',
    'INPUT_REQUIRED · awaiting-next-message: done',
  ]);
}

/** An event in short: state, sub-state, words, and `+data` when it carries the task's data. */
export function describeEvent(event: StreamResponse): string {
  const { statusUpdate, artifactUpdate } = event;
  if (artifactUpdate !== undefined) return `artifact ${artifactUpdate.artifact.artifactId}`;
  const metadata = (statusUpdate?.metadata ?? {}) as Record<string, { sub_state?: string }>;
  const keys = Object.keys(metadata);
  const subState = Object.values(metadata).find(({ sub_state }) => sub_state)?.sub_state;
  const words = statusUpdate?.status.message?.parts.flatMap(({ text = [] }) => text).join('\n');
  const isData = keys.some((key) => key.endsWith('/task'));
  return [
    stateOf(event),
    subState === undefined ? '' : ` · ${subState}`,
    words === undefined ? '' : `: ${words}`,
    isData ? ' +data' : '',
  ].join('');
}

/** The task's data that an event carries. */
export function dataIn({ statusUpdate }: StreamResponse): TaskExtensionData | undefined {
  const metadata = (statusUpdate?.metadata ?? {}) as Record<string, TaskExtensionData>;
  return metadata[TASK_EXTENSION_KEY];
}
