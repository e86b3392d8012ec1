/** The eleven operations of A2A 1.0 (specification 3.1). */
import {
  parseCancelTaskRequest,
  parseCreateTaskPushNotificationConfigRequest,
  parseDeleteTaskPushNotificationConfigRequest,
  parseGetExtendedAgentCardRequest,
  parseGetTaskPushNotificationConfigRequest,
  parseGetTaskRequest,
  parseListTaskPushNotificationConfigsRequest,
  parseListTasksRequest,
  parseSendMessageRequest,
  parseSubscribeToTaskRequest,
} from '@tiny-harness/contract/a2a';
import type { Result } from '@tiny-harness/contract/runtime/result';
import { readParticipant } from '../auth/caller.ts';
import type { Answer, Call, KnownCall, OperationName, Operations } from './call.ts';
import { getExtendedAgentCard } from './extended-card.ts';
import { parseRequest } from './proto-json.ts';
import { createConfig, deleteConfig, getConfig, listConfigs } from './push-configs.ts';
import { sendMessage, sendStreamingMessage } from './send-message.ts';
import type { Service } from './service.ts';
import { cancelTask, getTask, listTasks, subscribeToTask } from './tasks.ts';

/** What answers a call of an operation. */
type Operation = (service: Service, call: Call) => Promise<Answer>;

const OPERATIONS: Record<OperationName, Operation> = {
  SendMessage: operation(parseSendMessageRequest, sendMessage),
  SendStreamingMessage: operation(parseSendMessageRequest, sendStreamingMessage),
  GetTask: operation(parseGetTaskRequest, getTask),
  ListTasks: operation(parseListTasksRequest, listTasks),
  CancelTask: operation(parseCancelTaskRequest, cancelTask),
  SubscribeToTask: operation(parseSubscribeToTaskRequest, subscribeToTask),
  CreateTaskPushNotificationConfig: operation(
    parseCreateTaskPushNotificationConfigRequest,
    createConfig,
  ),
  GetTaskPushNotificationConfig: operation(parseGetTaskPushNotificationConfigRequest, getConfig),
  ListTaskPushNotificationConfigs: operation(
    parseListTaskPushNotificationConfigsRequest,
    listConfigs,
  ),
  DeleteTaskPushNotificationConfig: operation(
    parseDeleteTaskPushNotificationConfigRequest,
    deleteConfig,
  ),
  GetExtendedAgentCard: operation(parseGetExtendedAgentCardRequest, getExtendedAgentCard),
};

/** What every operation begins with, in the order of rule A7: version, request, credentials. */
function operation<Request>(
  parse: (value: unknown) => Result<Request>,
  run: (service: Service, known: KnownCall<Request>) => Promise<Answer>,
): Operation {
  return async (service, call) => {
    service.profile.requireVersion(call.version);
    const request = parseRequest(call.params, parse);
    const { authentication } = service;
    const participant = await readParticipant(authentication, call.credentials, call.participant);
    return run(service, { request, participant, call });
  };
}

/** The operations over the parts of the server, as they are when a call comes. */
export function createOperations(service: () => Service): Operations {
  return {
    async call(call) {
      return OPERATIONS[call.operation](service(), call);
    },
    activated: (extensions) => service().profile.activated(extensions),
    get card() {
      return service().profile.cardText;
    },
  };
}
