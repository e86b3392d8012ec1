import type { Message } from '@tiny-harness/contract/a2a';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Lease, TurnHolder } from '../../src/core/decide.ts';
import {
  acceptMessage,
  cancelTask,
  createTask,
  endTurn,
  MAX_WAITING_TURNS,
  recoverTurn,
  releaseTurn,
  reportStatus,
  startNextTurn,
  TurnLostError,
  writeArtifact,
} from '../../src/core/decide.ts';
import { ProtocolError } from '../../src/core/errors.ts';
import type { TaskEvent } from '../../src/core/events.ts';
import { createHead, evolve, isNumbered } from '../../src/core/evolve.ts';
import type { TaskHead } from '../../src/core/task.ts';
import { isTerminal, mayFollow, TERMINAL_STATES } from '../../src/core/task.ts';

const lease: Lease = { owner: 'host/1/a', until: 1000 };

function incoming(text: string) {
  const message: Message = { messageId: text, role: 'ROLE_USER', parts: [{ text }] };
  return { message, sender: 'alice', fingerprint: text };
}

const created = {
  kind: 'created',
  contextId: 'context',
  readers: ['alice'],
  metadata: undefined,
} as const;

function follow(head: TaskHead | undefined, events: readonly TaskEvent[]): TaskHead {
  let next = head;
  for (const event of events) {
    if (event.kind === 'created') next = createHead('task', event.contextId, event.metadata);
    else next = evolve(next!, event);
  }
  return next!;
}

const fresh = () => follow(undefined, createTask(created, incoming('one'), lease));
const holder = (turn: number, attempt = 1): TurnHolder => ({ turn, owner: lease.owner, attempt });

describe('a new task', () => {
  it('starts its first turn when there is a lease', () => {
    expect(fresh()).toStrictEqual({
      id: 'task',
      contextId: 'context',
      state: 'TASK_STATE_WORKING',
      seq: 1,
      metadata: undefined,
      lastTurn: 1,
      running: { number: 1, owner: 'host/1/a', attempt: 1 },
      waiting: undefined,
    });
  });

  it('waits when there is none', () => {
    const head = follow(undefined, createTask(created, incoming('one'), undefined));
    expect([head.state, head.seq, head.running, head.waiting]).toStrictEqual([
      'TASK_STATE_SUBMITTED',
      0,
      undefined,
      { first: 1, count: 1 },
    ]);
    expect(startNextTurn(head, lease).map(({ kind }) => kind)).toStrictEqual([
      'turn-started',
      'status',
    ]);
  });
});

describe('a further message', () => {
  it('waits for the running turn and starts when that ends', () => {
    const head = follow(fresh(), acceptMessage(fresh(), incoming('two'), lease));
    expect(head.waiting).toStrictEqual({ first: 2, count: 1 });
    const ending = { state: 'TASK_STATE_INPUT_REQUIRED', message: undefined } as const;
    const next = follow(head, endTurn(head, holder(1), ending, lease));
    expect([next.running?.number, next.waiting, next.state]).toStrictEqual([
      2,
      undefined,
      'TASK_STATE_WORKING',
    ]);
  });

  it('is refused when too many wait', () => {
    let head = fresh();
    for (let at = 0; at < MAX_WAITING_TURNS; at += 1) {
      head = follow(head, acceptMessage(head, incoming(String(at)), lease));
    }
    expect(() => acceptMessage(head, incoming('more'), lease)).toThrow(
      '1000 messages already wait for this task; send the next when one was answered',
    );
  });

  it.each(TERMINAL_STATES)('is refused in %s, by the name of the state', (state) => {
    const head = follow(fresh(), endTurn(fresh(), holder(1), { state, message: undefined }, lease));
    expect(() => acceptMessage(head, incoming('late'), lease)).toThrow(
      new ProtocolError(
        'UNSUPPORTED_OPERATION',
        `The task is in ${state} and takes no further messages`,
        { metadata: { taskId: 'task', state } },
      ),
    );
    expect(() => cancelTask(head)).toThrow(`The task is in ${state} and cannot be cancelled`);
  });
});

describe('a turn that was cut off', () => {
  it('is run again, then its task fails', () => {
    const again = follow(
      fresh(),
      recoverTurn(fresh(), holder(1), 2, { owner: 'host/2/b', until: 9 }),
    );
    expect(again.running).toStrictEqual({ number: 1, owner: 'host/2/b', attempt: 2 });
    expect(again.seq).toBe(1);
    const lost = { turn: 1, owner: 'host/2/b', attempt: 2 };
    const failed = recoverTurn(again, lost, 2, lease);
    expect(failed).toStrictEqual([
      {
        kind: 'status',
        state: 'TASK_STATE_FAILED',
        message: {
          parts: [
            {
              text: 'The agent was interrupted 2 times while it worked on this message, and gave up.',
            },
          ],
        },
        endsTurn: 1,
      },
    ]);
  });

  it('writes nothing any more', () => {
    const head = follow(fresh(), cancelTask(fresh()));
    const update = { state: 'TASK_STATE_WORKING', message: undefined } as const;
    expect(() => reportStatus(head, holder(1), update)).toThrow(TurnLostError);
    const chunk = {
      artifact: { artifactId: 'a', parts: [{ text: 'x' }] },
      append: false,
      lastChunk: false,
    };
    expect(() =>
      writeArtifact(head, holder(1), undefined, {
        ...chunk,
        artifact: { artifactId: 'a', parts: [{ text: 'x' }] },
      }),
    ).toThrow(TurnLostError);
    expect(() => endTurn(head, holder(1), update, lease)).toThrow(TurnLostError);
    expect(() => releaseTurn(head, holder(1))).toThrow(TurnLostError);
  });
});

