/** Whatever is tried in whatever order: what holds of a task's events all the same. */
import type { Message, TaskState } from '@tiny-harness/contract/a2a';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cancelTask, completeTask } from '../../src/core/endings.ts';
import { ProtocolError } from '../../src/core/errors.ts';
import type { MessageAccepted, StatusChanged, TaskEvent } from '../../src/core/events.ts';
import { isKept, isNumbered } from '../../src/core/evolve.ts';
import { acceptMessage, replyTo, requireActive, startTask } from '../../src/core/messages.ts';
import { isDelegated, roleOf } from '../../src/core/participants.ts';
import { changeData, followChild, tellResult } from '../../src/core/sub-tasks.ts';
import type { TaskHead } from '../../src/core/task.ts';
import { isTerminal, mayFollow } from '../../src/core/task.ts';
import type { TurnEnding, TurnHolder } from '../../src/core/turns.ts';
import {
  endTurn,
  recordCall,
  recoverTurn,
  releaseTurn,
  reportStatus,
  startNextTurn,
  TurnLostError,
  writeArtifact,
} from '../../src/core/turns.ts';
import { effort } from '../properties/effort.ts';
import { AGENT, created, EVERYBODY, follow, incoming, LEASE, taskData } from './fixture.ts';

/** One thing that somebody tries. */
interface Try {
  readonly act: keyof typeof ACTS;
  readonly sender: string;
  readonly flag: boolean;
  /** Whether the process takes up turns. */
  readonly takesUp: boolean;
  /** Whose write it is: the running turn's, or one that is made up. */
  readonly by: TurnHolder | undefined;
  readonly childState: TaskState;
}

type Act = (head: TaskHead, by: TurnHolder, tried: Try) => TaskEvent[];

const leaseOf = ({ takesUp }: Try) => (takesUp ? LEASE : undefined);
const said = { parts: [{ text: 'said' }] as [{ text: string }] };

const CALL = { id: 'call', name: 'create_plan', input: {} };

function userMessage(messageId: string): Message {
  return { messageId, role: 'ROLE_USER', ...said };
}

function send(head: TaskHead, tried: Try): TaskEvent[] {
  requireActive(head, 'UNSUPPORTED_OPERATION', 'takes no further messages');
  const acceptance = { agentId: AGENT, interrupt: tried.flag, lease: leaseOf(tried) };
  return acceptMessage(head, incoming('words', tried.sender), acceptance);
}

function end(state: TaskState, more: Partial<TurnEnding> = {}): Act {
  return (head, by, tried) => endTurn(head, by, { state, message: said, ...more }, leaseOf(tried));
}

const ACTS = {
  send: (head, _, tried) => send(head, tried),
  sendEnvelope: (head, _, tried) => {
    requireActive(head, 'UNSUPPORTED_OPERATION', 'takes no further messages');
    const acceptance = { agentId: AGENT, interrupt: false, speaks: false, lease: leaseOf(tried) };
    return acceptMessage(head, incoming('envelope', tried.sender), acceptance);
  },
  command: (head, _, { sender, flag }) => {
    requireActive(head, 'UNSUPPORTED_OPERATION', 'takes no further messages');
    const data = { ...head.data, model: flag ? 'a' : 'b' };
    return replyTo(head, incoming('/model', sender), { message: said, label: 'command', data });
  },
  refuse: (head, _, { sender, flag }) => {
    requireActive(head, 'UNSUPPORTED_OPERATION', 'takes no further messages');
    return replyTo(head, incoming('no', sender), { message: said }, flag);
  },
  removeAnn: (head) => {
    if (isTerminal(head.state)) return [];
    return [changeData(head, taskData({ participants: EVERYBODY.slice(1) }))];
  },
  complete: (head, _, tried) => {
    requireActive(head, 'UNSUPPORTED_OPERATION', 'takes no further messages');
    return completeTask(head, incoming('control', tried.sender), leaseOf(tried));
  },
  cancel: (head, _, { sender }) => [...cancelTask(head, [], sender).events],
  child: (head, _, { childState, sender }) =>
    followChild(head, {
      id: `child of ${sender}`,
      state: childState,
      subState: undefined,
      agent: undefined,
    }),
  result: (head) => tellResult(head, userMessage('result'), AGENT),
  begin: (head, by) => [recordCall(head, by, { ...CALL, result: undefined })],
  call: (head, by, { flag }) => {
    const result = { isError: flag, text: 'made', endsTurn: false };
    // As a tool does that changes the task.
    return [recordCall(head, by, { ...CALL, result }), changeData(head, head.data)];
  },
  start: (head, _, tried) => startNextTurn(head, leaseOf(tried)),
  say: (head, by) => reportStatus(head, by, { state: 'TASK_STATE_WORKING', message: said }),
  auth: (head, by) => reportStatus(head, by, { state: 'TASK_STATE_AUTH_REQUIRED', message: said }),
  artifact: (head, by) => {
    const artifact = { artifactId: 'a', ...said };
    return writeArtifact(head, by, undefined, { artifact, append: false, lastChunk: false });
  },
  park: end('TASK_STATE_INPUT_REQUIRED'),
  ask: (head, by, tried) => {
    const question = { asked: tried.sender, text: '?', options: [] };
    return end('TASK_STATE_INPUT_REQUIRED', { question })(head, by, tried);
  },
  finish: end('TASK_STATE_COMPLETED'),
  fail: end('TASK_STATE_FAILED'),
  release: (head, by) => releaseTurn(head, by),
  recover: (head, by) => recoverTurn(head, by, 3, LEASE),
} satisfies Record<string, Act>;

