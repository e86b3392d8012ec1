/** A turn of the model agent: what is asked, what comes of the answers, and what is asked next. */
import { beforeAll, describe, expect, test } from 'vitest';
import { URI as A2UI } from '@tiny-harness/contract/a2ui/v0.9.1';
import type { ToolResult } from '../../src/core/task.ts';
import type { Answer, ChatServer } from '../support/chat-server.ts';
import {
  calls,
  chunks,
  delta,
  end,
  openChatServer,
  silence,
  startChatServer,
  text,
} from '../support/chat-server.ts';
import { testAgent } from './contract.ts';
import { createModel, KEY, markOf, talkOf } from './model-fixture.ts';
import type { TurnSettings } from './recorded-turn.ts';
import { createTurn, summarise } from './recorded-turn.ts';

const plan = { steps: [{ name: 'Collect', description: 'The figures' }] };

const question = { participant_id: 'alice', question: 'For whom?' };

describe('the contract of agents', () => {
  let server: ChatServer;
  beforeAll(async () => {
    server = await openChatServer((response, request) => {
      const steps = request.body.messages.filter(({ tool_calls }) => tool_calls !== undefined);
      const isBusy = JSON.stringify(talkOf(request)).includes('work for a while');
      const asks = JSON.stringify(talkOf(request)).includes('work and ask');
      if (asks && steps.length === 1) calls([['ask_participant', question]])(response, request);
      else if (asks && steps.length === 0)
        calls([
          ['create_plan', plan],
          ['list_skills', {}],
        ])(response, request);
      else if (!isBusy || steps.length === 3) text('Done.')(response, request);
      else
        setTimeout(() => {
          calls(
            [
              ['create_plan', plan],
              ['list_skills', {}],
            ],
            'Wait.',
          )(response, request);
        }, 30);
    });
    return server.stop;
  });
  testAgent('the model agent', {
    create: () => createModel(server.url).agent,
    busyWith: 'work for a while',
    asksAfter: 'work and ask',
  });
});

test('a text is the answer, and ends the turn', async () => {
  const server = await startChatServer(text('Good day, alice.'));
  const { turn, acts } = createTurn('Hello', { sender: 'alice' });
  const outcome = await createModel(server.url).agent.run(turn);
  expect(summarise(outcome)).toEqual(['input-required', 'Good day, alice.']);
  expect(acts).toEqual([]);
});

test('the answer to a delegated task completes it', async () => {
  const server = await startChatServer(text('42'));
  const { turn } = createTurn('How many?', { delegated: true });
  expect(summarise(await createModel(server.url).agent.run(turn))).toEqual(['completed', '42']);
});

test('calls are recorded, made in their order, and answered by their ids', async () => {
  const made = calls(
    [
      ['create_plan', plan],
      ['list_skills', {}],
    ],
    'I make a plan.',
  );
  const server = await startChatServer(made, text('There it is.'));
  const results: Record<string, ToolResult> = {
    create_plan: { isError: false, text: 'collect: Collect', endsTurn: false },
    list_skills: { isError: true, text: '[skill.none] none', endsTurn: false },
  };
  const { turn, acts } = createTurn('Plan it', { tool: ({ name }) => results[name]! });
  const outcome = await createModel(server.url).agent.run(turn);
  expect(summarise(outcome)).toEqual(['input-required', 'There it is.']);
  expect(acts).toEqual([
    { begin: ['1.1', '1.2'] },
    { say: 'I make a plan.' },
    { call: { id: '1.1', name: 'create_plan', input: plan } },
    { call: { id: '1.2', name: 'list_skills', input: {} } },
  ]);
  const [, second] = server.requests;
  const key = markOf(second!);
  expect(talkOf(second!).slice(1)).toEqual([
    {
      role: 'assistant',
      content: 'I make a plan.',
      tool_calls: [
        {
          id: 'c00010001',
          type: 'function',
          function: { name: 'create_plan', arguments: JSON.stringify(plan) },
        },
        { id: 'c00010002', type: 'function', function: { name: 'list_skills', arguments: '{}' } },
      ],
    },
    {
      role: 'tool',
      tool_call_id: 'c00010001',
      content: `<data-${key} kind="result" tool="create_plan" error="false">\ncollect: Collect\n</data-${key}>`,
    },
    {
      role: 'tool',
      tool_call_id: 'c00010002',
      content: `<data-${key} kind="result" tool="list_skills" error="true">\n[skill.none] none\n</data-${key}>`,
    },
  ]);
});

