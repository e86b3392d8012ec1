/** The scenarios that are shipped do what their heads say. */
import { readdirSync } from 'node:fs';
import { beforeEach, describe, expect, it, onTestFinished, test, vi } from 'vitest';
import type { Agent, TurnOutcome } from '../../src/agents/port.ts';
import { createScriptedAgent } from '../../src/agents/scripted/agent.ts';
import { loadScenario } from '../../src/agents/scripted/load-scenario.ts';
import type { Act, TurnSettings } from './recorded-turn.ts';
import { createOpening, createTurn, summarise } from './recorded-turn.ts';

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
});

/** Loads a scenario with the clock as it is, which reading a file needs. */
async function load(path: string): Promise<Agent> {
  vi.useRealTimers();
  const agent = createScriptedAgent(await loadScenario(path));
  vi.useFakeTimers();
  return agent;
}

interface Played {
  readonly acts: readonly Act[];
  readonly end: readonly [TurnOutcome['end'], string];
  readonly memory: TurnOutcome['memory'];
  /** Milliseconds that the turn took. */
  readonly took: number;
}

async function play(agent: Agent, text: string, settings?: TurnSettings): Promise<Played> {
  const delegated = agent.lifecycle === 'delegated';
  const { turn, acts } = createTurn(text, { delegated, ...settings });
  const before = Date.now();
  const running = agent.run(turn);
  let took = 0;
  const note = () => (took = Date.now() - before);
  running.then(note, note);
  await vi.runAllTimersAsync();
  const outcome = await running;
  return { acts, end: summarise(outcome), memory: outcome.memory, took };
}

describe('conversation.yaml', () => {
  const path = 'docs/guide/scenarios/conversation.yaml';

  it('writes in chunks, asks, and goes on with the answer', async () => {
    const agent = await load(path);
    expect(agent.lifecycle).toBe('conversation');
    const first = await play(agent, 'Plan a trip to Rome', { sender: 'alice' });
    expect(first.acts).toEqual([
      { say: 'I am looking at the map.' },
      {
        artifact: {
          artifactId: 'plan',
          name: 'Plan',
          description: 'What to do on which day.',
          parts: [{ text: '# Plan a trip to Rome\n' }],
          append: false,
          lastChunk: false,
        },
      },
      chunk('plan', '- Day 1: arrive\n', false),
      chunk('plan', '- Day 2: look around\n', false),
      chunk('plan', '- Day 3: go home\n', true),
    ]);
    const question = 'How would you like to travel, alice?\n- train\n- plane';
    expect(first.end).toEqual(['input-required', question]);
    expect(first.took).toBe(300 + 4 * 150);

    const last = await play(agent, 'train', { number: 2, memory: first.memory });
    expect(last.end).toEqual(['input-required', 'The train is booked. Anything else?']);
    expect(last.memory).toBeNull();
    expect(last.acts.at(-1)).toEqual({
      artifact: {
        artifactId: 'booking',
        name: 'Booking',
        parts: [
          {
            data: { by: 'ticket', seats: [12, 13], paid: false },
            mediaType: 'application/json',
          },
          { text: 'By train, for $120.' },
        ],
        lastChunk: true,
      },
    });
  });

  it('knows who asks, and repeats what it has no rule for', async () => {
    const agent = await load(path);
    const known = await play(agent, 'Who am I?', { sender: 'alice' });
    expect(known.end).toEqual(['input-required', 'You are alice.']);
    const other = await play(agent, 'plan a trip', { sender: 'alice' });
    expect(other.end).toEqual(['input-required', 'You said: [alice] plan a trip']);
  });
});

test('delegated.yaml completes, fails and rejects', async () => {
  const agent = await load('docs/guide/scenarios/delegated.yaml');
  expect(agent.lifecycle).toBe('delegated');
  const done = await play(agent, 'Write the report');
  expect(done.end).toEqual(['completed', 'The report is written.']);
  expect([done.acts.length, done.took]).toEqual([4, 600]);
  const hers = await play(agent, 'Write the report as alice', { sender: 'alice' });
  expect(hers.end).toEqual(['completed', 'The report is yours, alice.']);
  const more = await play(agent, 'Write');
  expect(more.end).toEqual(['input-required', 'Write what?']);
  const failed = await play(agent, 'Divide by zero');
  expect([failed.end, failed.took]).toEqual([['failed', 'That cannot be divided.'], 200]);
  const rejected = await play(agent, 'Sing');
  expect(rejected.end).toEqual(['rejected', 'I write reports and divide; "Sing" is neither.']);
});

test('authorisation.yaml waits and goes on', async () => {
  const agent = await load('docs/guide/scenarios/authorisation.yaml');
  const { acts, end, took } = await play(agent, 'Read my mail');
  expect(acts).toEqual([
    { requireAuth: 'Open https://mail.example/allow and allow it, please.' },
    { resume: true },
  ]);
  expect([end, took]).toEqual([['input-required', 'Thank you. There is nothing new.'], 2000]);
});

test('message.yaml answers first messages without a task', async () => {
  const agent = await load('docs/guide/scenarios/message.yaml');
  expect(await agent.answer?.(createOpening('ping'))).toEqual([{ text: 'pong' }]);
  expect(await agent.answer?.(createOpening('pong'))).toBeUndefined();
  const later = await play(agent, 'ping', { number: 2 });
  expect(later.end).toEqual(['input-required', 'You said: ping']);
});

