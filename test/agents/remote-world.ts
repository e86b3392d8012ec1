/** Remote agents for tests: what is remembered of their tasks, and doubles that stand in for them. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { RemoteAgent } from '../../src/agents/remote/agent.ts';
import { createRemoteAgent } from '../../src/agents/remote/agent.ts';
import type { RemoteTask } from '../../src/core/remote-task.ts';

/** What a test may want to be otherwise. */
interface Wishes {
  readonly token?: string;
  /** Milliseconds of silence before a task fails. */
  readonly timeout?: number;
}

/** A remote agent called `far`, and what is remembered of its tasks. */
export function createFarAgent(
  url: string,
  { token, timeout = 10_000 }: Wishes = {},
): { readonly agent: RemoteAgent; readonly known: Map<string, RemoteTask> } {
  const known = new Map<string, RemoteTask>();
  const log = {
    find: (taskId: string) => Promise.resolve(known.get(taskId)),
    remember: (task: RemoteTask) => Promise.resolve(void known.set(task.taskId, task)),
  };
  const participant = 'client:tiny-harness';
  const definition = { id: 'far', url, description: 'Far.', token, participant };
  const agent = createRemoteAgent(definition, { log, timeout, poll: 10, random: () => 0 });
  return { agent, known };
}

/** A request that came. */
export interface Asked {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** The JSON-RPC request; undefined for one without a body. */
  readonly rpc: { readonly id: unknown; readonly method: string; readonly params: Params };
}

/** What of the parameters of requests tests look at. */
interface Params {
  readonly id?: string;
  readonly message?: {
    readonly messageId: string;
    readonly taskId?: string;
    readonly parts: readonly { readonly text?: string; readonly data?: unknown }[];
  };
}

/** A server of a test's own. */
export interface Double {
  readonly url: string;
  /** Requests that were not for the card. */
  readonly asked: Asked[];
  /** Methods of those requests. */
  readonly methods: readonly string[];
  /** Closes it, and what is connected to it. */
  close(): Promise<void>;
}

/** How a double answers. `n` counts the requests of this method, from 1. */
export type Answer = (asked: Asked, response: ServerResponse, n: number) => void;

/** The agent card of a double. */
export function cardOf(url: string, more: object = {}): object {
  return {
    name: 'Double',
    description: 'Stands in for an agent.',
    version: '1',
    supportedInterfaces: [{ url: `${url}/`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: { streaming: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
    ...more,
  };
}

/** Opens a server that answers requests for its card with `card` and all others with `answer`. */
export async function openDouble(
  answer: Answer,
  card: (url: string, response: ServerResponse) => object | undefined = (url) => cardOf(url),
): Promise<Double> {
  const asked: Asked[] = [];
  const sockets = new Set<Socket>();
  let url = '';
  const server = createServer((request, response) => {
    if (request.url?.endsWith('.json') === true) {
      const shown = card(url, response);
      if (shown !== undefined) sendJson(response, shown);
      return;
    }
    void readBody(request).then((body) => {
      const rpc = JSON.parse(body === '' ? '{}' : body) as Asked['rpc'];
      const each = { path: request.url ?? '', headers: request.headers, rpc };
      asked.push(each);
      answer(each, response, asked.filter((other) => other.rpc.method === rpc.method).length);
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(close);
  return {
    url,
    asked,
    get methods() {
      return asked.map(({ rpc }) => rpc.method);
    },
    close,
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Answers with JSON. */
export function sendJson(response: ServerResponse, value: object): void {
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
}

/** Answers a JSON-RPC request. */
export function reply(response: ServerResponse, { rpc }: Asked, result: object): void {
  sendJson(response, { jsonrpc: '2.0', id: rpc.id, result });
}

/** Refuses a JSON-RPC request. */
export function refuse(response: ServerResponse, { rpc }: Asked, code: number, text: string): void {
  sendJson(response, { jsonrpc: '2.0', id: rpc.id, error: { code, message: text } });
}

/** Begins a stream and writes events; it stays open. */
export function write(response: ServerResponse, { rpc }: Asked, ...events: object[]): void {
  if (!response.headersSent) response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  for (const result of events) {
    response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id: rpc.id, result })}\n\n`);
  }
}

/** A task of a double's. */
export function taskOf(state: string, text?: string, more: object = {}): { task: object } {
  return { task: { id: 'theirs', contextId: 'talk', status: statusOf(state, text), ...more } };
}

/** An update of it. */
export function updateOf(state: string, text?: string, more: object = {}): object {
  const update = { taskId: 'theirs', contextId: 'talk', status: statusOf(state, text), ...more };
  return { statusUpdate: update };
}

/** A piece of an artifact of it. */
export function chunkOf(artifactId: string, text: string, more: object = {}): object {
  const artifact = { artifactId, parts: [{ text }] };
  return { artifactUpdate: { taskId: 'theirs', contextId: 'talk', artifact, ...more } };
}

let messages = 0;

function statusOf(state: string, text?: string): object {
  messages += 1;
  const message = { messageId: `m${messages}`, role: 'ROLE_AGENT', parts: [{ text }] };
  return { state: `TASK_STATE_${state}`, ...(text === undefined ? {} : { message }) };
}
