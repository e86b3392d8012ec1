/** The official JavaScript SDK's client against the server, over both of its HTTP transports. */
import { randomUUID } from 'node:crypto';
import {
  CancelTaskRequest,
  DeleteTaskPushNotificationConfigRequest,
  GetTaskPushNotificationConfigRequest,
  GetTaskRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTasksRequest,
  Message,
  Role,
  SendMessageRequest,
  StreamResponse,
  SubscribeToTaskRequest,
  TaskPushNotificationConfig,
  TaskState,
} from '@a2a-js/sdk';
import type { Task } from '@a2a-js/sdk';
import {
  ClientFactory,
  ClientFactoryOptions,
  JsonRpcTransportFactory,
  RestTransportFactory,
  ServiceParameters,
  withA2AExtensions,
  withA2AVersion,
} from '@a2a-js/sdk/client';
import type { Client } from '@a2a-js/sdk/client';
import {
  ContentTypeNotSupportedError,
  RequestMalformedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
  VersionNotSupportedError,
} from '@a2a-js/sdk/errors';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { URI } from '@tiny-harness/contract/task/v1';
import { openWebhook } from '../push/webhook.ts';
import { startApp } from '../support/server.ts';

const transports = [
  ['JSONRPC', new JsonRpcTransportFactory()],
  ['HTTP+JSON', new RestTransportFactory()],
] as const;

