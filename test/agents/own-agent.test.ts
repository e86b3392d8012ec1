/** Agents of one's own: what defineAgent makes of a definition, how such a file is loaded, and the guide. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, test } from 'vitest';
import type { AgentDefinition, AgentTurn } from '../../src/agents/defined/define-agent.d.mts';
import { defineAgent } from '../../src/agents/defined/define-agent.mjs';
import { AgentError, loadAgent } from '../../src/agents/defined/load-agent.ts';
import { createClient } from '../support/a2a-client.ts';
import { dataOf, historyOf } from '../support/conformance.ts';
import { eventually } from '../support/eventually.ts';
import { expectPrinted, readBlocks, runBlocks } from '../support/printed-blocks.ts';
import { repository } from '../support/projects.ts';
import { createFolder, spawnServer, startServer } from '../support/server.ts';
import { testAgent } from './contract.ts';
import type { TurnSettings } from './recorded-turn.ts';
import { createOpening, createTurn, summarise } from './recorded-turn.ts';

testAgent("the guide's agent", {
  create: () => loadAgent(join(repository, 'docs/guide/agents/writer.mjs')),
  busyWith: 'Bees',
  asksAfter: 'Bees',
});

testAgent('an agent that acts a lot', {
  create: () =>
    defineAgent({
      async run(turn) {
        if (turn.text !== 'work') return turn.text;
        await turn.say('a');
        await pause(20, undefined, { signal: turn.signal });
        await Promise.all(
          ['b', 'c'].map((parts) => turn.writeArtifact({ artifactId: 'd', parts })),
        );
        await turn.call({ name: 'list_skills' });
        await turn.requireAuth('e');
        await turn.resume();
        return 'f';
      },
    }),
  busyWith: 'work',
});

/** How a turn of the agent ends, and what it did. */
async function play(run: AgentDefinition['run'], settings?: TurnSettings) {
  const { turn, acts } = createTurn('Hello', settings);
  const outcome = await defineAgent({ run }).run(turn);
  return { end: summarise(outcome), outcome, acts };
}

describe('what run returns', () => {
  test.each<[unknown, object]>([
    ['a', { end: 'input-required', parts: [{ text: 'a' }] }],
    ['', { end: 'input-required' }],
    [undefined, { end: 'input-required' }],
    [
      { end: 'failed', parts: 'b' },
      { end: 'failed', parts: [{ text: 'b' }] },
    ],
    [
      { end: 'rejected', parts: [{ data: 1 }], memory: null },
      { end: 'rejected', parts: [{ data: 1 }], memory: null },
    ],
    [
      { end: 'input-required', question: { text: 'c', options: ['d'] } },
      { end: 'input-required', question: { text: 'c', options: ['d'] } },
    ],
  ])('%j is how the turn ends', async (returned, outcome) => {
    expect((await play(() => returned as string)).outcome).toEqual(outcome);
  });

  it('completes a delegated task', async () => {
    expect((await play(() => 'a', { delegated: true })).end).toEqual(['completed', 'a']);
    expect((await play(() => undefined, { delegated: true })).end).toEqual(['completed', '']);
  });

  const FORMS =
    "\"run\" returns a text, nothing, or how the turn ends, such as { end: 'failed', parts: 'Why.' } with an end of input-required, completed, failed, rejected; got";
  test.each<[unknown, string]>([
    [1, `${FORMS} 1`],
    [null, `${FORMS} null`],
    [{ end: 'done' }, `${FORMS} {"end":"done"}`],
    [() => 'a', `${FORMS} a function`],
    [
      { end: 'failed', text: 'a' },
      '"run" returned a "text"; the end of a turn has end, parts, question, memory',
    ],
    ...[null, 'a', {}, { text: '' }, { text: 'a', options: 'b' }, { text: 'a', asked: 1 }].map(
      (question): [unknown, string] => [
        { end: 'input-required', question },
        `a question is { text, options, asked }: a text, and perhaps a list of texts and a participant's id; got ${JSON.stringify(question)}`,
      ],
    ),
    [
      { end: 'failed', parts: [] },
      'the parts of what "run" returned is a text, or a list of parts such as [{ text: \'…\' }]; got []',
    ],
    [
      { end: 'failed', parts: [{ txt: 'a' }] },
      'the parts of what "run" returned: part 0 is none: text, raw, url or data is missing',
    ],
  ])('%j is no end', async (returned, message) => {
    const error: unknown = await play(() => returned as string).catch((reason: unknown) => reason);
    expect(error).toEqual(new TypeError(message));
  });
});

