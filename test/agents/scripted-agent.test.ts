/** The scripted agent: what it answers by itself, and the details of playing a scenario. */
import { describe, expect, it, test } from 'vitest';
import type { Agent } from '../../src/agents/port.ts';
import { createScriptedAgent } from '../../src/agents/scripted/agent.ts';
import { loadScenario, readScenario } from '../../src/agents/scripted/load-scenario.ts';
import { testAgent } from './contract.ts';
import type { TurnSettings } from './recorded-turn.ts';
import { createOpening, createTurn, summarise } from './recorded-turn.ts';

testAgent('the agent without a scenario', { create: () => createScriptedAgent(), busyWith: 'x' });

testAgent('the agent with a scenario', {
  create: () =>
    createScriptedAgent(
      readScenario(
        `
lifecycle: delegated
rules:
  - when: { contains: work }
    do:
      - say: a
      - wait: 20ms
      - artifact: { id: a, chunks: [a, b, c], every: 20ms }
      - artifact: { id: b, parts: [{ data: [1] }] }
      - artifact: { id: c, chunks: [a, b, c] }
      - require-auth: { text: a, for: 1.1s }
      - say: b
      - complete:
  - when: { matches: '^(\\\\s|\\\\S){5000}$' }
    do: [{ fail: a pattern sees too much }]
  - when: { equals: '', turn: first }
    do: [{ ask: { question: What?, then: [{ say: '\${text}' }] } }]
`,
        'contract.yaml',
      ),
    ),
  busyWith: 'work',
});

testAgent('the agent with the scenario of the probe', {
  create: async () => createScriptedAgent(await loadScenario('test/conformance/probe.yaml')),
  busyWith: 'probe:auth',
});

/** The agent that plays these rules. */
function play(rules: string, lifecycle = 'conversation'): Agent {
  return createScriptedAgent(
    readScenario(`lifecycle: ${lifecycle}\nrules:\n${rules}\n`, 'test.yaml'),
  );
}

async function ask(
  agent: Agent,
  text: string,
  settings?: TurnSettings,
): Promise<ReturnType<typeof summarise>> {
  return summarise(await agent.run(createTurn(text, settings).turn));
}

describe('without a scenario', () => {
  const agent = createScriptedAgent();

  it('repeats what it hears', async () => {
    expect(agent.lifecycle).toBe('conversation');
    expect(await agent.answer?.(createOpening('Hello'))).toBeUndefined();
    expect(await ask(agent, 'Hello')).toEqual(['input-required', 'You said: Hello']);
  });

  it('calls a sender by name', async () => {
    const said = await ask(agent, 'Hello', { sender: 'alice' });
    expect(said).toEqual(['input-required', 'You said: [alice] Hello']);
  });

  it('takes the text parts, one a line, and passes others over', async () => {
    const { turn } = createTurn([{ text: 'a' }, { data: { text: 'b' } }, { text: 'c' }]);
    expect(summarise(await agent.run(turn))).toEqual(['input-required', 'You said: a\nc']);
  });
});

describe('conditions', () => {
  const rules = (when: string) => `  - { when: ${when}, do: [{ say: yes }] }`;

  test.each([
    ['{ equals: a }', 'a', {}, true],
    ['{ equals: a }', 'a ', {}, false],
    ["{ equals: '' }", '', {}, true],
    ['{ contains: b }', 'abc', {}, true],
    ['{ contains: B }', 'abc', {}, false],
    ["{ matches: '^a.c$' }", 'a\nc', {}, true],
    ["{ matches: 'x$' }", `${'y'.repeat(4096)}x`, {}, false],
    ["{ matches: 'x' }", `${'y'.repeat(4095)}x`, {}, true],
    ['{ turn: first }', 'a', { number: 1 }, true],
    ['{ turn: first }', 'a', { number: 2 }, false],
    ['{ turn: later }', 'a', { number: 1 }, false],
    ['{ turn: later }', 'a', { number: 3 }, true],
    ['{ participant: alice }', 'a', { sender: 'alice' }, true],
    ['{ participant: alice }', 'a', { sender: 'bob' }, false],
    ['{ contains: a, participant: alice }', 'b', { sender: 'alice' }, false],
    ["{ contains: a, matches: 'b', equals: ab }", 'ab', {}, true],
  ])('%s and %j from %j: %s', async (when, text, settings, matches) => {
    const [, said] = await ask(play(rules(when)), text, settings);
    expect(said === 'yes').toBe(matches);
  });

  it('are tried in order', async () => {
    const agent = play(`  - { when: { contains: a }, do: [{ say: one }] }
  - { do: [{ say: two }] }`);
    expect([await ask(agent, 'a'), await ask(agent, 'b')].map(([, said]) => said)).toEqual([
      'one',
      'two',
    ]);
  });
});

