/** The scripted agent: what it answers by itself, and the details of playing a scenario. */
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, test } from 'vitest';
import type { Agent, Turn } from '../../src/agents/port.ts';
import { createScriptedAgent } from '../../src/agents/scripted/agent.ts';
import { loadScenario, readScenario } from '../../src/agents/scripted/load-scenario.ts';
import { testAgent } from './contract.ts';
import type { Act, TurnSettings } from './recorded-turn.ts';
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
  - when: { equals: tools }
    do:
      - tool: { name: create_plan, input: { steps: [{ name: a, description: b }] } }
      - say: '\${result}'
      - ui: [{ a: b }]
      - tool: { name: spawn_subtask, input: { name: a, goal: '\${result}' } }
      - tool: { name: ask_participant, input: { participant_id: a, question: b } }
      - say: not asked
  - when: { equals: '', turn: first }
    do: [{ ask: { question: What?, then: [{ say: '\${text}' }] } }]
`,
        'contract.yaml',
      ),
    ),
  busyWith: 'work',
  asksAfter: 'tools',
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
  const delegated = agent.lifecycle === 'delegated';
  return summarise(await agent.run(createTurn(text, { delegated, ...settings }).turn));
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

  it('is that of the task, whatever the scenario is for: a sub-task of a conversation is done', async () => {
    const said = '  - { do: [{ say: a }] }';
    expect(await ask(play(said), 'x', { delegated: true })).toEqual(['completed', 'a']);
    expect(await ask(play(said, 'delegated'), 'x', { delegated: false })).toEqual([
      'input-required',
      'a',
    ]);
    const complete = '  - { do: [{ complete: a }] }';
    expect(await ask(play(complete, 'delegated'), 'x', { delegated: false })).toEqual([
      'input-required',
      'a',
    ]);
    expect(await ask(createScriptedAgent(), 'x', { delegated: true })).toEqual([
      'completed',
      'You said: x',
    ]);
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

/** A call that left something for the answer. */
type Asked = Extract<Act, { readonly call: unknown }>;

describe('a tool', () => {
  const rules = `  - when: { equals: a }
    do:
      - tool: { name: load_skill, input: { name: '\${text}' } }
      - say: '1 \${result}'
      - tool: { name: create_plan, input: { steps: [{ name: '\${text}', description: '\${result}' }] } }
      - tool: { name: list_skills }
      - ui: [{ a: ['\${participant}', 1, null, { '\${text}': true }] }]
      - say: '2 \${result}'
  - when: { equals: b }
    do:
      - say: 'before: \${result}'
      - tool:
          name: ask_participant
          input: { participant_id: bob, question: 'a, \${text}?' }
          then:
            - tool: { name: list_skills }
            - say: bob says \${text}, \${result}
      - say: 'refused: \${result}'
  - when: { equals: c }
    do: [{ tool: { name: ask_participant, input: { participant_id: bob, question: c? } } }]
  - { do: [{ say: rules }] }`;

  it('is called with what is filled in, under an id that is its place in the scenario', async () => {
    const { turn, acts } = createTurn('a', {
      sender: 'alice',
      tool: ({ name }) => ({
        isError: name === 'create_plan',
        text: `did ${name}`,
        endsTurn: false,
      }),
    });
    const outcome = await play(rules).run(turn);
    expect(acts).toEqual([
      { call: { id: 'rules/0/do/0', name: 'load_skill', input: { name: 'a' } } },
      { say: '1 did load_skill' },
      {
        call: {
          id: 'rules/0/do/2',
          name: 'create_plan',
          input: { steps: [{ name: 'a', description: 'did load_skill' }] },
        },
      },
      { call: { id: 'rules/0/do/3', name: 'list_skills', input: {} } },
      {
        call: {
          id: 'rules/0/do/4',
          name: 'emit_ui',
          input: { messages: [{ a: ['alice', 1, null, { '${text}': true }] }] },
        },
      },
    ]);
    expect(summarise(outcome)).toEqual(['input-required', '2 did emit_ui']);
  });

  it('that asks somebody ends the turn, and the answer is gone on with', async () => {
    const agent = play(rules);
    const asked = createTurn('b');
    await agent.run(asked.turn);
    const [said, called] = asked.acts;
    expect(asked.acts).toHaveLength(2);
    expect(said).toEqual({ say: 'before: ' });
    expect(called).toMatchObject({
      call: {
        id: 'rules/1/do/1',
        name: 'ask_participant',
        input: { participant_id: 'bob', question: 'a, b?' },
      },
    });
    const { memory } = called as Asked;
    const answer = createTurn('c', { number: 2, sender: 'bob', memory });
    expect(summarise(await agent.run(answer.turn))).toEqual(['input-required', 'bob says c, done']);
    expect(answer.acts).toEqual([
      { call: { id: 'rules/1/do/1/tool/then/0', name: 'list_skills', input: {} } },
    ]);
  });

  it('that asks without "then" leaves the answer to the rules', async () => {
    const agent = play(rules);
    const asked = createTurn('c');
    await agent.run(asked.turn);
    const { memory } = asked.acts[0] as Asked;
    const answer = createTurn('d', { number: 2, memory });
    expect(summarise(await agent.run(answer.turn))).toEqual(['input-required', 'rules']);
  });

  it('that refuses lets the turn go on, and the steps say why', async () => {
    const { turn } = createTurn('b', {
      tool: () => ({ isError: true, text: '[channel.not_a_member] bob', endsTurn: false }),
    });
    expect(summarise(await play(rules).run(turn))).toEqual([
      'input-required',
      'refused: [channel.not_a_member] bob',
    ]);
  });

  it('is called together with those after it that need nothing of what it says', async () => {
    const agent = play(`  - do:
      - tool: { name: list_skills }
      - ui: [{ a: 1 }]
      - tool: { name: load_skill, input: { name: '\${result}' } }
      - tool: { name: ask_participant, input: { participant_id: bob, question: b? } }
      - tool: { name: list_skills }`);
    const { turn } = createTurn('x');
    const names: string[] = [];
    const answers: (() => void)[] = [];
    const call: Turn['call'] = ({ name }) => {
      names.push(name);
      return new Promise((resolve) => {
        answers.push(() => {
          resolve({ isError: false, text: name, endsTurn: false });
        });
      });
    };
    const over = agent.run({ ...turn, call });
    const rounds: (readonly string[])[] = [];
    for (let round = 0; round < 3; round++) {
      await setImmediate();
      rounds.push(names.splice(0));
      for (const answer of answers.splice(0)) answer();
    }
    await over;
    // A question ends the turn as a rule: nothing is called together with it that comes after it.
    expect(rounds).toEqual([
      ['list_skills', 'emit_ui'],
      ['load_skill', 'ask_participant'],
      ['list_skills'],
    ]);
  });

  it('is called with members that a prototype has', async () => {
    const { turn, acts } = createTurn('x');
    const agent = play('  - { do: [{ ui: [{ __proto__: { a: 1 }, constructor: 2 }] }] }');
    await agent.run(turn);
    expect(JSON.stringify(acts)).toContain('{"__proto__":{"a":1},"constructor":2}');
  });
});
