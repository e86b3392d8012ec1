/** What is said of a scenario that cannot be played: every fault, where it stands, and what to do. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, test } from 'vitest';
import {
  ScenarioError,
  loadScenario,
  readScenario,
} from '../../src/agents/scripted/load-scenario.ts';

/** What is said of a text; nothing when it is a scenario. */
function complain(text: string): string {
  try {
    readScenario(text, 's.yaml');
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(ScenarioError);
    return (error as Error).message;
  }
}

const MAP = '    A scenario is a map that holds a list of "rules".';
interface Case {
  readonly name: string;
  readonly given: string;
  readonly want: readonly string[];
}

const yaml: readonly Case[] = [
  {
    name: 'an empty file',
    given: '',
    want: ['s.yaml:1:1: the value must be an object; got null', MAP],
  },
  {
    name: 'a flow that is not closed',
    given: 'rules:\n  - do: [say: hi\n',
    want: [
      's.yaml:3:1: this is no YAML: Flow sequence in block collection must be sufficiently indented and end with a ]',
    ],
  },
  {
    name: 'a tab',
    given: 'rules:\n\t- do:\n',
    want: ['s.yaml:2:1: a tab stands where YAML indents', '    Indent with spaces.'],
  },
  {
    name: 'a name that stands twice',
    given: 'rules:\n  - do: [{say: hi}]\nrules: []\n',
    want: ['s.yaml:3:1: this name stands here twice', '    Keep one of the two.'],
  },
  {
    name: 'two documents',
    given: 'rules: [{do: [{say: a}]}]\n---\nfoo: 1\n',
    want: [
      's.yaml:2:1: a second document begins here',
      '    A file holds one: remove what follows.',
    ],
  },
  {
    name: 'a tag',
    given: 'rules: !!foo [{do: [{say: a}]}]\n',
    want: ['s.yaml:1:8: this is no YAML: Unresolved tag: tag:yaml.org,2002:foo'],
  },
  {
    name: 'an alias, also of what it stands in',
    given: 'rules: &r\n  - do: *r\n',
    want: ['s.yaml:2:9: the alias *r is not followed', '    Write out what it stands for.'],
  },
  {
    name: 'a name that is a list',
    given: '? [a, b]\n: 1\n',
    want: ['s.yaml:1:3: a name is a text, not a list or map', '    Write a text.'],
  },
  {
    name: 'a number that JSON has not',
    given: 'rules: [{do: [{artifact: {id: a, parts: [{data: .inf}]}}]}]\n',
    want: [
      's.yaml:1:49: JSON has no number Infinity',
      '    Put it in quotes, or write another number.',
    ],
  },
];

