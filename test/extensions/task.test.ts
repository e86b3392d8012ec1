/** A task's data from what participants send (rules T3, T7, T10). */
import type { Participant, Role, TaskExtensionData } from '@tiny-harness/contract/task/v1';
import { describe, expect, it } from 'vitest';
import { ProtocolError } from '../../src/core/errors.ts';
import type { Change, TaskPayload } from '../../src/extensions/task.ts';
import { changeTask, createData, createDataFrom, textOf } from '../../src/extensions/task.ts';

const AGENT = 'tiny-harness';
const FIELD = 'message.parts[0].data.payload';
const FOUNDERS = { sender: 'ann', agentId: AGENT, lifecycle: 'conversation' } as const;

const human = (id: string, role: Role): Participant => ({
  id,
  kind: 'human',
  role,
  display_name: '',
});
const ANN = human('ann', 'reporter');
const WORKER: Participant = { ...human(AGENT, 'assignee'), kind: 'agent' };

const DEFAULTS = {
  description: '',
  type: null,
  acceptance_criteria: [],
  participants: [ANN, WORKER],
  plan: null,
  parent_tasks: [],
  sub_tasks: [],
  lifecycle: 'conversation',
  model: null,
  reasoning_effort: null,
};

const create = (payload: TaskPayload) =>
  createDataFrom({ name: 'n', goal: 'g', ...payload }, FOUNDERS, FIELD);

/** The refusal: its reason, and the fields and words, or the message where no field is named. */
function refusalOf(act: () => unknown): readonly string[] {
  try {
    act();
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    const { violations = [] } = error.details;
    const said = violations.map(({ field, description }) => `${field}: ${description}`);
    return [error.reason, ...(said.length === 0 ? [error.message] : said)];
  }
  throw new Error('it was accepted');
}

describe('a task that text starts', () => {
  it('is whole: its defaults filled in (rule T1)', () => {
    const data = { name: 'Hello', goal: 'Hello\nthere', ...DEFAULTS };
    expect(createData('Hello\nthere', FOUNDERS)).toStrictEqual(data);
  });

  it.each([
    ['', 'task'],
    [' \n\t ', 'task'],
    ['\n\n  first  \nsecond', 'first'],
    ['a\r\nb', 'a'],
    ['x'.repeat(61), 'x'.repeat(60)],
    ['😀'.repeat(61), '😀'.repeat(60)],
  ])('%j is called %j, and its goal is the whole text', (text, name) => {
    expect(createData(text, FOUNDERS)).toMatchObject({ name, goal: text });
  });

  it('is delegated where the operator says so (rule C1)', () => {
    const data = createData('x', { ...FOUNDERS, lifecycle: 'delegated' });
    expect(data.lifecycle).toBe('delegated');
  });
});

