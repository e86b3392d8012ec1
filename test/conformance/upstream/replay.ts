/** Plays a recording against a server, and takes its answers down as the recordings are. */
import type { Task } from '@tiny-harness/contract/a2a';
import type { Binding } from '../../support/a2a-client.ts';
import { REST_ROUTES } from '../../support/a2a-client.ts';
import { dataOf } from '../../support/conformance.ts';
import { eventually } from '../../support/eventually.ts';
import type { Answer, Json, JsonRpc, Recording, Step } from './recordings.ts';
import { unwrap } from './recordings.ts';

/** A step whose stream goes on while later steps are taken: they end it. */
const OVERLAPPING = ['slow'];

/** A step that looks at what goes on by itself: it is taken again until the task has come to rest. */
const RESTING = ['get parent'];

/** Ids of the recording, and what they are on the server at hand. */
type Ids = Map<string, string>;

/** An answer that may still be coming. */
interface Coming {
  /** What came so far. */
  now(): Answer;
  /** When nothing more will come; a stream that does not end by itself is left by `close`. */
  readonly over: Promise<void>;
  /** When its first event has come. */
  readonly begun: Promise<void>;
  close(): void;
}

/** The answers to a recording's steps, in their order, with the recording's ids and without times. */
export async function replay(
  url: string,
  binding: Binding,
  { steps }: Recording,
): Promise<Answer[]> {
  const ids: Ids = new Map();
  const answers: Coming[] = [];
  for (const step of steps) {
    const look = () => take(url, binding, step, ids);
    const coming = await (RESTING.includes(step.label)
      ? eventually('a task at rest', async () => findRest(await look()))
      : look());
    answers.push(coming);
    const goesOn = step.method === 'SubscribeToTask' || OVERLAPPING.includes(step.label);
    await (goesOn ? coming.begun : coming.over);
    learnIds(step.answer, coming.now(), ids);
  }
  for (const [at, coming] of answers.entries()) {
    if (steps[at]!.method === 'SubscribeToTask') coming.close();
    await coming.over;
  }
  return answers.map((coming) => withPlaceholders(coming.now(), ids));
}

/** The answer, when it is a task at rest: its sub-tasks have ended, and the agent has spoken last. */
function findRest(coming: Coming): Coming | undefined {
  const task = coming.now()?.body as unknown as Task;
  const rows = dataOf(task).sub_tasks;
  const ended = rows.every(({ state }) => state === 'COMPLETED');
  return ended && task.history?.at(-1)?.role === 'ROLE_AGENT' ? coming : undefined;
}

async function take(url: string, binding: Binding, step: Step, ids: Ids): Promise<Coming> {
  const params = substitute(step.params, ids);
  const controller = new AbortController();
  const response = await fetch(...request(url, binding, { ...step, params }, controller.signal));
  const { status } = response;
  if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true) {
    const body = toAnswer(await response.json(), binding);
    const over = Promise.resolve();
    return { now: () => ({ status, body }), over, begun: over, close: () => undefined };
  }
  const events: Json[] = [];
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const over = readEvents(response, (event) => {
    events.push(toAnswer(event, binding));
    begin();
  });
  const close = () => {
    controller.abort();
  };
  return { now: () => ({ status, events: [...events] }), over, begun, close };
}

function request(
  url: string,
  binding: Binding,
  { method, params, headers: asked }: Step,
  signal: AbortSignal,
): [string, RequestInit] {
  const headers = { 'a2a-version': '1.0', 'content-type': 'application/json', ...asked };
  const post = (body: Json) => ({ method: 'POST', headers, body: JSON.stringify(body), signal });
  if (binding === 'jsonrpc') return [url, post({ jsonrpc: '2.0', id: 1, method, params })];
  const [verb, template] = REST_ROUTES[method as keyof typeof REST_ROUTES];
  const { id, ...rest } = params as { id?: string };
  const path = template.replace('{id}', encodeURIComponent(id ?? ''));
  if (verb === 'POST') return [`${url}${path}`, post(rest)];
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(rest)) query.set(name, String(value));
  return [`${url}${path}?${query.toString()}`, { method: verb, headers, signal }];
}

/** An answer of either binding in the form of JSON-RPC. */
function toAnswer(body: unknown, binding: Binding): Json {
  if (binding === 'jsonrpc') return unwrap(body as JsonRpc);
  const { error } = body as { error?: { message: string; details: Json } };
  if (error === undefined) return body as Json;
  return { error: { message: error.message, data: error.details } };
}

async function readEvents(response: Response, take: (event: unknown) => void): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for await (const chunk of response.body!) {
      const blocks = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n\n');
      rest = blocks.pop()!;
      for (const block of blocks) {
        const data = /^data: ?(.*)$/m.exec(block)?.[1];
        if (data !== undefined) take(JSON.parse(data));
      }
    }
  } catch (error) {
    // A stream that was left ends so; any other failure is the test's.
    if ((error as Error).name !== 'AbortError') throw error;
  }
}

/** Fields whose ids the server makes. Those of messages are the sender's, and a history may lack some. */
const LEARNED = ['id', 'taskId', 'contextId', 'task_id', 'task_ref'];

/** Learns which ids of the recording are which of the server's, by the fields in which both stand. */
function learnIds(recorded: unknown, ours: unknown, ids: Ids): void {
  if (!isObject(recorded) || !isObject(ours)) return;
  for (const [name, value] of Object.entries(recorded)) {
    const own = ours[name];
    if (name === 'history') continue;
    if (typeof value !== 'string' || typeof own !== 'string') learnIds(value, own, ids);
    else if (LEARNED.includes(name) && /^id-\d+$/.test(value) && !ids.has(value))
      ids.set(value, own);
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** A request with the server's ids in place of the recording's. */
function substitute(params: Json, ids: Ids): Json {
  return mapStrings(params, (text) =>
    text === '<time>' ? '2026-01-01T00:00:00Z' : (ids.get(text) ?? text),
  );
}

/** An answer with the recording's ids in place of the server's, wherever they stand; a child's id holds its parent's. */
function withPlaceholders(answer: Answer, ids: Ids): Answer {
  const longestFirst = [...ids].sort(([, a], [, b]) => b.length - a.length);
  return mapStrings(answer as unknown as Json, (text) =>
    longestFirst
      .reduce((replaced, [name, id]) => replaced.replaceAll(id, name), text)
      .replace(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/, '<time>'),
  ) as unknown as Answer;
}

function mapStrings(value: Json, map: (text: string) => string): Json {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item: Json) => mapStrings(item, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as Record<string, Json>).map(([name, item]) => [
      name,
      mapStrings(item, map),
    ]),
  );
}
