/** Completing and cancelling (rules C1 to C8), and the children of a task. */
import type { TaskRef } from '@tiny-harness/contract/task/v1';
import { describe, expect, it } from 'vitest';
import { cancelTask, completeTask, takeChildrenAlong } from '../../src/core/endings.ts';
import { acceptMessage, parkTask, startTask } from '../../src/core/messages.ts';
import { followChild, nextChildId, rowOf, unresolvedChildren } from '../../src/core/sub-tasks.ts';
import type { TaskHead } from '../../src/core/task.ts';
import { TERMINAL_STATES } from '../../src/core/task.ts';
import { endTurn } from '../../src/core/turns.ts';
import {
  ACCEPTANCE,
  created,
  follow,
  holder,
  incoming,
  LEASE,
  participant,
  taskData,
  viewOf,
  workingTask,
} from './fixture.ts';

const row = (task_id: string, state: string | null): TaskRef => ({
  task_id,
  state,
  sub_state: null,
  agent: null,
});
const question = { asked: 'ann', text: 'Which?', options: [] };
const waits = { state: 'TASK_STATE_INPUT_REQUIRED', message: undefined } as const;

function askingTask(sub_tasks: TaskRef[] = []): TaskHead {
  const head = workingTask({ sub_tasks });
  return follow(head, endTurn(head, holder(1), { ...waits, question }, LEASE));
}

describe('a completion', () => {
  it('ends the task, whatever runs or waits (rules C5, C6)', () => {
    let head = workingTask();
    head = follow(head, acceptMessage(head, incoming('two'), ACCEPTANCE));
    for (const before of [head, askingTask()]) {
      const events = completeTask(before, incoming('control', 'ann'), LEASE);
      expect(events).toMatchObject([
        { kind: 'message', recorded: false, turn: undefined, replied: true },
        { kind: 'status', message: { parts: [{ text: 'completed by ann' }] } },
      ]);
      expect(follow(before, events)).toMatchObject({
        state: 'TASK_STATE_COMPLETED',
        subState: undefined,
        question: undefined,
        running: undefined,
        waiting: [],
      });
    }
  });

  it('is refused by open sub-tasks, which it names; the turn is cut and the next one starts (rule C6)', () => {
    const sub_tasks = [row('task.1', 'COMPLETED'), row('task.2', 'WORKING')];
    let head = workingTask({ sub_tasks });
    const alone = completeTask(head, incoming('control'), LEASE);
    const text = 'Not completed: task.2 is unresolved. Complete or cancel that sub-task first.';
    expect(alone).toMatchObject([
      { kind: 'message', replied: true },
      { kind: 'status', reply: true, endsTurn: 1, message: { parts: [{ text }] } },
    ]);
    expect(follow(head, alone)).toMatchObject({
      state: 'TASK_STATE_INPUT_REQUIRED',
      subState: 'awaiting-next-message',
      running: undefined,
    });
    head = follow(head, acceptMessage(head, incoming('two'), ACCEPTANCE));
    const next = follow(head, completeTask(head, incoming('control'), LEASE));
    expect(next).toMatchObject({ state: 'TASK_STATE_WORKING', running: { number: 2 } });
  });

  it('names each of several', () => {
    const head = workingTask({ sub_tasks: [row('task.1', null), row('task.2', 'WORKING')] });
    const [, refused] = completeTask(head, incoming('control'), LEASE);
    const text =
      'Not completed: task.1, task.2 are unresolved. Complete or cancel those sub-tasks first.';
    expect(refused).toMatchObject({ message: { parts: [{ text }] } });
  });

  it('that is refused leaves an open question alone (rules C6, T6)', () => {
    const head = askingTask([row('task.1', 'WORKING')]);
    const events = completeTask(head, incoming('control', 'ada'), LEASE);
    expect(events[1]).toMatchObject({ subState: 'awaiting-answer' });
    expect(follow(head, events)).toStrictEqual({ ...head, seq: head.seq + 1 });
  });

  it('that is refused gives no sub-state to a task that waits for another assignee (rule E5)', () => {
    const participants = [participant('ann', 'reporter'), participant('bob', 'assignee')];
    const data = { participants, sub_tasks: [row('task.1', 'WORKING')] };
    const parked = parkTask(created(data), incoming('one'), true, { message: undefined });
    const head = follow(undefined, parked);
    const [, refused] = completeTask(head, incoming('control'), LEASE);
    expect(refused).toMatchObject({ kind: 'status', subState: undefined });
  });

  it.each([
    ['wim', 'watcher'],
    ['eve', 'stranger'],
  ])('is not for %s, a %s (rules C4, C8)', (id, role) => {
    const head = workingTask();
    expect(() => completeTask(head, incoming('control', id), LEASE)).toThrow(
      expect.objectContaining({
        reason: 'UNSUPPORTED_OPERATION',
        message: `A ${role} cannot complete the task; its assignee, reporters and admins can`,
      }),
    );
    expect(() => cancelTask(head, [], id)).toThrow(`A ${role} cannot cancel the task`);
  });
});

