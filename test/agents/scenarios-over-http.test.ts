/** The shipped scenarios, played by the whole server to a client that streams. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Message, StreamResponse } from '@tiny-harness/contract/a2a';
import { createUiEventPart } from '@tiny-harness/contract/a2ui/v0.9.1';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { createMessage } from './recorded-turn.ts';

/** A server that plays a shipped scenario. */
interface Server {
  /** Sends a message and returns what the stream says, one entry an event. */
  readonly stream: (text: string, more?: Partial<Message> & { as?: string }) => Promise<Heard>;
  readonly stop: () => Promise<void>;
}

/** A stream in short. */
interface Heard {
  readonly status: number;
  readonly taskId: string | undefined;
  readonly lines: readonly string[];
}

const silent = { error: ignore, warn: ignore, info: ignore, debug: ignore };
/** How the stream of a task begins. */
const begin = ['task', 'WORKING'];
let count = 0;

async function start(scenario: string, database = ':memory:'): Promise<Server> {
  const env = {
    PORT: '0',
    DATABASE: database,
    SCENARIO: `docs/guide/scenarios/${scenario}.yaml`,
  };
  const read = readConfig(env, []);
  if (read.kind !== 'config') throw new Error(JSON.stringify(read));
  const app = await createApp(read.config, silent);
  const base = await app.listen();
  const stop = () => app.drain(2000);
  onTestFinished(stop);
  return { stop, stream: (text, more) => streamMessage(base, text, more) };
}

async function streamMessage(
  base: string,
  text: string,
  { as, ...more }: Partial<Message> & { as?: string } = {},
): Promise<Heard> {
  count += 1;
  const message = { ...createMessage(text), messageId: `message-${count}`, ...more };
  const response = await fetch(`${base}message:stream`, {
    method: 'POST',
    headers: {
      'A2A-Version': '1.0',
      'Content-Type': 'application/a2a+json',
      ...(as === undefined ? {} : { 'X-Participant-Id': as }),
    },
    body: JSON.stringify({ message }),
  });
  const body = await response.text();
  // What an agent throws is for the log.
  expect(body).not.toContain('told to crash');
  const events = [...body.matchAll(/^data: ?(.+)$/gm)].map(
    ([, data = '']) => JSON.parse(data) as StreamResponse,
  );
  const [first] = events;
  return { status: response.status, taskId: first?.task?.id, lines: events.map(summarise) };
}

function summarise({ task, message, statusUpdate, artifactUpdate }: StreamResponse): string {
  if (message !== undefined) return `message: ${textOf(message)}`;
  if (task !== undefined) return 'task';
  if (artifactUpdate !== undefined) {
    const { artifact, append = false, lastChunk = false } = artifactUpdate;
    const flags = [append ? 'append' : '', lastChunk ? 'last' : ''].filter((each) => each !== '');
    return [`artifact ${artifact.artifactId}`, ...flags].join(' ');
  }
  const { state, message: said } = statusUpdate.status;
  const name = state.replace('TASK_STATE_', '');
  return said === undefined ? name : `${name}: ${textOf(said)}`;
}

function textOf({ parts }: Message): string {
  return parts.map(({ text }) => text ?? '…').join(' ');
}

function ignore(): void {
  // What the server logs is not looked at.
}

test('conversation.yaml, with a restart between question and answer', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'scenario-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const database = join(folder, 'tasks.db');
  const question = 'INPUT_REQUIRED: How would you like to travel, alice?\nOptions: train, plane …';
  const refused = 'INPUT_REQUIRED: message not accepted: the answer must be one of train, plane';

  const before = await start('conversation', database);
  const asked = await before.stream('Plan a trip to Rome', { as: 'alice' });
  expect(asked.lines).toEqual([
    ...begin,
    'WORKING: I am looking at the map.',
    'artifact plan',
    'artifact plan append',
    'artifact plan append',
    'artifact plan append last',
    question,
  ]);
  await before.stop();

  const after = await start('conversation', database);
  const more = { as: 'alice', taskId: asked.taskId! };
  expect((await after.stream('on foot', more)).lines).toEqual(['task', refused]);
  expect((await after.stream('plane', more)).lines).toEqual([
    ...begin,
    'WORKING: I am looking for a plane.',
    'artifact booking last',
    'INPUT_REQUIRED: The plane is booked. Anything else?',
  ]);
  // The question is answered: what comes now is a message like any other.
  expect((await after.stream('Who am I?', more)).lines).toEqual([
    ...begin,
    'INPUT_REQUIRED: You are alice.',
  ]);
});

