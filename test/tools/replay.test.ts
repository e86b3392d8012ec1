/**
 * Turns that are cut off and run again, by a second runner over the same store to which the first one's lease is over:
 * before a call, between its beginning and its result, and after it. A call has its effect once.
 */
import { TOOLS } from '@tiny-harness/contract/tools';
import type { ToolName } from '@tiny-harness/contract/tools';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Agent, Turn } from '../../src/agents/port.ts';
import { createTurnRunner } from '../../src/agents/runner.ts';
import type { ToolResult } from '../../src/core/task.ts';
import { linkTasks } from '../../src/extensions/linked-tasks.ts';
import { createSkillCatalog } from '../../src/skills/catalog.ts';
import type { Store } from '../../src/store/port.ts';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';
import { create, text, update } from '../extensions/a2ui-fixture.ts';
import { makeDirectory, skillText } from '../skills/skill-directory.ts';
import { append, created, message, taskData, WIRE } from '../store/fixture.ts';
import { eventually } from '../support/eventually.ts';
import { RUNNER_OPTIONS, SILENT_LOG } from '../support/runner-options.ts';
import { AGENT, done } from './stage.ts';

const LEASE = 600_000;

type Point = 'before' | 'begun' | 'after';

const step = (name: string) => ({ name, description: '', depends_on: [] });

const INPUTS: Readonly<Record<ToolName, object>> = {
  create_plan: { steps: [step('b')] },
  complete_step: { step: 'a', output: 'x' },
  spawn_subtask: { name: 'n', goal: 'g' },
  ask_participant: { participant_id: 'ada', question: '?' },
  create_task_for_participant: { participant_id: 'ada', name: 'n', goal: 'g' },
  set_participant_role: { participant_id: 'wim', role: 'reporter' },
  list_skills: {},
  load_skill: { name: 'greet' },
  unload_skill: { name: 'part' },
  list_skill_resources: { name: 'greet' },
  load_skill_resource: { name: 'greet', kind: 'references', resource: 'words.md' },
  emit_ui: { messages: [create('s'), update('s', text('root'))] },
};

const INTERRUPTED: ToolResult = {
  isError: true,
  text: '[tool.interrupted] the server stopped while this call was made, and what came of it was not recorded. Look at the task before you call again',
  endsTurn: false,
};

/** A task of ada's with a plan and a skill in its context, whose first turn waits. */
async function openTask(): Promise<Store> {
  const whole = openSqliteStore({ path: ':memory:', wire: WIRE });
  const store = linkTasks(whole, AGENT);
  const participants = [
    { id: 'ada', kind: 'human', role: 'admin', display_name: '' },
    { id: 'wim', kind: 'human', role: 'watcher', display_name: '' },
    { id: AGENT, kind: 'agent', role: 'assignee', display_name: '' },
  ] as const;
  const plan = {
    steps: [
      {
        ...step('a'),
        id: 'a',
        state: 'pending' as const,
        output: null,
        linked_tasks: [],
        depends_on: [],
      },
    ],
  };
  const data = taskData({ participants: [...participants], plan });
  await append(store, 'task', created({ data, readers: ['ada', 'wim'] }), message('m', 1, 'ada'), {
    kind: 'skills-changed',
    skills: ['part'],
  });
  onTestFinished(() => store.close());
  return store;
}

/** A runner over the store; a later one finds the leases of those before it over. */
function startRunner(store: Store, run: Agent['run'], owner: string, now = Date.now) {
  const directory = makeDirectory({
    'greet/SKILL.md': skillText('greet'),
    'greet/references/words.md': 'hi',
    'part/SKILL.md': skillText('part'),
  });
  const runner = createTurnRunner({
    ...RUNNER_OPTIONS,
    // A call counts once, however often its turn is run.
    limits: { ...RUNNER_OPTIONS.limits, toolCalls: 1 },
    tools: {
      ...RUNNER_OPTIONS.tools,
      skills: createSkillCatalog({ directory, log: SILENT_LOG }),
    },
    store,
    agent: { lifecycle: 'conversation', run },
    agentId: AGENT,
    owner,
    now,
    leaseTime: LEASE,
    attempts: 2,
  });
  onTestFinished(() => runner.drain(0));
  return runner;
}

const later = () => Date.now() + 10 * LEASE;

/** What is there in the end: numbered events by kind, the data, the skills, the children's states. */
async function pictureOf(store: Store): Promise<object> {
  const head = await store.readHead('task');
  const child = await store.readHead('task.1');
  const events = await store.readEvents('task', 0, 100);
  return {
    events: events.map(({ body }) =>
      body.includes('artifactUpdate') ? 'artifact' : body.includes('"plan"') ? 'data' : 'status',
    ),
    plan: head?.data.plan?.steps.map(({ id, state, output }) => [id, state, output]),
    roles: head?.data.participants.map(({ role }) => role),
    children: head?.data.sub_tasks.map(({ task_id }) => task_id),
    child: child?.data.name,
    skills: head?.skills,
    surfaces: (await store.readSurfaces('task')).map(({ surfaceId }) => surfaceId),
  };
}

interface Gate {
  readonly passed: Promise<void>;
  readonly open: () => void;
}

