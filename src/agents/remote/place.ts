/** Which remote task a turn is about, and how far it is known to be. */
import { createHash } from 'node:crypto';
import type { TaskStatus } from '@tiny-harness/contract/a2a';
import type { RemoteTask } from '../../core/remote-task.ts';
import type { Turn } from '../port.ts';
import { RemoteFault } from './faults.ts';
import type { RemoteTaskLog } from './port.ts';

/** The remote task of a turn. What it learns is durable before anything else happens. */
export class RemotePlace {
  readonly #log: RemoteTaskLog;
  readonly #turn: Turn;
  readonly #agent: string;
  #known: RemoteTask | undefined;

  constructor(log: RemoteTaskLog, turn: Turn, agent: string, known: RemoteTask | undefined) {
    this.#log = log;
    this.#turn = turn;
    this.#agent = agent;
    this.#known = known;
  }

  /** The remote task; undefined before it is known. */
  get remoteTaskId(): string | undefined {
    return this.#known?.remoteTaskId;
  }

  get contextId(): string | undefined {
    return this.#known?.contextId;
  }

  /** Whether the message of this turn has arrived. */
  get isSent(): boolean {
    return this.#known?.turn === this.#turn.number;
  }

  /**
   * The remote agent has spoken of a task: the first time that is the one from now on, and the message has arrived.
   *
   * @throws RemoteFault when it is another one than before
   */
  async meet(remoteTaskId: string, contextId: string | undefined): Promise<void> {
    const known = this.#known;
    if (known !== undefined && known.remoteTaskId !== remoteTaskId) {
      throw new RemoteFault('answers for another task than the one that it was given');
    }
    const before = known?.contextId;
    if (before !== undefined && contextId !== undefined && before !== contextId) {
      throw new RemoteFault('has moved the task to another conversation');
    }
    if (this.isSent) return;
    await this.#remember({ remoteTaskId, contextId: contextId ?? before, open: true });
    this.#turn.signal.throwIfAborted();
  }

  /** The message of a follow-up has arrived, though nothing was said of the task. */
  async arrive(): Promise<void> {
    const { remoteTaskId } = this;
    if (remoteTaskId !== undefined) await this.meet(remoteTaskId, undefined);
  }

  /** The remote agent is done with the task. */
  async close(): Promise<void> {
    const known = this.#known;
    if (known !== undefined) await this.#remember({ ...known, open: false });
  }

  async #remember(change: Pick<RemoteTask, 'remoteTaskId' | 'contextId' | 'open'>): Promise<void> {
    const { taskId, number: turn } = this.#turn;
    const task = { taskId, agent: this.#agent, turn, ...change };
    this.#known = task;
    await this.#log.remember(task);
  }
}

/** Tells two statuses apart. */
export function digestOf({ state, timestamp, message }: TaskStatus): string {
  const text = JSON.stringify([state, timestamp, message?.messageId, message?.parts]);
  return createHash('sha256').update(text).digest('base64url');
}