describe('a task that an envelope starts', () => {
  it('has what the envelope says, and the defaults', () => {
    const payload = { type: 't', acceptance_criteria: [{ text: 'c' }] };
    expect(create(payload)).toStrictEqual({
      name: 'n',
      goal: 'g',
      ...DEFAULTS,
      type: 't',
      acceptance_criteria: [{ text: 'c', met: false }],
    });
  });

  it.each<[string, Participant[], Participant[], string | null]>([
    ['nobody', [], [ANN, WORKER], 'conversation'],
    ['others', [human('bob', 'watcher')], [ANN, human('bob', 'watcher'), WORKER], 'conversation'],
    ['the sender', [human('ann', 'admin')], [human('ann', 'admin'), WORKER], 'conversation'],
    ['another assignee', [human('bob', 'assignee')], [ANN, human('bob', 'assignee')], null],
    ['the sender as assignee', [human('ann', 'assignee')], [human('ann', 'assignee')], null],
    ['the agent', [WORKER], [ANN, WORKER], 'conversation'],
    ['the agent as watcher', [{ ...WORKER, role: 'watcher' }], [ANN, WORKER], 'conversation'],
    [
      'the agent beside another',
      [human('bob', 'assignee'), WORKER],
      [ANN, human('bob', 'assignee'), WORKER],
      'conversation',
    ],
  ])('that names %s', (_, participants, all, lifecycle) => {
    expect(create({ participants })).toMatchObject({ participants: all, lifecycle });
  });

  it.each([
    [{ lifecycle: null }, 'lifecycle', 'it'],
    [{ model: 'm' }, 'model', 'it'],
    [{ reasoning_effort: 'huge', lifecycle: 3 }, 'reasoning_effort, lifecycle', 'them'],
  ])('cannot set what the server sets: %j (rule T7)', (payload, names, it) => {
    expect(refusalOf(() => create(payload))).toStrictEqual([
      'UNSUPPORTED_OPERATION',
      `A task envelope cannot set ${names}: the server does. Leave ${it} out`,
    ]);
  });

  it.each<[string, TaskPayload, string[]]>([
    [
      'sub-tasks',
      { sub_tasks: [{ task_id: 'x' }] },
      [
        `${FIELD}.sub_tasks: sub_tasks must be empty in an envelope that creates a task: the server fills it in`,
      ],
    ],
    [
      'linked tasks',
      { plan: { steps: [{ id: 'a', name: 'a', linked_tasks: [{ task_id: 'x' }] }] } },
      [
        `${FIELD}.plan: linked_tasks of a step must be empty in an envelope that creates a task: the server fills it in`,
      ],
    ],
    [
      'a parent twice',
      { parent_tasks: [{ task_id: 'x' }, { task_id: 'y' }, { task_id: 'x' }] },
      [`${FIELD}.parent_tasks: parent_tasks must be tasks of which each is named once`],
    ],
    [
      'more than 8 parents',
      { parent_tasks: Array.from({ length: 9 }, (_, at) => ({ task_id: `x${at}` })) },
      [`${FIELD}.parent_tasks: parent_tasks must be at most 8; got 9`],
    ],
    [
      'a plan with a cycle (rule T10)',
      {
        plan: {
          steps: [
            { id: 'a', name: 'A', depends_on: ['b'] },
            { id: 'b', name: 'B', depends_on: ['a'] },
          ],
        },
      },
      [`${FIELD}.plan.steps: steps must not depend on each other in a circle: a -> b -> a`],
    ],
    [
      'a participant twice (rule T3)',
      { participants: [human('bob', 'watcher'), human('bob', 'admin')] },
      [`${FIELD}.participants: participants must have ids of their own; "bob" is there twice`],
    ],
    [
      'an id of no characters',
      { participants: [human('', 'watcher')] },
      [`${FIELD}.participants[0].id: a participant's id must be 1 to 256 characters; got 0`],
    ],
    [
      'an id of 257',
      { participants: [human('b'.repeat(257), 'watcher')] },
      [`${FIELD}.participants[0].id: a participant's id must be 1 to 256 characters; got 257`],
    ],
    [
      '99 participants beside the sender and the agent',
      { participants: Array.from({ length: 99 }, (_, n) => human(`p${n}`, 'watcher')) },
      [
        `${FIELD}.participants: participants must be at most 100, the sender and the agent included; got 101`,
      ],
    ],
  ])('is refused with %s', (_, payload, said) => {
    expect(refusalOf(() => create(payload))).toStrictEqual(['INVALID_PARAMS', ...said]);
    // What is wrong in itself comes before what the sender may not set (rule A7).
    expect(refusalOf(() => create({ ...payload, model: null }))[0]).toBe('INVALID_PARAMS');
  });

  it.each([
    [{ more: 1 }, `${FIELD}.more`],
    [{ name: 1 }, `${FIELD}.name`],
    [
      { participants: [{ id: 'x', kind: 'robot', role: 'watcher' }] },
      `${FIELD}.participants[0].kind`,
    ],
    [{ plan: { steps: [{ id: 'a' }] } }, `${FIELD}.plan.steps[0]`],
    [JSON.parse('{"__proto__":{"name":"x"}}') as TaskPayload, `${FIELD}.__proto__`],
  ])('names the field of what its schema does not have: %j', (payload, field) => {
    const [reason, said] = refusalOf(() => create(payload));
    expect(reason).toBe('INVALID_PARAMS');
    expect(said!.split(':')[0]).toBe(field);
  });

  it('may have 98 participants beside the sender and the agent, and ids of 256 characters', () => {
    const participants = Array.from({ length: 98 }, (_, n) =>
      human(`${n}`.padStart(256, 'x'), 'watcher'),
    );
    expect(create({ participants }).participants).toHaveLength(100);
  });
});

