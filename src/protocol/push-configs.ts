/** The four operations on push notification configs (specification 3.1.7 to 3.1.10). A participant's are its own. */
import {
  parseCreateTaskPushNotificationConfigRequest,
  parseDeleteTaskPushNotificationConfigRequest,
  parseGetTaskPushNotificationConfigRequest,
  parseListTaskPushNotificationConfigsRequest,
} from '@tiny-harness/contract/a2a';
import { identifyCaller } from '../auth/caller.ts';
import { ProtocolError, taskNotFound } from '../core/errors.ts';
import type { Answer, Call } from './call.ts';
import { parseRequest } from './proto-json.ts';
import type { Service } from './service.ts';

/** Keeps a config; its webhook is told what happens to the task from now on. */
export async function createConfig(service: Service, call: Call): Promise<Answer> {
  service.profile.requirePush();
  const request = parseRequest(call.params, parseCreateTaskPushNotificationConfigRequest);
  const owner = await readOwner(service, call, request.taskId);
  const prepared = await service.push.prepare(request, owner);
  return answer(await service.push.keep(prepared, request.taskId));
}

/** The config, without its secrets. */
export async function getConfig(service: Service, call: Call): Promise<Answer> {
  service.profile.requirePush();
  const { taskId, id } = parseRequest(call.params, parseGetTaskPushNotificationConfigRequest);
  const owner = await readOwner(service, call, taskId);
  const config = await service.push.read(taskId, owner, id);
  if (config !== undefined) return answer(config);
  const message = 'The task has no push notification config of this id';
  throw new ProtocolError('TASK_NOT_FOUND', message, { metadata: { taskId, configId: id } });
}

/** The caller's configs on the task, without their secrets, a page at a time. */
export async function listConfigs(service: Service, call: Call): Promise<Answer> {
  service.profile.requirePush();
  const request = parseRequest(call.params, parseListTaskPushNotificationConfigsRequest);
  const owner = await readOwner(service, call, request.taskId);
  return answer(await service.push.list(request.taskId, owner, request));
}

/** Removes the config; nothing is sent to its webhook any more. Doing it again changes nothing. */
export async function deleteConfig(service: Service, call: Call): Promise<Answer> {
  service.profile.requirePush();
  const { taskId, id } = parseRequest(call.params, parseDeleteTaskPushNotificationConfigRequest);
  const owner = await readOwner(service, call, taskId);
  await service.store.deletePushConfig(taskId, owner, id);
  return answer({});
}

/** The caller, who may see the task. */
async function readOwner(
  { store, profile, agentId }: Service,
  call: Call,
  taskId: string,
): Promise<string> {
  const caller = identifyCaller(call.participant, agentId);
  profile.requireExtensions(call.extensions);
  const task = await store.readTask(taskId, caller, { history: 0, artifacts: false });
  if (task === undefined) throw taskNotFound(taskId);
  return caller;
}

function answer(value: object): Answer {
  return { kind: 'value', body: JSON.stringify(value) };
}