const shape: readonly Case[] = [
  {
    name: 'a misspelt member',
    given: 'rules:\n  - wehn: {turn: first}\n    do: [{say: a}]\n',
    want: [
      's.yaml:2:5: rules/0: "wehn" is not a known property; did you mean "when"?',
      '    at /rules/0/wehn',
    ],
  },
  {
    name: 'verbs that there are not',
    given: 'rules:\n  - do:\n      - dance: z\n      - compelte: a\n',
    want: [
      's.yaml:3:9: rules/0/do/0: "dance" is not a known property',
      '    at /rules/0/do/0/dance',
      's.yaml:4:9: rules/0/do/1: "compelte" is not a known property; did you mean "complete"?',
      '    at /rules/0/do/1/compelte',
    ],
  },
  {
    name: 'calls that are none',
    given:
      'rules:\n  - do:\n      - tool: create_plan\n      - tool: {name: load_skill, input: a}\n      - ui: {a: b}\n      - ui: []\n',
    want: [
      's.yaml:3:15: rules/0/do/0/tool must be an object; got "create_plan"',
      '    at /rules/0/do/0/tool',
      '    Indent "name" and "input" more than the verb.',
      's.yaml:4:41: rules/0/do/1/tool/input must be an object; got "a"',
      '    at /rules/0/do/1/tool/input',
      '    The arguments are a map, such as "input: { name: report }".',
      's.yaml:5:13: rules/0/do/2/ui must be an array; got an object',
      '    at /rules/0/do/2/ui',
      's.yaml:6:13: rules/0/do/3/ui must not be empty',
      '    at /rules/0/do/3/ui',
    ],
  },
  {
    name: 'steps that are none',
    given: 'rules:\n  - do:\n      - say: hi\n        wait: 10ms\n      - {}\n      - hi\n',
    want: [
      's.yaml:3:9: rules/0/do/0 must have at most 1 property; got 2',
      '    at /rules/0/do/0',
      '    A step does one thing: begin a new step, with a dash, for each verb.',
      's.yaml:5:9: rules/0/do/1 must not be empty',
      '    at /rules/0/do/1',
      '    A step names a verb and what it does, such as "say: Hello".',
      's.yaml:6:9: rules/0/do/2 must be an object; got "hi"',
      '    at /rules/0/do/2',
      '    A step names a verb and what it does, such as "say: Hello".',
    ],
  },
  {
    name: 'a time without its unit',
    given: 'rules:\n  - do:\n      - wait: 10 ms\n',
    want: [
      's.yaml:3:15: rules/0/do/0/wait must match the pattern ^[0-9]{1,6}(?:ms|(?:\\.[0-9]{1,3})?s)$; got "10 ms"',
      '    at /rules/0/do/0/wait',
      '    Write a number and its unit, such as "150ms" or "1.5s".',
    ],
  },
  {
    name: 'an artifact without content, and one with two',
    given:
      'rules:\n  - do:\n      - artifact: {id: a}\n      - artifact: {id: a, chunks: [x], parts: [{text: y}]}\n',
    want: [
      's.yaml:3:19: rules/0/do/0/artifact: chunks or parts is missing',
      '    at /rules/0/do/0/artifact',
      '    Write "chunks" for texts that come one by one, or "parts" for all at once.',
      's.yaml:4:19: rules/0/do/1/artifact must have only one of chunks, parts; got chunks, parts',
      '    at /rules/0/do/1/artifact',
      '    Write "chunks" for texts that come one by one, or "parts" for all at once.',
    ],
  },
  {
    name: 'no steps',
    given: 'rules:\n  - do:\n',
    want: [
      's.yaml:2:8: rules/0/do must be an array; got null',
      '    at /rules/0/do',
      '    Steps are a list: begin each with a dash.',
    ],
  },
];

const TOOLS =
  'ask_participant, complete_step, create_plan, create_task_for_participant, emit_ui, list_skill_resources, list_skills, load_skill, load_skill_resource, set_participant_role, spawn_subtask, unload_skill';

