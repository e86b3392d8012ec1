/** The four operations on push notification configs (specification 3.1.7 to 3.1.10). A participant's are its own. */
import type {
  CreateTaskPushNotificationConfigRequest,
  DeleteTaskPushNotificationConfigRequest,
  GetTaskPushNotificationConfigRequest,
  ListTaskPushNotificationConfigsRequest,
  SendMessageRequest,
} from '@tiny-harness/contract/a2a';
import { identifyCaller } from '../auth/caller.ts';
import { ProtocolError, taskNotFound } from '../core/errors.ts';
import type { PushConfig } from '../store/port.ts';
import { toReadableConfig } from '../push/configs.ts';
import type { Answer, KnownCall } from './call.ts';
import { fingerprint } from './fingerprint.ts';
import { createId } from './ids.ts';
import { orUnset } from './proto-json.ts';
import type { Service } from './service.ts';

/** The most configs that one page holds. */
const MAX_CONFIGS = 100;

/** Where the config stands in a message's request. */
const INLINE = 'configuration.taskPushNotificationConfig.';

/** A message with its sender, as it came. */
interface Sent extends Pick<SendMessageRequest, 'message'> {
  readonly configuration?: SendMessageRequest['configuration'] | undefined;
  readonly sender: string;
}

/**
 * The config that came with a message, checked and sealed for a task. Undefined when none came, and for whoever may not
 * see the task: that is what is wrong first (rule A7), and no webhook is looked up for a stranger.
 */
export async function sealInlineConfig(
  service: Service,
  { configuration, message, sender }: Sent,
  taskId: string,
): Promise<PushConfig | undefined> {
  const { push } = service;
  const config = configuration?.taskPushNotificationConfig;
  if (config === undefined) return undefined;
  const isNew = orUnset(message.taskId) === undefined;
  if (!isNew && !(await service.store.isReader(taskId, sender))) return undefined;
  // Whoever names the same webhook with each message has one config on the task, and is told each event once.
  const id = orUnset(config.id) ?? fingerprint(config.url);
  return push.seal(config, { taskId, owner: sender, id }, INLINE);
}

/** Keeps the config that came with a message: its webhook is told what followed the message. */
export async function keepInlineConfig(
  service: Service,
  sent: Sent,
  sealed: PushConfig,
  { taskId, seq }: { readonly taskId: string; readonly seq: number },
): Promise<void> {
  const config = sealed.taskId === taskId ? sealed : await sealInlineConfig(service, sent, taskId);
  if (config === undefined) return;
  await service.store.putPushConfig(config, seq);
  service.wakePush();
}

/** Keeps a config; its webhook is told what happens to the task from now on. */
export async function createConfig(
  service: Service,
  known: KnownCall<CreateTaskPushNotificationConfigRequest>,
): Promise<Answer> {
  service.profile.requirePush();
  const { request } = known;
  const owner = await readOwner(service, known, request.taskId);
  const id = orUnset(request.id) ?? createId();
  const config = await service.push.seal(request, { taskId: request.taskId, owner, id });
  await service.store.putPushConfig(config);
  return answer(toReadableConfig(config));
}

/** The config, without its secrets. */
export async function getConfig(
  service: Service,
  known: KnownCall<GetTaskPushNotificationConfigRequest>,
): Promise<Answer> {
  service.profile.requirePush();
  const { taskId, id } = known.request;
  const owner = await readOwner(service, known, taskId);
  const config = await service.store.readPushConfig(taskId, owner, id);
  if (config !== undefined) return answer(toReadableConfig(config));
  const message = 'The task has no push notification config of this id';
  throw new ProtocolError('TASK_NOT_FOUND', message, { metadata: { taskId, configId: id } });
}

/** The caller's configs on the task, without their secrets, a page at a time. */
export async function listConfigs(
  service: Service,
  known: KnownCall<ListTaskPushNotificationConfigsRequest>,
): Promise<Answer> {
  service.profile.requirePush();
  const { request } = known;
  const owner = await readOwner(service, known, request.taskId);
  const { taskId, pageSize = 0 } = request;
  const limit = pageSize === 0 ? MAX_CONFIGS : Math.min(pageSize, MAX_CONFIGS);
  const after = orUnset(request.pageToken);
  const configs = await service.store.listPushConfigs(taskId, owner, after, limit + 1);
  const page = configs.slice(0, limit);
  const more = configs.length > limit ? { nextPageToken: page.at(-1)?.id } : {};
  return answer({ configs: page.map(toReadableConfig), ...more });
}

/** Removes the config; nothing is sent to its webhook any more. Doing it again changes nothing. */
export async function deleteConfig(
  service: Service,
  known: KnownCall<DeleteTaskPushNotificationConfigRequest>,
): Promise<Answer> {
  service.profile.requirePush();
  const { taskId, id } = known.request;
  const owner = await readOwner(service, known, taskId);
  await service.store.deletePushConfig(taskId, owner, id);
  return answer({});
}

/** The caller, who may see the task. */
async function readOwner(
  service: Service,
  { call, participant }: KnownCall<unknown>,
  taskId: string,
): Promise<string> {
  const { profile } = service;
  const caller = identifyCaller(participant, service);
  profile.requireExtensions(call.extensions);
  if (!(await service.store.isReader(taskId, caller))) throw taskNotFound(taskId);
  return caller;
}

function answer(value: object): Answer {
  return { kind: 'value', body: JSON.stringify(value) };
}