describe('a turn', () => {
  it('takes texts for parts, and numbers the calls of each tool', async () => {
    const { acts } = await play(async (turn) => {
      await turn.say('a');
      await turn.say([{ text: 'b' }, { text: 'c' }]);
      await turn.requireAuth('d');
      await turn.resume();
      await turn.writeArtifact({ artifactId: 'e', parts: 'f', lastChunk: true });
      await Promise.all([
        turn.call({ name: 'load_skill', input: { name: 'g' } }),
        turn.call({ name: 'list_skills' }),
        turn.call({ name: 'load_skill', input: { name: 'h' } }),
      ]);
      await turn.call({ id: 'i', name: 'no such tool', input: 1 }, { j: 1 });
    });
    expect(acts).toEqual([
      { say: 'a' },
      { say: 'b|c' },
      { requireAuth: 'd' },
      { resume: true },
      { artifact: { artifactId: 'e', parts: [{ text: 'f' }], lastChunk: true } },
      { call: { id: 'load_skill:1', name: 'load_skill', input: { name: 'g' } } },
      { call: { id: 'list_skills:1', name: 'list_skills', input: {} } },
      { call: { id: 'load_skill:2', name: 'load_skill', input: { name: 'h' } } },
      { call: { id: 'i', name: 'no such tool', input: 1 }, memory: { j: 1 } },
    ]);
  });

  it('takes nothing that is no part', async () => {
    const said = play((turn) => turn.say([{ txt: 'a' }] as never).then(() => 'b'));
    await expect(said).rejects.toThrow('what "say" was given: part 0 is none: ');
    const written = play((turn) => turn.writeArtifact({ artifactId: 'a' } as never));
    await expect(written).rejects.toThrow('the artifact is a text, or a list of parts');
  });

  test.each<[string, (turn: AgentTurn) => Promise<unknown>, string]>([
    [
      'a call without a name',
      (turn) => turn.call('list_skills' as never),
      `"call" takes { name, input }, such as { name: 'list_skills' }; got "list_skills"`,
    ],
    [
      'an artifact without an id',
      (turn) => turn.writeArtifact({ id: 'a', parts: 'b' } as never),
      `"writeArtifact" takes { artifactId, parts }, such as { artifactId: 'text', parts: 'Once …' }; got {"id":"a","parts":"b"}`,
    ],
  ])('does not take %s', async (_what, act, message) => {
    const acted = play(async (turn) => {
      await act(turn);
    });
    await expect(acted).rejects.toEqual(new TypeError(message));
  });

  it('has what the server gave it', async () => {
    const settings = { number: 2, memory: { a: 1 }, sender: 'alice', delegated: true };
    const { turn } = createTurn('Hello', settings);
    const agent = defineAgent({
      run: async ({ text, sender, memory, number, history, task }) =>
        JSON.stringify([
          text,
          sender,
          memory,
          number,
          (await history(9)).length,
          (await task()).goal,
        ]),
    });
    expect(summarise(await agent.run(turn))[1]).toBe(
      '["Hello","alice",{"a":1},2,1,"Write the quarterly report."]',
    );
  });
});

describe('answer', () => {
  test.each<[unknown, unknown]>([
    ['a', [{ text: 'a' }]],
    [[{ data: 1 }], [{ data: 1 }]],
    ['', undefined],
    [undefined, undefined],
  ])('%j', async (answered, parts) => {
    const agent = defineAgent({ answer: () => answered as string, run: () => 'b' });
    expect(await agent.answer?.(createOpening('Hello'))).toEqual(parts);
  });

  it('is not there unless it is defined', () => {
    expect('answer' in defineAgent({ run: () => 'a' })).toBe(false);
  });
});