test('a question is asked after the other calls of its step, and ends the turn', async () => {
  const question = { participant_id: 'alice', question: 'Which?' };
  const server = await startChatServer(
    calls([
      ['ask_participant', question],
      ['create_plan', plan],
    ]),
    text('never'),
  );
  const { turn, acts } = createTurn('Go', { sender: 'alice' });
  expect(summarise(await createModel(server.url).agent.run(turn))).toEqual(['input-required', '']);
  expect(acts).toEqual([
    { begin: ['1.2', '1.1'] },
    { call: { id: '1.2', name: 'create_plan', input: plan } },
    {
      call: { id: '1.1', name: 'ask_participant', input: question },
      memory: { a2ui: false, question: 'Which?' },
    },
  ]);
  expect(server.requests).toHaveLength(1);
});

test('a turn that is run again goes on with what was recorded, and makes nothing twice', async () => {
  const server = await startChatServer(calls([['list_skills', {}]]), text('Done.'));
  const done = { isError: false, text: 'one', endsTurn: false };
  const { turn, acts } = createTurn('Go', {
    attempt: 2,
    calls: [
      { id: '1.1', name: 'create_plan', input: plan, attempt: 1, result: done },
      { id: '2.1', name: 'load_skill', input: { name: 'a' }, attempt: 1, result: undefined },
    ],
    tool: ({ id }) => ({ isError: false, text: `made ${id}`, endsTurn: false }),
  });
  expect(summarise(await createModel(server.url).agent.run(turn))).toEqual([
    'input-required',
    'Done.',
  ]);
  expect(acts).toEqual([
    { call: { id: '2.1', name: 'load_skill', input: { name: 'a' } } },
    { begin: ['3.1'] },
    { call: { id: '3.1', name: 'list_skills', input: {} } },
  ]);
  const seen = talkOf(server.requests[0]!).map(({ role, content, tool_calls }) =>
    role === 'assistant' ? tool_calls!.map(({ function: { name } }) => name) : content,
  );
  expect(seen.slice(1)).toEqual([
    ['create_plan'],
    expect.stringContaining('\none\n'),
    ['load_skill'],
    expect.stringContaining('\nmade 2.1\n'),
  ]);
});

test('what the endpoint is asked: the model of the task, its effort, and the tools', async () => {
  const server = await startChatServer(text('a'));
  const { agent } = createModel(server.url);
  await agent.run(createTurn('a').turn);
  await agent.run(
    createTurn('a', {
      data: { model: 'large', reasoning_effort: 'high' },
      activated: [A2UI],
    }).turn,
  );
  await agent.run(createTurn('a', { data: { model: 'gone' } }).turn);
  const [plain, chosen, gone] = server.requests;
  expect(plain!.path).toBe('/v1/chat/completions');
  expect(plain!.headers.authorization).toBe(`Bearer ${KEY}`);
  expect(plain!.body).toMatchObject({ model: 'small', stream: true });
  expect(plain!.body).not.toHaveProperty('reasoning_effort');
  expect(chosen!.body).toMatchObject({ model: 'large', reasoning_effort: 'high' });
  expect(gone!.body.model).toBe('small');
  const toolsOf = ({ body }: typeof plain & object) => body.tools.map((tool) => tool.function.name);
  expect(toolsOf(plain!)).toHaveLength(11);
  expect(toolsOf(plain!)).not.toContain('emit_ui');
  expect(toolsOf(chosen!)).toContain('emit_ui');
});

