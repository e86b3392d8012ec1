/** An endpoint that does not do its part: what is tried again, what participants are told, and what is logged. */
import type { Message } from '@tiny-harness/contract/a2a';
import { describe, expect, test } from 'vitest';
import type { Answer } from '../support/chat-server.ts';
import {
  calls,
  chunks,
  delta,
  end,
  silence,
  startChatServer,
  status,
  stream,
  text,
} from '../support/chat-server.ts';
import type { ModelSettings } from './model-fixture.ts';
import { createModel, KEY } from './model-fixture.ts';
import { createTurn, summarise } from './recorded-turn.ts';

const well = text('Well.');
const begun = `data: ${JSON.stringify(delta({ content: 'Half' }))}\n\n`;
const why = 'The server has logged why. Send a message to try again.';

const page: Answer = (response) => {
  response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
  response.end('<html>Welcome</html>');
};

/** Runs a turn against these answers; how it ended, how often the endpoint was asked, and what was logged. */
async function run(answers: readonly Answer[], settings: ModelSettings = {}) {
  const server = await startChatServer(...answers);
  const { agent, logged } = createModel(server.url, settings);
  const { turn, acts } = createTurn('Go');
  const outcome = summarise(await agent.run(turn));
  expect(JSON.stringify([outcome, acts, logged])).not.toContain(KEY);
  return { outcome, acts, logged, asked: server.requests.length };
}

describe('asked again, since nothing has come of it', () => {
  test.each<[string, Answer]>([
    ['500', status(500, 'oops')],
    ['503', status(503, 'oops')],
    ['429', status(429, 'slow down')],
    ['408', status(408, 'late')],
    ['a connection that is closed at once', (response) => response.destroy()],
    ['a stream that breaks', stream(begun, 'break')],
    ['a stream that ends before the answer does', stream(begun, 'end')],
    ['an answer that is no stream', stream('<html>Welcome</html>', 'end')],
    ['nonsense instead of JSON', stream(`${begun}data: {"choices": [\n\n`, 'end')],
    ['an error amid the stream', stream(`${begun}data: {"error":{"message":"oops"}}\n\n`, 'end')],
    ['half a call, and then nothing', stream(halfACall(), 'break')],
    ['an empty answer', chunks(end('stop'))],
    ['blank text', text(' \n')],
  ])('%s', async (_name, answer) => {
    const { outcome, asked, acts, logged } = await run([answer, answer, well]);
    expect(outcome).toEqual(['input-required', 'Well.']);
    expect(asked).toBe(3);
    expect(acts).toEqual([]);
    const warnings = logged.filter(([level]) => level === 'warn');
    expect(warnings.map(([, details]) => details)).toEqual([
      expect.objectContaining({ taskId: 'task-1', turn: 1, wait: 2 }),
      expect.objectContaining({ taskId: 'task-1', turn: 1, wait: 3 }),
    ]);
  });

  test('silence, before the answer and amid it', async () => {
    const { outcome, asked } = await run([silence, stream(begun, 'silence'), well], {
      silence: 60,
    });
    expect(outcome).toEqual(['input-required', 'Well.']);
    expect(asked).toBe(3);
  });

  test('but a sign of life is no silence', async () => {
    const slow: Answer = (response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      let left = 30;
      const timer = setInterval(() => {
        left -= 1;
        if (left > 0) response.write(': keep-alive\n\n');
        else {
          clearInterval(timer);
          response.end(begun + `data: ${JSON.stringify(end('stop'))}\n\n`);
        }
      }, 50);
    };
    expect(await run([slow], { silence: 1000 })).toMatchObject({
      outcome: ['input-required', 'Half'],
      asked: 1,
    });
  });

  test('a step whose calls were made is not asked for again', async () => {
    const { acts, asked } = await run([
      calls([['list_skills', {}]]),
      status(500, 'oops'),
      calls([['list_skills', {}]]),
      well,
    ]);
    expect(asked).toBe(4);
    expect(acts.flatMap((act) => ('call' in act ? [act.call.id] : []))).toEqual(['1.1', '2.1']);
  });
});

describe('an answer that has ended is whole', () => {
  const whole = `${begun}data: ${JSON.stringify(end('stop'))}\n\n`;

  test.each([
    ['though its stream breaks', stream(whole, 'break')],
    ['though its stream stays open', stream(whole, 'silence')],
    ['though nonsense follows', stream(`${whole}data: nonsense\n\n`, 'end')],
  ])('%s', async (_name, answer) => {
    expect(await run([answer])).toMatchObject({ outcome: ['input-required', 'Half'], asked: 1 });
  });
});