describe('a cancellation', () => {
  it('ends every turn', () => {
    let head = workingTask();
    head = follow(head, acceptMessage(head, incoming('two'), ACCEPTANCE));
    expect(follow(head, cancelTask(head, [], 'ada').events)).toMatchObject({
      state: 'TASK_STATE_CANCELED',
      running: undefined,
      waiting: [],
    });
  });

  it.each(TERMINAL_STATES)('is refused in %s, before the role is looked at (rule C7)', (state) => {
    const head = follow(workingTask(), [{ kind: 'status', state, message: undefined }]);
    expect(() => cancelTask(head, [], 'wim')).toThrow(
      expect.objectContaining({
        reason: 'TASK_NOT_CANCELABLE',
        message: `The task is in ${state} and cannot be cancelled`,
        details: { metadata: { taskId: 'task', state } },
      }),
    );
  });

  it('takes the children with it that agents work on, and theirs, and says so of their rows', () => {
    const sub_tasks = [row('a', 'WORKING'), row('b', 'COMPLETED'), row('c', 'WORKING')];
    const parent = workingTask({ sub_tasks });
    const agents = { ...workingTask({ lifecycle: 'delegated' }), id: 'a' };
    const ended = { ...agents, id: 'b', state: 'TASK_STATE_COMPLETED' } as const;
    const people = { ...workingTask({ lifecycle: null }), id: 'c' };
    const { events, also } = cancelTask(parent, [agents, ended, people], 'ann');
    expect(follow(parent, events).data.sub_tasks).toStrictEqual([
      { ...row('a', 'CANCELED'), sub_state: null },
      row('b', 'COMPLETED'),
      row('c', 'WORKING'),
    ]);
    expect(also.map(({ taskId, lookups }) => [taskId, lookups])).toStrictEqual([
      ['a', { children: true }],
    ]);
    const [{ decide }] = also as [(typeof also)[number]];
    const grandchild = { ...agents, id: 'a.1' };
    const child = workingTask({ lifecycle: 'delegated', sub_tasks: [row('a.1', 'WORKING')] });
    expect(decide(viewOf(child, [grandchild]))).toMatchObject({
      events: [
        {
          state: 'TASK_STATE_CANCELED',
          message: { parts: [{ text: 'cancelled with task, which it belongs to' }] },
          data: { sub_tasks: [{ task_id: 'a.1', state: 'CANCELED' }] },
        },
      ],
      also: [{ taskId: 'a.1' }],
    });
    for (const head of [undefined, ended]) {
      expect(decide(viewOf(head))).toStrictEqual({ events: [], result: undefined });
    }
  });
});