test('what the client shows is known in the turn on a sub-task, which comes from no client', async () => {
  const server = await startChatServer(text('a'));
  const { agent } = createModel(server.url);
  const offered = async (settings: TurnSettings) => {
    const { memory } = await agent.run(createTurn('a', settings).turn);
    const names = server.requests.at(-1)!.body.tools.map((tool) => tool.function.name);
    return [names.includes('emit_ui'), memory];
  };
  const own = { sender: 'tiny-harness', number: 2 };
  expect(await offered({ activated: [A2UI] })).toEqual([true, { a2ui: true }]);
  expect(await offered({ ...own, memory: { a2ui: true } })).toEqual([true, { a2ui: true }]);
  expect(await offered({ ...own, memory: { a2ui: false } })).toEqual([false, { a2ui: false }]);
  expect(await offered({ ...own, memory: ['a2ui'] })).toEqual([false, { a2ui: false }]);
  expect(await offered({ number: 2, memory: { a2ui: true } })).toEqual([false, { a2ui: false }]);
});

test('an endpoint without a key is sent none', async () => {
  const server = await startChatServer(text('a'));
  await createModel(server.url, { apiKey: undefined }).agent.run(createTurn('a').turn);
  expect(server.requests[0]!.headers).not.toHaveProperty('authorization');
});

describe('calls that cannot be understood go back as errors', () => {
  const refuse = (): ToolResult => ({
    isError: true,
    text: '[tool.invalid_arguments] x',
    endsTurn: false,
  });

  test.each([
    [
      'half a call',
      ['create_plan', '{"steps": ['],
      /the arguments are not JSON: the text ends at line 1, column 12/,
    ],
    ['an unknown tool', ['make tea', {}], /\[tool\.invalid_arguments\] x/],
    ['a call without a name', ['', {}], /\[tool\.invalid_arguments\] x/],
    [
      'arguments without bottom',
      ['emit_ui', `{"messages":[{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}]}`],
      /the arguments are nested more than 500 levels deep/,
    ],
    ['a list as arguments', ['list_skills', [1]], /\[tool\.invalid_arguments\] x/],
  ] as const)('%s', async (_name, call, words) => {
    const server = await startChatServer(calls([call]), text('Sorry.'));
    const { turn, acts } = createTurn('Go', { tool: refuse });
    expect(summarise(await createModel(server.url).agent.run(turn))).toEqual([
      'input-required',
      'Sorry.',
    ]);
    expect(acts).toEqual([
      { begin: ['1.1'] },
      { call: { id: '1.1', name: call[0], input: call[1] } },
    ]);
    const [, asked, result] = talkOf(server.requests[1]!);
    const sent = asked!.tool_calls![0]!.function;
    // Whatever came, what is sent back is what every endpoint reads.
    expect(sent.name).toMatch(/^[\w-]+$/);
    expect(JSON.parse(sent.arguments)).toBeTypeOf('object');
    expect(result!.content).toMatch(words);
  });

  test('but not forever', async () => {
    const server = await startChatServer(calls([['create_plan', '{']]));
    const { turn } = createTurn('Go', { tool: refuse });
    expect(summarise(await createModel(server.url).agent.run(turn))).toEqual([
      'failed',
      'The agent stopped: its model went on calling tools in a way that cannot be understood.',
    ]);
    expect(server.requests).toHaveLength(3);
  });
});

