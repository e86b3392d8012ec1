/** An endpoint that speaks the Chat Completions API, and answers as a test says: well, badly, or not at all. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A message of a request, as far as tests look at it. */
export interface SentMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | null;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}

/** A request as it came. */
export interface ChatRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: {
    readonly model: string;
    readonly reasoning_effort?: string;
    readonly stream: boolean;
    readonly messages: readonly SentMessage[];
    readonly tools: readonly { readonly function: { readonly name: string } }[];
  };
}

/** How a request is answered. */
export type Answer = (response: ServerResponse, request: ChatRequest) => void;

/** The endpoint. */
export interface ChatServer {
  /** What MODEL_BASE_URL is. */
  readonly url: string;
  readonly requests: readonly ChatRequest[];
  /** Resolves when a client has closed a connection before the answer's end. */
  readonly hungUp: Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Starts an endpoint: the first answer for the first request, and so on; the last one for all that follow. */
export async function startChatServer(...answers: readonly Answer[]): Promise<ChatServer> {
  const server = await openChatServer(...answers);
  onTestFinished(server.stop);
  return server;
}

/** The same for whoever stops it. */
export async function openChatServer(...answers: readonly Answer[]): Promise<ChatServer> {
  const requests: ChatRequest[] = [];
  let hangUp: () => void;
  const hungUp = new Promise<void>((resolve) => {
    hangUp = resolve;
  });
  const server = createServer((incoming, response) => {
    response.on('close', () => {
      if (!response.writableEnded) hangUp();
    });
    void readBody(incoming).then((text) => {
      const { url: path = '', headers } = incoming;
      const request = { path, headers, body: JSON.parse(text) as ChatRequest['body'] };
      requests.push(request);
      const answer = answers[requests.length - 1] ?? answers.at(-1);
      answer?.(response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${port}/v1`, requests, hungUp, stop };
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of incoming.setEncoding('utf8')) text += piece as string;
  return text;
}

/** A text, in several chunks. */
export function text(content: string, more: { finish?: string; tokens?: number } = {}): Answer {
  const { finish = 'stop', tokens } = more;
  const pieces = content.match(/.{1,7}/gs) ?? [];
  return chunks(
    delta({ role: 'assistant', content: '' }),
    ...pieces.map((piece) => delta({ content: piece })),
    end(finish),
    ...(tokens === undefined ? [] : [{ choices: [], usage: { total_tokens: tokens } }]),
  );
}

/** A call: the tool, and its arguments as a value or, where they are wrong, as text. */
export type Call = readonly [name: string, input: unknown];

/** Calls, in parallel, their arguments in pieces; with text beside them where there is one. */
export function calls(made: readonly Call[], content = ''): Answer {
  const begun = made.map(([name], index) =>
    delta({
      tool_calls: [
        { index, id: `call_${index}`, type: 'function', function: { name, arguments: '' } },
      ],
    }),
  );
  const filled = made.flatMap(([, input], index) => {
    const whole = typeof input === 'string' ? input : JSON.stringify(input);
    const pieces = whole.match(/.{1,20}/gs) ?? [];
    return pieces.map((piece) =>
      delta({ tool_calls: [{ index, function: { arguments: piece } }] }),
    );
  });
  const said = content === '' ? [] : [delta({ content })];
  return chunks(...said, ...begun, ...filled, end('tool_calls'));
}

/** Chunks and then the end of the stream, as it should be. */
export function chunks(...values: readonly unknown[]): Answer {
  return (response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    for (const value of values) response.write(`data: ${JSON.stringify(value)}\n\n`);
    response.end('data: [DONE]\n\n');
  };
}

/** A stream of this very text, however wrong; it ends there, or goes on without anything more. */
export function stream(body: string, then: 'end' | 'break' | 'silence'): Answer {
  return (response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write(body, () => {
      if (then === 'break') response.destroy();
    });
    if (then === 'end') response.end();
  };
}

/** A refusal. */
export function status(
  code: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return (response) => {
    response.writeHead(code, { 'Content-Type': 'application/json', ...headers });
    response.end(JSON.stringify({ error: { message, code: headers['x-code'] } }));
  };
}

/** Never answers. */
export const silence: Answer = () => undefined;

/** A chunk with something new. */
export function delta(value: object): object {
  return { choices: [{ index: 0, delta: value, finish_reason: null }] };
}

/** The chunk that ends an answer. */
export function end(finish: string): object {
  return { choices: [{ index: 0, delta: {}, finish_reason: finish }] };
}
