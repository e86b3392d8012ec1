/** A client of the protocol that shows what went over the wire, the same for both bindings. */
import { randomUUID } from 'node:crypto';
import type {
  ListTaskPushNotificationConfigsResponse,
  ListTasksResponse,
  SendMessageRequest,
  SendMessageResponse,
  StreamResponse,
  Task,
  TaskPushNotificationConfig,
} from '@tiny-harness/contract/a2a';

/** The bindings, for tests that run over each. */
export const BINDINGS = ['jsonrpc', 'rest'] as const;
export type Binding = (typeof BINDINGS)[number];

/** What each operation answers with. */
interface Results {
  SendMessage: SendMessageResponse;
  GetTask: Task;
  ListTasks: ListTasksResponse;
  CancelTask: Task;
  CreateTaskPushNotificationConfig: TaskPushNotificationConfig;
  GetTaskPushNotificationConfig: TaskPushNotificationConfig;
  ListTaskPushNotificationConfigs: ListTaskPushNotificationConfigsResponse;
  DeleteTaskPushNotificationConfig: object;
  GetExtendedAgentCard: object;
}
type Operation = keyof Results;
type Streaming = 'SendStreamingMessage' | 'SubscribeToTask';

/** A message as a participant may send it. */
export type UserMessage = SendMessageRequest['message'];

/** What goes with a call. */
export interface CallOptions {
  /** Who calls. */
  readonly as?: string | undefined;
  /** Other headers; an undefined one is not sent. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
}

/** An answer, taken apart. */
export interface Outcome<T> {
  readonly status: number;
  readonly headers: Headers;
  /** The result; what a test reads of it fails the test when there is none. */
  readonly result: T;
  /** `reason` of the ErrorInfo; undefined for a result. */
  readonly reason: string | undefined;
  /** The error's message, and the fields that it names. */
  readonly message: string | undefined;
  readonly fields: readonly string[];
}

/** An event of a stream. */
export interface Heard {
  readonly id: number | undefined;
  readonly body: StreamResponse;
}

/** A stream that is being read. */
export interface EventStream {
  readonly status: number;
  readonly headers: Headers;
  /** As in an Outcome, when no stream came. */
  readonly reason: string | undefined;
  /** What came, in order; grows while the stream is read. */
  readonly heard: readonly Heard[];
  /** Texts of the comments. */
  readonly comments: readonly string[];
  /** Resolves when it is over: whether it ended in order (false: cut off). */
  readonly over: Promise<boolean>;
  /** Resolves when an event is as asked for, with that event; rejects when the stream is over before. */
  until(isIt: (heard: Heard) => boolean): Promise<Heard>;
  close(): void;
}

/** A client of one server over one binding. */
export interface Client {
  readonly binding: Binding;
  call<O extends Operation>(
    operation: O,
    params: object,
    options?: CallOptions,
  ): Promise<Outcome<Results[O]>>;
  stream(operation: Streaming, params: object, options?: CallOptions): Promise<EventStream>;
  /** Sends a text; resolves with the answer. */
  send(
    text: string,
    more?: Partial<UserMessage>,
    options?: CallOptions & { readonly atOnce?: boolean },
  ): Promise<Outcome<SendMessageResponse>>;
}

/** A message of a participant. */
export function messageOf(text: string, more: Partial<UserMessage> = {}): UserMessage {
  return { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text }], ...more };
}

/** A client for the server at this URL. `as` is who calls unless a call says otherwise. */
export function createClient(url: string, binding: Binding, as?: string): Client {
  const request = (operation: Operation | Streaming, params: object, options: CallOptions = {}) =>
    binding === 'jsonrpc'
      ? callRpc(url, operation, params, { as, ...options })
      : callRest(url, operation, params, { as, ...options });
  const client: Client = {
    binding,
    async call<O extends Operation>(operation: O, params: object, options?: CallOptions) {
      const response = await request(operation, params, options);
      return readOutcome<Results[O]>(response, await response.text());
    },
    async stream(operation, params, options = {}) {
      const controller = new AbortController();
      const response = await request(operation, params, { ...options, signal: controller.signal });
      return openStream(response, binding, controller);
    },
    send(text, more, { atOnce = false, ...options } = {}) {
      const params: SendMessageRequest = {
        message: messageOf(text, more),
        configuration: { returnImmediately: atOnce },
      };
      return client.call('SendMessage', params, options);
    },
  };
  return client;
}

function headersOf({ as, headers = {} }: CallOptions): Headers {
  const all = {
    'a2a-version': '1.0',
    'content-type': 'application/json',
    'x-participant-id': as,
    ...headers,
  };
  const entries = Object.entries(all).filter(([, value]) => value !== undefined);
  return new Headers(entries as [string, string][]);
}

function callRpc(url: string, method: string, params: object, options: CallOptions) {
  return fetch(url, {
    method: 'POST',
    headers: headersOf(options),
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: options.signal ?? null,
  });
}

