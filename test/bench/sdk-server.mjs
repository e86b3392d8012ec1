// The SDK's own Express server, as its samples put it together: node sdk-server.mjs [DATABASE]
//
// It holds the conversation that the scripted agent holds: a task, and an answer that waits for more. Without a
// database its store is in memory; with one the file is as safe from a power cut as ours (WAL, synchronous FULL).
import { randomUUID } from 'node:crypto';
import { Role, TaskState } from '@a2a-js/sdk';
import { AgentEvent, DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { DatabaseTaskStore } from '@a2a-js/sdk/server/database';
import { UserBuilder, jsonRpcHandler } from '@a2a-js/sdk/server/express';
import Database from 'better-sqlite3';
import express from 'express';
import { Kysely, SqliteDialect } from 'kysely';

/** @typedef {import('@a2a-js/sdk').Message} Message */
/** @typedef {import('@a2a-js/sdk/server').AgentExecutor} AgentExecutor */

/** @type {AgentExecutor} */
const agent = {
  execute({ taskId, contextId, userMessage, task }, bus) {
    const [part] = userMessage.parts;
    const text = part?.content?.$case === 'text' ? part.content.value : '';
    const working = createStatus(TaskState.TASK_STATE_WORKING, undefined);
    const begun = {
      id: taskId,
      contextId,
      history: [userMessage],
      artifacts: [],
      metadata: undefined,
    };
    bus.publish(AgentEvent.task({ ...(task ?? begun), status: working }));
    const answer = createAnswer(taskId, contextId, `You said: ${text}`);
    const status = createStatus(TaskState.TASK_STATE_INPUT_REQUIRED, answer);
    bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status, metadata: undefined }));
    return Promise.resolve();
  },
  cancelTask: () => Promise.resolve(),
};

const handler = new DefaultRequestHandler(createCard(), createStore(process.argv[2]), agent);
const app = express();
app.use(jsonRpcHandler({ requestHandler: handler, userBuilder: UserBuilder.noAuthentication }));
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  process.stdout.write(`listening on http://127.0.0.1:${String(port)}/\n`);
});

/** @param {string | undefined} path */
function createStore(path) {
  if (path === undefined) return new InMemoryTaskStore();
  const database = new Database(path);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  return new DatabaseTaskStore(new Kysely({ dialect: new SqliteDialect({ database }) }));
}

/**
 * @param {TaskState} state
 * @param {Message | undefined} message
 */
function createStatus(state, message) {
  return { state, message, timestamp: new Date().toISOString() };
}

/**
 * @param {string} taskId
 * @param {string} contextId
 * @param {string} text
 * @returns {Message}
 */
function createAnswer(taskId, contextId, text) {
  const content = /** @type {const} */ ({ $case: 'text', value: text });
  return {
    messageId: randomUUID(),
    taskId,
    contextId,
    role: Role.ROLE_AGENT,
    parts: [{ content, metadata: undefined, filename: '', mediaType: '' }],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
}

/** @returns {import('@a2a-js/sdk').AgentCard} */
function createCard() {
  return {
    name: 'Echo',
    description: 'Repeats what it hears.',
    supportedInterfaces: [
      { url: 'http://127.0.0.1/', protocolBinding: 'JSONRPC', tenant: '', protocolVersion: '1.0' },
    ],
    provider: undefined,
    version: '1.0.0',
    capabilities: {
      streaming: true,
      pushNotifications: false,
      extensions: [],
      extendedAgentCard: false,
    },
    securitySchemes: {},
    securityRequirements: [],
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
    signatures: [],
  };
}
