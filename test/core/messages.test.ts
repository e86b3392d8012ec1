/** What messages do to a task. */
import { describe, expect, it } from 'vitest';
import { ProtocolError } from '../../src/core/errors.ts';
import {
  acceptMessage,
  parkTask,
  replyTo,
  requireActive,
  startTask,
} from '../../src/core/messages.ts';
import type { TaskHead } from '../../src/core/task.ts';
import { MAX_WAITING_TURNS } from '../../src/core/task.ts';
import { TERMINAL_STATES } from '../../src/core/task.ts';
import { endTurn, reportStatus } from '../../src/core/turns.ts';
import {
  ACCEPTANCE,
  AGENT,
  created,
  EVERYBODY,
  follow,
  holder,
  incoming,
  kindsOf,
  LEASE,
  participant,
  taskData,
  workingTask,
} from './fixture.ts';

const INTERRUPT = { ...ACCEPTANCE, interrupt: true };
const question = { asked: 'ann', text: 'Which?', options: ['a', 'b'] };
const waits = { state: 'TASK_STATE_INPUT_REQUIRED', message: undefined } as const;

/** A task that waits for ann's answer, with a message of ada's that came before the question. */
function askingTask(): TaskHead {
  let head = workingTask();
  head = follow(head, acceptMessage(head, incoming('before', 'ada'), ACCEPTANCE));
  return follow(head, endTurn(head, holder(1), { ...waits, question }, LEASE));
}

/** A task that bob, and not the agent, works on. */
function bobsTask(): TaskHead {
  const participants = [participant('ann', 'reporter'), participant('bob', 'assignee')];
  const message = { parts: [{ text: 'goal' }] as [{ text: string }] };
  const parked = parkTask(created({ participants }), incoming('one'), true, { message });
  return follow(undefined, parked);
}

describe('a further message', () => {
  it('waits for the running turn and starts when that ends', () => {
    const head = follow(workingTask(), acceptMessage(workingTask(), incoming('two'), ACCEPTANCE));
    expect(head.waiting).toStrictEqual([2]);
    expect(follow(head, endTurn(head, holder(1), waits, LEASE))).toMatchObject({
      running: { number: 2 },
      waiting: [],
      state: 'TASK_STATE_WORKING',
      subState: undefined,
    });
  });

  it('is refused when too many wait', () => {
    let head = workingTask();
    for (let at = 0; at < MAX_WAITING_TURNS; at += 1) {
      head = follow(head, acceptMessage(head, incoming(String(at)), ACCEPTANCE));
    }
    expect(() => acceptMessage(head, incoming('more'), ACCEPTANCE)).toThrow(
      '1000 messages already wait for this task; send the next when one was answered',
    );
  });

  it.each(TERMINAL_STATES)('is refused in %s, by the name of the state (rule C7)', (state) => {
    const head = follow(workingTask(), [{ kind: 'status', state, message: undefined }]);
    const metadata = { taskId: 'task', state };
    expect(() => {
      requireActive(head, 'UNSUPPORTED_OPERATION', 'takes no further messages');
    }).toThrow(
      new ProtocolError(
        'UNSUPPORTED_OPERATION',
        `The task is in ${state} and takes no further messages`,
        { metadata },
      ),
    );
  });

  it('passes where the task has not ended', () => {
    requireActive(workingTask(), 'UNSUPPORTED_OPERATION', 'takes no further messages');
  });
});

describe('a message that interrupts', () => {
  it('cuts the running turn and goes before those that wait', () => {
    let head = workingTask();
    head = follow(head, acceptMessage(head, incoming('two'), ACCEPTANCE));
    const events = acceptMessage(head, incoming('three'), INTERRUPT);
    expect(events).toMatchObject([
      { kind: 'message', turn: 3 },
      { kind: 'turn-started', turn: 3, attempt: 1, absorbed: [1] },
      { kind: 'status', state: 'TASK_STATE_WORKING' },
    ]);
    expect(follow(head, events)).toMatchObject({ running: { number: 3 }, waiting: [2] });
  });

  it('takes over what the turn that it cuts had cut', () => {
    let head = workingTask();
    for (const text of ['two', 'three']) {
      head = follow(head, acceptMessage(head, incoming(text), INTERRUPT));
    }
    expect(head).toMatchObject({ running: { number: 3 }, absorbed: [1, 2], waiting: [] });
  });

  it('cuts a turn that waits for authorisation', () => {
    const head = workingTask();
    const auth = { state: 'TASK_STATE_AUTH_REQUIRED', message: undefined } as const;
    const waiting = follow(head, reportStatus(head, holder(1), auth));
    const next = follow(waiting, acceptMessage(waiting, incoming('two'), INTERRUPT));
    expect(next).toMatchObject({ state: 'TASK_STATE_WORKING', running: { number: 2 } });
  });

  it('is one like others where none runs', () => {
    const head = follow(workingTask(), endTurn(workingTask(), holder(1), waits, LEASE));
    expect(acceptMessage(head, incoming('two'), INTERRUPT)).toStrictEqual(
      acceptMessage(head, incoming('two'), ACCEPTANCE),
    );
  });
});