describe('what endpoints do differently', () => {
  const input = { name: 'a' };
  const call = (more: object) => delta({ tool_calls: [more] });
  const named = (name: string) => ({ name, arguments: JSON.stringify(input) });

  test.each([
    [
      'every call has the index 0',
      [
        call({ index: 0, id: 'x', function: named('load_skill') }),
        call({ index: 0, id: 'y', function: named('unload_skill') }),
      ],
    ],
    [
      'no call has an index or an id',
      [call({ function: named('load_skill') }), call({ function: named('unload_skill') })],
    ],
    [
      'the name is repeated, and arguments are an object',
      [
        call({ index: 0, id: 'x', function: { name: 'load_skill' } }),
        call({ index: 0, id: 'x', function: { name: 'load_skill', arguments: input } }),
        call({ index: 1, id: 'y', function: named('unload_skill') }),
      ],
    ],
    [
      'chunks that are none',
      [
        null,
        7,
        [],
        {},
        { choices: null },
        { choices: [null] },
        { choices: [{ delta: { content: 4, tool_calls: 'x' } }] },
        call({ index: 0, id: 'x', function: named('load_skill') }),
        call({ index: 1, id: 'y', function: named('unload_skill') }),
        { choices: [], usage: { total_tokens: 'many' } },
      ],
    ],
  ])('%s', async (_name, pieces) => {
    const server = await startChatServer(chunks(...pieces, end('stop')), text('Done.'));
    const { turn, acts } = createTurn('Go');
    await createModel(server.url).agent.run(turn);
    expect(acts.slice(1)).toEqual([
      { call: { id: '1.1', name: 'load_skill', input } },
      { call: { id: '1.2', name: 'unload_skill', input } },
    ]);
  });

  test('thoughts are not the answer, wherever they stand', async () => {
    const server = await startChatServer(
      chunks(
        delta({ reasoning_content: 'Hm.' }),
        delta({ content: '\n<think>\nHm.\n</think>\n\nYes' }),
        delta({
          content: [
            { type: 'thinking', text: 'no' },
            { type: 'text', text: ', indeed.' },
          ],
        }),
        end('stop'),
      ),
    );
    const outcome = await createModel(server.url).agent.run(createTurn('Go').turn);
    expect(summarise(outcome)).toEqual(['input-required', 'Yes, indeed.']);
  });
});

describe('answers that end in another way', () => {
  test('one that is too long says so', async () => {
    const server = await startChatServer(text('Once upon', { finish: 'length' }));
    const outcome = await createModel(server.url).agent.run(createTurn('Go').turn);
    expect(summarise(outcome)).toEqual([
      'input-required',
      'Once upon\n\n[The answer is cut off here: it was too long.]',
    ]);
  });

  test.each([
    [false, 'input-required'],
    [true, 'failed'],
  ])(
    'one that a filter withholds is not said, and none of its calls is made',
    async (delegated, ends) => {
      const filtered = chunks(
        delta({ content: 'Bad' }),
        delta({ tool_calls: [{ index: 0, id: 'x', function: { name: 'list_skills' } }] }),
        end('content_filter'),
      );
      const server = await startChatServer(filtered);
      const { turn, acts } = createTurn('Go', { delegated });
      expect(summarise(await createModel(server.url).agent.run(turn))).toEqual([
        ends,
        'The answer was withheld by the filter of whoever runs the model.',
      ]);
      expect(acts).toEqual([]);
    },
  );
});

test('cancelling closes the connection, before the answer and amid it', async () => {
  const amid: Answer = (response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write(`data: ${JSON.stringify(delta({ content: 'I ' }))}\n\n`);
  };
  for (const answer of [silence, amid]) {
    let asked: () => void;
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const server = await startChatServer((...both) => {
      answer(...both);
      setTimeout(asked, 10);
    });
    const { turn, acts, cut } = createTurn('Go');
    // Longer than a test may take: silence is not what closes it.
    const running = createModel(server.url, { silence: 3_600_000 }).agent.run(turn);
    await isAsked;
    cut();
    await expect(running).rejects.toThrow();
    await server.hungUp;
    expect(acts).toEqual([]);
    expect(server.requests).toHaveLength(1);
  }
});
