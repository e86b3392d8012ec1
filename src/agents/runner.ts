/**
 * Runs turns: one at a time a task, each under a lease. A turn that is over for any other reason than its own end
 * (cancelled, completed, taken over) is aborted, and what its agent still writes is refused.
 */
import type { Logger } from '../log.ts';
import type { Lease, TurnEnding, TurnHolder } from '../core/turns.ts';
import { endTurn, recoverTurn, releaseTurn, startNextTurn, TurnLostError } from '../core/turns.ts';
import { ProtocolError } from '../core/errors.ts';
import { takeChildrenAlong } from '../core/endings.ts';
import type { TaskEvent } from '../core/events.ts';
import type { TaskHead } from '../core/task.ts';
import { isTerminal } from '../core/task.ts';
import type { LostTurn, Store, TaskChange, TurnRecord } from '../store/port.ts';
import type { ToolSettings } from './act.ts';
import type { TurnLimits } from './limits.ts';
import { createBudget } from './limits.ts';
import { endingOf, failureOf, unknownAgent } from './outcome.ts';
import { isOwnerGone } from './owner.ts';
import type { Agent } from './port.ts';
import type { Slots } from './slots.ts';
import { createSlots } from './slots.ts';
import { openTurn } from './turn.ts';

/** What the runner works with. */
export interface TurnRunnerOptions {
  readonly store: Store;
  readonly agent: Agent;
  /** The remote agents by id: they run the turns of the sub-tasks that were handed to them. */
  readonly remoteAgents: ReadonlyMap<string, Agent>;
  /** What the agent's tools work with. */
  readonly tools: ToolSettings;
  /** How much an agent may do in a turn. */
  readonly limits: TurnLimits;
  /** How many delegated sub-tasks run at a time; those of remote agents do not count. */
  readonly parallelSubTasks: number;
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
  /**
   * A lease for a turn of the task that starts now. Undefined when no new turns are taken up, and for a sub-task that
   * has yet to find a place: its turn is started when there is one.
   */
  lease(head: TaskHead): Lease | undefined;
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
  /** Whether a remote agent runs it: it goes on there whatever becomes of this process. */
  remote: boolean;
  done: Promise<void>;
}

/** How many lost or idle tasks are looked at in one round; they are taken up together, and share a commit. */
const ROUND = 1000;

/** A runner; it does nothing until it is started. */
export function createTurnRunner(options: TurnRunnerOptions): TurnRunner {
  return new Runner(options);
}

class Runner implements TurnRunner {
  readonly #options: TurnRunnerOptions;
  readonly #active = new Map<string, ActiveTurn>();
  readonly #slots: Slots;
  #draining = false;
  #timer: NodeJS.Timeout | undefined;
  #unwatch: (() => void) | undefined;

  constructor(options: TurnRunnerOptions) {
    this.#options = options;
    this.#slots = createSlots(options.parallelSubTasks);
  }

  get running(): number {
    return this.#active.size;
  }

  lease(head: TaskHead): Lease | undefined {
    // Where a turn runs, be it in another process, the next one takes over its place.
    return head.running !== undefined || this.#slots.has(head) ? this.#lease() : undefined;
  }

  #lease(): Lease | undefined {
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
    const turns = [...this.#active.values()].filter(({ remote }) => !remote);
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
    const isOurs = running?.owner === this.#options.owner;
    const isIdle = running === undefined && waiting;
    if (!isIdle) this.#slots.leave(taskId);
    if (!isOurs && this.#slots.free(taskId)) void this.#fillSlots();
    if (isOurs && !this.#active.has(taskId)) {
      this.#run(taskId, { turn: running.number, owner: running.owner, attempt: running.attempt });
    } else if (isIdle) {
      void this.#takeUp(taskId);
    }
  }

  /** A place for a sub-task is free. */
  async #fillSlots(): Promise<void> {
    for (const taskId of this.#slots.queue) {
      if (this.#slots.full) return;
      await this.#takeUp(taskId);
    }
  }

  #run(taskId: string, holder: TurnHolder): void {
    const controller = new AbortController();
    const done = Promise.resolve();
    const state = { answered: false, stuck: false, remote: false };
    const active: ActiveTurn = { holder, controller, ...state, done };
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
    active.remote = record.head.agent !== undefined;
    const end = (ending: TurnEnding) => {
      const mayEnd = isTerminal(ending.state) && ending.state !== 'TASK_STATE_COMPLETED';
      const decide = (head: TaskHead) => endTurn(head, holder, ending, this.lease(head));
      return this.#commit(taskId, decide, mayEnd);
    };
    try {
      const ending = await this.#ask(record, holder, controller);
      active.answered = true;
      await end(ending).catch((error: unknown) => {
        if (error instanceof TurnLostError || isStoresFault(error)) throw error;
        this.#blame(error, record);
        return end(failureOf(error));
      });
    } catch (error) {
      if (!(error instanceof TurnLostError)) throw error;
    }
  }