test.each<[unknown, string]>([
  [undefined, 'defineAgent takes an object, such as { run(turn) { … } }; got undefined'],
  [() => 'a', 'defineAgent takes an object, such as { run(turn) { … } }; got a function'],
  [{}, 'defineAgent needs "run", a function that works on a message; got undefined'],
  [{ run: 1 }, 'defineAgent needs "run", a function that works on a message; got 1'],
  [
    { run: () => 'a', lifecylce: 'x' },
    'defineAgent knows no "lifecylce"; an agent has lifecycle, answer, run',
  ],
  [{ run: () => 'a', answer: 'b' }, '"answer" is a function, or left out; got "b"'],
  [
    { run: () => 'a', lifecycle: 'chat' },
    '"lifecycle" is one of conversation, delegated; got "chat"',
  ],
])('%o defines no agent', (definition, message) => {
  expect(() => defineAgent(definition as AgentDefinition)).toThrow(new TypeError(message));
});

/** A project that has this repository as a dependency, as npm links it. */
function createProject(files: Readonly<Record<string, string>>): string {
  const folder = createFolder();
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(repository, join(folder, 'node_modules', 'tiny-harness'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const IMPORT = "import { defineAgent } from 'tiny-harness/agent';\n";

describe('a file', () => {
  it('of another project is loaded', async () => {
    const text = `${IMPORT}export default defineAgent({ lifecycle: 'delegated', run: () => 'Hi' });\n`;
    const agent = await loadAgent(join(createProject({ 'agent.mjs': text }), 'agent.mjs'));
    expect(agent.lifecycle).toBe('delegated');
    expect(summarise(await agent.run(createTurn('Hello', { delegated: true }).turn))).toEqual([
      'completed',
      'Hi',
    ]);
  });

  test.each<[string, string | undefined, string]>([
    [
      'missing.mjs',
      undefined,
      'there is no such file; AGENT names an ES module, such as agent.mjs.',
    ],
    ['.', undefined, 'this is no file; AGENT names an ES module, such as agent.mjs.'],
    ['empty.mjs', '', 'the module has no default export; write: export default defineAgent({ … })'],
    [
      'other.mjs',
      'export default { run: () => undefined };',
      "the default export is not what defineAgent returns; write: export default defineAgent({ … }), with defineAgent from 'tiny-harness/agent'",
    ],
    [
      'throws.mjs',
      "throw new RangeError('out of coffee');",
      'the module failed while it was loaded: RangeError: out of coffee',
    ],
    [
      'wrong.mjs',
      `${IMPORT}export default defineAgent({ ruun: 1 });`,
      'the module failed while it was loaded: TypeError: defineAgent knows no "ruun"; an agent has lifecycle, answer, run',
    ],
  ])('%s is refused', async (name, text, message) => {
    const folder = createProject(text === undefined ? {} : { [name]: text });
    const path = join(folder, name);
    const error: unknown = await loadAgent(path).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AgentError);
    expect((error as Error).message).toBe(`${path}: ${message}`);
  });
});

test(
  'what Node says of a file is told by the server, which does not start',
  { timeout: 60_000 },
  async () => {
    const folder = createProject({
      'slip.mjs': `${IMPORT}\nexport default defineAgent({ run() { return 'a' ) });\n`,
      'lonely.mjs': "import 'no-such-package';\n",
      'typed.ts': 'export default 1;\n',
      'waits.mjs': 'await new Promise(() => undefined);\n',
      'amiss.mjs': "import { reed } from 'node:fs';\nexport default reed;\n",
    });
    const said = await Promise.all(
      ['slip.mjs', 'lonely.mjs', 'typed.ts', 'amiss.mjs', 'waits.mjs'].map((name) =>
        complainOf(join(folder, name)),
      ),
    );
    const failed = 'the module failed while it was loaded: ';
    const slip = join(folder, 'slip.mjs');
    expect(said[0]).toBe(
      `${slip}: ${failed}SyntaxError: Unexpected token ')'\n    Run: node --check ${slip}\n`,
    );
    expect(said[1]).toMatch(
      new RegExp(
        `^\\S+lonely\\.mjs: ${failed}Error: Cannot find package 'no-such-package' .+\n {4}What the module imports has to be a dependency of its own project\\.\n$`,
      ),
    );
    expect(said[2]).toMatch(/\n {4}AGENT names JavaScript: compile TypeScript first\.\n$/);
    expect(said[3]).toBe(
      `${join(folder, 'amiss.mjs')}: ${failed}SyntaxError: The requested module 'node:fs' does not provide an export named 'reed'\n`,
    );
    expect(said[4]).toBe(
      `${join(folder, 'waits.mjs')}: the module is never loaded: it waits for what never happens.\n`,
    );
  },
);

/** What a server that does not start writes. */
async function complainOf(path: string): Promise<string> {
  const child = spawnServer({ AGENT: path });
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect(code).toBe(1);
  return text;
}

test(
  'a turn that a crash has cut off is run again, and does nothing twice',
  { timeout: 60_000 },
  async () => {
    const folder = createProject({
      'agent.mjs': `${IMPORT}export default defineAgent({
  async run(turn) {
    if (turn.delegated) return 'found';
    if (turn.text.startsWith('[sub-task')) return { end: 'input-required' };
    await turn.say('looking');
    const { text } = await turn.call({ name: 'spawn_subtask', input: { name: 'a', goal: 'b' } });
    if (turn.attempt === 1) process.kill(process.pid, 'SIGKILL');
    return \`\${turn.calls.length}: \${text}\`;
  },
});
`,
    });
    const settings = { AGENT: join(folder, 'agent.mjs'), DATABASE: join(folder, 'tasks.db') };
    const first = await startServer(settings);
    const sent = createClient(first.url, 'jsonrpc', 'alice').send('go');
    await sent.catch(() => undefined);
    expect((await first.ended).signal).toBe('SIGKILL');
    const second = createClient((await startServer(settings)).url, 'jsonrpc', 'alice');
    const task = await eventually('a task that waits', async () => {
      const { result } = await second.call('ListTasks', { historyLength: 100, pageSize: 10 });
      return result.tasks.find((each) =>
        historyOf(each).some((words) => words.includes('started')),
      );
    });
    const ids = dataOf(task).sub_tasks.map(({ task_id }) => task_id);
    expect(ids).toEqual([`${task.id}.1`]);
    const said = historyOf(task).filter((words) => words.startsWith('agent: '));
    expect(said.map((words) => words.replaceAll(task.id, 'ID'))).toEqual([
      'agent: looking',
      'agent: 1: Sub-task ID.1 was started; its result comes as a message.',
    ]);
  },
);

describe('the guide', () => {
  const guide = readFileSync(join(repository, 'docs/guide/agents.md'), 'utf8');
  const blocks = readBlocks(guide);

  it('prints the agent as it is', () => {
    const agent = readFileSync(join(repository, 'docs/guide/agents/writer.mjs'), 'utf8');
    expect(blocks[1]).toEqual({ language: 'js', text: agent });
  });

  it('talks to it as it is printed', { timeout: 60_000 }, async () => {
    expect(blocks[0]).toEqual({
      language: 'sh',
      text: 'AGENT=docs/guide/agents/writer.mjs npm start\n',
    });
    const { url } = await startServer({ AGENT: 'docs/guide/agents/writer.mjs' });
    expectPrinted(runBlocks(blocks.slice(2, 4), { url, folder: createFolder() }), 1);
  });

  it('prints a fault as it is', async () => {
    const path = join(createProject({ 'agent.mjs': 'export default 1;' }), 'agent.mjs');
    const error: unknown = await loadAgent(path).catch((reason: unknown) => reason);
    const fault = (error as Error).message.replace(path, 'agent.mjs');
    expect(blocks.at(-1)?.text).toBe(`${fault}\n`);
  });
});