const sense: readonly Case[] = [
  {
    name: 'a tool that there is not',
    given: 'rules:\n  - do:\n      - tool: {name: create_plam}\n',
    want: [
      `s.yaml:3:22: there is no tool "create_plam"; the tools are ${TOOLS}`,
      '    at /rules/0/do/0/tool/name',
    ],
  },
  {
    name: 'arguments that a tool would refuse',
    given:
      'rules:\n  - do:\n      - tool: {name: create_plan}\n      - tool: {name: set_participant_role, input: {participant_id: a, role: boss, rôle: b}}\n',
    want: [
      's.yaml:3:15: steps is missing (an array)',
      '    at /rules/0/do/0/tool/input',
      's.yaml:4:77: role must be one of assignee, reporter, watcher, admin; got "boss"',
      '    at /rules/0/do/1/tool/input/role',
      's.yaml:4:83: "rôle" is not a known property (known: participant_id, role)',
      '    at /rules/0/do/1/tool/input/rôle',
    ],
  },
  {
    name: 'arguments that are not known before they are filled',
    given:
      "rules:\n  - do:\n      - tool: {name: set_participant_role, input: {participant_id: a, role: '${text}'}}\n      - tool: {name: set_participant_role, input: {participant_id: a, role: '$${text}'}}\n",
    want: [
      's.yaml:4:77: role must be one of assignee, reporter, watcher, admin; got "$${text}"',
      '    at /rules/0/do/1/tool/input/role',
    ],
  },
  {
    name: 'an answer of nobody',
    given:
      'rules:\n  - do:\n      - tool: {name: list_skills, then: [{say: a}]}\n      - tool: {name: ask_participant, input: {participant_id: a, question: b}, then: [{tool: {name: x}}]}\n',
    want: [
      's.yaml:3:35: "then" is played with an answer, and list_skills asks nobody',
      '    at /rules/0/do/0/tool/then',
      '    Write the steps that follow behind this one.',
      `s.yaml:4:101: there is no tool "x"; the tools are ${TOOLS}`,
      '    at /rules/0/do/1/tool/then/0/tool/name',
    ],
  },
  {
    name: 'a pattern that does not compile',
    given: "rules:\n  - when: {matches: '('}\n    do: [{say: x}]\n",
    want: [
      's.yaml:2:21: the pattern is no regular expression: Unterminated group',
      '    at /rules/0/when/matches',
      '    It is one of JavaScript, with the flags "s" and "u"; single quotes keep YAML away from its backslashes.',
    ],
  },
  {
    name: 'a message to a later message',
    given: 'rules:\n  - when: {turn: later}\n    do: [{message: x}]\n',
    want: [
      's.yaml:2:18: what happens before there is a task can only answer a first message',
      '    at /rules/0/when/turn',
      '    Leave "turn" out.',
    ],
  },
  {
    name: 'rules that are out of reach',
    given: 'rules:\n  - do: [{say: x}]\n  - do: [{say: y}]\n',
    want: [
      's.yaml:2:5: a rule without "when" takes every message, so the rules after it are never played',
      '    at /rules/0',
      '    Move it to the end, or give it a "when".',
    ],
  },
  {
    name: 'a conversation that the agent completes (rule C1)',
    given: 'rules:\n  - do:\n      - complete:\n',
    want: [
      's.yaml:3:9: a conversation is completed by its participants, never by the agent',
      '    at /rules/0/do/0/complete',
      '    Write "lifecycle: delegated" at the top of the file, or "say" instead of "complete".',
    ],
  },
  {
    name: 'steps that are out of reach',
    given: 'rules:\n  - do:\n      - ask: {question: a}\n      - fail: b\n      - say: c\n',
    want: [
      's.yaml:3:9: the steps after "ask" are never played: it ends the turn',
      '    at /rules/0/do/0/ask',
      '    What is to be done with the answer goes into its "then".',
      's.yaml:4:9: the steps after "fail" are never played: it ends the turn',
      '    at /rules/0/do/1/fail',
      '    Remove them, or put them before it.',
    ],
  },
  {
    name: 'what happens before the task among steps of the task',
    given:
      'rules:\n  - do:\n      - say: a\n      - message: b\n  - when: {turn: later}\n    do: [{ask: {question: a, then: [{throw: {text: b, before: task}}]}}]\n',
    want: [
      's.yaml:2:5: a rule without "when" takes every message, so the rules after it are never played',
      '    at /rules/0',
      '    Move it to the end, or give it a "when".',
      's.yaml:4:9: "message" happens before there is a task, so it stands alone in the "do" of its rule',
      '    at /rules/0/do/1/message',
      '    Write "say" to tell something in a task.',
      's.yaml:6:38: "throw" with "before: task" happens before there is a task, so it stands alone in the "do" of its rule',
      '    at /rules/1/do/0/ask/then/0/throw',
      '    Leave "before" out to throw while the agent works on the task.',
    ],
  },
  {
    name: 'placeholders that mean nothing',
    given:
      "rules:\n  - do:\n      - say: ${name} $${x} ${text}\n      - artifact: {id: a, chunks: [a, '${ text }']}\n",
    want: [
      's.yaml:3:14: ${name} stands for nothing; there are ${text}, ${participant} and ${result}',
      '    at /rules/0/do/0/say',
      '    Write $${name} for the characters themselves.',
      's.yaml:4:39: ${ text } stands for nothing; there are ${text}, ${participant} and ${result}',
      '    at /rules/0/do/1/artifact/chunks/1',
      '    Write $${ text } for the characters themselves.',
    ],
  },
];