/** Method and path of an operation, and the parameters that stand in the path. */
export const REST_ROUTES: Readonly<Record<Operation | Streaming, readonly [string, string]>> = {
  SendMessage: ['POST', '/message:send'],
  SendStreamingMessage: ['POST', '/message:stream'],
  GetTask: ['GET', '/tasks/{id}'],
  ListTasks: ['GET', '/tasks'],
  CancelTask: ['POST', '/tasks/{id}:cancel'],
  SubscribeToTask: ['GET', '/tasks/{id}:subscribe'],
  CreateTaskPushNotificationConfig: ['POST', '/tasks/{taskId}/pushNotificationConfigs'],
  GetTaskPushNotificationConfig: ['GET', '/tasks/{taskId}/pushNotificationConfigs/{id}'],
  ListTaskPushNotificationConfigs: ['GET', '/tasks/{taskId}/pushNotificationConfigs'],
  DeleteTaskPushNotificationConfig: ['DELETE', '/tasks/{taskId}/pushNotificationConfigs/{id}'],
  GetExtendedAgentCard: ['GET', '/extendedAgentCard'],
};

function callRest(
  url: string,
  operation: Operation | Streaming,
  params: object,
  options: CallOptions,
) {
  const [method, template] = REST_ROUTES[operation];
  const rest = new Map(Object.entries(params));
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest.get(name));
    rest.delete(name);
    return encodeURIComponent(value);
  });
  const query = method === 'POST' ? '' : toQuery(rest);
  return fetch(`${url}${path}${query}`, {
    method,
    headers: headersOf(options),
    body: method === 'POST' ? JSON.stringify(Object.fromEntries(rest)) : null,
    signal: options.signal ?? null,
  });
}

function toQuery(params: ReadonlyMap<string, unknown>): string {
  const pairs = [...params].map(([name, value]): [string, string] => [name, String(value)]);
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}

interface WireError {
  readonly message: string;
  readonly data?: readonly WireDetail[];
  readonly details?: readonly WireDetail[];
}
interface WireDetail {
  readonly reason?: string;
  readonly fieldViolations?: readonly { readonly field: string }[];
}

function readOutcome<T>({ status, headers }: Response, text: string): Outcome<T> {
  const body = (text === '' ? {} : JSON.parse(text)) as { error?: WireError; result?: unknown };
  const { error } = body;
  const isRpc = Object.hasOwn(body, 'jsonrpc');
  const details = error?.data ?? error?.details ?? [];
  return {
    status,
    headers,
    result: (isRpc ? body.result : body) as T,
    reason: error === undefined ? undefined : (details.find(({ reason }) => reason)?.reason ?? ''),
    message: error?.message,
    fields: details.flatMap(({ fieldViolations = [] }) =>
      fieldViolations.map(({ field }) => field),
    ),
  };
}

async function openStream(
  response: Response,
  binding: Binding,
  controller: AbortController,
): Promise<EventStream> {
  const { status, headers } = response;
  const heard: Heard[] = [];
  const comments: string[] = [];
  let waiting: (() => void)[] = [];
  const wake = () => {
    const woken = waiting;
    waiting = [];
    for (const each of woken) each();
  };
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true;
  const reason = isStream ? undefined : readOutcome(response, await response.text()).reason;
  let isOver = !isStream;
  const over = (isStream ? readBlocks(response, readBlock) : Promise.resolve(true)).then((end) => {
    isOver = true;
    wake();
    return end;
  });
  function readBlock(block: string): void {
    const lines = block.split('\n');
    const field = (name: string) => lines.find((line) => line.startsWith(`${name}:`));
    const data = field('data')?.slice(5).trimStart();
    if (data === undefined) comments.push(block.slice(1).trim());
    else {
      const json = JSON.parse(data) as { result: StreamResponse } & StreamResponse;
      const id = field('id')?.slice(3).trim();
      const body = binding === 'jsonrpc' ? json.result : json;
      heard.push({ id: id === undefined ? undefined : Number(id), body });
    }
    wake();
  }
  return {
    status,
    headers,
    reason,
    heard,
    comments,
    over,
    async until(isIt) {
      for (let at = 0; ; at += 1) {
        while (at >= heard.length) {
          if (isOver) throw new Error(`the stream is over after ${JSON.stringify(heard)}`);
          await new Promise<void>((resolve) => waiting.push(resolve));
        }
        if (isIt(heard[at]!)) return heard[at]!;
      }
    },
    close: () => {
      controller.abort();
    },
  };
}

/** Reads blocks until the stream is over; resolves with whether it ended in order. */
async function readBlocks(response: Response, take: (block: string) => void): Promise<boolean> {
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for await (const chunk of response.body!) {
      const blocks = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) take(block);
    }
    return true;
  } catch {
    return false;
  }
}

/** The state that an event tells, without its prefix. */
export function stateOf({ task, statusUpdate }: StreamResponse): string | undefined {
  return (task?.status ?? statusUpdate?.status)?.state.replace('TASK_STATE_', '');
}
