/** The eleven operations of A2A 1.0 (specification 3.1). */
import { parseGetExtendedAgentCardRequest } from '@tiny-harness/contract/a2a';
import { identifyCaller } from '../auth/caller.ts';
import { ProtocolError } from '../core/errors.ts';
import type { Answer, Call, OperationName, Operations } from './call.ts';
import { parseRequest } from './proto-json.ts';
import { createConfig, deleteConfig, getConfig, listConfigs } from './push-configs.ts';
import { sendMessage, sendStreamingMessage } from './send-message.ts';
import type { Service } from './service.ts';
import { cancelTask, getTask, listTasks, subscribeToTask } from './tasks.ts';

/** What answers a call of an operation. */
type Operation = (service: Service, call: Call) => Promise<Answer>;

const OPERATIONS: Record<OperationName, Operation> = {
  SendMessage: sendMessage,
  SendStreamingMessage: sendStreamingMessage,
  GetTask: getTask,
  ListTasks: listTasks,
  CancelTask: cancelTask,
  SubscribeToTask: subscribeToTask,
  CreateTaskPushNotificationConfig: createConfig,
  GetTaskPushNotificationConfig: getConfig,
  ListTaskPushNotificationConfigs: listConfigs,
  DeleteTaskPushNotificationConfig: deleteConfig,
  GetExtendedAgentCard: getExtendedAgentCard,
};

/** The operations over the parts of the server, as they are when a call comes. */
export function createOperations(service: () => Service): Operations {
  return {
    async call(call) {
      const parts = service();
      parts.profile.requireVersion(call.version);
      return OPERATIONS[call.operation](parts, call);
    },
    activated: (extensions) => service().profile.activated(extensions),
    get card() {
      return JSON.stringify(service().profile.card);
    },
  };
}

function getExtendedAgentCard(service: Service, call: Call): Promise<Answer> {
  const { profile } = service;
  parseRequest(call.params, parseGetExtendedAgentCardRequest);
  identifyCaller(call.participant, service);
  if (profile.card.capabilities.extendedAgentCard !== true) {
    const message = 'This agent has no extended agent card; its card says so';
    return Promise.reject(new ProtocolError('UNSUPPORTED_OPERATION', message));
  }
  const message = 'The agent card promises an extended card, but none is configured';
  return Promise.reject(new ProtocolError('EXTENDED_AGENT_CARD_NOT_CONFIGURED', message));
}