describe.each([
  ['YAML', yaml],
  ['shape', shape],
  ['sense', sense],
])('%s', (_name, cases) => {
  test.each(cases)('$name', ({ given, want }) => {
    expect(complain(given)).toBe(want.join('\n'));
  });
});

describe('placeholders are looked at in every text', () => {
  test.each([
    '{ say: T }',
    '{ complete: T }',
    '{ fail: T }',
    '{ reject: T }',
    '{ message: T }',
    '{ throw: T }',
    '{ throw: { text: T, before: task } }',
    '{ require-auth: { text: T, for: 1s } }',
    '{ ask: { question: T } }',
    '{ ask: { question: q, then: [{ say: T }] } }',
    '{ artifact: { id: a, chunks: [T] } }',
    '{ artifact: { id: a, parts: [{ text: T }] } }',
    '{ tool: { name: load_skill, input: { name: T } } }',
    '{ tool: { name: create_plan, input: { steps: [{ name: a, description: T }] } } }',
    '{ tool: { name: ask_participant, input: { participant_id: a, question: q }, then: [{ say: T }] } }',
    '{ ui: [{ a: [{ b: T }] }] }',
  ])('%s', (step) => {
    const file = (text: string) =>
      `lifecycle: delegated\nrules:\n  - do:\n    - ${step.replace('T', () => `'${text}'`)}\n`;
    expect(complain(file('$${x}'))).toBe('');
    expect(complain(file('${x}'))).toMatch(/^s\.yaml:4:\d+: \$\{x\} stands for nothing/);
  });
});

describe('a file that asks for too much', () => {
  it('is refused when lists lie in each other without end', () => {
    const message = complain('['.repeat(200_000));
    expect(message).toMatch(/^s\.yaml:1:\d+: /);
    expect(message).toContain('Lists and maps may be nested a few hundred levels deep.');
    expect(complain(`rules: ${'['.repeat(3000)}${']'.repeat(3000)}`)).toMatch(/^s\.yaml:1:\d+: /);
  });

  it('is refused with at most fifty faults', () => {
    const lines = complain(`rules: [${'x, '.repeat(1000)}]`).split('\n');
    expect(lines.filter((line) => line.startsWith('s.yaml:'))).toHaveLength(50);
  });

  it('cannot reach the prototype of anything', () => {
    expect(complain('__proto__: { rules: [] }\n')).toContain('"__proto__" is not a known property');
  });
});

describe('loadScenario', () => {
  const folder = mkdtempSync(join(tmpdir(), 'scenario-'));
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  async function complainOf(name: string, bytes?: Uint8Array | string): Promise<string> {
    const path = join(folder, name);
    if (bytes !== undefined) writeFileSync(path, bytes);
    const error: unknown = await loadScenario(path).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ScenarioError);
    return (error as Error).message.replaceAll(path, name);
  }

  test.each([
    ['missing.yaml', undefined, 'there is no such file; SCENARIO names a YAML file.'],
    ['.', undefined, 'this is a folder; SCENARIO names one YAML file in it.'],
    ['latin.yaml', Uint8Array.of(0xe9, 0x0a), 'the file is not UTF-8; save it as UTF-8.'],
    [
      'large.yaml',
      '#'.repeat(1024 * 1024 + 1),
      'the file is larger than 1048576 bytes; split the scenario up.',
    ],
  ])('%s', async (name, bytes, message) => {
    expect(await complainOf(name, bytes)).toBe(`${name}: ${message}`);
  });

  it('names the file as it was named', async () => {
    expect(await complainOf('a.yaml', 'rules: 1\n')).toMatch(
      /^a\.yaml:1:8: rules must be an array/,
    );
  });
});