test('faults.yaml throws in a task and before it', async () => {
  const agent = await load('docs/guide/scenarios/faults.yaml');
  expect(await agent.answer?.(createOpening('Crash'))).toBeUndefined();
  await expect(play(agent, 'Crash')).rejects.toThrow('the scripted agent was told to crash');
  await expect(agent.answer?.(createOpening('Crash at once'))).rejects.toThrow('at once');
  const later = await play(agent, 'Crash at once', { number: 2 });
  expect(later.end).toEqual(['input-required', 'You said: Crash at once']);
});

describe('tools.yaml', () => {
  const path = 'docs/guide/scenarios/tools.yaml';
  const callsOf = (acts: readonly Act[]) =>
    acts.map((act) => ('call' in act ? [act.call.name, act.call.input] : act));

  it('makes a plan, asks, and shows a button for the answer', async () => {
    const agent = await load(path);
    const first = await play(agent, 'Order lunch', { sender: 'alice' });
    expect(callsOf(first.acts)).toEqual([
      [
        'create_plan',
        {
          steps: [
            { name: 'Choose', description: 'What is eaten.' },
            { name: 'Order', description: 'At the kitchen.', depends_on: ['Choose'] },
          ],
        },
      ],
      [
        'ask_participant',
        {
          participant_id: 'alice',
          question: 'What would you like to eat, alice?',
          options: ['pizza', 'soup'],
        },
      ],
    ]);
    const asked = first.acts[1] as Extract<Act, { readonly call: unknown }>;
    const more = { number: 2, sender: 'alice', memory: asked.memory };
    const second = await play(agent, 'soup', more);
    expect(callsOf(second.acts)[0]).toEqual(['complete_step', { step: 'choose', output: 'soup' }]);
    expect(JSON.stringify(callsOf(second.acts)[1])).toContain('"text":"Order the soup"');
    expect(second.end).toEqual(['input-required', 'The soup can be ordered.']);
    const pressed = '[A2UI action] order on surface order from root: {}';
    for (const text of ['Order', pressed]) {
      const last = await play(agent, text, { number: 3, sender: 'alice', memory: null });
      const done = { step: 'order', output: 'It is on its way.' };
      expect(callsOf(last.acts)).toEqual([['complete_step', done]]);
      expect(last.end).toEqual(['input-required', 'It is on its way.']);
    }
  });

  it('says what a tool refused', async () => {
    const refuse = () => ({ isError: true, text: '[channel.not_a_member] bob', endsTurn: false });
    const { end } = await play(await load(path), 'Order for bob', { tool: refuse });
    expect(end).toEqual(['input-required', 'That could not be asked: [channel.not_a_member] bob']);
  });
});

describe('probe.yaml', () => {
  const path = 'test/conformance/probe.yaml';
  const ends = {
    hello: ['input-required', 'Shall I go on?'],
    'probe:complete': ['completed', 'Completed.'],
    'probe:fail': ['failed', 'Failed.'],
    'probe:reject': ['rejected', 'Rejected.'],
    'probe:slow': ['completed', 'Completed.'],
    'probe:auth': ['completed', 'Completed.'],
    'probe:chat': ['input-required', 'What else?'],
  } as const;

  it('ends each kind of task as the probe expects', async () => {
    const agent = await load(path);
    expect(agent.lifecycle).toBe('delegated');
    for (const [text, end] of Object.entries(ends)) {
      expect(await agent.answer?.(createOpening(text))).toBeUndefined();
      expect((await play(agent, text)).end).toEqual(end);
    }
    expect((await play(agent, 'go on', { number: 2 })).end).toEqual(['completed', 'Finished.']);
    expect((await play(agent, 'probe:more', { number: 2 })).end).toEqual(ends.hello);
  });

  it('takes its time and writes chunks where the probe watches', async () => {
    const agent = await load(path);
    const slow = await play(agent, 'probe:slow');
    expect(slow.took).toBe(900);
    const texts = [0, 1, 2, 3, 4, 5].map((each) => [each > 0, `c${each};`, each === 5]);
    expect(slow.acts.map(summariseChunk)).toEqual(texts);
    expect((await play(agent, 'probe:chat')).took).toBe(60);
    expect((await play(agent, 'probe:auth')).took).toBe(500);
  });

  it('answers with a message, and breaks down', async () => {
    const agent = await load(path);
    const answer = await agent.answer?.(createOpening('probe:message'));
    expect(answer).toEqual([{ text: 'A direct answer.' }]);
    await expect(agent.answer?.(createOpening('probe:throwfirst'))).rejects.toThrow('boom');
    await expect(play(agent, 'probe:throw')).rejects.toThrow('boom');
  });
});

test('every verb is shown', async () => {
  const folder = 'docs/guide/scenarios';
  const { readFileSync } = await import('node:fs');
  const all = readdirSync(folder).map((name) => readFileSync(`${folder}/${name}`, 'utf8'));
  const schema = JSON.parse(readFileSync('schemas/meta/scenario.schema.json', 'utf8')) as {
    readonly $defs: { readonly Step: { readonly properties: object } };
  };
  const verbs = Object.keys(schema.$defs.Step.properties);
  const missing = verbs.filter((verb) => !all.some((text) => text.includes(`- ${verb}:`)));
  expect(missing).toEqual([]);
});

function chunk(artifactId: string, text: string, lastChunk: boolean): Act {
  return { artifact: { artifactId, parts: [{ text }], append: true, lastChunk } };
}

function summariseChunk(act: Act): readonly unknown[] {
  if (!('artifact' in act)) return [];
  const { append, parts, lastChunk } = act.artifact;
  return [append, parts[0].text, lastChunk];
}
