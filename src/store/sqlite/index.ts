/** The embedded store: one SQLite file, which several processes of one machine may share. */
import type { Database } from 'better-sqlite3';
import type {
  PushStore,
  RemoteTaskStore,
  Store,
  TaskChange,
  TurnStore,
  WireForm,
} from '../port.ts';
import { createAcceptedMessages } from './accepted.ts';
import type { AgentState } from './agent-state.ts';
import { createAgentState } from './agent-state.ts';
import { createAppend } from './append.ts';
import { createChange } from './change.ts';
import { createEventLog } from './event-log.ts';
import { createGroupCommit } from './group-commit.ts';
import { createListTasks } from './list-tasks.ts';
import { IN_MEMORY, openDatabase } from './open.ts';
import { createPushQueries } from './push.ts';
import { createReadTask } from './read-task.ts';
import { createRemoteTaskQueries } from './remote-tasks.ts';
import type { Snapshot } from './snapshot.ts';
import { createSnapshots } from './snapshot.ts';
import type { TaskRows } from './task-row.ts';
import { createTaskRows } from './task-row.ts';
import type { TurnQueries } from './turns.ts';
import { createTurnQueries } from './turns.ts';
import { createWatch } from './watch.ts';

/** Where the store is, and what it is given from outside. */
export interface SqliteStoreOptions {
  /** The file, created with its folder when it does not exist; `:memory:` for one that is gone when it is closed. */
  readonly path: string;
  /** How events and metadata are written. */
  readonly wire: WireForm;
  /** The clock: milliseconds since 1970. */
  readonly now?: () => number;
  /** Told what no caller waits for: a listener that throws, a look at the file that fails. */
  readonly onError?: (error: unknown) => void;
}

/**
 * Opens the store and migrates the file to the newest version.
 *
 * @throws Error that says what is wrong with the file and what to do
 */
export function openSqliteStore({
  path,
  wire,
  now = Date.now,
  onError = () => undefined,
}: SqliteStoreOptions): Store {
  const db = openDatabase(path);
  const rows = createTaskRows(db);
  const agents = createAgentState(db);
  const turns = createTurnQueries(db, rows, agents);
  const watch = createWatch(db, { turns, isShared: path !== IN_MEMORY, onError });
  const snapshots = createSnapshots(db);
  const commit = createGroupCommit(db, watch, snapshots.end);
  const parts: MethodParts = { snapshot: snapshots.run, write: commit.run, now, rows, agents };
  const touch = db.prepare('INSERT OR REPLACE INTO liveness (id, checked_at) VALUES (1, ?)');
  return {
    ...createTaskMethods(db, wire, parts),
    ...createTurnMethods(turns, parts),
    ...createPushMethods(db, parts),
    ...createRemoteTaskMethods(db, parts),
    watch: watch.add,
    check: () =>
      commit.run(() => {
        touch.run(now());
      }),
    close: () =>
      new Promise((resolve) => {
        commit.close();
        snapshots.end();
        watch.close();
        db.close();
        resolve();
      }),
  };
}

interface MethodParts {
  readonly snapshot: Snapshot;
  readonly write: <T>(work: (changes: TaskChange[]) => T) => Promise<T>;
  readonly now: () => number;
  readonly rows: TaskRows;
  readonly agents: AgentState;
}

type TaskMethods = Omit<
  Store,
  keyof TurnStore | keyof PushStore | keyof RemoteTaskStore | 'watch' | 'check' | 'close'
>;

function createTaskMethods(
  db: Database,
  wire: WireForm,
  { snapshot, write, now, rows, agents }: MethodParts,
): TaskMethods {
  const accepted = createAcceptedMessages(db);
  const log = createEventLog(db, wire);
  const append = createAppend(db, { rows, log, agents });
  const changeTask = createChange(db, { rows, accepted, agents, append, now });
  const readTask = createReadTask(db, wire);
  const listTasks = createListTasks(db, readTask);
  const membership = db.prepare('SELECT 1 FROM memberships WHERE task_id = ? AND reader = ?');
  const isReader = (taskId: string, who: string) => membership.get(taskId, who) !== undefined;
  return {
    change: (taskId, lookups, decide) =>
      write((changes) => changeTask(taskId, lookups, decide, changes)),
    keepAnswer: (message, answer) => write(() => accepted.keep(message, answer)),
    findAccepted: (sender, messageId) => snapshot(() => accepted.find(sender, messageId)),
    readHead: (taskId) => snapshot(() => rows.find(taskId)?.head),
    isReader: (taskId, who) => snapshot(() => isReader(taskId, who)),
    readTask: (taskId, reader, read) =>
      snapshot(() => (isReader(taskId, reader) ? readTask(taskId, read, 'alone') : undefined)),
    listTasks: (query) => snapshot(() => listTasks(query)),
    readEvents: (taskId, after, limit) => snapshot(() => log.read(taskId, after, limit)),
  };
}

function createTurnMethods(
  turns: TurnQueries,
  { snapshot, write, agents }: MethodParts,
): TurnStore {
  return {
    readTurn: (taskId, turn) => snapshot(() => turns.readTurn(taskId, turn)),
    readHistory: (taskId, turn, limit) => snapshot(() => turns.readHistory(taskId, turn, limit)),
    readSurfaces: (taskId) => snapshot(() => agents.listSurfaces(taskId)),
    renewLeases: (owner, until) =>
      write(() => {
        turns.renewLeases(owner, until);
      }),
    findLostTurns: (now, isGone, limit) => snapshot(() => turns.findLostTurns(now, isGone, limit)),
    findIdleTasks: (limit, after) => snapshot(() => turns.findIdleTasks(limit, after)),
  };
}

function createPushMethods(db: Database, { snapshot, write, now }: MethodParts): PushStore {
  const push = createPushQueries(db);
  return {
    putPushConfig: (config, after) =>
      write(() => {
        push.putPushConfig(config, after, now());
      }),
    readPushConfig: (taskId, owner, id) => snapshot(() => push.readPushConfig(taskId, owner, id)),
    // Every id is after the empty one.
    listPushConfigs: (taskId, owner, afterId = '', limit) =>
      snapshot(() => push.listPushConfigs(taskId, owner, afterId, limit)),
    deletePushConfig: (taskId, owner, id) =>
      write(() => {
        push.deletePushConfig(taskId, owner, id);
      }),
    claimDeliveries: (at, until, limit) => write(() => push.claimDeliveries(at, until, limit)),
    settleDelivery: (delivery, outcome) =>
      write(() => {
        push.settleDelivery(delivery, outcome, now());
      }),
    nextDeliveryAt: () => snapshot(() => push.nextDeliveryAt()),
    countDeliveries: () => snapshot(() => push.countDeliveries()),
  };
}

function createRemoteTaskMethods(db: Database, { snapshot, write }: MethodParts): RemoteTaskStore {
  const remote = createRemoteTaskQueries(db);
  return {
    putRemoteTask: (task) =>
      write(() => {
        remote.putRemoteTask(task);
      }),
    readRemoteTask: (taskId) => snapshot(() => remote.readRemoteTask(taskId)),
    listOpenRemoteTasks: (of, limit) => snapshot(() => remote.listOpenRemoteTasks(of, limit)),
  };
}
