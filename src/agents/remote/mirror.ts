/** What a remote agent tells of its task, as acts and the end of a turn here. */
import type { Message, StreamResponse, Task, TaskStatus } from '@tiny-harness/contract/a2a';
import { helpRequestOf, subStateOf } from '@tiny-harness/contract/client';
import type { TaskExtensionData } from '@tiny-harness/contract/task/v1';
import { readTaskExtension } from '@tiny-harness/contract/task/v1';
import type { Json, JsonObject } from '../../core/task.ts';
import { isShortTerminal } from '../../core/task.ts';
import type { Turn, TurnOutcome } from '../port.ts';
import { Artifacts } from './artifacts.ts';
import { clip, RemoteFault } from './faults.ts';
import type { Parts } from './parts.ts';
import { passOn, textOf } from './parts.ts';
import type { RemotePlace } from './place.ts';
import { digestOf } from './place.ts';
import type { SilenceWatch } from './silence.ts';

/** How many events of one turn are looked at, and how many updates of them are passed on. */
const MAX_EVENTS = 10_000;
const MAX_UPDATES = 500;

/** What a mirror works with. */
export interface MirrorOptions {
  readonly turn: Turn;
  readonly place: RemotePlace;
  readonly silence: SilenceWatch;
  /** Parts of the last update that an earlier run of this turn has passed on. */
  readonly lastSaid: Parts | undefined;
}

/** Follows one turn's events. */
export class Mirror {
  readonly #turn: Turn;
  readonly #place: RemotePlace;
  readonly #silence: SilenceWatch;
  readonly #artifacts: Artifacts;
  #lastSaid: string | undefined;
  #lastStatus: string | undefined;
  #data: TaskExtensionData | undefined;
  #awaitsAuth = false;
  /** The status with which it waits for sub-tasks of its own, until it goes on. */
  #handedOn: string | undefined;
  #events = 0;
  #updates = 0;

  constructor({ turn, place, silence, lastSaid }: MirrorOptions) {
    this.#turn = turn;
    this.#place = place;
    this.#silence = silence;
    this.#artifacts = new Artifacts(turn);
    this.#lastSaid = lastSaid && JSON.stringify(lastSaid);
  }

  /**
   * Takes an event. Resolves with how the turn ends when it ends with this one.
   *
   * @throws RemoteFault when the remote agent contradicts itself, or says too much
   */
  async take(event: StreamResponse): Promise<TurnOutcome | undefined> {
    this.#events += 1;
    if (this.#events > MAX_EVENTS) throw new RemoteFault(`sent more than ${MAX_EVENTS} events`);
    if (event.task !== undefined) return this.#takeTask(event.task);
    if (event.message !== undefined) return this.#takeMessage(event.message);
    if (event.statusUpdate !== undefined) {
      const { taskId, contextId, status } = event.statusUpdate;
      await this.#place.meet(taskId, contextId);
      return this.#takeStatus(status, event.statusUpdate);
    }
    const { taskId, contextId, artifact, append = false, lastChunk = false } = event.artifactUpdate;
    await this.#place.meet(taskId, contextId);
    this.#silence.heard();
    await this.#artifacts.takeChunk(artifact, append, lastChunk);
    return undefined;
  }

  async #takeTask(task: Task): Promise<TurnOutcome | undefined> {
    await this.#place.meet(task.id, task.contextId === '' ? undefined : task.contextId);
    for (const artifact of task.artifacts ?? []) {
      if (await this.#artifacts.takeWhole(artifact)) this.#silence.heard();
    }
    return this.#takeStatus(task.status, task);
  }

  /** An answer without a task is all there is to it; one that follows a task is an update of it. */
  async #takeMessage({ parts }: Message): Promise<TurnOutcome | undefined> {
    if (this.#place.remoteTaskId === undefined) {
      return { end: 'completed', parts: passOn(parts) ?? [{ text: NO_WORDS }] };
    }
    await this.#place.arrive();
    await this.#say(parts);
    return undefined;
  }

