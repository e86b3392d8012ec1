/** Agents that do too much, and agents that do what no agent should: their task fails, and nothing else happens. */
import type { StreamResponse } from '@tiny-harness/contract/a2a';
import { describe, expect, test } from 'vitest';
import type { Agent, Turn, TurnOutcome } from '../../src/agents/port.ts';
import type { Config } from '../../src/config.ts';
import { createClient, messageOf } from '../support/a2a-client.ts';
import { completion, historyOf, stateOf, wordsOf } from '../support/conformance.ts';
import { eventually } from '../support/eventually.ts';
import { readMetrics, startApp } from '../support/server.ts';

/** A server with this agent, and ann. */
async function start(run: (turn: Turn) => unknown, config: Partial<Config> = {}) {
  const agent: Agent = { lifecycle: 'conversation', run: run as Agent['run'] };
  const server = await startApp(config, 'test-ends', { agent });
  const ann = createClient(server.url, 'jsonrpc', 'ann');
  const read = async (id: string) =>
    (await ann.call('GetTask', { id, historyLength: 1000 })).result;
  return { server, ann, read };
}

/** What becomes of a task whose agent runs like this: its end, what was said, the events after its creation. */
async function play(run: (turn: Turn) => unknown, config: Partial<Config> = {}) {
  const { server, ann, read } = await start(run, config);
  const stream = await ann.stream('SendStreamingMessage', { message: messageOf('go') });
  await stream.over;
  const [first, ...events] = stream.heard.map(({ body }) => body);
  const task = await read(first!.task!.id);
  return { server, ann, task, events, end: `${stateOf(task)}: ${wordsOf(task)}` };
}

const stopped = (why: string) => `FAILED: The agent was stopped: ${why}.`;
const FAILED =
  'FAILED: The agent failed while it worked on this message. The server has logged why.';

const say = (turn: Turn, text = 'x') => turn.say([{ text }]);
const list = (turn: Turn, id: string) => turn.call({ id, name: 'list_skills', input: {} });
const chunk = (text: string) => ({ artifactId: 'a', parts: [{ text }] as [{ text: string }] });
const parked: TurnOutcome = { end: 'input-required', parts: [{ text: 'done' }] };

/** Does something so many times, one after the other. */
async function times(count: number, act: (index: number) => Promise<unknown>) {
  for (let index = 0; index < count; index++) await act(index);
  return parked;
}

