/** Turns: one at a time, each under a lease. */
import { describe, expect, it } from 'vitest';
import { cancelTask } from '../../src/core/endings.ts';
import { acceptMessage, startTask } from '../../src/core/messages.ts';
import type { TaskHead } from '../../src/core/task.ts';
import {
  endTurn,
  recoverTurn,
  releaseTurn,
  reportStatus,
  startNextTurn,
  TurnLostError,
  writeArtifact,
} from '../../src/core/turns.ts';
import {
  ACCEPTANCE,
  created,
  follow,
  holder,
  incoming,
  kindsOf,
  LEASE,
  taskData,
  workingTask,
} from './fixture.ts';

const question = { asked: 'ann', text: 'Which?', options: [] };
const ending = { state: 'TASK_STATE_INPUT_REQUIRED', message: undefined } as const;

/** A task whose first turn was cut by its second. */
function interruptedTask(): TaskHead {
  const head = workingTask();
  return follow(head, acceptMessage(head, incoming('two'), { ...ACCEPTANCE, interrupt: true }));
}

describe('a new task', () => {
  it('starts its first turn when there is a lease', () => {
    expect(workingTask()).toStrictEqual({
      id: 'task',
      contextId: 'context',
      agent: undefined,
      skills: [],
      state: 'TASK_STATE_WORKING',
      seq: 1,
      data: taskData(),
      subState: undefined,
      question: undefined,
      lastTurn: 1,
      running: { number: 1, owner: 'host/1/a', attempt: 1 },
      absorbed: [],
      waiting: [],
    });
  });

  it('waits when there is none', () => {
    const head = follow(undefined, startTask(created(), incoming('one'), undefined));
    expect(head).toMatchObject({
      state: 'TASK_STATE_SUBMITTED',
      seq: 0,
      running: undefined,
      waiting: [1],
    });
    expect(kindsOf(startNextTurn(head, LEASE))).toStrictEqual(['turn-started', 'status']);
    expect(startNextTurn(head, undefined)).toStrictEqual([]);
  });
});

describe('the end of a turn', () => {
  it('says why the task waits, with the state (rule E5)', () => {
    const head = workingTask();
    expect(follow(head, endTurn(head, holder(1), ending, LEASE))).toMatchObject({
      state: 'TASK_STATE_INPUT_REQUIRED',
      subState: 'awaiting-next-message',
      question: undefined,
      running: undefined,
    });
  });

  it('may be a question: then nothing starts before it is answered (rule T6)', () => {
    let head = workingTask();
    head = follow(head, acceptMessage(head, incoming('two', 'ada'), ACCEPTANCE));
    const events = endTurn(head, holder(1), { ...ending, question }, LEASE);
    expect(events).toMatchObject([{ kind: 'status', label: 'help', question }]);
    const asking = follow(head, events);
    expect(asking).toMatchObject({ subState: 'awaiting-answer', question, waiting: [2] });
    expect(startNextTurn(asking, LEASE)).toStrictEqual([]);
  });

  it('completes a delegated task, and no conversation (rule C1)', () => {
    const completed = { state: 'TASK_STATE_COMPLETED', message: undefined } as const;
    expect(() => endTurn(workingTask(), holder(1), completed, LEASE)).toThrow(
      'an agent may not complete a conversation (rule C1)',
    );
    const delegated = workingTask({ lifecycle: 'delegated' });
    expect(kindsOf(endTurn(delegated, holder(1), completed, LEASE))).toStrictEqual(['status']);
  });

  it('completes no delegated task for which a message waits: that is its next turn (rule C1)', () => {
    const completed = { state: 'TASK_STATE_COMPLETED', message: undefined } as const;
    let head = workingTask({ lifecycle: 'delegated' });
    head = follow(head, acceptMessage(head, incoming('two'), ACCEPTANCE));
    const next = follow(head, endTurn(head, holder(1), completed, LEASE));
    expect(next).toMatchObject({ state: 'TASK_STATE_WORKING', running: { number: 2 } });
    expect(follow(next, endTurn(next, holder(2), completed, LEASE)).state).toBe(
      'TASK_STATE_COMPLETED',
    );
  });

  it.each([
    ['no parent', [], false],
    ['a parent', [{ task_id: 'parent', agent: null, state: null, sub_state: null }], true],
  ])('of a task without lifecycle and with %s (rule T9)', (_, parent_tasks, mayComplete) => {
    const head = workingTask({ lifecycle: null, parent_tasks });
    const completed = { state: 'TASK_STATE_COMPLETED', message: undefined } as const;
    const end = () => endTurn(head, holder(1), completed, LEASE);
    if (mayComplete) expect(follow(head, end()).state).toBe('TASK_STATE_COMPLETED');
    else expect(end).toThrow(RangeError);
  });
});