describe('while a question is open', () => {
  it('the words of whoever was asked answer it, before what waits', () => {
    const events = acceptMessage(askingTask(), incoming('a'), ACCEPTANCE);
    expect(events).toMatchObject([
      { kind: 'message', turn: 3, answers: true, recorded: true },
      { kind: 'turn-started', turn: 3 },
      { kind: 'status', state: 'TASK_STATE_WORKING' },
    ]);
    expect(follow(askingTask(), events)).toMatchObject({
      question: undefined,
      subState: undefined,
      waiting: [2],
    });
  });

  it('waits in front when no turn can start', () => {
    const accepted = acceptMessage(askingTask(), incoming('a'), {
      ...ACCEPTANCE,
      lease: undefined,
    });
    expect(kindsOf(accepted)).toStrictEqual(['message']);
    const head = follow(askingTask(), accepted);
    expect(head).toMatchObject({ question: undefined, waiting: [3, 2] });
  });

  it.each([
    ['of somebody else', incoming('a', 'ada'), ACCEPTANCE],
    ['of somebody else that interrupts', incoming('a', 'ada'), INTERRUPT],
    ['that is an envelope alone', incoming('a'), { ...ACCEPTANCE, speaks: false }],
  ])('a message %s joins the history and no more', (_, sent, acceptance) => {
    expect(acceptMessage(askingTask(), sent, acceptance)).toMatchObject([
      { kind: 'message', turn: undefined, recorded: true, replied: false },
    ]);
  });
});

describe('a task that somebody else works on', () => {
  it('waits with its goal, without a sub-state (rule E5)', () => {
    expect(bobsTask()).toMatchObject({
      state: 'TASK_STATE_INPUT_REQUIRED',
      subState: undefined,
      waiting: [],
      lastTurn: 0,
    });
  });

  it('is completed by the words of its assignee', () => {
    expect(acceptMessage(bobsTask(), incoming('done', 'bob'), ACCEPTANCE)).toMatchObject([
      { kind: 'message', turn: undefined, recorded: true, replied: true },
      {
        kind: 'status',
        state: 'TASK_STATE_COMPLETED',
        message: { parts: [{ text: 'completed by bob' }] },
      },
    ]);
  });

  it.each([
    ['somebody else says', incoming('hurry'), ACCEPTANCE],
    ['stands in an envelope alone', incoming('x', 'bob'), { ...ACCEPTANCE, speaks: false }],
  ])('records what %s', (_, sent, acceptance) => {
    expect(acceptMessage(bobsTask(), sent, acceptance)).toMatchObject([
      { kind: 'message', turn: undefined, recorded: true, replied: false },
    ]);
  });

  it('is the agent’s as long as the agent is an assignee', () => {
    const participants = [...EVERYBODY, participant('bob', 'assignee')];
    const head = workingTask({ participants });
    const [first] = acceptMessage(head, incoming('two', 'bob'), { ...ACCEPTANCE, agentId: AGENT });
    expect(first).toMatchObject({ turn: 2 });
  });
});

describe('a reply', () => {
  const said = { message: { parts: [{ text: 'no' }] as [{ text: string }] } };

  it('leaves everything as it is (rule T6)', () => {
    for (const head of [askingTask(), workingTask(), bobsTask()]) {
      const events = replyTo(head, incoming('/help'), said);
      expect(events).toMatchObject([
        { kind: 'message', turn: undefined, recorded: false, replied: true },
        { kind: 'status', state: head.state, subState: head.subState, reply: true },
      ]);
      expect(follow(head, events)).toStrictEqual({ ...head, seq: head.seq + 1 });
    }
  });

  it('may change the data (rule T8)', () => {
    const data = taskData({ model: 'm' });
    const head = askingTask();
    const after = follow(head, replyTo(head, incoming('/model m'), { ...said, data }));
    expect(after).toStrictEqual({ ...head, data, seq: head.seq + 1 });
  });

  it('parks a task that had not started', () => {
    const head = follow(undefined, startTask(created(), incoming('one'), undefined));
    expect(follow(head, replyTo(head, incoming('/help'), said))).toMatchObject({
      state: 'TASK_STATE_INPUT_REQUIRED',
      subState: 'awaiting-next-message',
      waiting: [1],
    });
  });
});