describe.each(transports)('the JavaScript SDK over %s', (name, transport) => {
  let client: Client;

  beforeAll(async () => {
    const scenario = 'test/conformance/probe.yaml';
    const app = await startApp({ scenario, pushAllow: ['127.0.0.2/32'] }, 'stopped');
    // The only transport that it knows is the one that it takes, whatever the card prefers.
    const options = { ...ClientFactoryOptions.default, transports: [transport] };
    client = await new ClientFactory(options).createFromUrl(app.url);
    return () => app.stop();
  });

  function requestOf(text: string, more: object = {}, configuration: object = {}) {
    const message = { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text }], ...more };
    return SendMessageRequest.fromJSON({ message, configuration });
  }

  async function send(text: string, more?: object, configuration?: object): Promise<Task> {
    const result = await client.sendMessage(requestOf(text, more, configuration));
    if ('messageId' in result) throw new Error(`a message came: ${JSON.stringify(result)}`);
    return result;
  }

  const readTask = (id: string) => client.getTask(GetTaskRequest.fromJSON({ id }));
  const subscribe = (id: string) => client.resubscribeTask(SubscribeToTaskRequest.fromJSON({ id }));
  const cancel = (id: string) => client.cancelTask(CancelTaskRequest.fromJSON({ id }));

  async function collect(stream: AsyncIterable<StreamResponse>): Promise<StreamResponse[]> {
    const events: StreamResponse[] = [];
    for await (const event of stream) events.push(event);
    return events;
  }

  /** What kind of events came, and the last state. */
  function summarise(events: readonly StreamResponse[]): unknown {
    const last = events.at(-1)?.payload;
    const state = last?.$case === 'statusUpdate' ? last.value.status?.state : undefined;
    const kinds = events.map(({ payload }) => payload?.$case);
    return {
      first: kinds[0],
      chunks: kinds.filter((kind) => kind === 'artifactUpdate').length,
      state,
    };
  }

  test('reads the card and picks the binding', async () => {
    const card = await client.getAgentCard();
    expect(client.transport.protocolName).toBe(name);
    expect(client.protocolVersion).toBe('1.0');
    expect(card.supportedInterfaces.map((each) => each.protocolBinding)).toEqual([
      'JSONRPC',
      'HTTP+JSON',
    ]);
    expect(card.capabilities).toMatchObject({ streaming: true, pushNotifications: true });
    expect(card.capabilities?.extensions.map(({ uri }) => uri)).toContain(URI);
  });

  test('sends and waits, and goes on with the task', async () => {
    const task = await send('hello');
    expect(task.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    expect(task.artifacts[0]?.parts[0]?.content).toEqual({
      $case: 'text',
      value: 'You said: hello',
    });
    expect(task.history.map(({ role }) => role)).toEqual([Role.ROLE_USER, Role.ROLE_AGENT]);
    const done = await send('go on', { taskId: task.id });
    expect([done.id, done.status?.state]).toEqual([task.id, TaskState.TASK_STATE_COMPLETED]);
  });

  test('sends and does not wait', async () => {
    const task = await send('probe:slow', {}, { returnImmediately: true });
    expect(task.status?.state).toBe(TaskState.TASK_STATE_WORKING);
    const now = await readTask(task.id);
    expect([now.id, now.contextId]).toEqual([task.id, task.contextId]);
  });

  test('gets a message for an answer', async () => {
    const result = await client.sendMessage(requestOf('probe:message'));
    expect(Message.toJSON(result as Message)).toMatchObject({
      role: 'ROLE_AGENT',
      parts: [{ text: 'A direct answer.' }],
    });
  });

  test('streams', async () => {
    const events = await collect(client.sendMessageStream(requestOf('probe:slow')));
    const state = TaskState.TASK_STATE_COMPLETED;
    expect(summarise(events)).toEqual({ first: 'task', chunks: 6, state });
  });

  test('subscribes to a task that is being worked on', async () => {
    const { id } = await send('probe:slow', {}, { returnImmediately: true });
    const events = await collect(subscribe(id));
    expect(summarise(events)).toMatchObject({
      first: 'task',
      state: TaskState.TASK_STATE_COMPLETED,
    });
  });

  test('cancels', async () => {
    const { id } = await send('probe:slow', {}, { returnImmediately: true });
    expect((await cancel(id)).status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    expect((await readTask(id)).status?.state).toBe(TaskState.TASK_STATE_CANCELED);
  });

  test('lists, page by page', async () => {
    const contextId = randomUUID();
    const tasks = [];
    for (const text of ['one', 'two', 'three']) tasks.push(await send(text, { contextId }));
    const request = { contextId, pageSize: 2, includeArtifacts: true, historyLength: 1 };
    const first = await client.listTasks(ListTasksRequest.fromJSON(request));
    expect([first.tasks.length, first.totalSize, first.pageSize]).toEqual([2, 3, 2]);
    const { nextPageToken: pageToken } = first;
    const second = await client.listTasks(ListTasksRequest.fromJSON({ ...request, pageToken }));
    expect([second.tasks.length, second.nextPageToken]).toEqual([1, '']);
    const ids = [...first.tasks, ...second.tasks].map(({ id }) => id);
    expect(new Set(ids)).toEqual(new Set(tasks.map(({ id }) => id)));
    expect(first.tasks.map((task) => [task.artifacts.length, task.history.length])).toEqual([
      [1, 1],
      [1, 1],
    ]);
    const status = 'TASK_STATE_FAILED';
    const none = await client.listTasks(ListTasksRequest.fromJSON({ contextId, status }));
    expect([none.tasks, none.totalSize]).toEqual([[], 0]);
  });

  test('has a webhook notified', async () => {
    const webhook = await openWebhook();
    onTestFinished(() => webhook.close());
    const { id: taskId } = await send('hello');
    const authentication = { scheme: 'Bearer', credentials: 'secret' };
    const config = { taskId, id: 'mine', url: webhook.url, token: 'token', authentication };
    const made = await client.createTaskPushNotificationConfig(
      TaskPushNotificationConfig.fromJSON(config),
    );
    expect([made.id, made.url]).toEqual(['mine', webhook.url]);
    const key = { taskId, id: 'mine' };
    const found = await client.getTaskPushNotificationConfig(
      GetTaskPushNotificationConfigRequest.fromJSON(key),
    );
    expect(found.url).toBe(webhook.url);
    const list = () =>
      client.listTaskPushNotificationConfig(
        ListTaskPushNotificationConfigsRequest.fromJSON({ taskId }),
      );
    expect((await list()).configs.map(({ id }) => id)).toEqual(['mine']);

    await send('go on', { taskId });
    const received = await webhook.got(3);
    const events = received.map(({ body }) => StreamResponse.fromJSON(JSON.parse(body)));
    expect(events.map(({ payload }) => payload?.$case)).toEqual([
      'statusUpdate',
      'artifactUpdate',
      'statusUpdate',
    ]);
    const headers = received[0]!.headers.map((text) => text.toLowerCase());
    expect(headers[headers.indexOf('x-a2a-notification-token') + 1]).toBe('token');
    expect(headers[headers.indexOf('authorization') + 1]).toBe('bearer secret');

    await client.deleteTaskPushNotificationConfig(
      DeleteTaskPushNotificationConfigRequest.fromJSON(key),
    );
    expect((await list()).configs).toEqual([]);
  });

  test('takes a webhook along with a message', async () => {
    const webhook = await openWebhook();
    onTestFinished(() => webhook.close());
    const taskPushNotificationConfig = { url: webhook.url, token: 'inline' };
    await send('probe:complete', {}, { taskPushNotificationConfig });
    const received = await webhook.got(2);
    const last = StreamResponse.fromJSON(JSON.parse(received[1]!.body)).payload;
    expect(last?.$case).toBe('statusUpdate');
  });

  test('recognises errors', async () => {
    const { id } = await send('probe:complete');
    const unknown = randomUUID();
    await expect(readTask(unknown)).rejects.toThrow(TaskNotFoundError);
    await expect(send('hello', { taskId: unknown })).rejects.toThrow(TaskNotFoundError);
    await expect(cancel(id)).rejects.toThrow(TaskNotCancelableError);
    await expect(collect(subscribe(id))).rejects.toThrow(UnsupportedOperationError);
    await expect(send('more', { taskId: id })).rejects.toThrow(UnsupportedOperationError);
    const video = { parts: [{ text: 'x', mediaType: 'video/mp4' }] };
    await expect(send('', video)).rejects.toThrow(ContentTypeNotSupportedError);
    await expect(send('hello', { messageId: '' })).rejects.toThrow(RequestMalformedError);
    const options = (...updates: Parameters<typeof ServiceParameters.create>) => ({
      serviceParameters: ServiceParameters.create(...updates),
    });
    // The client itself always says the version that it speaks.
    await expect(
      client.transport.sendMessage(requestOf('hello'), options(withA2AVersion('2.0'))),
    ).rejects.toThrow(VersionNotSupportedError);
    await expect(
      client.sendMessage(requestOf('hello'), options(withA2AExtensions('https://example.com/x'))),
    ).rejects.toThrow(UnsupportedOperationError);
    await expect(
      client.transport.getExtendedAgentCard({ tenant: '' }, options(withA2AVersion('1.0'))),
    ).rejects.toThrow(UnsupportedOperationError);
  });

  test('says who is calling', async () => {
    const as = (id: string) => ({ serviceParameters: { 'X-Participant-Id': id } });
    const result = await client.sendMessage(requestOf('hello'), as('alice'));
    const { id } = result as Task;
    const request = GetTaskRequest.fromJSON({ id });
    expect((await client.getTask(request, as('alice'))).id).toBe(id);
    await expect(client.getTask(request, as('bob'))).rejects.toThrow(TaskNotFoundError);
  });
});