test('delegated.yaml', async () => {
  const { stream } = await start('delegated');
  const report = [...begin, 'WORKING: I am reading the figures.', 'artifact report'];
  const chunks = ['artifact report append', 'artifact report append last'];
  const done = await stream('Write the report');
  expect(done.lines).toEqual([...report, ...chunks, 'COMPLETED: The report is written.']);
  const hers = await stream('Write the report as alice', { as: 'alice' });
  const ready = 'COMPLETED: The report is yours, alice.';
  expect(hers.lines).toEqual([...begin, 'artifact report last', ready]);
  const failed = await stream('Divide by zero');
  expect(failed.lines).toEqual([...begin, 'FAILED: That cannot be divided.']);
  const refused = 'REJECTED: I write reports and divide; "Sing" is neither.';
  expect((await stream('Sing')).lines).toEqual([...begin, refused]);
});

test('authorisation.yaml', async () => {
  const { stream } = await start('authorisation');
  expect((await stream('Read my mail')).lines).toEqual([
    ...begin,
    'AUTH_REQUIRED: Open https://mail.example/allow and allow it, please.',
    'WORKING',
    'INPUT_REQUIRED: Thank you. There is nothing new.',
  ]);
});

test('message.yaml', async () => {
  const { stream } = await start('message');
  expect((await stream('ping')).lines).toEqual(['message: pong']);
  const { lines, taskId } = await stream('Hello');
  expect(lines).toEqual([...begin, 'INPUT_REQUIRED: You said: Hello']);
  const later = await stream('ping', { taskId: taskId! });
  expect(later.lines).toEqual([...begin, 'INPUT_REQUIRED: You said: ping']);
});

test('tools.yaml', async () => {
  const { stream } = await start('tools');
  const as = 'alice';
  const asked = await stream('Order lunch', { as });
  // Between them the plan changes, in the state that the task is in.
  const question = 'INPUT_REQUIRED: What would you like to eat, alice?\nOptions: pizza, soup …';
  expect(asked.lines).toEqual([...begin, 'WORKING', question]);
  const more = { as, taskId: asked.taskId! };
  const shown = await stream('soup', more);
  expect(shown.lines.map((line) => line.replace(/^artifact .*/, 'artifact a2ui'))).toEqual([
    ...begin,
    'WORKING',
    'artifact a2ui',
    'INPUT_REQUIRED: The soup can be ordered.',
  ]);
  const done = [...begin, 'WORKING', 'INPUT_REQUIRED: It is on its way.'];
  const action = {
    name: 'order',
    surfaceId: 'order',
    sourceComponentId: 'root',
    timestamp: '2026-01-01T00:00:00Z',
    context: {},
  };
  const press = createUiEventPart({ version: 'v0.9.1', action });
  expect((await stream('', { ...more, parts: [press] })).lines).toEqual(done);
  expect((await stream('Order', more)).lines.at(-1)).toEqual(done.at(-1));
  const refused = await stream('Order for bob', more);
  expect(refused.lines.at(-1)).toMatch(
    /^INPUT_REQUIRED: That could not be asked: \[channel\.not_a_member\] /,
  );
});

test('faults.yaml', async () => {
  const { stream } = await start('faults');
  const crash = await stream('Crash');
  expect(crash.lines.slice(0, -1)).toEqual([...begin, 'WORKING: Something is about to happen.']);
  expect(crash.lines.at(-1)).toMatch(/^FAILED: (?!.*told to crash)/);
  expect(await stream('Crash at once')).toMatchObject({ status: 500, lines: [] });
});