const RARE: readonly string[] = ['complete', 'cancel', 'finish', 'fail', 'removeAnn', 'recover'];
const OFTEN = Object.keys(ACTS).filter((act) => !RARE.includes(act));

const tries = fc.array(
  fc.record({
    act: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...OFTEN) },
      { weight: 1, arbitrary: fc.constantFrom(...RARE) },
    ) as fc.Arbitrary<keyof typeof ACTS>,
    sender: fc.constantFrom('ann', 'wim', 'ada', 'eve'),
    flag: fc.boolean(),
    takesUp: fc.oneof(fc.constant(true), fc.constant(true), fc.boolean()),
    by: fc.option(
      fc.record({
        turn: fc.integer({ min: 1, max: 6 }),
        owner: fc.constant(LEASE.owner),
        attempt: fc.integer({ min: 1, max: 3 }),
      }),
      { nil: undefined, freq: 5 },
    ),
    childState: fc.constantFrom<TaskState[]>('TASK_STATE_WORKING', 'TASK_STATE_COMPLETED'),
  }),
  { maxLength: 60, size: 'max' },
);

function attempt(head: TaskHead, tried: Try): TaskEvent[] {
  const { running } = head;
  const current = running && { turn: running.number, ...running };
  const by = tried.by ?? current;
  const act: Act = ACTS[tried.act];
  try {
    return act(head, by ?? { turn: 1, owner: LEASE.owner, attempt: 1 }, tried);
  } catch (error) {
    const isRefusal = error instanceof ProtocolError || error instanceof RangeError;
    if (isRefusal || error instanceof TurnLostError) return [];
    throw error;
  }
}

/** What has been seen of a task so far. */
class Witness {
  head: TaskHead;
  #numbered = 1;
  #opened = 1;
  readonly #over: number[] = [];

  constructor(head: TaskHead) {
    this.head = head;
  }

  see(event: TaskEvent, tried: Try): void {
    const before = this.head;
    if (event.kind === 'message') this.#seeMessage(event, tried);
    if (event.kind === 'turn-started') {
      const { running } = before;
      const isAgain = running?.number === event.turn && event.attempt === running.attempt + 1;
      // No turn starts beside another: it is run again, or it cuts the one that runs.
      if (running !== undefined && !isAgain) {
        expect(event.absorbed).toStrictEqual([...before.absorbed, running.number]);
      } else {
        expect(event.absorbed).toStrictEqual(before.absorbed);
        expect(isAgain || before.waiting[0] === event.turn).toBe(true);
      }
      expect(before.question).toBeUndefined();
    }
    if (event.kind === 'tool-called') {
      const { number, attempt: run } = before.running!;
      expect([event.turn, event.attempt]).toStrictEqual([number, run]);
    }
    if (event.kind === 'status') this.#seeStatus(event, tried);
    if (isNumbered(event)) this.#numbered += 1;
    this.head = follow(before, [event]);
    this.#check(event, before);
  }