test.each([
  "This model's maximum context length is 8192 tokens.",
  'the request exceeds the available context size, try increasing it',
])('what is too much for the model is sent again as less: %s', async (words) => {
  const server = await startChatServer(status(400, words), well);
  const earlier = Array.from({ length: 100 }, (_, index): Message => {
    const parts: Message['parts'] = [{ text: `${index} ${'word '.repeat(150)}` }];
    return { messageId: `earlier-${index}`, role: 'ROLE_USER', parts };
  });
  const { turn } = createTurn('Go', { earlier });
  const outcome = await createModel(server.url).agent.run(turn);
  expect(summarise(outcome)).toEqual(['input-required', 'Well.']);
  const [first, second] = server.requests.map(({ body }) => JSON.stringify(body.messages).length);
  expect(second).toBeLessThan(first! * 0.6);
});

describe('not before the endpoint allows it', () => {
  test.each([
    ['seconds', { 'Retry-After': '1' }, 1000],
    ['milliseconds', { 'Retry-After-Ms': '40' }, 40],
    ['nonsense', { 'Retry-After': 'soon' }, 2],
    ['a date that has passed', { 'Retry-After': 'Wed, 21 Oct 2015 07:28:00 GMT' }, 2],
  ])('%s', async (_name, headers, wait) => {
    const { outcome, logged } = await run([status(429, 'slow down', headers), well]);
    expect(outcome).toEqual(['input-required', 'Well.']);
    expect(logged[0]![1]).toMatchObject({ status: 429, wait });
  });

  test('who is to wait for an hour is not served', async () => {
    const { outcome, asked } = await run([status(429, 'no', { 'Retry-After': '3600' }), well]);
    expect(outcome[0]).toBe('input-required');
    expect(asked).toBe(1);
  });
});

describe('what participants are told, and what the log has', () => {
  const busy = `The model is overloaded or out of order. ${why}`;
  const refused = `The model did not take the request. ${why}`;

  test.each<[string, Answer, number, string, object]>([
    ['500', status(500, 'oops'), 4, busy, { kind: 'busy', status: 500, reason: '500 oops' }],
    [
      '401, with the key in it',
      status(401, `Incorrect API key provided: ${KEY}`, { 'x-request-id': 'req-1' }),
      1,
      refused,
      {
        kind: 'refused',
        status: 401,
        requestId: 'req-1',
        reason: '401 Incorrect API key provided: [redacted]',
      },
    ],
    ['404', status(404, 'no such model'), 1, refused, { kind: 'refused', status: 404 }],
    [
      'a redirect',
      status(302, '', { Location: 'http://127.0.0.1:1/' }),
      4,
      unreachable(),
      { kind: 'unreachable' },
    ],
    [
      'a page',
      page,
      4,
      unreachable(),
      {
        kind: 'unreachable',
        reason: expect.stringContaining('MODEL_BASE_URL leads to no API') as string,
      },
    ],
    [
      'no money',
      status(429, 'pay', { 'x-code': 'insufficient_quota' }),
      1,
      refused,
      { status: 429 },
    ],
    [
      'a context that is too long, however much is left out',
      status(400, 'too long', { 'x-code': 'context_length_exceeded' }),
      3,
      `The conversation is longer than the model can take at once. ${why}`,
      { kind: 'too-long', status: 400, reason: '400 too long (context_length_exceeded)' },
    ],
    [
      'a stream that breaks',
      stream(begun, 'break'),
      4,
      unreachable(),
      { kind: 'unreachable', reason: expect.stringContaining('terminated') as string },
    ],
    [
      'nonsense',
      stream('data: nonsense\n\n', 'end'),
      4,
      `The model's answer did not arrive whole. ${why}`,
      { kind: 'garbled' },
    ],
    ['nothing', chunks(end('stop')), 4, `The model gave no answer. ${why}`, { kind: 'empty' }],
    [
      'nothing but thoughts',
      chunks(end('length')),
      1,
      `The model gave no answer. ${why}`,
      { kind: 'empty' },
    ],
  ])('%s', async (_name, answer, times, words, details) => {
    const { outcome, asked, logged } = await run([answer]);
    expect(outcome).toEqual(['input-required', words]);
    expect(asked).toBe(times);
    expect(logged.at(-1)).toEqual(['error', expect.objectContaining(details), 'the model failed']);
  });

  test('silence', async () => {
    const { outcome, logged } = await run([silence], { silence: 30, limits: { attempts: 2 } });
    expect(outcome).toEqual(['input-required', `The model did not answer in time. ${why}`]);
    expect(logged.at(-1)![1]).toMatchObject({
      kind: 'silent',
      reason: 'the endpoint sent nothing for 30 ms (MODEL_TIMEOUT)',
    });
  });

  test('nobody is there', async () => {
    const server = await startChatServer(well);
    await server.stop();
    const { agent, logged } = createModel(server.url, { limits: { attempts: 2 } });
    expect(summarise(await agent.run(createTurn('Go').turn))).toEqual([
      'input-required',
      unreachable(),
    ]);
    expect(JSON.stringify(logged.at(-1))).toContain('ECONNREFUSED');
  });

  test.each([301, 307])(
    'a redirect (%i) is not followed: it would take the conversation elsewhere',
    async (code) => {
      const elsewhere = await startChatServer(well);
      const location = { Location: `${elsewhere.url}/chat/completions` };
      const { outcome } = await run([status(code, 'over there', location)], {
        limits: { attempts: 1 },
      });
      expect(outcome).toEqual(['input-required', unreachable()]);
      expect(elsewhere.requests).toEqual([]);
    },
  );

  test('a task that was delegated fails', async () => {
    const server = await startChatServer(status(401, 'who are you?'));
    const { turn } = createTurn('Go', { delegated: true });
    expect(summarise(await createModel(server.url).agent.run(turn))).toEqual([
      'failed',
      'The model did not take the request. The server has logged why.',
    ]);
  });

  function unreachable(): string {
    return `The model could not be reached. ${why}`;
  }
});