describe('the children of a task that ends', () => {
  const child = { ...workingTask({ lifecycle: 'delegated' }), id: 'a' };
  const parent = workingTask({ sub_tasks: [row('a', 'WORKING')] });
  const ended = (state: TaskHead['state']) =>
    takeChildrenAlong(parent, [child], [{ kind: 'status', state, message: undefined }]);

  it.each(['FAILED', 'REJECTED', 'CANCELED'] as const)('end with it when it is %s', (state) => {
    const { events, also } = ended(`TASK_STATE_${state}`);
    expect(follow(parent, [...events]).data.sub_tasks).toStrictEqual([row('a', 'CANCELED')]);
    expect(also.map(({ taskId }) => taskId)).toStrictEqual(['a']);
  });

  it.each(['COMPLETED', 'WORKING', 'INPUT_REQUIRED'] as const)('not when it is %s', (state) => {
    expect(ended(`TASK_STATE_${state}`)).toStrictEqual({
      events: [{ kind: 'status', state: `TASK_STATE_${state}`, message: undefined }],
      also: [],
    });
  });
});

describe('children', () => {
  it('are unresolved until they are in a terminal state', () => {
    const states = ['WORKING', 'INPUT_REQUIRED', 'SUBMITTED', null, 'COMPLETED', 'FAILED'];
    const more = ['CANCELED', 'REJECTED', 'AUTH_REQUIRED', 'unheard of'];
    const sub_tasks = [...states, ...more].map((state) => row(String(state), state));
    expect(unresolvedChildren(taskData({ sub_tasks }))).toStrictEqual([
      'WORKING',
      'INPUT_REQUIRED',
      'SUBMITTED',
      'null',
      'AUTH_REQUIRED',
      'unheard of',
    ]);
  });

  it('are numbered', () => {
    const data = taskData({ sub_tasks: [row('task.1', null), row('elsewhere', null)] });
    expect(nextChildId({ id: 'task', data })).toBe('task.2');
    expect(nextChildId({ id: 'task', data: taskData() })).toBe('task.1');
  });

  it('have rows that follow them, each change one event that leaves the parent’s state alone', () => {
    const parent = askingTask();
    const child = { ...workingTask(), id: 'child' };
    const first = followChild(parent, child);
    const one = { task_id: 'child', state: 'WORKING', sub_state: null, agent: null };
    expect(first).toMatchObject([{ kind: 'status', state: parent.state, reply: true }]);
    const after = follow(parent, first);
    expect(after).toStrictEqual({
      ...parent,
      seq: parent.seq + 1,
      data: { ...parent.data, sub_tasks: [one] },
    });
    expect(followChild(after, child)).toStrictEqual([]);
    const asking = { ...askingTask(), id: 'child' };
    const moved = follow(after, followChild(after, asking));
    expect(moved.data.sub_tasks).toStrictEqual([rowOf(asking)]);
    expect(rowOf(asking)).toMatchObject({ state: 'INPUT_REQUIRED', sub_state: 'awaiting-answer' });
    // Whoever was asked is off the child: it waits for something else, in the same state.
    const waiting = { ...asking, subState: 'awaiting-next-message' } as const;
    expect(follow(moved, followChild(moved, waiting)).data.sub_tasks).toStrictEqual([
      rowOf(waiting),
    ]);
  });

  it('change nothing of a task that has ended', () => {
    const head = follow(workingTask(), cancelTask(workingTask(), [], 'ann').events);
    expect(followChild(head, { ...workingTask(), id: 'child' })).toStrictEqual([]);
  });
});

it('a task that has not started is completed and cancelled like any other', () => {
  const head = follow(undefined, startTask(created(), incoming('one'), undefined));
  expect(follow(head, completeTask(head, incoming('x'), LEASE)).state).toBe('TASK_STATE_COMPLETED');
  expect(follow(head, cancelTask(head, [], 'ann').events).state).toBe('TASK_STATE_CANCELED');
});
