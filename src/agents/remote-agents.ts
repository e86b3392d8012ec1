/**
 * The remote agents of a server, and what becomes of their tasks: one whose task here has ended is completed or
 * cancelled there, also when this server was stopped in between.
 */
import type { RemoteTask } from '../core/remote-task.ts';
import { isTerminal } from '../core/task.ts';
import type { Logger } from '../log.ts';
import type { Store } from '../store/port.ts';
import type { RemoteAgentSummary } from './port.ts';
import type { RemoteAgent } from './remote/agent.ts';
import { createRemoteAgent } from './remote/agent.ts';
import type { RemoteAgentDefinition } from './remote/definition.ts';
import { RemoteTrouble } from './remote/faults.ts';

/** What remote agents work with. */
export interface RemoteAgentsOptions {
  readonly definitions: readonly RemoteAgentDefinition[];
  readonly store: Pick<
    Store,
    'putRemoteTask' | 'readRemoteTask' | 'listOpenRemoteTasks' | 'readHead' | 'watch'
  >;
  /** For how many milliseconds one may have nothing new to say before its sub-task fails. */
  readonly timeout: number;
  /** Milliseconds between the first questions after a sub-task. */
  readonly poll: number;
  readonly log: Logger;
  /** Milliseconds between the first attempts to end a remote task; then twice as many each time. */
  readonly retry?: number;
}

/** The remote agents of a server. */
export interface RemoteAgents {
  /** By their ids. */
  readonly agents: ReadonlyMap<string, RemoteAgent>;
  /** What agents are told of them. */
  readonly summaries: readonly RemoteAgentSummary[];
  /** From now on tasks are ended there that have ended here, those among them that an earlier process left. */
  start(): Promise<void>;
  /** Begins nothing more; what is under way is cut. */
  stop(): void;
}

/** How often an end is tried in this process, and how long one attempt may take: milliseconds. */
const ATTEMPTS = 10;
const ATTEMPT_TIME = 30_000;

/** How many remote tasks are looked at in one round, and the milliseconds between two rounds. */
const ROUND = 1000;
const ROUND_TIME = 30_000;

/** Remote agents; their tasks are left alone until they are started. */
export function createRemoteAgents(options: RemoteAgentsOptions): RemoteAgents {
  return new Remotes(options);
}

class Remotes implements RemoteAgents {
  readonly agents: ReadonlyMap<string, RemoteAgent>;
  readonly summaries: readonly RemoteAgentSummary[];
  readonly #options: RemoteAgentsOptions;
  /** Our tasks with a remote one that is open, as far as this process has heard. */
  readonly #open = new Set<string>();
  readonly #settling = new Set<string>();
  readonly #stopped = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #unwatch: (() => void) | undefined;

  constructor(options: RemoteAgentsOptions) {
    const { definitions, store, timeout, poll } = options;
    this.#options = options;
    const log = {
      find: (taskId: string) => store.readRemoteTask(taskId),
      remember: (task: RemoteTask) => this.#remember(task),
    };
    this.summaries = definitions.map(({ id, description }) => ({ id, description }));
    this.agents = new Map(
      definitions.map((each) => [each.id, createRemoteAgent(each, { log, timeout, poll })]),
    );
  }

  async start(): Promise<void> {
    if (this.agents.size === 0) return;
    const { store } = this.#options;
    this.#unwatch = store.watch((changes) => {
      for (const { taskId, running } of changes) {
        if (running === undefined && this.#open.has(taskId)) void this.#check(taskId);
      }
    });
    for (const { taskId } of await store.listOpenRemoteTasks('any', ROUND)) this.#open.add(taskId);
    await this.#round();
    // Another process may have ended a task of ours, and an agent may be back.
    this.#timer = setInterval(() => void this.#round(), ROUND_TIME);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#unwatch?.();
    this.#stopped.abort();
  }

  async #remember(task: RemoteTask): Promise<void> {
    await this.#options.store.putRemoteTask(task);
    if (!task.open) {
      this.#open.delete(task.taskId);
      return;
    }
    this.#open.add(task.taskId);
    // It may have ended before anybody knew that there was something to end elsewhere.
    await this.#check(task.taskId);
  }

  async #round(): Promise<void> {
    try {
      const ended = await this.#options.store.listOpenRemoteTasks('ended', ROUND);
      for (const { taskId } of ended) void this.#check(taskId);
    } catch (error) {
      if (!this.#isStopped()) {
        this.#options.log.error({ err: error }, 'looking for remote tasks to end failed');
      }
    }
  }

  /** Ends the remote task when ours has ended. Resolves when that is known, not when it is done. */
  async #check(taskId: string): Promise<void> {
    try {
      const head = await this.#options.store.readHead(taskId);
      if (head === undefined || !isTerminal(head.state) || this.#settling.has(taskId)) return;
      this.#settling.add(taskId);
      const how = head.state === 'TASK_STATE_COMPLETED' ? 'complete' : 'cancel';
      void this.#settle(taskId, how).finally(() => this.#settling.delete(taskId));
    } catch (error) {
      this.#complain(error, taskId);
    }
  }

  async #settle(taskId: string, how: 'complete' | 'cancel'): Promise<void> {
    try {
      const task = await this.#options.store.readRemoteTask(taskId);
      const agent = task && this.agents.get(task.agent);
      // An agent that is not configured any more may be again.
      if (task?.open !== true || agent === undefined) return;
      await this.#tryToSettle(agent, task, how);
      if (!this.#isStopped()) await this.#remember({ ...task, open: false });
    } catch (error) {
      this.#complain(error, taskId);
    }
  }

  async #tryToSettle(
    agent: RemoteAgent,
    task: RemoteTask,
    how: 'complete' | 'cancel',
  ): Promise<void> {
    const { log, retry = 1000 } = this.#options;
    const { signal } = this.#stopped;
    for (let attempt = 1; attempt <= ATTEMPTS && !this.#isStopped(); attempt += 1) {
      try {
        await withTime(ATTEMPT_TIME, signal, (each) => agent.settle(task, how, each));
        return;
      } catch (error) {
        if (this.#isStopped()) return;
        const { taskId, agent: id, remoteTaskId } = task;
        const because = error instanceof Error ? error.message : String(error);
        log.warn({ taskId, agent: id, remoteTaskId, attempt, because }, 'a remote task goes on');
        // What does not pass is left alone.
        if (!(error instanceof RemoteTrouble)) return;
        await pause(retry * 2 ** (attempt - 1) * (0.5 + Math.random() / 2), signal);
      }
    }
  }

  #isStopped(): boolean {
    return this.#stopped.signal.aborted;
  }

  #complain(error: unknown, taskId: string): void {
    if (this.#isStopped()) return;
    this.#options.log.error({ err: error, taskId }, 'a remote task could not be ended');
  }
}

/** Runs with a signal that is aborted with another one or after so many milliseconds. */
async function withTime(
  time: number,
  cut: AbortSignal,
  run: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const controller = new AbortController();
  const abort = () => {
    controller.abort(new RemoteTrouble('did not answer in time'));
  };
  const timer = setTimeout(abort, time);
  cut.addEventListener('abort', abort);
  try {
    await run(controller.signal);
  } finally {
    clearTimeout(timer);
    cut.removeEventListener('abort', abort);
  }
}

function pause(time: number, cut: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      cut.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, time);
    timer.unref();
    cut.addEventListener('abort', end);
  });
}
