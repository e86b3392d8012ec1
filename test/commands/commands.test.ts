/** What slash commands say and change, word by word (rules E7, T8). */
import { PARAMS } from '@tiny-harness/contract/commands/v1';
import type { TaskExtensionData } from '@tiny-harness/contract/task/v1';
import { describe, expect, it } from 'vitest';
import type { Command } from '../../src/commands/command.ts';
import { COMMANDS } from '../../src/commands/index.ts';
import { createHead } from '../../src/core/evolve.ts';
import type { TaskHead } from '../../src/core/task.ts';
import type { CommandName } from '../../src/extensions/commands.ts';
import { readCommand } from '../../src/extensions/commands.ts';
import { AGENT, created, EVERYBODY, participant, taskData } from '../core/fixture.ts';

type CommandContext = Parameters<Command>[0];
type CommandReply = ReturnType<Command>;

function headOf(data: Partial<TaskExtensionData> = {}, more: Partial<TaskHead> = {}): TaskHead {
  return { ...createHead('task', created(data)), ...more };
}

function run(name: CommandName, args = '', context: Partial<CommandContext> = {}): CommandReply {
  return COMMANDS[name]({
    head: headOf(),
    args,
    mayChange: true,
    sender: 'ann',
    agentId: AGENT,
    models: ['small', 'large'],
    ...context,
  });
}

const WATCHER = { mayChange: false };
const REFUSED = { text: 'refused: a watcher can look, not change the task.' };

describe('/model', () => {
  it('shows', () => {
    const selectable = 'Selectable: small, large';
    for (const context of [{}, WATCHER]) {
      expect(run('model', ' ', context)).toStrictEqual({
        text: `Model: small (default)\n${selectable}`,
      });
    }
    const head = headOf({ model: 'large' });
    expect(run('model', '', { head })).toStrictEqual({ text: `Model: large\n${selectable}` });
    expect(run('model', '', { models: [] }).text).toBe('Model: none (default)\nSelectable: ');
  });

  it('sets one of those that may be selected', () => {
    expect(run('model', ' large ')).toStrictEqual({
      text: 'Model set to large.',
      data: taskData({ model: 'large' }),
    });
  });

  it.each(['Large', 'large small', '<b>', '__proto__'])(
    'refuses %s and does not repeat it',
    (args) => {
      const text = 'refused: not a selectable model. Selectable: small, large';
      expect(run('model', args)).toStrictEqual({ text });
    },
  );

  it('lets nobody who watches change it', () => {
    expect(run('model', 'large', WATCHER)).toStrictEqual(REFUSED);
    expect(run('model', 'nonsense', WATCHER)).toStrictEqual(REFUSED);
  });
});

describe('/effort', () => {
  it('shows', () => {
    const accepted = 'Accepted: low, medium, high';
    expect(run('effort', '', WATCHER)).toStrictEqual({
      text: `Effort: provider default\n${accepted}`,
    });
    const head = headOf({ reasoning_effort: 'high' });
    expect(run('effort', '', { head })).toStrictEqual({ text: `Effort: high\n${accepted}` });
  });

  it.each(['low', 'medium', 'high'] as const)('sets %s', (level) => {
    expect(run('effort', level)).toStrictEqual({
      text: `Effort set to ${level}.`,
      data: taskData({ reasoning_effort: level }),
    });
  });

  it.each(['LOW', 'none', 'toString', '__proto__'])('refuses %s', (args) => {
    const text = 'refused: not an accepted effort. Accepted: low, medium, high';
    expect(run('effort', args)).toStrictEqual({ text });
    expect(run('effort', args, WATCHER)).toStrictEqual(REFUSED);
  });
});

describe('/sub-task', () => {
  it('starts a conversation that waits, and names it', () => {
    const head = headOf({ model: 'large', reasoning_effort: 'low' });
    const { text, data, child } = run('sub-task', ' Look it up\nthoroughly ', { head });
    expect(text).toBe('Created sub-task task.1.');
    const row = { state: 'INPUT_REQUIRED', sub_state: 'awaiting-next-message', agent: null };
    expect(data).toStrictEqual({ ...head.data, sub_tasks: [{ task_id: 'task.1', ...row }] });
    const parent = { task_id: 'task', state: null, sub_state: null, agent: null };
    expect(child).toStrictEqual({
      id: 'task.1',
      data: taskData({
        name: 'Look it up',
        goal: 'Look it up\nthoroughly',
        participants: [
          participant('ann', 'reporter'),
          participant(AGENT, 'assignee'),
          participant('wim', 'watcher'),
          participant('ada', 'admin'),
        ],
        parent_tasks: [parent],
        model: 'large',
        reasoning_effort: 'low',
      }),
    });
  });

  it('makes the parent’s other assignees watchers: the agent works on the child', () => {
    const head = headOf({ participants: [...EVERYBODY, participant('bob', 'assignee')] });
    const { child } = run('sub-task', 'x', { head, sender: 'ada' });
    expect(child?.data.participants).toStrictEqual([
      participant('ada', 'reporter'),
      participant(AGENT, 'assignee'),
      participant('ann', 'reporter'),
      participant('wim', 'watcher'),
      participant('bob', 'watcher'),
    ]);
  });

  it('goes on counting', () => {
    const first = run('sub-task', 'one');
    const second = run('sub-task', 'two', { head: headOf(first.data) });
    expect(second.child?.id).toBe('task.2');
    expect(second.data?.sub_tasks.map(({ task_id }) => task_id)).toStrictEqual([
      'task.1',
      'task.2',
    ]);
  });

  it('asks what it is about', () => {
    const text = 'refused: say what it is about: /sub-task <description>';
    expect(run('sub-task', '  ')).toStrictEqual({ text });
    expect(run('sub-task', 'x', WATCHER)).toStrictEqual(REFUSED);
  });
});

