/** Model agents for tests, with an endpoint that answers as a test says. */
import type { Message } from '@tiny-harness/contract/a2a';
import { writeSender } from '@tiny-harness/contract/task/v1';
import type { Agent } from '../../src/agents/port.ts';
import type { ModelAgentOptions } from '../../src/agents/model/agent.ts';
import { createModelAgent } from '../../src/agents/model/agent.ts';
import { loadSystemPrompt } from '../../src/agents/model/system-prompt.ts';
import type { Answer, ChatRequest, SentMessage } from '../support/chat-server.ts';
import { startChatServer, text } from '../support/chat-server.ts';
import type { TurnSettings } from './recorded-turn.ts';
import { createTurn } from './recorded-turn.ts';

/** The key of every endpoint: nobody may ever read it. */
export const KEY = 'sk-secret-key';

/** An agent, and what it logged. */
export interface ModelUnderTest {
  readonly agent: Agent;
  readonly logged: readonly (readonly [level: string, details: object, message: string])[];
}

/** What a test may want to be otherwise. */
export interface ModelSettings {
  readonly silence?: number;
  readonly apiKey?: string | undefined;
  readonly models?: readonly string[];
  readonly limits?: Partial<ModelAgentOptions['limits']>;
}

const prompt = await loadSystemPrompt('templates/agent/system-prompt.md.hbs');

/** An agent whose waits are short. */
export function createModel(url: string, settings: ModelSettings = {}): ModelUnderTest {
  const { silence = 5000, models = ['small', 'large'], limits } = settings;
  const logged: [string, object, string][] = [];
  const logAs = (level: string) => (details: object, message: string) => {
    logged.push([level, details, message]);
  };
  const agent = createModelAgent({
    endpoint: { baseUrl: url, apiKey: 'apiKey' in settings ? settings.apiKey : KEY, silence },
    models,
    prompt,
    limits: { contextTokens: 32_000, turnTokens: 1_000_000, firstWait: 2, ...limits },
    log: {
      error: logAs('error'),
      warn: logAs('warn'),
      info: logAs('info'),
      debug: logAs('debug'),
    },
    random: () => 0.5,
  });
  return { agent, logged };
}

/** The messages of a request, without the system prompt. */
export function talkOf({ body }: ChatRequest): readonly SentMessage[] {
  return body.messages.slice(1);
}

/** The system prompt of a request. */
export function promptOf({ body }: ChatRequest): string {
  return body.messages[0]?.content ?? '';
}

/** The key that marks data in a request. */
export function markOf(request: ChatRequest): string {
  const [, key = ''] = /\nKEY: ([\da-f]{16})$/.exec(promptOf(request)) ?? [];
  return key;
}

/** All that a request says, with KEY where its own key stands. */
export function wordsOf(request: ChatRequest): string {
  const key = markOf(request);
  return request.body.messages
    .map(({ content }) => content ?? '')
    .join('\n')
    .replaceAll(key, 'KEY');
}

/** The requests of a turn. */
export async function ask(
  parts: Message['parts'] | string,
  turn: TurnSettings = {},
  settings: ModelSettings = {},
  answers: readonly Answer[] = [text('Done.')],
): Promise<readonly ChatRequest[]> {
  const server = await startChatServer(...answers);
  await createModel(server.url, settings).agent.run(createTurn(parts, turn).turn);
  return server.requests;
}

let count = 0;

/** An earlier message of a participant. */
export function said(words: string, sender: string): Message {
  count += 1;
  const message: Message = {
    messageId: `earlier-${count}`,
    role: 'ROLE_USER',
    parts: [{ text: words }],
  };
  return writeSender(message, sender);
}

/** An earlier message of the agent. */
export function answered(words: string): Message {
  count += 1;
  return { messageId: `status-${count}`, role: 'ROLE_AGENT', parts: [{ text: words }] };
}

/** The task as the model is shown it. */
export function taskOf(request: ChatRequest): unknown {
  const key = markOf(request);
  const [, json = ''] = promptOf(request).split(`<data-${key} kind="task">\n`);
  return JSON.parse(json.slice(0, json.indexOf(`\n</data-${key}>`)));
}
