/** GetTask, ListTasks, CancelTask and SubscribeToTask (specification 3.1.3 to 3.1.6). */
import type {
  CancelTaskRequest,
  GetTaskRequest,
  ListTasksRequest,
  SubscribeToTaskRequest,
} from '@tiny-harness/contract/a2a';
import { identifyCaller } from '../auth/caller.ts';
import { cancelTask as decideCancel } from '../core/endings.ts';
import { invalidParams, ProtocolError, taskNotFound } from '../core/errors.ts';
import { roleOf } from '../core/participants.ts';
import { isTerminal } from '../core/task.ts';
import type { TaskSnapshot } from '../store/port.ts';
import type { Answer, KnownCall } from './call.ts';
import { readPageToken, writePageToken } from './page-token.ts';
import { orUnset } from './proto-json.ts';
import type { Service } from './service.ts';
import { historyLength } from './service.ts';
import { endsTask, streamOnce, streamTask } from './stream-task.ts';

/** The task as it is. */
export async function getTask(service: Service, known: KnownCall<GetTaskRequest>): Promise<Answer> {
  const { request } = known;
  const caller = readCaller(service, known);
  const history = historyLength(request.historyLength);
  const task = await service.store.readTask(request.id, caller, { history, artifacts: true });
  if (task === undefined) throw taskNotFound(request.id);
  return { kind: 'value', body: task.json };
}

/** A page of the caller's tasks, latest status first. */
export async function listTasks(
  service: Service,
  known: KnownCall<ListTasksRequest>,
): Promise<Answer> {
  const { request } = known;
  const reader = readCaller(service, known);
  const { contextId, status, statusTimestampAfter, pageSize = 50 } = request;
  const pageToken = orUnset(request.pageToken);
  const page = await service.store.listTasks({
    reader,
    contextId: orUnset(contextId),
    state: status === 'TASK_STATE_UNSPECIFIED' ? undefined : status,
    // Statuses are kept to the millisecond: one that is a part of it before the time asked for is not after it.
    since: statusTimestampAfter === undefined ? undefined : ceilTime(statusTimestampAfter),
    limit: pageSize,
    after: pageToken === undefined ? undefined : readPageToken(pageToken),
    read: {
      history: historyLength(request.historyLength, 0),
      artifacts: request.includeArtifacts === true,
    },
  });
  const token = page.next === undefined ? '' : writePageToken(page.next);
  return {
    kind: 'value',
    body: `{"tasks":[${page.tasks.join(',')}],"nextPageToken":"${token}","pageSize":${pageSize},"totalSize":${page.total}}`,
  };
}

/** Cancels the task and answers with it. */
export async function cancelTask(
  service: Service,
  known: KnownCall<CancelTaskRequest>,
): Promise<Answer> {
  const { id } = known.request;
  const reader = readCaller(service, known);
  const { seq } = await service.store.change(id, { children: true }, ({ head, children }) => {
    if (head === undefined || roleOf(head.data, reader) === undefined) throw taskNotFound(id);
    return { ...decideCancel(head, children, reader), result: undefined };
  });
  const read = { history: historyLength(undefined), artifacts: true, asOf: seq };
  const task = await service.store.readTask(id, reader, read);
  if (task === undefined) throw taskNotFound(id);
  return { kind: 'value', body: task.json };
}

/**
 * Streams the task as it is and what happens to it until it ends. With a cursor: the bare task, then every event
 * after the cursor, also when the task has ended meanwhile.
 */
export async function subscribeToTask(
  service: Service,
  known: KnownCall<SubscribeToTaskRequest>,
): Promise<Answer> {
  const { store, hub, profile } = service;
  profile.requireStreaming();
  const { id } = known.request;
  const reader = readCaller(service, known);
  const { lastEventId } = known.call;
  const resumed = lastEventId !== undefined;
  const task = await store.readTask(id, reader, {
    history: resumed ? 0 : historyLength(undefined),
    artifacts: !resumed,
  });
  if (task === undefined) throw taskNotFound(id);
  const cursor = lastEventId === undefined ? undefined : readCursor(lastEventId, task);
  if (cursor === undefined && isTerminal(task.state)) {
    const message = `The task is in ${task.state}: nothing more will happen to it. GetTask reads it; with the header Last-Event-ID its events are sent again`;
    throw new ProtocolError('UNSUPPORTED_OPERATION', message, {
      metadata: { taskId: id, state: task.state },
    });
  }
  const mayRead = () => service.store.isReader(id, reader);
  const after = cursor ?? task.seq;
  const first = { id: after, body: `{"task":${task.json}}` };
  const over = isTerminal(task.state) && after === task.seq;
  const frames = over
    ? streamOnce(first)
    : streamTask({ first, follower: hub.follow(id, after), isLast: endsTask, mayRead });
  return { kind: 'stream', frames };
}

function readCaller(service: Service, { call, participant }: KnownCall<unknown>): string {
  const { profile } = service;
  const caller = identifyCaller(participant, service);
  profile.requireExtensions(call.extensions);
  return caller;
}

function readCursor(lastEventId: string, { seq }: TaskSnapshot): number {
  const cursor = /^(0|[1-9]\d{0,14})$/.test(lastEventId) ? Number(lastEventId) : undefined;
  if (cursor !== undefined && cursor <= seq) return cursor;
  const description =
    'Last-Event-ID must be the id of an event of this task, as its streams gave it';
  throw invalidParams([{ field: 'Last-Event-ID', description }]);
}

/** An RFC 3339 time in milliseconds since 1970, rounded up. */
function ceilTime(timestamp: string): number {
  const [, whole = timestamp, fraction = '', zone = ''] =
    /^([^.]*)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/.exec(timestamp) ?? [];
  const rest = /[1-9]/.test(fraction.slice(3)) ? 1 : 0;
  return Date.parse(`${whole}.${fraction.slice(0, 3).padEnd(3, '0')}${zone}`) + rest;
}
