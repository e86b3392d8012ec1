/**
 * Where tasks are kept: an append-only log of events a task, and what is read from it. Everything is asynchronous
 * and nothing assumes that one process uses the store alone: leases, wake-ups and cursors go through here.
 * test/store/contract.ts is what an implementation must pass.
 */
import type { Message, StreamResponse, TaskState } from '@tiny-harness/contract/a2a';
import type { Decision, DecisionView, Lookups } from '../core/decision.ts';
import type { NumberedEvent } from '../core/events.ts';
import type { RemoteTask } from '../core/remote-task.ts';
import type { Surface } from '../core/surface.ts';
import type { AcceptedMessage, Json, RecordedCall, RunningTurn, TaskHead } from '../core/task.ts';

/** ProtoJSON as text. The log keeps what goes over the wire, so that answering is joining. */
export type JsonText = string;

/** Where and when an event of a task happened. */
export interface EventPlace {
  readonly taskId: string;
  readonly contextId: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** How events and metadata are written. */
export interface WireForm {
  /** The event as streams carry it. */
  readonly toStreamResponse: (event: NumberedEvent, place: EventPlace) => StreamResponse;
  /** `Task.metadata` of a task's data, as JSON text, and its sub-state. */
  readonly toTaskMetadata: (data: JsonText, subState: string | undefined) => JsonText;
}

/** What was committed. */
export interface Committed<T> {
  readonly result: T;
  /** Sequence number of the task's last event; -1 when there is no task. */
  readonly seq: number;
}

/** Something was committed to a task, by this process or another. */
export interface TaskChange {
  readonly taskId: string;
  /** Sequence number of the task's last event. */
  readonly seq: number;
  /** The turn that runs after it: whose it is runs it, and whoever ran another one stops. */
  readonly running: RunningTurn | undefined;
  /** Whether a turn waits that could start if none ran. */
  readonly waiting: boolean;
}

/** An event as the log keeps it. */
export interface StoredEvent {
  readonly seq: number;
  /** A StreamResponse. */
  readonly body: JsonText;
  /** The state after a status event. */
  readonly state: TaskState | undefined;
  /** The turn that ran when it happened, the one that it started or ended included. */
  readonly turn: number | undefined;
  /** Whether that turn is over with it. */
  readonly endsTurn: boolean;
  /** Whether that turn ended with a question: no other starts before it is answered. */
  readonly asks: boolean;
  /** Whether the task's data changed, and perhaps who may see it. */
  readonly changesData: boolean;
  /** Turns that were cut for that one: what becomes of it becomes of them. */
  readonly absorbed: readonly number[];
}

/** How much of a task is read. */
export interface TaskRead {
  /** At most this many of the latest messages; 0 leaves `history` out. */
  readonly history: number;
  /** Whether artifacts are; a list has `[]` where there are none (specification 3.1.4). */
  readonly artifacts: boolean;
  /** The task as it was after this event; by default as it is. */
  readonly asOf?: number;
  /** Whether `asOf` is a reply: its status stands in the place of the task's, which did not change. */
  readonly withReply?: boolean;
}

/** A task as ProtoJSON, and the last event that it reflects. */
export interface TaskSnapshot {
  readonly seq: number;
  readonly state: TaskState;
  readonly json: JsonText;
}

/** Which tasks are listed: those that the reader may see, latest status first. */
export interface TaskQuery {
  readonly reader: string;
  readonly contextId?: string | undefined;
  readonly state?: TaskState | undefined;
  /** Status timestamp at or after: milliseconds since 1970. */
  readonly since?: number | undefined;
  readonly limit: number;
  /** Where the page before ended. */
  readonly after?: TaskKey | undefined;
  readonly read: TaskRead;
}

/** The place of a task in a list. */
export interface TaskKey {
  /** Milliseconds since 1970. */
  readonly statusAt: number;
  readonly id: string;
}

/** A page of tasks. */
export interface TaskPage {
  readonly tasks: readonly JsonText[];
  /** The key of the last one, when more follow. */
  readonly next: TaskKey | undefined;
  /** How many tasks the query matches, on all pages. */
  readonly total: number;
}

/** A turn as the agent that runs it needs it. */
export interface TurnRecord {
  readonly taskId: string;
  readonly contextId: string;
  readonly turn: number;
  readonly attempt: number;
  readonly message: Message;
  readonly sender: string;
  /** The URIs of the extensions that the message's client activated. */
  readonly activated: readonly string[];
  /** What the agent left last, with the turn before or an earlier one. */
  readonly memory: Json | undefined;
  /** The calls that an earlier run of this turn made, in their order. */
  readonly calls: readonly RecordedCall[];
  /** What an earlier run of this turn has said while it worked, as the parts of messages, in their order. */
  readonly said: readonly JsonText[];
  /** The task as it is. */
  readonly head: TaskHead;
}

/** A turn whose process is gone. */
export interface LostTurn {
  readonly taskId: string;
  readonly turn: number;
  readonly owner: string;
  readonly attempt: number;
}

/** A push notification config as it is kept. Secrets are as the caller of the store sealed them. */
export interface PushConfig {
  readonly taskId: string;
  readonly id: string;
  /** The participant whose config it is. */
  readonly owner: string;
  readonly url: string;
  /** Token and credentials as JSON, perhaps encrypted. */
  readonly secrets: string | undefined;
}

/** The next event that a config's webhook is to be told. */
export interface Delivery {
  readonly config: PushConfig;
  readonly seq: number;
  readonly body: JsonText;
  /** How often this event was tried before. */
  readonly attempts: number;
}

/** What became of a delivery: it arrived, is tried again later, or is given up (a dead letter). */
export type DeliveryOutcome =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly at: number; readonly error: string }
  | { readonly kind: 'dead'; readonly error: string };