  #seeMessage({ turn, answers, sender }: MessageAccepted, { act }: Try): void {
    if (turn !== undefined) expect(turn).toBe((this.#opened += 1));
    if (answers !== true) return;
    const { question, data } = this.head;
    const isAsked = question?.asked === sender || roleOf(data, question!.asked) === undefined;
    expect([act, isAsked]).toStrictEqual(['send', true]);
  }

  #seeStatus(event: StatusChanged, { act }: Try): void {
    const { head } = this;
    if (isKept(head, event)) expect(mayFollow(head.state, event.state)).toBe(true);
    else expect([event.state, event.subState]).toStrictEqual([head.state, head.subState]);
    if (event.state === 'TASK_STATE_COMPLETED' && act === 'finish') {
      expect(isDelegated(head.data)).toBe(true);
    }
    const isOver = isTerminal(event.state) || event.endsTurn !== undefined;
    if (isOver && head.running !== undefined) {
      this.#over.push(head.running.number, ...head.absorbed);
    }
  }

  /** What holds after every event. */
  #check(event: TaskEvent, before: TaskHead): void {
    const { state, subState, question, running, absorbed, waiting } = this.head;
    const waits = state === 'TASK_STATE_INPUT_REQUIRED';
    if (event.kind === 'status') {
      expect(this.head.seq).toBe(this.#numbered);
      expect(subState !== undefined).toBe(waits);
      if (question !== undefined) expect(subState).toBe('awaiting-answer');
      // An answer that no process could take up yet: the task waits as it did.
      else if (subState === 'awaiting-answer') expect(waiting).not.toStrictEqual([]);
    }
    if (running !== undefined) expect(question).toBeUndefined();
    if (event.kind === 'turn-released') expect(waiting[0]).toBe(event.turn);
    const answered = event.kind === 'message' && event.answers === true;
    if (before.question !== undefined && !isTerminal(state) && !answered) {
      expect(question).toStrictEqual(before.question);
    }
    const held = [...waiting, ...absorbed, ...(running === undefined ? [] : [running.number])];
    if (isTerminal(state)) {
      expect(held).toStrictEqual([]);
    } else {
      // Every message that opened a turn is over, waits, runs, or is answered with another: once.
      const all = [...held, ...this.#over].sort((a, b) => a - b);
      expect(all).toStrictEqual(Array.from({ length: this.#opened }, (_, at) => at + 1));
    }
  }
}

describe('whatever is tried in whatever order', () => {
  it.each(['conversation', 'delegated'] as const)(
    'every message of a %s has its turn once, questions stay, the end is the end, numbers have no gap',
    (lifecycle) => {
      fc.assert(
        fc.property(tries, (all) => {
          const start = startTask(created({ lifecycle }), incoming('one'), LEASE);
          const witness = new Witness(follow(undefined, start));
          for (const tried of all) {
            const { head } = witness;
            const events = attempt(head, tried);
            if (isTerminal(head.state)) expect(events).toStrictEqual([]);
            for (const event of events) witness.see(event, tried);
          }
        }),
        { numRuns: 1500 * effort },
      );
    },
  );

  it('nobody waits for ever: once all was answered and the agent has worked, nothing is left', () => {
    fc.assert(
      fc.property(tries, (all) => {
        let head = follow(undefined, startTask(created(), incoming('one'), LEASE));
        for (const tried of all) head = follow(head, attempt(head, tried));
        for (let steps = 0; steps < 300 && !isTerminal(head.state); steps += 1) {
          if (head.question !== undefined) {
            const answer = { agentId: AGENT, interrupt: false, lease: LEASE };
            const { asked } = head.question;
            head = follow(head, acceptMessage(head, incoming('answer', asked), answer));
          } else if (head.running !== undefined) {
            const { number: turn, owner, attempt: run } = head.running;
            const by = { turn, owner, attempt: run };
            const parked = { state: 'TASK_STATE_INPUT_REQUIRED', message: undefined } as const;
            head = follow(head, endTurn(head, by, parked, LEASE));
          } else {
            head = follow(head, startNextTurn(head, LEASE));
          }
        }
        expect([head.waiting, head.absorbed, head.running]).toStrictEqual([[], [], undefined]);
      }),
      { numRuns: 500 * effort },
    );
  });
});
