/** Valid requests of every operation: what mutations begin with. */
import type { Binding } from '../support/a2a-client.ts';
import { BINDINGS, REST_ROUTES } from '../support/a2a-client.ts';

/** Any JSON value, to be taken apart. */
export type Value = null | boolean | number | string | Value[] | { [name: string]: Value };

/** A request before it is written. */
export interface Seed {
  readonly binding: Binding;
  readonly operation: keyof typeof REST_ROUTES;
  readonly method: string;
  readonly path: string;
  /** Undefined for a request without a body. */
  readonly body: Value | undefined;
}

/** What is there for requests to speak of. */
export interface World {
  /** A task that takes messages, and its context. */
  readonly taskId: string;
  readonly contextId: string;
  /** A task that has ended. */
  readonly endedId: string;
  /** Tasks to cancel. */
  readonly victims: readonly string[];
  /** A webhook, and a config that names it. */
  readonly webhook: string;
  readonly configId: string;
}

type Params = Readonly<Record<string, Value>>;

/** A scalar as it stands in a path or a query. */
function toText(value: Value | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Every valid request, over both bindings. */
export function createSeeds(world: World): readonly Seed[] {
  return listCalls(world).flatMap(([operation, params]) =>
    BINDINGS.map((binding) => toSeed(binding, operation, params)),
  );
}

function listCalls(world: World): [Seed['operation'], Params][] {
  const { taskId, contextId, endedId, victims, webhook, configId } = world;
  const config = {
    id: 'inline',
    url: webhook,
    token: 'token',
    authentication: { scheme: 'Bearer', credentials: 'credentials' },
  };
  const parts = [
    { text: 'hello', metadata: { note: [1, 2, { deep: true }] } },
    { data: { list: [1, 2.5, null, 'x'], nested: { a: {} } } },
    { raw: 'aGVsbG8=', filename: 'hello.txt', mediaType: 'text/plain' },
    { url: 'https://example.com/file', mediaType: 'text/plain' },
  ];
  const message = {
    messageId: 'seed',
    role: 'ROLE_USER',
    parts: [parts[0]!],
    metadata: { participant_id: 'fuzz', interrupt: false },
    extensions: [],
    referenceTaskIds: [taskId],
  };
  const configuration = {
    acceptedOutputModes: ['text/plain'],
    historyLength: 5,
    returnImmediately: true,
  };
  const send: Params[] = [
    { message: { ...message, contextId: 'fuzz' }, configuration },
    { message: { ...message, taskId, contextId }, metadata: { a: 1 } },
    { message: { ...message, parts } },
    { message, configuration: { taskPushNotificationConfig: config } },
  ];
  // What the contract adds: data to begin a task with and to change it by, words in its channel, a command.
  const namespace = 'application/vnd.tiny-harness';
  const envelope = (payload: Params): Value => [
    { data: { kind: 'task', payload }, mediaType: `${namespace}.event+json` },
  ];
  const participants = [{ id: 'fuzz', role: 'reporter', kind: 'human' }];
  const talk = { channel_id: taskId, sender: 'fuzz', kind: 'message', text: 'hello' };
  const contract: Params[] = [
    { message: { ...message, parts: envelope({ name: 'A', goal: 'B', participants }) } },
    { message: { ...message, taskId, parts: envelope({ name: 'C', description: 'D' }) } },
    {
      message: {
        ...message,
        taskId,
        parts: [{ data: talk, mediaType: `${namespace}.channel+json` }],
      },
    },
    { message: { ...message, taskId, parts: [{ text: '/effort high' }] } },
    {
      message: {
        ...message,
        taskId: endedId,
        parts: [
          { data: { kind: 'control', action: 'complete' }, mediaType: `${namespace}.event+json` },
        ],
      },
    },
  ];
  const list = {
    contextId: 'fuzz',
    status: 'TASK_STATE_INPUT_REQUIRED',
    pageSize: 5,
    pageToken: '',
    historyLength: 2,
    statusTimestampAfter: '2024-01-31T12:00:00.000Z',
    includeArtifacts: true,
  };
  return [
    ...[...send, ...contract].map((params): [Seed['operation'], Params] => ['SendMessage', params]),
    ...[...send, ...contract].map((params): [Seed['operation'], Params] => [
      'SendStreamingMessage',
      params,
    ]),
    ['GetTask', { id: taskId, historyLength: 3 }],
    ['GetTask', { id: endedId }],
    ['ListTasks', list],
    ['ListTasks', {}],
    ...victims.map((id): [Seed['operation'], Params] => [
      'CancelTask',
      { id, metadata: { why: 'x' } },
    ]),
    ['SubscribeToTask', { id: taskId }],
    ['SubscribeToTask', { id: endedId }],
    ['CreateTaskPushNotificationConfig', { taskId: endedId, ...config }],
    ['GetTaskPushNotificationConfig', { taskId, id: configId }],
    ['ListTaskPushNotificationConfigs', { taskId, pageSize: 2, pageToken: '' }],
    ['DeleteTaskPushNotificationConfig', { taskId: endedId, id: 'inline' }],
    ['GetExtendedAgentCard', {}],
  ];
}

function toSeed(binding: Binding, operation: Seed['operation'], params: Params): Seed {
  if (binding === 'jsonrpc') {
    const body = { jsonrpc: '2.0', id: 1, method: operation, params };
    return { binding, operation, method: 'POST', path: '/', body };
  }
  const [method, template] = REST_ROUTES[operation];
  const inPath = new Set([...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name));
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(toText(params[name])),
  );
  const others = Object.entries(params).filter(([name]) => !inPath.has(name));
  if (method === 'POST')
    return { binding, operation, method, path, body: Object.fromEntries(others) };
  const pairs = others.map(([name, value]): [string, string] => [name, toText(value)]);
  const query = pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
  return { binding, operation, method, path: path + query, body: undefined };
}
