/**
 * Runs turns: one at a time a task, each under a lease. A turn that is over for any other reason than its own end
 * (cancelled, completed, taken over) is aborted, and what its agent still writes is refused.
 */
import type { Logger } from '../log.ts';
import type { Lease, TurnEnding, TurnHolder } from '../core/turns.ts';
import {
  endTurn,
  recoverTurn,
  releaseTurn,
  reportStatus,
  startNextTurn,
  TurnLostError,
  writeArtifact,
} from '../core/turns.ts';
import { askQuestion } from '../extensions/channel.ts';
import { describeMessage } from '../extensions/words.ts';
import type { TaskEvent } from '../core/events.ts';
import type { TaskHead } from '../core/task.ts';
import type { DecisionView } from '../core/decision.ts';
import type { LostTurn, Store, TaskChange, TurnRecord } from '../store/port.ts';
import { isOwnerGone } from './owner.ts';
import type { Agent, Turn, TurnOutcome } from './port.ts';

/** What the runner works with. */
export interface TurnRunnerOptions {
  readonly store: Store;
  readonly agent: Agent;
  /** The agent's participant id. */
  readonly agentId: string;
  /** This process: what its leases say. */
  readonly owner: string;
  readonly now: () => number;
  /** How long a lease holds unless it is renewed, in milliseconds; it is renewed after a third of it. */
  readonly leaseTime: number;
  /** How often a turn is run before its task fails; 1 means that a turn cut off by a crash is not run again. */
  readonly attempts: number;
  readonly log: Logger;
}

/** Runs the turns of a store's tasks. */
export interface TurnRunner {
  /** A lease for a turn that starts now; undefined when no new turns are taken up. */
  lease(): Lease | undefined;
  /** Takes up what earlier processes left, and from now on whatever is this process's to run. */
  start(): Promise<void>;
  /** Takes up nothing more; waits for running turns until the time is over, then gives their leases back. */
  drain(deadline: number): Promise<void>;
  /** How many turns run. */
  readonly running: number;
}

interface ActiveTurn {
  readonly holder: TurnHolder;
  readonly controller: AbortController;
  /** Whether the agent is done: then nobody is left who has to be told that the turn is over. */
  answered: boolean;
  /** Whether it could be neither run nor ended: nobody works on it, though this process holds its lease. */
  stuck: boolean;
  done: Promise<void>;
}

/** How many lost or idle tasks are looked at in one round; they are taken up together, and share a commit. */
const ROUND = 1000;

/** How a turn ends whose agent failed: participants are not told the exception's text. */
const FAILURE: TurnEnding = {
  state: 'TASK_STATE_FAILED',
  message: {
    parts: [
      { text: 'The agent failed while it worked on this message. The server has logged why.' },
    ],
  },
};

/** A runner; it does nothing until it is started. */
export function createTurnRunner(options: TurnRunnerOptions): TurnRunner {
  return new Runner(options);
}

class Runner implements TurnRunner {
  readonly #options: TurnRunnerOptions;
  readonly #active = new Map<string, ActiveTurn>();
  #draining = false;
  #timer: NodeJS.Timeout | undefined;
  #unwatch: (() => void) | undefined;

  constructor(options: TurnRunnerOptions) {
    this.#options = options;
  }

  get running(): number {
    return this.#active.size;
  }