describe('/status', () => {
  it('says how a new task stands', () => {
    const head = headOf({}, { state: 'TASK_STATE_WORKING' });
    expect(run('status', 'whatever', { head, ...WATCHER })).toStrictEqual({
      text: [
        'Task task · name',
        'State: WORKING',
        'Model: small (default)',
        'Effort: provider default',
        'Plan: none',
        'Sub-tasks: none',
      ].join('\n'),
    });
  });

  it('says all that there is', () => {
    const ref = { sub_state: null, agent: null };
    const head = headOf(
      {
        model: 'large',
        reasoning_effort: 'low',
        plan: planOf('done', 'active', 'failed'),
        sub_tasks: [
          { task_id: 'task.1', state: 'COMPLETED', ...ref },
          { task_id: 'task.2', state: 'WORKING', ...ref },
        ],
      },
      { state: 'TASK_STATE_INPUT_REQUIRED', subState: 'awaiting-answer' },
    );
    expect(run('status', '', { head }).text.split('\n').slice(1)).toStrictEqual([
      'State: INPUT_REQUIRED · awaiting-answer',
      'Model: large',
      'Effort: low',
      'Plan: 1/3',
      'Sub-tasks: 1/2 ended',
    ]);
  });
});

describe('/plan', () => {
  it('says that there is none', () => {
    for (const plan of [null, { steps: [] }]) {
      expect(run('plan', '', { head: headOf({ plan }) })).toStrictEqual({ text: 'Plan: none' });
    }
  });

  it('has a line a step', () => {
    const head = headOf({ plan: planOf('done', 'active', 'pending') });
    expect(run('plan', 'x', { head, ...WATCHER })).toStrictEqual({
      text: [
        '1. [done] Step 0',
        '2. [active] Step 1 (after Step 0)',
        '3. [pending] Step 2 (after Step 0, Step 1)',
      ].join('\n'),
    });
  });
});

describe('/help', () => {
  it('lists what the card lists', () => {
    expect(run('help', '', WATCHER)).toStrictEqual({
      text: [
        '/model [<model>]: Show the model that works on this task, or choose another',
        '/effort [low|medium|high]: Show how hard the model is asked to think, or change it',
        '/sub-task <description>: Start a sub-task of this task',
        '/status: Show how this task stands',
        '/help: List the commands',
        "/plan: Show this task's plan, step by step",
      ].join('\n'),
    });
    expect(PARAMS.commands.map(({ name }) => name)).toStrictEqual(Object.keys(COMMANDS));
  });
});

/** Steps in these states, each of which waits for those before it. */
function planOf(
  ...states: readonly NonNullable<TaskExtensionData['plan']>['steps'][number]['state'][]
): TaskExtensionData['plan'] {
  const steps = states.map((state, at) => ({
    id: `s${at}`,
    name: `Step ${at}`,
    description: '',
    depends_on: Array.from({ length: at }, (_, before) => `s${before}`),
    state,
    output: null,
    linked_tasks: [],
  }));
  return { steps };
}

describe('a message', () => {
  const read = (...parts: Parameters<typeof readCommand>[0]['parts']) =>
    readCommand({ messageId: 'm', role: 'ROLE_USER', parts });

  it.each([
    ['/help', 'help', ''],
    ['/model large', 'model', 'large'],
    ['/model ', 'model', ''],
    ['/model  two  words ', 'model', ' two  words '],
    ['/sub-task a\nb', 'sub-task', 'a\nb'],
  ])('%j is a command', (text, name, args) => {
    expect(read({ text })).toStrictEqual({ name, args });
  });

  it.each([
    '',
    '/',
    'help',
    ' /help',
    '/Help',
    '/help\n',
    '/helpme',
    '/etc/hosts',
    '//help',
    '/-x',
  ])('%j is none', (text) => {
    expect(read({ text })).toBeUndefined();
  });

  it('with anything beside the text is none', () => {
    expect(read({ text: '/help' }, { text: 'x' })).toBeUndefined();
    expect(read({ data: '/help' })).toBeUndefined();
  });
});