test('what is waited for ends with the turn', async () => {
  const server = await startChatServer(status(429, 'slow down', { 'Retry-After': '50' }));
  const { agent } = createModel(server.url);
  const { turn, cut } = createTurn('Go');
  const running = agent.run(turn);
  setTimeout(cut, 50);
  // Otherwise this takes longer than a test may.
  await expect(running).rejects.toThrow();
});

describe('budgets', () => {
  const step = calls([['list_skills', {}]]);
  const tokens =
    'The agent stopped: this message took more of the model than one message may. The limit is set by the server (MODEL_TOKENS).';

  test('steps', async () => {
    const { outcome, acts, asked } = await run([step], { limits: { steps: 3 } });
    expect(outcome).toEqual([
      'failed',
      'The agent stopped: it asked its model more often than it may for one message, and was not done.',
    ]);
    expect(acts.filter((act) => 'call' in act)).toHaveLength(3);
    expect(asked).toBe(4);
  });

  test('tokens as the endpoint counts them', async () => {
    const counted = chunks(
      delta({ tool_calls: [{ index: 0, id: 'x', function: { name: 'list_skills' } }] }),
      end('tool_calls'),
      { choices: [], usage: { total_tokens: 60_000 } },
    );
    const { outcome, asked } = await run([counted], { limits: { turnTokens: 100_000 } });
    expect(outcome).toEqual(['failed', tokens]);
    expect(asked).toBe(2);
  });

  test('tokens as they are estimated, when the endpoint does not say', async () => {
    const { outcome, asked } = await run([step], { limits: { turnTokens: 20_000 } });
    expect(outcome).toEqual(['failed', tokens]);
    // A request with its eleven tools is some 3,700 tokens.
    expect(asked).toBeGreaterThan(3);
    expect(asked).toBeLessThan(10);
  });

  test('an answer without end is cut, and its connection closed', async () => {
    const endless: Answer = (response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      const more = `data: ${JSON.stringify(delta({ content: 'x'.repeat(1000) }))}\n\n`;
      const pour = () => {
        while (response.write(more));
      };
      response.on('drain', pour);
      pour();
    };
    const server = await startChatServer(endless);
    const { agent } = createModel(server.url, { limits: { turnTokens: 1000 } });
    expect(summarise(await agent.run(createTurn('Go').turn))).toEqual(['failed', tokens]);
    await server.hungUp;
    expect(server.requests).toHaveLength(1);
  });
});

test("what the runner throws is not the model's fault", async () => {
  const server = await startChatServer(calls([['list_skills', {}]]));
  const { agent, logged } = createModel(server.url);
  const { turn } = createTurn('Go');
  const lost = new Error('the turn is over');
  await expect(agent.run({ ...turn, begin: () => Promise.reject(lost) })).rejects.toBe(lost);
  expect(logged.filter(([level]) => level === 'error')).toEqual([]);
});

function halfACall(): string {
  const call = { index: 0, id: 'x', function: { name: 'create_plan', arguments: '{"steps"' } };
  return `data: ${JSON.stringify(delta({ tool_calls: [call] }))}\n\n`;
}