describe('a turn that is over a limit fails its task with a message that says which', () => {
  test.each<[string, Partial<Config>, (turn: Turn) => unknown, string]>([
    [
      'steps',
      { turnSteps: 3 },
      (turn) => times(4, () => say(turn)),
      'it took more than 3 steps in one turn (TURN_STEPS)',
    ],
    [
      'steps of different kinds, the reply included',
      { turnSteps: 3 },
      async (turn) => {
        await say(turn);
        await turn.writeArtifact(chunk('x'));
        await list(turn, '1');
        return parked;
      },
      'it took more than 3 steps in one turn (TURN_STEPS)',
    ],
    [
      'tool calls',
      { turnToolCalls: 3 },
      (turn) => times(4, (index) => list(turn, `${index}`)),
      'it made more than 3 tool calls in one turn (TURN_TOOL_CALLS)',
    ],
    [
      'tool calls that are only begun',
      { turnToolCalls: 3 },
      (turn) =>
        turn.begin(['1', '2', '3', '4'].map((id) => ({ id, name: 'list_skills', input: {} }))),
      'it made more than 3 tool calls in one turn (TURN_TOOL_CALLS)',
    ],
    [
      'words',
      { turnOutput: 1024 },
      (turn) => times(2, () => say(turn, 'é'.repeat(300))),
      'it wrote more than 1024 bytes in one turn (TURN_OUTPUT)',
    ],
    [
      'artifacts',
      { turnOutput: 1024 },
      (turn) => times(2, () => turn.writeArtifact(chunk('x'.repeat(600)))),
      'it wrote more than 1024 bytes in one turn (TURN_OUTPUT)',
    ],
    [
      'arguments of tools',
      { turnOutput: 1024 },
      (turn) => turn.call({ id: '1', name: 'load_skill', input: { name: 'x'.repeat(1024) } }),
      'it wrote more than 1024 bytes in one turn (TURN_OUTPUT)',
    ],
    [
      'a reply',
      { turnOutput: 1024 },
      () => ({ end: 'input-required', parts: [{ text: 'x'.repeat(1024) }] }),
      'it wrote more than 1024 bytes in one turn (TURN_OUTPUT)',
    ],
    [
      'time',
      { turnTimeoutMs: 100 },
      () => new Promise(() => undefined),
      'its turn took longer than 0.1 s (TURN_TIMEOUT)',
    ],
  ])('%s', async (_what, config, run, why) => {
    const { end, events, server } = await play(run, config);
    expect(end).toBe(stopped(why));
    expect(events.at(-1)?.statusUpdate?.status.state).toBe('TASK_STATE_FAILED');
    expect(server.complaints).toEqual([
      expect.stringMatching(/^the agent failed; its task fails: LimitError: The agent was stopped/),
    ]);
  });

  test('and at the limit it does not', async () => {
    const config = { turnSteps: 4, turnToolCalls: 2, turnOutput: 1024 };
    const { end } = await play(async (turn) => {
      await say(turn, 'x'.repeat(500));
      await list(turn, '1');
      await list(turn, '2');
      return parked;
    }, config);
    expect(end).toBe('INPUT_REQUIRED · awaiting-next-message: done');
  });

  test('each turn has limits of its own', async () => {
    const { ann, server } = await start((turn) => times(2, () => say(turn)), { turnSteps: 3 });
    const { result } = await ann.send('one');
    const { id: taskId } = result.task!;
    for (const text of ['two', 'three']) {
      const { result: next } = await ann.send(text, { taskId });
      expect(stateOf(next.task!)).toBe('INPUT_REQUIRED · awaiting-next-message');
    }
    expect(server.complaints).toEqual([]);
  });

  test('also when the agent takes no notice', async () => {
    const errors: unknown[] = [];
    const { end, task } = await play(
      async (turn) => {
        for (let index = 0; index < 10; index++) {
          await say(turn, `${index}`).catch((error: unknown) => errors.push(String(error)));
        }
        return { end: 'input-required', parts: [{ text: 'never mind' }] };
      },
      { turnSteps: 3 },
    );
    const why = 'it took more than 3 steps in one turn (TURN_STEPS)';
    expect(end).toBe(stopped(why));
    expect(historyOf(task)).toEqual([
      'ann: go',
      'agent: 0',
      'agent: 1',
      'agent: 2',
      `agent: The agent was stopped: ${why}.`,
    ]);
    expect(errors[0]).toBe(`LimitError: The agent was stopped: ${why}.`);
  });

  test('a thousand calls at once: as many as may be, and no more', async () => {
    const step = { name: 'a', description: '', depends_on: [] };
    const { end, events } = await play((turn) =>
      Promise.all(
        Array.from({ length: 1000 }, (_, index) =>
          turn.call({ id: `${index}`, name: 'create_plan', input: { steps: [step] } }),
        ),
      ),
    );
    expect(end).toBe(stopped('it made more than 200 tool calls in one turn (TURN_TOOL_CALLS)'));
    expect(events.length).toBeLessThanOrEqual(202);
    expect(events.at(-1)?.statusUpdate?.status.state).toBe('TASK_STATE_FAILED');
  });

  test('nothing of the turn lands afterwards', async () => {
    let late: Promise<unknown>[] = [];
    const { ann, task } = await play(
      async (turn) => {
        await say(turn, 'first');
        await new Promise((resolve) => {
          turn.signal.addEventListener('abort', resolve);
        });
        late = [
          say(turn, 'late'),
          turn.writeArtifact(chunk('late')),
          list(turn, '1'),
          turn.begin([{ id: '2', name: 'list_skills', input: {} }]),
          turn.requireAuth([{ text: 'late' }]),
          turn.resume(),
        ];
        await Promise.allSettled(late);
        return parked;
      },
      { turnTimeoutMs: 100 },
    );
    const outcomes = await Promise.allSettled(late);
    expect(outcomes.map(({ status }) => status)).toEqual(Array(6).fill('rejected'));
    const after = (await ann.call('GetTask', { id: task.id, historyLength: 10 })).result;
    expect(after).toEqual(task);
    expect(historyOf(after)).toEqual([
      'ann: go',
      'agent: first',
      'agent: The agent was stopped: its turn took longer than 0.1 s (TURN_TIMEOUT).',
    ]);
    expect(after.artifacts ?? []).toEqual([]);
  });
});

const noJson = {
  toJSON: () => {
    throw new Error('secret');
  },
};