  lease(): Lease | undefined {
    if (this.#draining) return undefined;
    const { owner, now, leaseTime } = this.#options;
    return { owner, until: now() + leaseTime };
  }

  async start(): Promise<void> {
    this.#unwatch = this.#options.store.watch((changes) => {
      for (const change of changes) this.#follow(change);
    });
    await this.#round();
    this.#timer = setInterval(() => void this.#round(), this.#options.leaseTime / 3);
    this.#timer.unref();
  }

  async drain(deadline: number): Promise<void> {
    this.#draining = true;
    const turns = [...this.#active.values()];
    const time = Math.max(0, deadline - this.#options.now());
    await Promise.race([
      Promise.allSettled(turns.map(({ done }) => done)),
      new Promise((resolve) => setTimeout(resolve, time).unref()),
    ]);
    clearInterval(this.#timer);
    this.#unwatch?.();
    await Promise.all([...this.#active].map(([taskId, active]) => this.#giveBack(taskId, active)));
  }

  async #giveBack(taskId: string, { holder, controller }: ActiveTurn): Promise<void> {
    await this.#commitOrSkip(taskId, (head) => releaseTurn(head, holder));
    controller.abort(new TurnLostError('the server stops'));
  }

  /** Runs what became this process's to run, and cuts what is not any more. */
  #follow({ taskId, running, waiting }: TaskChange): void {
    const active = this.#active.get(taskId);
    if (active !== undefined && !isSame(active.holder, running)) {
      this.#active.delete(taskId);
      if (!active.answered) active.controller.abort(new TurnLostError('the turn is over'));
    }
    if (running?.owner === this.#options.owner && !this.#active.has(taskId)) {
      this.#run(taskId, { turn: running.number, owner: running.owner, attempt: running.attempt });
    } else if (running === undefined && waiting) {
      void this.#takeUp(taskId);
    }
  }

  #run(taskId: string, holder: TurnHolder): void {
    const controller = new AbortController();
    const done = Promise.resolve();
    const active: ActiveTurn = { holder, controller, answered: false, stuck: false, done };
    this.#active.set(taskId, active);
    active.done = this.#work(taskId, active).catch((error: unknown) => {
      active.stuck = true;
      this.#options.log.error({ err: error, taskId, turn: holder.turn }, 'a turn could not be run');
    });
  }

  async #work(taskId: string, active: ActiveTurn): Promise<void> {
    const { holder, controller } = active;
    const record = await this.#options.store.readTurn(taskId, holder.turn);
    if (record === undefined) return;
    const end = (ending: TurnEnding) =>
      this.#commit(taskId, (head) => endTurn(head, holder, ending, this.lease()));
    try {
      const ending = await this.#ask(record, holder, controller.signal);
      active.answered = true;
      await end(ending).catch((error: unknown) => {
        if (error instanceof TurnLostError) throw error;
        this.#blame(error, record);
        return end(FAILURE);
      });
    } catch (error) {
      if (!(error instanceof TurnLostError)) throw error;
    }
  }

  #blame(error: unknown, { taskId, turn }: TurnRecord): void {
    this.#options.log.error({ err: error, taskId, turn }, 'the agent failed; its task fails');
  }

  /** What the agent says the end is; a failure when it throws. */
  async #ask(record: TurnRecord, holder: TurnHolder, signal: AbortSignal): Promise<TurnEnding> {
    const { agent, agentId } = this.#options;
    try {
      const outcome = await agent.run(this.#turnOf(record, holder, signal));
      return endingOf(outcome, record, agentId);
    } catch (error) {
      if (!signal.aborted) this.#blame(error, record);
      return FAILURE;
    }
  }

  #turnOf(record: TurnRecord, holder: TurnHolder, signal: AbortSignal): Turn {
    const { taskId, turn: number } = record;
    const commit = (
      decide: (head: TaskHead, view: DecisionView) => TaskEvent[],
      artifactId?: string,
    ) => this.#commit(taskId, decide, artifactId);
    return {
      taskId,
      contextId: record.contextId,
      number,
      attempt: record.attempt,
      message: record.message,
      text: describeMessage(record.message, record.sender),
      sender: record.sender,
      activated: record.activated,
      memory: record.memory,
      signal,
      history: (limit) => this.#options.store.readHistory(taskId, number, limit),
      say: (parts) =>
        commit((head) =>
          reportStatus(head, holder, { state: 'TASK_STATE_WORKING', message: { parts } }),
        ),
      requireAuth: (parts) =>
        commit((head) =>
          reportStatus(head, holder, { state: 'TASK_STATE_AUTH_REQUIRED', message: { parts } }),
        ),
      resume: () =>
        commit((head) =>
          reportStatus(head, holder, { state: 'TASK_STATE_WORKING', message: undefined }),
        ),
      writeArtifact: ({ append = false, lastChunk = false, ...artifact }) =>
        commit(
          (head, { artifact: existing }) =>
            writeArtifact(head, holder, existing, { artifact, append, lastChunk }),
          artifact.artifactId,
        ),
    };
  }

  async #commit(
    taskId: string,
    decide: (head: TaskHead, view: DecisionView) => TaskEvent[],
    artifactId?: string,
  ): Promise<void> {
    const lookups = artifactId === undefined ? {} : { artifactId };
    await this.#options.store.change(taskId, lookups, (view) => {
      if (view.head === undefined) throw new TurnLostError(`there is no task ${taskId}`);
      return { events: decide(view.head, view), result: undefined };
    });
  }

  /** Keeps this process's leases, takes over turns that nobody works on any more, starts those that nobody started. */
  async #round(): Promise<void> {
    const { store, owner, now, leaseTime, log } = this.#options;
    try {
      if (this.#active.size > 0) await store.renewLeases(owner, now() + leaseTime);
      if (this.#draining) return;
      const isGone = (other: string) => other !== owner && isOwnerGone(other);
      const lost = [...this.#findStuck(), ...(await store.findLostTurns(now(), isGone, ROUND))];
      await Promise.all(lost.map((turn) => this.#recover(turn)));
      const idle = await store.findIdleTasks(ROUND);
      await Promise.all(idle.map((taskId) => this.#takeUp(taskId)));
    } catch (error) {
      log.error({ err: error }, 'looking for turns to run failed; it is tried again');
    }
  }

  /** The store failed them, and may do its work again. */
  #findStuck(): LostTurn[] {
    return [...this.#active].flatMap(([taskId, { stuck, holder }]) =>
      stuck ? [{ taskId, ...holder }] : [],
    );
  }

  async #recover({ taskId, ...lost }: LostTurn): Promise<void> {
    const active = this.#active.get(taskId);
    const works = active?.holder.turn === lost.turn && !active.stuck;
    if (this.#draining || works) return;
    const { attempts, log } = this.#options;
    log.warn(
      { taskId, turn: lost.turn, attempt: lost.attempt },
      'a turn was cut off; it is taken over',
    );
    await this.#startOrSkip(taskId, (head, lease) => recoverTurn(head, lost, attempts, lease));
  }

  async #takeUp(taskId: string): Promise<void> {
    if (!this.#draining) await this.#startOrSkip(taskId, startNextTurn);
  }

  #startOrSkip(taskId: string, decide: (head: TaskHead, lease: Lease) => TaskEvent[]) {
    // Asked for in the decision and not before: a turn that starts after draining has begun is given back by nobody.
    return this.#commitOrSkip(taskId, (head) => {
      const lease = this.lease();
      return lease === undefined ? [] : decide(head, lease);
    });
  }

  /** Another process may have been faster: then there is nothing to do. */
  async #commitOrSkip(taskId: string, decide: (head: TaskHead) => TaskEvent[]): Promise<void> {
    try {
      await this.#commit(taskId, decide);
    } catch (error) {
      if (error instanceof TurnLostError) return;
      this.#options.log.error({ err: error, taskId }, 'a turn could not be taken up or given back');
    }
  }
}

function isSame(holder: TurnHolder, running: TaskHead['running']): boolean {
  return (
    holder.turn === running?.number &&
    holder.owner === running.owner &&
    holder.attempt === running.attempt
  );
}

const END_STATES = {
  'input-required': 'TASK_STATE_INPUT_REQUIRED',
  completed: 'TASK_STATE_COMPLETED',
  failed: 'TASK_STATE_FAILED',
  rejected: 'TASK_STATE_REJECTED',
} as const;

function endingOf(
  { end, parts, question, memory }: TurnOutcome,
  { taskId, sender }: TurnRecord,
  agentId: string,
): TurnEnding {
  const state = END_STATES[end];
  if (question === undefined) {
    return { state, message: parts === undefined ? undefined : { parts }, memory };
  }
  const open = { asked: sender, text: question.text, options: question.options ?? [] };
  return { state, message: askQuestion(taskId, agentId, open), question: open, memory };
}
