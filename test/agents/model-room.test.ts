/** What stays of a task and its conversation when a model has no room for all of it. */
import type { Json } from '../../src/core/task.ts';
import { describe, expect, test } from 'vitest';
import type { ChatRequest } from '../support/chat-server.ts';
import { calls, startChatServer, text } from '../support/chat-server.ts';
import { answered, ask, createModel, said, talkOf, taskOf, wordsOf } from './model-fixture.ts';
import { createTurn } from './recorded-turn.ts';

/** Tokens of a request, as the agent estimates them. */
function sizeOf({ body }: ChatRequest): number {
  return Math.ceil(Buffer.byteLength(JSON.stringify([body.messages, body.tools])) / 4);
}

/** What the agent leaves for the answer when it asks this. */
async function memoryAfter(question: string): Promise<Json | undefined> {
  const server = await startChatServer(
    calls([['ask_participant', { participant_id: 'alice', question }]]),
  );
  const { turn, acts } = createTurn('Paint it');
  await createModel(server.url).agent.run(turn);
  return acts.flatMap((act) => ('call' in act ? [act.memory] : [])).at(-1);
}

describe('when there is more than there is room for', () => {
  const limits = { contextTokens: 12_000 };
  const room = 9000;

  test('earlier messages are left out, and their number is said; the question stays', async () => {
    const earlier = [
      answered('Which colour, please?'),
      ...Array.from({ length: 150 }, (_, index) => said(`${index} ${'word '.repeat(100)}`, 'bob')),
    ];
    const [request] = await ask('Blue', { earlier }, { limits });
    expect(sizeOf(request!)).toBeLessThan(room);
    const words = wordsOf(request!);
    expect(words).toContain('Which colour, please?');
    expect(words).toContain('\n149 word');
    expect(words).not.toContain('\n0 word');
    const [, left] = /\[(\d+) earlier messages are left out/.exec(words) ?? [];
    const shown = words.match(/from="bob"/g) ?? [];
    expect(Number(left) + shown.length).toBe(150);
    expect(words).toContain('\nBlue\n');
  });

  test('the question stays, too, when it is older than all that is read', async () => {
    const earlier = [
      answered('Which colour, please?'),
      ...Array.from({ length: 250 }, (_, index) => said(`${index}`, 'bob')),
    ];
    const memory = await memoryAfter('Which colour, please?');
    const [request] = await ask('Blue', { earlier, memory });
    expect(wordsOf(request!)).toMatch(
      /left out[^]*\nWhich colour, please\?\n[^]*\n51\n[^]*\nBlue\n/,
    );
  });

  test('the question is what was asked, and not what was said since, by a run that was cut off', async () => {
    const earlier = [
      answered('Which colour, please?\nOptions: red, blue'),
      ...Array.from({ length: 150 }, (_, index) => said(`${index} ${'word '.repeat(100)}`, 'bob')),
      answered('I begin.'),
    ];
    const memory = await memoryAfter('Which colour, please?');
    const [request] = await ask('blue', { earlier, memory, attempt: 2 }, { limits });
    const words = wordsOf(request!);
    expect(words.split('Which colour, please?')).toHaveLength(2);
    expect(words).toContain('Options: red, blue');
    expect(words).toContain('I begin.');
  });

  test('of a history that is not read to its beginning, nobody says how much it is', async () => {
    const earlier = Array.from({ length: 250 }, (_, index) => said(`${index}`, 'bob'));
    const [request] = await ask('Now', { earlier });
    expect(wordsOf(request!)).toContain('[0 or more earlier messages are left out');
    expect(wordsOf(request!)).not.toContain('\n50\n');
    expect(wordsOf(request!)).toContain('\n51\n');
  });

  test('goal and open steps stay, whatever the plan is', async () => {
    const steps = Array.from({ length: 10_000 }, (_, index) => ({
      id: `step-${index}`,
      name: `Step ${index}`,
      description: 'long '.repeat(20),
      depends_on: [],
      state: index < 9990 ? ('done' as const) : ('pending' as const),
      output: index < 9990 ? 'much '.repeat(20) : null,
      linked_tasks: [],
    }));
    const [request] = await ask('Next', { data: { plan: { steps } } }, { limits });
    expect(sizeOf(request!)).toBeLessThan(room);
    const task = taskOf(request!) as {
      goal: string;
      plan: { steps_in_all: number; steps: { id: string }[] };
    };
    expect(task.goal).toBe('Write the quarterly report.');
    expect(task.plan.steps_in_all).toBe(10_000);
    expect(task.plan.steps.map(({ id }) => id)).toContain('step-9990');
  });

  test('a message, a goal and skills that are too long keep their beginnings and ends', async () => {
    const long = (name: string) => `${name}-begin ${'x'.repeat(400_000)} ${name}-end`;
    const [request] = await ask(
      long('message'),
      {
        data: { goal: long('goal') },
        skills: [
          { name: 'a', body: long('skill') },
          { name: 'b', body: 'short' },
        ],
        earlier: [answered(long('question'))],
      },
      { limits },
    );
    expect(sizeOf(request!)).toBeLessThan(room);
    const words = wordsOf(request!);
    for (const name of ['message', 'goal', 'skill', 'question']) {
      expect(words).toContain(`${name}-begin`);
      expect(words).toContain(`${name}-end`);
    }
    expect(words).toMatch(/\[… \d+ characters are left out here …\]/);
  });

  test('earlier results are cut before the last, then steps are left out; calls keep their answers', async () => {
    const server = await startChatServer(
      ...Array.from({ length: 30 }, (_, index) =>
        calls([['load_skill_resource', { name: 'a', kind: 'assets', resource: `file-${index}` }]]),
      ),
      text('Done.'),
    );
    const result = (id: string) => `${id} begins ${'x'.repeat(20_000)} ${id} ends`;
    const { turn } = createTurn('Read them', {
      tool: ({ id }) => ({ isError: false, text: result(id), endsTurn: false }),
    });
    await createModel(server.url, { limits: { ...limits, turnTokens: 10_000_000 } }).agent.run(
      turn,
    );
    for (const request of server.requests) {
      expect(sizeOf(request)).toBeLessThan(room);
      const sent = talkOf(request).flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id));
      expect(talkOf(request).flatMap(({ tool_call_id: id }) => id ?? [])).toEqual(sent);
    }
    const last = server.requests.at(-1)!;
    expect(wordsOf(last)).toContain('30.1 begins');
    expect(wordsOf(last)).toContain('30.1 ends');
    expect(wordsOf(last)).toContain('\nRead them\n');
    const shown = talkOf(last).filter(({ role }) => role === 'tool').length;
    expect(shown).toBeGreaterThan(5);
    if (shown < 30)
      expect(wordsOf(last)).toContain(`[${30 - shown} earlier steps of this turn are left out`);
  });
});