  #blame(error: unknown, { taskId, turn }: TurnRecord): void {
    this.#options.log.error({ err: error, taskId, turn }, 'the agent failed; its task fails');
  }

  /** What the agent says the end is; a failure when it throws or passes a limit. Rejects when the store is to blame. */
  async #ask(
    record: TurnRecord,
    holder: TurnHolder,
    controller: AbortController,
  ): Promise<TurnEnding> {
    const { store, tools, agent, remoteAgents, agentId, limits, log } = this.#options;
    const { agent: remote } = record.head;
    const runs = remote === undefined ? agent : remoteAgents.get(remote);
    if (runs === undefined) return unknownAgent(remote ?? agentId);
    // A remote agent may take days; it has a limit of its own for how long it may be silent.
    const time = remote === undefined ? limits.time : undefined;
    const made = record.calls.filter(({ result }) => result !== undefined).length;
    const budget = createBudget({ ...limits, time }, made);
    const { signal } = controller;
    try {
      const turn = await openTurn({ store, tools, agentId, record, holder, budget, signal, log });
      const outcome = await Promise.race([runs.run(turn), budget.exceeded]);
      const ending = endingOf(outcome, record, agentId);
      budget.write([ending.message?.parts ?? [], ending.memory ?? null]);
      return ending;
    } catch (error) {
      if (!signal.aborted && !isStoresFault(error)) this.#blame(error, record);
      // Nothing that the agent still does is to land between this failure and the end that it is (rule C5).
      controller.abort(error);
      if (isStoresFault(error)) throw error;
      return failureOf(error);
    } finally {
      budget.close();
    }
  }

  /** Where the events may end the task, its children are looked at, too. */
  async #commit(
    taskId: string,
    decide: (head: TaskHead) => TaskEvent[],
    mayEnd = false,
  ): Promise<void> {
    await this.#options.store.change(taskId, { children: mayEnd }, ({ head, children }) => {
      if (head === undefined) throw new TurnLostError(`there is no task ${taskId}`);
      return { ...takeChildrenAlong(head, children, decide(head)), result: undefined };
    });
  }

  /** Keeps this process's leases, takes over turns that nobody works on any more, starts those that nobody started. */
  async #round(): Promise<void> {
    const { store, owner, now, leaseTime, log } = this.#options;
    try {
      if (this.#active.size > 0) await store.renewLeases(owner, now() + leaseTime);
      if (this.#draining) return;
      const isGone = (other: string) => other !== owner && isOwnerGone(other);
      const lost = await store.findLostTurns(now(), isGone, ROUND);
      const [, ...taken] = await Promise.all([
        this.#takeUpIdle(),
        ...[...this.#findStuck(), ...lost].map((turn) => this.#recover(turn)),
      ]);
      // What else there is need not wait for the next time, unless nothing of this could be taken up.
      if (lost.length === ROUND && taken.includes(true)) void this.#round();
    } catch (error) {
      log.error({ err: error }, 'looking for turns to run failed; it is tried again');
    }
  }

  /** Starts what nobody started. All of it: what is found first may be sub-tasks that wait for a place. */
  async #takeUpIdle(): Promise<void> {
    let idle: readonly string[];
    let last = '';
    do {
      idle = await this.#options.store.findIdleTasks(ROUND, last);
      last = idle.at(-1) ?? last;
      await Promise.all(idle.map((taskId) => this.#takeUp(taskId)));
    } while (idle.length === ROUND && !this.#draining);
  }

  /** The store failed them, and may do its work again. */
  #findStuck(): LostTurn[] {
    return [...this.#active].flatMap(([taskId, { stuck, holder }]) =>
      stuck ? [{ taskId, ...holder }] : [],
    );
  }

  async #recover({ taskId, ...lost }: LostTurn): Promise<boolean> {
    const active = this.#active.get(taskId);
    const works = active?.holder.turn === lost.turn && !active.stuck;
    if (this.#draining || works) return false;
    const { attempts, log } = this.#options;
    const isTaken = await this.#startOrSkip(
      taskId,
      (head, lease) =>
        // One that runs elsewhere is only followed again: nothing is repeated, however often.
        recoverTurn(head, lost, head.agent === undefined ? attempts : Infinity, lease),
      lost.attempt >= attempts,
    );
    const { turn, attempt } = lost;
    if (isTaken) log.warn({ taskId, turn, attempt }, 'a turn was cut off; it is taken over');
    return isTaken;
  }

  async #takeUp(taskId: string): Promise<boolean> {
    const { full, queue } = this.#slots;
    if (this.#draining || (full && queue.has(taskId))) return false;
    return this.#startOrSkip(taskId, startNextTurn);
  }

  /** Whether a turn was started, or ended for good. */
  #startOrSkip(
    taskId: string,
    decide: (head: TaskHead, lease: Lease) => TaskEvent[],
    mayEnd = false,
  ): Promise<boolean> {
    // Asked for in the decision and not before: a turn that starts after draining has begun is given back by nobody.
    const start = (head: TaskHead) => {
      const lease = this.#lease();
      const events = lease === undefined ? [] : decide(head, lease);
      return events.length > 0 && this.#slots.take(head) ? events : [];
    };
    return this.#commitOrSkip(taskId, start, mayEnd);
  }

  /** Another process may have been faster: then there is nothing to do, and the answer is false. */
  async #commitOrSkip(
    taskId: string,
    decide: (head: TaskHead) => TaskEvent[],
    mayEnd = false,
  ): Promise<boolean> {
    let count = 0;
    const counted = (head: TaskHead) => {
      const events = decide(head);
      count = events.length;
      return events;
    };
    try {
      await this.#commit(taskId, counted, mayEnd);
      return count > 0;
    } catch (error) {
      if (!this.#active.has(taskId)) this.#slots.free(taskId);
      if (error instanceof TurnLostError) return false;
      this.#options.log.error({ err: error, taskId }, 'a turn could not be taken up or given back');
      return false;
    }
  }
}

/** Whether the store could keep nothing for the moment: then the turn is run again, as after a crash. */
function isStoresFault(error: unknown): boolean {
  return error instanceof ProtocolError && error.reason === 'UNAVAILABLE';
}

function isSame(holder: TurnHolder, running: TaskHead['running']): boolean {
  return (
    holder.turn === running?.number &&
    holder.owner === running.owner &&
    holder.attempt === running.attempt
  );
}