describe('texts', () => {
  test.each([
    ['${participant}: ${text}', 'bob: $$ ${text} $&'],
    ['$${text} costs $$5 or $5', '${text} costs $5 or $5'],
    ['$$${text}', '$$$ ${text} $&'],
    ['$text {text}', '$text {text}'],
  ])('%s', async (template, filled) => {
    const agent = play(`  - { do: [{ say: ${JSON.stringify(template)} }] }`);
    expect((await ask(agent, '$$ ${text} $&', { sender: 'bob' }))[1]).toBe(filled);
  });

  it('are filled wherever a verb has one', async () => {
    const agent = play(
      `  - when: { equals: a }
    do:
      - say: 1 \${text}
      - artifact: { id: '\${text}', chunks: ['2 \${text}'] }
      - artifact: { id: b, parts: [{ text: '3 \${text}' }, { data: '\${text}' }] }
      - require-auth: { text: '4 \${text}', for: 0ms }
      - ask: { question: '5 \${text}', options: [b] }
  - { when: { equals: b }, do: [{ complete: '6 \${text}' }] }
  - { when: { equals: c }, do: [{ fail: '7 \${text}' }] }
  - { when: { equals: d }, do: [{ reject: '8 \${text}' }] }
  - { when: { equals: e }, do: [{ throw: '9 \${text}' }] }
  - { when: { equals: f }, do: [{ message: '10 \${text}' }] }
  - { when: { equals: g }, do: [{ throw: { text: '11 \${text}', before: task } }] }`,
      'delegated',
    );
    const { turn, acts } = createTurn('a');
    expect(summarise(await agent.run(turn))).toEqual(['input-required', '5 a\n- b']);
    const place = { append: false, lastChunk: true };
    expect(acts).toEqual([
      { say: '1 a' },
      { artifact: { artifactId: '${text}', parts: [{ text: '2 a' }], ...place } },
      {
        artifact: {
          artifactId: 'b',
          parts: [{ text: '3 a' }, { data: '${text}' }],
          lastChunk: true,
        },
      },
      { requireAuth: '4 a' },
      { resume: true },
    ]);
    expect(await ask(agent, 'b')).toEqual(['completed', '6 b']);
    expect(await ask(agent, 'c')).toEqual(['failed', '7 c']);
    expect(await ask(agent, 'd')).toEqual(['rejected', '8 d']);
    await expect(ask(agent, 'e')).rejects.toThrow('9 e');
    expect(await agent.answer?.(createOpening('f'))).toEqual([{ text: '10 f' }]);
    await expect(agent.answer?.(createOpening('g'))).rejects.toThrow('11 g');
  });
});

describe('the end of a turn', () => {
  it('is what the lifecycle asks for when no step says it', async () => {
    const rules = '  - { do: [{ say: a }, { wait: 0ms }] }';
    expect(await ask(play(rules), 'x')).toEqual(['input-required', '']);
    expect(await ask(play(rules, 'delegated'), 'x')).toEqual(['completed', '']);
    const reply = '  - { do: [{ say: a }] }';
    expect(await ask(play(reply, 'delegated'), 'x')).toEqual(['completed', 'a']);
    const complete = '  - { do: [{ say: a }, { complete: }] }';
    expect(await ask(play(complete, 'delegated'), 'x')).toEqual(['completed', '']);
  });
});

describe('a question', () => {
  const rules = (then: string) => `  - when: { equals: a }
    do: [{ ask: { question: one?, then: [{ ask: { question: two?, then: [{ say: ${then} }] } }] } }]
  - { do: [{ say: rules }] }`;

  it('is gone on with, also by another agent that plays the same scenario', async () => {
    const one = await play(rules('end')).run(createTurn('a').turn);
    const { memory } = one;
    const two = await play(rules('end')).run(createTurn('a', { number: 2, memory }).turn);
    expect(summarise(two)).toEqual(['input-required', 'two?']);
    const three = createTurn('a', { number: 3, memory: two.memory });
    const last = await play(rules('end')).run(three.turn);
    expect(summarise(last)).toEqual(['input-required', 'end']);
    // What was left stays until something else is, so it has to be.
    expect(last.memory).toBeNull();
    const four = createTurn('b', { number: 4, memory: last.memory });
    expect(summarise(await play(rules('end')).run(four.turn))).toEqual(['input-required', 'rules']);
  });

  it('is forgotten when the scenario was changed', async () => {
    const { memory } = await play(rules('end')).run(createTurn('a').turn);
    const said = await ask(play(rules('other end')), 'b', { number: 2, memory });
    expect(said).toEqual(['input-required', 'rules']);
  });

  it('without "then" leaves the answer to the rules', async () => {
    const agent = play(`  - { when: { turn: first }, do: [{ ask: { question: q, options: [a] } }] }
  - { do: [{ say: rules }] }`);
    const { memory } = await agent.run(createTurn('x').turn);
    expect(await ask(agent, 'a', { number: 2, memory })).toEqual(['input-required', 'rules']);
  });
});