describe('an agent that breaks down fails its task, and nobody is told how', () => {
  const thrower = (error: unknown) => () => {
    throw error;
  };
  test.each<[string, (turn: Turn) => unknown]>([
    ['throws', thrower(new Error('secret'))],
    ['throws a text', thrower('secret')],
    ['throws nothing', thrower(undefined)],
    ['rejects', () => Promise.reject(new Error('secret'))],
    ['returns nothing', () => undefined],
    ['resolves with null', () => Promise.resolve(null)],
    ['returns a number', () => 5],
    ['returns an end that there is not', () => ({ end: 'secret' })],
    ['completes a conversation', () => ({ end: 'completed' })],
    ['asks without a text', () => ({ end: 'input-required', question: null })],
    ['says what is no JSON', () => ({ end: 'input-required', parts: [noJson] })],
    ['says a bigint', () => ({ end: 'input-required', parts: [{ data: 1n }] })],
    ['remembers what is no JSON', () => ({ ...parked, memory: noJson })],
    [
      'has an outcome that throws when it is read',
      () => ({
        get end() {
          throw new Error('secret');
        },
      }),
    ],
    ['reports what is no JSON', (turn) => turn.say([noJson as never])],
    [
      'ends a chunk twice',
      (turn) =>
        times(2, () => turn.writeArtifact({ ...chunk('x'), append: true, lastChunk: true })),
    ],
    ['waits for authorisation twice', (turn) => times(2, () => turn.requireAuth([{ text: 'x' }]))],
  ])('one that %s', async (_what, run) => {
    const { end, events, server } = await play(run);
    expect(end).toBe(FAILED);
    expect(JSON.stringify(events)).not.toContain('secret');
    expect(server.complaints).toEqual([expect.stringMatching(/^the agent failed; its task fails/)]);
    // And the server goes on.
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  });

  test('what it had begun when it broke down does not land any more', async () => {
    const { task } = await play((turn) => {
      for (const act of [say(turn, 'late'), list(turn, '1')]) act.catch(() => undefined);
      throw new Error('secret');
    });
    expect(historyOf(task)).toEqual(['ann: go', FAILED.replace('FAILED', 'agent')]);
  });

  test('data that is nested too deep to be read again', async () => {
    const deep = JSON.parse('['.repeat(600) + ']'.repeat(600)) as never;
    const circular: unknown[] = [];
    circular.push(circular);
    for (const data of [deep, circular]) {
      const { end } = await play(() => ({ end: 'input-required', parts: [{ data }] }));
      expect(end).toBe(stopped('it wrote data that is nested more than 500 levels deep'));
    }
  });
});

describe('an agent whose turn is taken away', () => {
  /** An agent that takes no notice of its signal: it writes until it is refused, and once more. */
  async function startDeaf() {
    const seen = { refused: 0, landed: 0 };
    const run = async (turn: Turn): Promise<TurnOutcome> => {
      if (turn.text !== 'go') return parked;
      for (;;) {
        try {
          await say(turn, `${(seen.landed += 1)}`);
        } catch {
          if ((seen.refused += 1) === 2) break;
        }
      }
      return { end: 'failed', parts: [{ text: 'too late' }] };
    };
    const all = await start(run);
    const stream = await all.ann.stream('SendStreamingMessage', { message: messageOf('go') });
    await stream.until(({ body }) => wordsIn(body) === '3');
    return { ...all, seen, stream, id: stream.heard[0]!.body.task!.id };
  }

  test.each(['cancelled', 'completed', 'interrupted'] as const)('%s', async (how) => {
    const { ann, read, seen, server, id, stream } = await startDeaf();
    if (how === 'cancelled') await ann.call('CancelTask', { id });
    if (how === 'completed') await ann.call('SendMessage', { message: completion(id) });
    if (how === 'interrupted') {
      await ann.send('wait', { taskId: id, metadata: { interrupt: true } });
    }
    await eventually('its last try', () => (seen.refused === 2 ? true : undefined));
    const task = await read(id);
    const ends = {
      cancelled: 'CANCELED: cancelled by ann',
      completed: 'COMPLETED: completed by ann',
      interrupted: 'INPUT_REQUIRED · awaiting-next-message: done',
    };
    expect(`${stateOf(task)}: ${wordsOf(task)}`).toBe(ends[how]);
    await eventually('the rest', async () =>
      (await readMetrics(server.url)).get('tiny_harness_running_turns') === 0 ? true : undefined,
    );
    expect(await read(id)).toEqual(task);
    expect(historyOf(task).join()).not.toContain('too late');
    stream.close();
    expect(server.complaints).toEqual([]);
  });
});

function wordsIn({ statusUpdate }: StreamResponse): string | undefined {
  return statusUpdate?.status.message?.parts[0].text;
}