function createGate(): Gate {
  let open: () => void = () => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

/** A turn that calls one tool; `stop` is where the first run of it stays for ever. */
async function runTwice(name: ToolName, stop: Point | undefined) {
  const store = await openTask();
  const request = { id: 'call', name, input: INPUTS[name] };
  const results: ToolResult[] = [];
  const reached = createGate();
  const resume = createGate();
  const over = createGate();
  let ghost: Promise<unknown> = Promise.resolve();
  const run = (isFirst: boolean) => async (turn: Turn) => {
    // Children of the task have turns, too.
    if (turn.taskId !== 'task') return new Promise<never>(() => undefined);
    const reach = async (point: Point) => {
      if (!isFirst || stop !== point) return;
      reached.open();
      await resume.passed;
    };
    const work = async () => {
      await reach('before');
      await turn.begin([request]);
      await reach('begun');
      results.push(await turn.call(request));
      await reach('after');
      // One that comes back from the dead.
      if (isFirst && stop !== undefined) await turn.say([{ text: 'late' }]);
    };
    if (isFirst && stop !== undefined) {
      ghost = work();
      await ghost;
    }
    await work().finally(over.open);
    return { end: 'input-required' as const };
  };
  const unwatch = store.watch((changes) => {
    if (changes.some(({ taskId, running }) => taskId === 'task' && running === undefined)) {
      over.open();
    }
  });
  await startRunner(store, run(true), 'first').start();
  if (stop !== undefined) {
    await reached.passed;
    await startRunner(store, run(false), 'second', later).start();
  }
  await over.passed;
  await idle(store);
  unwatch();
  const picture = await pictureOf(store);
  resume.open();
  if (stop !== undefined) await expect(ghost).rejects.toThrow();
  expect(await pictureOf(store)).toEqual(picture);
  return { picture, results };
}

/** Until no turn of the task runs any more. */
async function idle(store: Store): Promise<void> {
  await eventually('the end of the turn', async () => {
    const head = await store.readHead('task');
    return head?.running === undefined ? true : undefined;
  });
}

const NAMES = Object.keys(TOOLS) as ToolName[];
const ENDS_TURN: readonly ToolName[] = ['ask_participant'];

describe.each(NAMES)('%s', (name) => {
  test('has its effect once when its turn is cut before it', async () => {
    const undisturbed = await runTwice(name, undefined);
    expect(undisturbed.results[0]?.isError).toBe(false);
    expect(await runTwice(name, 'before')).toEqual(undisturbed);
  });

  test('when its turn is cut between its beginning and its result', async () => {
    const undisturbed = await runTwice(name, undefined);
    const cut = await runTwice(name, 'begun');
    if (TOOLS[name].idempotency === 'idempotent') {
      expect(cut).toEqual(undisturbed);
      return;
    }
    expect(cut.results).toEqual([INTERRUPTED]);
    expect(cut.picture).toEqual({
      events: ['status', 'status'],
      plan: [['a', 'pending', null]],
      roles: ['admin', 'watcher', 'assignee'],
      children: [],
      child: undefined,
      skills: ['part'],
      surfaces: [],
    });
  });

  test.skipIf(ENDS_TURN.includes(name))('when its turn is cut after it', async () => {
    const undisturbed = await runTwice(name, undefined);
    const cut = await runTwice(name, 'after');
    expect(cut.picture).toEqual(undisturbed.picture);
    expect(cut.results).toEqual([...undisturbed.results, ...undisturbed.results]);
  });
});

describe('a turn that is given back when the server stops', () => {
  /** Runs a turn until it is given back, and then again. */
  async function stopAndStart(
    work: (turn: Turn, isFirst: boolean, stop: () => void) => Promise<void>,
  ) {
    const store = await openTask();
    const reached = createGate();
    const run = (isFirst: boolean) => async (turn: Turn) => {
      await work(turn, isFirst, reached.open);
      if (isFirst) await new Promise(() => undefined);
      return { end: 'input-required' as const };
    };
    const first = startRunner(store, run(true), 'first');
    await first.start();
    await reached.passed;
    await first.drain(0);
    expect(await store.readHead('task')).toMatchObject({ running: undefined, waiting: [1] });
    await startRunner(store, run(false), 'second').start();
    await idle(store);
    return store;
  }

  test('does not say again what it said', async () => {
    const store = await stopAndStart(async (turn, isFirst, stop) => {
      await turn.say([{ text: 'one' }]);
      stop();
      if (!isFirst) await turn.say([{ text: 'two' }]);
    });
    const history = await store.readHistory('task', 1, 10);
    expect(history.map(({ parts }) => parts[0].text)).toEqual(['m', 'one', 'two']);
  });

  test('does not make again what it may have made', async () => {
    const results: ToolResult[] = [];
    const request = { id: 'call', name: 'spawn_subtask', input: INPUTS.spawn_subtask };
    const store = await stopAndStart(async (turn, isFirst, stop) => {
      if (turn.taskId !== 'task') return;
      await turn.begin([request]);
      stop();
      if (!isFirst) results.push(await turn.call(request));
    });
    expect(results).toEqual([INTERRUPTED]);
    expect((await store.readHead('task'))?.data.sub_tasks).toEqual([]);
  });

  test('knows what it has called', async () => {
    let calls: unknown;
    const request = { id: 'call', name: 'create_plan', input: INPUTS.create_plan };
    await stopAndStart(async (turn, isFirst, stop) => {
      if (!isFirst) ({ calls } = turn);
      await turn.call(request);
      stop();
    });
    const result = done('[pending] b: b');
    expect(calls).toEqual([{ ...request, attempt: 1, result }]);
  });
});