  async #takeStatus(
    status: TaskStatus,
    carrier: Pick<Task, 'metadata' | 'history'>,
  ): Promise<TurnOutcome | undefined> {
    const data = readTaskExtension(carrier);
    if (data?.ok === true) this.#data = data.value;
    const digest = digestOf(status);
    const isNew = digest !== this.#lastStatus;
    this.#lastStatus = digest;
    if (isNew) this.#silence.heard();
    switch (status.state) {
      case 'TASK_STATE_SUBMITTED':
      case 'TASK_STATE_WORKING':
        this.#handedOn = undefined;
        await this.#resume();
        if (isNew && status.message !== undefined) await this.#say(status.message.parts);
        return undefined;
      case 'TASK_STATE_AUTH_REQUIRED':
        await this.#requireAuth(status);
        return undefined;
      case 'TASK_STATE_INPUT_REQUIRED':
        return this.#takeQuestion(status, carrier);
      default:
        await this.#place.close();
        return this.#endWith(status, carrier);
    }
  }

  async #say(parts: Message['parts']): Promise<void> {
    const passed = passOn(parts);
    const said = JSON.stringify(passed);
    if (passed === undefined || said === this.#lastSaid || this.#updates >= MAX_UPDATES) return;
    this.#lastSaid = said;
    this.#updates += 1;
    await this.#turn.say(passed);
  }

  async #requireAuth({ message }: TaskStatus): Promise<void> {
    if (this.#awaitsAuth) return;
    this.#awaitsAuth = true;
    await this.#turn.requireAuth(passOn(message?.parts ?? []) ?? [{ text: AUTH }]);
  }

  async #resume(): Promise<void> {
    if (!this.#awaitsAuth) return;
    this.#awaitsAuth = false;
    await this.#turn.resume();
  }

  #takeQuestion(status: TaskStatus, carrier: Pick<Task, 'metadata'>): TurnOutcome | undefined {
    // What the task had before the message arrived says nothing about the message.
    const seen = digestOf(status);
    if (isMemory(this.#turn.memory) && this.#turn.memory.seen === seen) return undefined;
    const parts = passOn(status.message?.parts ?? []);
    if (subStateOf(carrier) === 'awaiting-next-message') {
      if (this.#waitsForSubTasks(status, carrier)) return undefined;
      // In a conversation the reply is the answer: only who asked can complete it (rule C1).
      if (this.#data?.lifecycle !== 'delegated') {
        return { end: 'completed', parts: parts ?? [{ text: NO_WORDS }] };
      }
    }
    const memory: Memory = { seen };
    const request = helpRequestOf({ status });
    if (request === undefined) {
      return { end: 'input-required', parts: parts ?? [{ text: MORE }], memory };
    }
    const [text] = passOn([{ text: request.text }]) ?? [];
    return { end: 'input-required', question: { text: text?.text ?? MORE }, memory };
  }

  /** Whether sub-tasks there are under way, or have just ended: what comes of them opens another turn. */
  #waitsForSubTasks(status: TaskStatus, carrier: Pick<Task, 'metadata'>): boolean {
    const seen = digestOf(status);
    // An update without words may be about the data alone, such as that a sub-task has ended.
    const isEnd = status.message !== undefined || 'id' in carrier;
    if (this.#data?.sub_tasks.some(isUnresolved) === true) {
      this.#handedOn = isEnd ? seen : (this.#handedOn ?? seen);
      return true;
    }
    return this.#handedOn !== undefined && (!isEnd || seen === this.#handedOn);
  }

  #endWith({ state, message }: TaskStatus, { history = [] }: Pick<Task, 'history'>): TurnOutcome {
    const parts = message?.parts ?? [];
    if (state === 'TASK_STATE_COMPLETED') {
      const last = history.at(-1);
      const spoken = last?.role === 'ROLE_AGENT' ? passOn(last.parts) : undefined;
      const written = passOn([{ text: this.#artifacts.text }].filter(({ text }) => text !== ''));
      return {
        end: 'completed',
        parts: passOn(parts) ?? written ?? spoken ?? [{ text: NO_WORDS }],
      };
    }
    const reason = clip(textOf(parts), 2000);
    throw new RemoteFault(`${ENDINGS[state] ?? 'failed'}${reason === '' ? '' : `: ${reason}`}`);
  }
}

const ENDINGS: Readonly<Partial<Record<TaskStatus['state'], string>>> = {
  TASK_STATE_FAILED: 'failed',
  TASK_STATE_REJECTED: 'rejected the task',
  TASK_STATE_CANCELED: 'cancelled the task',
};

/** What is left for the next turn: a digest of the status with which the last one ended. */
interface Memory extends JsonObject {
  readonly seen: string;
}

function isMemory(memory: Json | undefined): memory is Memory {
  return typeof memory === 'object' && memory !== null && 'seen' in memory;
}

const AUTH = 'The remote agent waits for an authorisation that is given elsewhere.';
const MORE = 'The remote agent needs to be told more.';
const NO_WORDS = 'The remote agent is done, and says no more about it.';

function isUnresolved({ state }: TaskExtensionData['sub_tasks'][number]): boolean {
  return state === null || !isShortTerminal(state);
}