/** Turns: who runs what, and what nobody runs. */
export interface TurnStore {
  /** The message of a turn and what the agent needs with it; undefined when the turn is over. */
  readTurn(taskId: string, turn: number): Promise<TurnRecord | undefined>;
  /**
   * Messages of the task as the turn sees them, oldest first: the latest `limit`, without those whose turns wait. Turns
   * do not run in the order of their numbers when one interrupts or answers.
   */
  readHistory(taskId: string, turn: number, limit: number): Promise<readonly Message[]>;
  /** The surfaces that the task's agent has shown and not deleted. */
  readSurfaces(taskId: string): Promise<readonly Surface[]>;
  /** Extends every lease of the owner. */
  renewLeases(owner: string, until: number): Promise<void>;
  /** Turns whose lease ended before `now` or whose owner `isGone`, at most `limit`. */
  findLostTurns(
    now: number,
    isGone: (owner: string) => boolean,
    limit: number,
  ): Promise<readonly LostTurn[]>;
  /**
   * Tasks that have not ended, with a turn that waits and none that runs, in the order of their ids: those after
   * `after`, at most `limit`.
   */
  findIdleTasks(limit: number, after?: string): Promise<readonly string[]>;
}

/** Push notification configs, and the outbox: for each config, the next event of the log to deliver. */
export interface PushStore {
  /**
   * Creates the config or replaces the one with its id. Its webhook is told the events after `after`; by default
   * those after the task's last. One that was there already goes on with what it has to deliver, in order and once, so
   * that the same config can be put again. Rejects with ProtocolError TASK_NOT_FOUND unless its owner may see the task.
   */
  putPushConfig(config: PushConfig, after?: number): Promise<void>;
  readPushConfig(taskId: string, owner: string, id: string): Promise<PushConfig | undefined>;
  /** The owner's configs on the task in the order of their ids, after `afterId`, at most `limit`. */
  listPushConfigs(
    taskId: string,
    owner: string,
    afterId: string | undefined,
    limit: number,
  ): Promise<readonly PushConfig[]>;
  /** Removes the config and what it still had to deliver; nothing when there is none. */
  deletePushConfig(taskId: string, owner: string, id: string): Promise<void>;
  /** Takes deliveries that are due, one a config, and holds each for the claimer until `until`. */
  claimDeliveries(now: number, until: number, limit: number): Promise<readonly Delivery[]>;
  /** Records what became of a claimed delivery. Nothing when the config is gone. */
  settleDelivery(delivery: Delivery, outcome: DeliveryOutcome): Promise<void>;
  /**
   * When the next delivery is due, milliseconds since 1970; undefined when none waits. One that is claimed is due
   * when its claim ends.
   */
  nextDeliveryAt(): Promise<number | undefined>;
  /** How many deliveries wait and how many were given up. */
  countDeliveries(): Promise<{ readonly waiting: number; readonly dead: number }>;
}

/** The tasks that remote agents work on for ours: one of theirs for one of ours. */
export interface RemoteTaskStore {
  /** Remembers it in the place of what was known before of our task's. */
  putRemoteTask(task: RemoteTask): Promise<void>;
  readRemoteTask(taskId: string): Promise<RemoteTask | undefined>;
  /** Those that are open, by our tasks' ids, at most `limit`: all, or those whose task of ours has ended. */
  listOpenRemoteTasks(of: 'any' | 'ended', limit: number): Promise<readonly RemoteTask[]>;
}

/** A store of tasks. */
export interface Store extends TurnStore, PushStore, RemoteTaskStore {
  /**
   * Reads the task, lets `decide` say what happens, and appends it, all in one transaction; decisions on one task
   * happen one after the other. Resolves when the events are durable. What `decide` throws is thrown, and nothing
   * was changed. `decide` must be pure: an implementation may call it again.
   */
  change<T>(
    taskId: string,
    lookups: Lookups,
    decide: (view: DecisionView) => Decision<T>,
  ): Promise<Committed<T>>;
  /** Keeps a message's answer that made no task. Resolves with the answer that is kept: the first (rule A5). */
  keepAnswer(
    message: { sender: string; messageId: string; fingerprint: string },
    answer: Message,
  ): Promise<AcceptedMessage>;
  /** The message, when it was accepted before. */
  findAccepted(sender: string, messageId: string): Promise<AcceptedMessage | undefined>;

  /** The task's head; undefined when there is no such task. */
  readHead(taskId: string): Promise<TaskHead | undefined>;
  /** Whether somebody may see the task (rule A2). */
  isReader(taskId: string, who: string): Promise<boolean>;
  /** The task, when the reader may see it. */
  readTask(taskId: string, reader: string, read: TaskRead): Promise<TaskSnapshot | undefined>;
  listTasks(query: TaskQuery): Promise<TaskPage>;
  /** Events after a sequence number, in order, at most `limit`. */
  readEvents(taskId: string, after: number, limit: number): Promise<readonly StoredEvent[]>;

  /** Calls the listener after each commit that changed a task, in order a task. Returns how to stop. */
  watch(listener: (changes: readonly TaskChange[]) => void): () => void;

  /** Throws when the store cannot be written to. */
  check(): Promise<void>;
  /** Finishes what was asked for and closes. */
  close(): Promise<void>;
}
