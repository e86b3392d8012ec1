/** What every agent must pass, whatever stands behind the port. */
import type { Message } from '@tiny-harness/contract/a2a';
import { describe, expect, it } from 'vitest';
import type { Agent, Turn } from '../../src/agents/port.ts';
import type { Json, RecordedCall } from '../../src/core/task.ts';
import type { Act } from './recorded-turn.ts';
import { createMessage, createTurn, succeed } from './recorded-turn.ts';

/** An agent to test. */
export interface AgentUnderTest {
  readonly create: () => Promise<Agent> | Agent;
  /** A message that it works on for a while, with several acts. */
  readonly busyWith: string;
  /** A message for which it calls tools, two at least, and with the last asks a participant. */
  readonly asksAfter?: string;
}

/** How soon an agent must be done when its turn is cut, in milliseconds. */
const PROMPTLY = 1000;

const odd: readonly (readonly [string, Message['parts']])[] = [
  ['empty text', [{ text: '' }]],
  ['text of a million characters', [{ text: 'x'.repeat(1_000_000) }]],
  ['many texts', Array.from({ length: 1000 }, () => ({ text: 'x' })) as Message['parts']],
  ['lone surrogates', [{ text: '\ud800 \udc00' }]],
  ['placeholders and patterns', [{ text: '${text} $& $1 $$ (a+)+$ \\p{L} __proto__' }]],
  ['null as data', [{ data: null }]],
  ['an object as data', [{ data: { text: 'not a text', then: 1 }, mediaType: 'application/json' }]],
  ['bytes', [{ raw: '+/8AAQ==', filename: 'a', mediaType: 'image/png' }]],
  ['an address', [{ url: 'https://files.example/a', metadata: { a: [1] } }]],
];

/** Declares the tests of an agent. */
export function testAgent(name: string, { create, busyWith, asksAfter }: AgentUnderTest): void {
  describe(name, () => {
    it.each(odd)('copes with %s', async (_name, parts) => {
      const agent = await create();
      const opening = { contextId: 'context-1', message: createMessage(parts), sender: 'alice' };
      const { signal } = new AbortController();
      expect((await agent.answer?.({ ...opening, signal }))?.length).not.toBe(0);
      for (const settings of [{ number: 1 }, { number: 2 }, { number: 2, memory: odd.length }]) {
        await expectSound(agent, createTurn(parts, { ...settings, sender: 'alice' }).turn);
      }
    });

    it.each([null, [], {}, 'x', { question: 0 }, { scenario: '', question: -1 }])(
      'copes with a memory that is not its own: %j',
      async (memory) => {
        const { turn } = createTurn('Hello', { number: 2, memory });
        await expectSound(await create(), turn);
      },
    );

    it('does nothing in a turn that is over before it begins', async () => {
      const agent = await create();
      const { turn, acts, cut } = createTurn(busyWith);
      cut();
      await expectPrompt(agent.run(turn));
      expect(acts).toEqual([]);
    });

    it('does nothing more once its turn is cut, wherever that happens', async () => {
      const agent = await create();
      const whole = createTurn(busyWith);
      await agent.run(whole.turn);
      for (let last = 1; last < whole.acts.length; last++) {
        const { turn, acts, cut } = createTurn(busyWith);
        let cutAt = Number.NaN;
        const cutNow = () => {
          cutAt = performance.now();
          cut();
        };
        await expectPrompt(agent.run(cutAfter(turn, last, cutNow)), () => cutAt);
        expect(acts).toEqual(whole.acts.slice(0, last));
      }
    });

    it('ends at once when its turn is cut while it waits', async () => {
      const agent = await create();
      const { turn, acts, cut } = createTurn(busyWith);
      const running = agent.run(turn);
      await new Promise((resolve) => setTimeout(resolve, 10));
      cut();
      const before = acts.length;
      await expectPrompt(running);
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(acts.length).toBe(before);
    });

    if (asksAfter !== undefined) testCalls(create, asksAfter);
  });
}

/** Declares the tests of how an agent calls tools. */
function testCalls(create: AgentUnderTest['create'], asksAfter: string): void {
  const callsOf = (acts: readonly Act[]) =>
    acts.flatMap((act) => ('call' in act ? [act.call] : []));

  it('calls under ids that are unique in the turn, and the same when it is run again', async () => {
    const [first, again] = [createTurn(asksAfter), createTurn(asksAfter)];
    await (await create()).run(first.turn);
    const ids = callsOf(first.acts).map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(1);
    expect(new Set(ids).size).toBe(ids.length);
    await (await create()).run(again.turn);
    expect(callsOf(again.acts)).toEqual(callsOf(first.acts));
  });

  it('does nothing more once a result ends the turn', async () => {
    const { turn, acts } = createTurn(asksAfter);
    await (await create()).run(turn);
    expect(acts.at(-1)).toMatchObject({ call: { name: 'ask_participant' } });
  });

  it('makes no call twice, wherever its turn was cut off', async () => {
    const whole = createTurn(asksAfter);
    await (await create()).run(whole.turn);
    const made = callsOf(whole.acts);
    for (let done = 0; done <= whole.acts.length; done++) {
      const past = whole.acts.slice(0, done);
      const results = new Set(callsOf(past).map(({ id }) => id));
      const begun = new Set(past.flatMap((act) => ('begin' in act ? act.begin : [])));
      const calls = made
        .filter(({ id }) => results.has(id) || begun.has(id))
        .map((call): RecordedCall => {
          const { id, name, input } = call;
          const result = results.has(id) ? succeed(call) : undefined;
          return { id, name, input: input as Json, attempt: 1, result };
        });
      const { turn, acts } = createTurn(asksAfter, { attempt: 2, calls });
      await (await create()).run(turn);
      expect(callsOf(acts)).toEqual(made.filter(({ id }) => !results.has(id)));
    }
  });

  it('goes on, or says why not, when each call is refused', async () => {
    const refuse = () => ({ isError: true, text: '[tool.failed] no', endsTurn: false });
    await expectSound(await create(), createTurn(asksAfter, { tool: refuse }).turn);
  });
}

/** The outcome is one that the agent may choose, and can be kept. */
async function expectSound(agent: Agent, turn: Turn): Promise<void> {
  const { end, parts, memory } = await agent.run(turn);
  const ends = ['input-required', 'failed', 'rejected'];
  expect(agent.lifecycle === 'delegated' ? [...ends, 'completed'] : ends).toContain(end);
  expect(parts?.length).not.toBe(0);
  if (memory !== undefined) expect(JSON.parse(JSON.stringify(memory))).toEqual(memory);
}

/** A turn that is cut by its nth act. */
function cutAfter(turn: Turn, last: number, cut: () => void): Turn {
  let count = 0;
  const counted = async <T>(act: Promise<T>): Promise<T> => {
    count += 1;
    if (count === last) cut();
    return act;
  };
  return {
    ...turn,
    say: (parts) => counted(turn.say(parts)),
    requireAuth: (parts) => counted(turn.requireAuth(parts)),
    resume: () => counted(turn.resume()),
    writeArtifact: (chunk) => counted(turn.writeArtifact(chunk)),
    begin: (calls) => counted(turn.begin(calls)),
    call: (request, memory) => counted(turn.call(request, memory)),
  };
}

/** However a cut turn ends, nobody waits for it: counted from when it was cut, by default from now. */
async function expectPrompt(running: Promise<unknown>, cutAt?: () => number): Promise<void> {
  const begin = performance.now();
  await running.catch(() => undefined);
  expect(performance.now() - (cutAt?.() ?? begin)).toBeLessThan(PROMPTLY);
}