describe('a turn that was cut off', () => {
  it('is run again, then its task fails', () => {
    const head = workingTask();
    const again = follow(head, recoverTurn(head, holder(1), 2, { owner: 'host/2/b', until: 9 }));
    expect(again.running).toStrictEqual({ number: 1, owner: 'host/2/b', attempt: 2 });
    expect(again.seq).toBe(1);
    const lost = { turn: 1, owner: 'host/2/b', attempt: 2 };
    const text = 'The agent was interrupted 2 times while it worked on this message, and gave up.';
    expect(recoverTurn(again, lost, 2, LEASE)).toStrictEqual([
      {
        kind: 'status',
        state: 'TASK_STATE_FAILED',
        message: { parts: [{ text }] },
        endsTurn: 1,
      },
    ]);
  });

  it('goes on working when it waited for authorisation', () => {
    const head = workingTask();
    const auth = { state: 'TASK_STATE_AUTH_REQUIRED', message: undefined } as const;
    const waits = follow(head, reportStatus(head, holder(1), auth));
    expect(recoverTurn(waits, holder(1), 2, LEASE)).toMatchObject([
      { kind: 'turn-started', attempt: 2 },
      { kind: 'status', state: 'TASK_STATE_WORKING' },
    ]);
  });

  it('writes nothing any more (rule C5)', () => {
    const head = workingTask();
    const cancelled = follow(head, cancelTask(head, [], 'ann').events);
    const update = { state: 'TASK_STATE_WORKING', message: undefined } as const;
    const artifact = { artifactId: 'a', parts: [{ text: 'x' }] as [{ text: string }] };
    const chunk = { artifact, append: false, lastChunk: false };
    for (const over of [cancelled, interruptedTask()]) {
      expect(() => reportStatus(over, holder(1), update)).toThrow(TurnLostError);
      expect(() => writeArtifact(over, holder(1), undefined, chunk)).toThrow(TurnLostError);
      expect(() => endTurn(over, holder(1), ending, LEASE)).toThrow(TurnLostError);
      expect(() => releaseTurn(over, holder(1))).toThrow(TurnLostError);
      expect(() => recoverTurn(over, holder(1), 2, LEASE)).toThrow(TurnLostError);
    }
  });
});

describe('turns that were cut', () => {
  it('stay with the one that cut them while it is run again', () => {
    const head = interruptedTask();
    expect(head.absorbed).toStrictEqual([1]);
    expect(follow(head, recoverTurn(head, holder(2), 2, LEASE)).absorbed).toStrictEqual([1]);
  });

  it('stay with it when it is given back and taken up again', () => {
    const head = interruptedTask();
    const released = follow(head, releaseTurn(head, holder(2)));
    expect(released).toMatchObject({ running: undefined, waiting: [2], absorbed: [1] });
    const resumed = follow(released, startNextTurn(released, LEASE));
    expect(resumed).toMatchObject({ running: { number: 2 }, absorbed: [1] });
    expect(follow(resumed, endTurn(resumed, holder(2), ending, LEASE)).absorbed).toStrictEqual([]);
  });
});

describe('artifacts', () => {
  const chunk = (append: boolean, lastChunk = false) => ({
    artifact: { artifactId: 'a', parts: [{ text: 'x' }] as [{ text: string }] },
    append,
    lastChunk,
  });

  it('begin with the first chunk, whatever it says', () => {
    expect(writeArtifact(workingTask(), holder(1), undefined, chunk(true))).toStrictEqual([
      { kind: 'artifact', ...chunk(false) },
    ]);
  });

  it('take nothing more after their last chunk', () => {
    const complete = { artifactId: 'a', complete: true };
    expect(() => writeArtifact(workingTask(), holder(1), complete, chunk(true))).toThrow(
      'artifact a has had its last chunk',
    );
  });
});
