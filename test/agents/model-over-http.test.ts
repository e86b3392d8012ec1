/** A conversation with a model behind the whole server: a plan, a question, a sub-task, a skill and a user interface. */
import type { Task } from '@tiny-harness/contract/a2a';
import { createUiEventPart, URI as A2UI } from '@tiny-harness/contract/a2ui/v0.9.1';
import { expect, test } from 'vitest';
import { button, column, create, text as label, update } from '../extensions/a2ui-fixture.ts';
import { makeDirectory, skillText } from '../skills/skill-directory.ts';
import { createClient, messageOf } from '../support/a2a-client.ts';
import type { Answer, Call, ChatRequest } from '../support/chat-server.ts';
import { calls, silence, startChatServer, status, text } from '../support/chat-server.ts';
import { completion, dataOf, partsMessage, stateOf, wordsOf } from '../support/conformance.ts';
import { eventually } from '../support/eventually.ts';
import { startApp, startServer } from '../support/server.ts';
import { KEY, promptOf, talkOf, wordsOf as requestWords } from './model-fixture.ts';

const FORM = [
  create('approval'),
  update('approval', column('root', 'ok'), button('ok', 'label'), label('label')),
];

/** What the model does, by the message that it answers and by how often it has called tools in the turn. */
const PLAYS: readonly (readonly [saying: string, ...steps: (readonly Call[] | string)[]])[] = [
  ['Find the revenue of Q2', 'The revenue was 42.'],
  [
    'Write the report',
    [
      ['list_skills', {}],
      ['load_skill', { name: 'report' }],
    ],
    [
      [
        'create_plan',
        {
          steps: [
            { name: 'Collect', description: 'The figures' },
            { name: 'Write', description: 'The report', depends_on: ['Collect'] },
          ],
        },
      ],
    ],
    [
      [
        'ask_participant',
        { participant_id: 'ann', question: 'Which quarter?', options: ['Q1', 'Q2'] },
      ],
    ],
  ],
  [
    '\nQ2\n',
    [['spawn_subtask', { name: 'Figures', goal: 'Find the revenue of Q2', step: 'Collect' }]],
    'The figures are being collected.',
  ],
  [
    '[sub-task "Figures"',
    [
      ['complete_step', { step: 'Collect', output: '42' }],
      ['emit_ui', { messages: FORM }],
    ],
    'Is the report to go out with 42?',
  ],
  ['[A2UI action] go', [['complete_step', { step: 'Write', output: 'sent' }]], 'It is out.'],
];

const play: Answer = (response, request) => {
  const talk = talkOf(request);
  const current = talk
    .map(({ content }) => content ?? '')
    .find((words) => words.includes('current="true"'));
  const asked =
    current?.slice(current.lastIndexOf('<data-', current.indexOf('current="true"'))) ?? '';
  const [, ...steps] = PLAYS.find(([saying]) => asked.includes(saying)) ?? [''];
  const step = steps[talk.filter(({ tool_calls }) => tool_calls !== undefined).length];
  const answer = typeof step === 'object' ? calls(step) : text(step ?? `What is ${asked}?`);
  answer(response, request);
};

/** A server with a model behind this endpoint. */
async function start(url: string) {
  const skills = makeDirectory({ 'report/SKILL.md': skillText('report', 'Two pages at most.') });
  const app = await startApp({
    model: 'small',
    models: ['small'],
    modelBaseUrl: url,
    modelApiKey: KEY,
    skills,
  });
  const ann = createClient(app.url, 'jsonrpc', 'ann');
  const headers = { 'a2a-extensions': A2UI };
  const read = async (id: string) => (await ann.call('GetTask', { id, historyLength: 100 })).result;
  const say = async (words: string, taskId?: string): Promise<Task> => {
    const message = messageOf(words, taskId === undefined ? {} : { taskId });
    return (await ann.call('SendMessage', { message }, { headers })).result.task!;
  };
  return { app, ann, headers, read, say };
}

test('a plan, a question, a sub-task, a skill and a user interface', async () => {
  const endpoint = await startChatServer(play);
  const { app, ann, headers, read, say } = await start(endpoint.url);

  const asked = await say('Write the report');
  const { id } = asked;
  expect(stateOf(asked)).toBe('INPUT_REQUIRED · awaiting-answer');
  expect(wordsOf(asked)).toBe('Which quarter?\nOptions: Q1, Q2');
  const answered = await say('Q2', id);
  expect(wordsOf(answered)).toBe('The figures are being collected.');
  const waiting = await eventually('the result of the sub-task', async () => {
    const task = await read(id);
    return wordsOf(task) === 'Is the report to go out with 42?' ? task : undefined;
  });
  expect(waiting.artifacts?.map(({ name }) => name)).toEqual(['a2ui']);
  const [child] = dataOf(waiting).sub_tasks;
  expect(child).toMatchObject({ state: 'COMPLETED' });
  expect(wordsOf(await read(child!.task_id))).toBe('The revenue was 42.');
  expect(dataOf(waiting).plan?.steps.map(({ id: step, state }) => [step, state])).toEqual([
    ['collect', 'done'],
    ['write', 'pending'],
  ]);

  const press = createUiEventPart({
    version: 'v0.9.1',
    action: {
      name: 'go',
      surfaceId: 'approval',
      sourceComponentId: 'ok',
      timestamp: '2026-01-01T00:00:00Z',
      context: {},
    },
  });
  const pressed = await ann.call(
    'SendMessage',
    { message: partsMessage([press], { taskId: id }) },
    { headers },
  );
  expect(wordsOf(pressed.result.task!)).toBe('It is out.');
  const ended = await ann.call('SendMessage', { message: completion(id) });
  expect(stateOf(ended.result.task!)).toBe('COMPLETED');

  expectSeen(endpoint.requests);
  expect(app.complaints).toEqual([]);
  expect(JSON.stringify(await read(id))).not.toContain(KEY);
});