describe('artifacts', () => {
  const chunk = (append: boolean, lastChunk = false) => ({
    artifact: { artifactId: 'a', parts: [{ text: 'x' }] as [{ text: string }] },
    append,
    lastChunk,
  });

  it('begin with the first chunk, whatever it says', () => {
    expect(writeArtifact(fresh(), holder(1), undefined, chunk(true))).toStrictEqual([
      { kind: 'artifact', ...chunk(false) },
    ]);
  });

  it('take nothing more after their last chunk', () => {
    const complete = { artifactId: 'a', complete: true };
    expect(() => writeArtifact(fresh(), holder(1), complete, chunk(true))).toThrow(
      'artifact a has had its last chunk',
    );
  });
});

/** Anything that anybody may try to do to a task; what is refused throws. */
type Act = (head: TaskHead, holder: TurnHolder) => TaskEvent[];

const acts: Record<string, Act> = {
  message: (head) => acceptMessage(head, incoming('m'), lease),
  messageWhileDraining: (head) => acceptMessage(head, incoming('m'), undefined),
  start: (head) => startNextTurn(head, lease),
  say: (head, by) => reportStatus(head, by, { state: 'TASK_STATE_WORKING', message: undefined }),
  auth: (head, by) =>
    reportStatus(head, by, { state: 'TASK_STATE_AUTH_REQUIRED', message: undefined }),
  artifact: (head, by) =>
    writeArtifact(head, by, undefined, {
      artifact: { artifactId: 'a', parts: [{ text: 'x' }] },
      append: false,
      lastChunk: false,
    }),
  end: (head, by) =>
    endTurn(head, by, { state: 'TASK_STATE_INPUT_REQUIRED', message: undefined }, lease),
  endWhileDraining: (head, by) =>
    endTurn(head, by, { state: 'TASK_STATE_INPUT_REQUIRED', message: undefined }, undefined),
  complete: (head, by) =>
    endTurn(head, by, { state: 'TASK_STATE_COMPLETED', message: undefined }, lease),
  release: releaseTurn,
  recover: (head, by) => recoverTurn(head, by, 3, lease),
  cancel: cancelTask,
};

function attempt(act: Act, head: TaskHead, by: TurnHolder): TaskEvent[] {
  try {
    return act(head, by);
  } catch (error) {
    if (
      error instanceof TurnLostError ||
      error instanceof ProtocolError ||
      error instanceof RangeError
    )
      return [];
    throw error;
  }
}

describe('whatever is tried in whatever order', () => {
  const steps = fc.array(
    fc.record({
      act: fc.constantFrom(...Object.keys(acts)),
      turn: fc.integer({ min: 1, max: 6 }),
      attempt: fc.integer({ min: 1, max: 3 }),
      current: fc.boolean(),
    }),
    { maxLength: 60 },
  );

  it('one turn runs at a time, each ends once, in order; terminal is final; numbers have no gap', () => {
    fc.assert(
      fc.property(steps, (tries) => {
        let head = fresh();
        let numbered = 1;
        const ended: number[] = [];
        for (const { act, turn, attempt: run, current } of tries) {
          const before = head;
          const running = before.running ?? { number: turn, owner: lease.owner, attempt: run };
          const by = current ? holder(running.number, running.attempt) : holder(turn, run);
          const events = attempt(acts[act]!, before, by);
          if (isTerminal(before.state)) expect(events).toStrictEqual([]);
          for (const event of events) {
            if (event.kind === 'status') expect(mayFollow(head.state, event.state)).toBe(true);
            if (event.kind === 'turn-started' && head.running !== undefined) {
              expect(event.turn).toBe(head.running.number);
              expect(event.attempt).toBe(head.running.attempt + 1);
            }
            if (event.kind === 'status' && event.endsTurn !== undefined) ended.push(event.endsTurn);
            if (isNumbered(event)) numbered += 1;
            head = follow(head, [event]);
          }
          expect(head.seq).toBe(numbered);
          if (isTerminal(head.state))
            expect([head.running, head.waiting]).toStrictEqual([undefined, undefined]);
        }
        expect(ended).toStrictEqual(ended.map((_, at) => at + 1));
        const open = head.lastTurn - ended.length;
        const held = (head.running === undefined ? 0 : 1) + (head.waiting?.count ?? 0);
        expect(isTerminal(head.state) || open === held).toBe(true);
      }),
    );
  });
});