describe('a change', () => {
  const data = createData('x', FOUNDERS);
  const change = (
    payload: TaskPayload,
    role: Role = 'reporter',
    of: TaskExtensionData = data,
  ): Change => changeTask(of, payload, role, { agentId: AGENT, field: FIELD });

  it.each<Role>(['reporter', 'assignee', 'admin'])(
    'of what may be changed is made by a %s',
    (role) => {
      const payload = {
        name: 'a',
        description: 'b',
        acceptance_criteria: [{ text: 'c', met: true }],
      };
      expect(change(payload, role)).toStrictEqual({
        kind: 'changed',
        data: { ...data, ...payload },
        fields: ['name', 'description', 'acceptance_criteria'],
      });
    },
  );

  it('keeps what it does not name', () => {
    const before = { ...data, model: 'm', description: 'd', type: 't' };
    expect(change({ name: 'a' }, 'reporter', before)).toMatchObject({
      data: { ...before, name: 'a' },
    });
  });

  it.each<[TaskPayload, Role, string]>([
    [{ name: 'a' }, 'watcher', 'a watcher cannot change the task'],
    [
      { goal: 'a', name: 'b', plan: null },
      'admin',
      'goal, plan cannot be changed; name, description, acceptance_criteria, participants can',
    ],
    [
      { lifecycle: null },
      'admin',
      'lifecycle cannot be changed; name, description, acceptance_criteria, participants can',
    ],
    [{ participants: [ANN] }, 'reporter', 'only an admin can change participants'],
    [{ participants: [ANN] }, 'admin', `${AGENT} works on the task and stays its assignee`],
    [
      { participants: [ANN, { ...WORKER, role: 'watcher' }] },
      'admin',
      `${AGENT} works on the task and stays its assignee`,
    ],
  ])('%j by a %s is refused whole: %s (rule T7)', (payload, role, why) => {
    expect(change(payload, role)).toStrictEqual({ kind: 'refused', why });
  });

  it('of participants is an admin’s', () => {
    const participants = [human('bob', 'admin'), WORKER];
    expect(change({ participants }, 'admin')).toMatchObject({
      kind: 'changed',
      data: { participants },
      fields: ['participants'],
    });
  });

  it('to what would not be valid is an error, whoever asks for it (rule A7)', () => {
    for (const role of ['watcher', 'reporter', 'admin'] as const) {
      const said = refusalOf(() => change({ name: 1 }, role));
      expect(said[0]).toBe('INVALID_PARAMS');
      const steps = [{ id: 'a', name: 'A', depends_on: ['a'] }];
      expect(refusalOf(() => change({ plan: { steps } }, role))).toStrictEqual([
        'INVALID_PARAMS',
        `${FIELD}.plan.steps: steps must not depend on each other in a circle: a -> a`,
      ]);
      const participants = [ANN, ANN, WORKER];
      expect(refusalOf(() => change({ participants }, role))[0]).toBe('INVALID_PARAMS');
    }
  });
});

describe('the text of a message', () => {
  it('is its text parts, a line each', () => {
    expect(textOf({ parts: [{ text: 'a' }, { data: 'x' }, { text: 'b' }] })).toBe('a\nb');
    expect(textOf({ parts: [{ data: { text: 'x' } }] })).toBe('');
  });
});