/** What the model knew when it had to know it. */
function expectSeen(requests: readonly ChatRequest[]): void {
  const about = (words: string) => {
    const found = requests.find((request) => requestWords(request).includes(words));
    if (found === undefined) throw new Error(`nothing was asked about ${words}`);
    return found;
  };
  expect(promptOf(about('\nQ2\n'))).toContain('Two pages at most.');
  expect(requestWords(about('\nQ2\n'))).toContain('Which quarter?');
  expect(requestWords(about('[sub-task "Figures"'))).toMatch(
    /kind="report" current="true">\n\[sub-task "Figures" \([^)]+\) [^\]]+\] The revenue was 42\./,
  );
  const names = about('[sub-task "Figures"').body.tools.map(({ function: { name } }) => name);
  expect(names).toContain('emit_ui');
  expect(requestWords(about('[A2UI action] go'))).toContain(
    'from="ann" role="reporter" current="true"',
  );
  const child = requests.find((request) =>
    promptOf(request).includes('Somebody delegated this task'),
  )!;
  expect(requestWords(child)).toContain('Find the revenue of Q2');
  expect(requestWords(child)).not.toContain('Which quarter?');
}

test('a cancelled task closes the connection to its model', async () => {
  let asked: () => void;
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const endpoint = await startChatServer((...both) => {
    silence(...both);
    asked();
  });
  const { ann } = await start(endpoint.url);
  const { result } = await ann.send('Write the report', {}, { atOnce: true });
  await isAsked;
  const cancelled = await ann.call('CancelTask', { id: result.task!.id });
  expect(stateOf(cancelled.result)).toBe('CANCELED');
  await endpoint.hungUp;
});

test('a model that refuses is told of in plain words, the conversation goes on, and nobody reads the key', async () => {
  const endpoint = await startChatServer(status(401, `Incorrect API key provided: ${KEY}`));
  const { app, say } = await start(endpoint.url);
  const task = await say('Write the report');
  expect(stateOf(task)).toBe('INPUT_REQUIRED · awaiting-next-message');
  expect(wordsOf(task)).toBe(
    'The model did not take the request. The server has logged why. Send a message to try again.',
  );
  expect(app.complaints).toEqual(['the model failed']);
  expect(JSON.stringify(task)).not.toContain(KEY);
});

test('the process that npm start starts finds its client and its prompt', async () => {
  const endpoint = await startChatServer(text('Good day.'));
  const server = await startServer({
    MODEL: 'small',
    MODEL_BASE_URL: endpoint.url,
    MODEL_API_KEY: KEY,
  });
  const { result } = await createClient(server.url, 'jsonrpc', 'ann').send('Hello');
  expect(wordsOf(result.task!)).toBe('Good day.');
  expect(promptOf(endpoint.requests[0]!)).toContain('You are `tiny-harness`');
  expect(endpoint.requests[0]!.headers.authorization).toBe(`Bearer ${KEY}`);
  // Node warns on standard error of what may not stay as it is.
  expect(server.stderr).toBe('');
});

test('a turn that a crash cuts off goes on with what was done', async () => {
  const database = `${makeDirectory()}/tasks.db`;
  const steps = [{ name: 'Collect', description: 'The figures' }];
  const endpoint = await startChatServer(
    calls(
      [
        ['spawn_subtask', { name: 'Figures', goal: 'Wait' }],
        ['create_plan', { steps }],
      ],
      'I plan.',
    ),
    // What the turn and its sub-task ask next: neither is answered before the crash.
    silence,
    silence,
    text('Done.'),
  );
  const settings = { DATABASE: database, MODEL: 'small', MODEL_BASE_URL: endpoint.url };
  const first = await startServer(settings);
  const { result } = await createClient(first.url, 'jsonrpc', 'ann').send(
    'Plan it',
    {},
    { atOnce: true },
  );
  const { id } = result.task!;
  await eventually('the third request', () => (endpoint.requests.length === 3 ? true : undefined));
  await first.stop();

  const second = await startServer(settings);
  const ann = createClient(second.url, 'jsonrpc', 'ann');
  const task = await eventually('the end of the turn', async () => {
    const read = (await ann.call('GetTask', { id, historyLength: 100 })).result;
    return stateOf(read).startsWith('INPUT_REQUIRED') ? read : undefined;
  });
  expect(wordsOf(task)).toBe('Done.');
  expect(dataOf(task).sub_tasks).toHaveLength(1);
  expect(dataOf(task).plan?.steps.map(({ id: step }) => step)).toEqual(['collect']);
  const said = task.history!.filter(({ parts }) => parts[0].text === 'I plan.');
  expect(said).toHaveLength(1);
  const again = endpoint.requests
    .slice(3)
    .map(talkOf)
    .find((talk) => talk.some(({ content }) => content?.includes('\nPlan it\n')))!;
  expect(
    again.flatMap(({ tool_calls = [] }) => tool_calls.map((call) => call.function.name)),
  ).toEqual(['spawn_subtask', 'create_plan']);
});
