/** Tells listeners what was committed: at once what this process commits, within a moment what others do. */
import type { Database } from 'better-sqlite3';
import type { TaskChange } from '../port.ts';
import type { CommitHooks } from './group-commit.ts';
import type { TurnQueries } from './turns.ts';

/** How often the file is looked at while somebody listens: milliseconds. */
const POLL_INTERVAL = 100;

/** More idle tasks than a process takes up at once need not be named. */
const MAX_IDLE = 1000;

/** What a watch needs. */
export interface WatchParts {
  readonly turns: TurnQueries;
  /** Whether other processes may write. */
  readonly isShared: boolean;
  readonly onError: (error: unknown) => void;
}

type Listener = (changes: readonly TaskChange[]) => void;

/** Listeners, and how far into the log they were told. */
export interface Watch extends CommitHooks {
  readonly add: (listener: Listener) => () => void;
  readonly close: () => void;
}

/** Prepares the statements. */
export function createWatch(db: Database, { turns, isShared, onError }: WatchParts): Watch {
  const listeners = createListeners(onError);
  const remote = createRemoteChanges(db, turns);
  let timer: NodeJS.Timeout | undefined;
  let found: readonly TaskChange[] = [];
  let ownEnd = 0;

  const poll = (): void => {
    listeners.call(remote.collect);
  };
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };

  return {
    add: (listener) => {
      if (timer === undefined && isShared) {
        remote.skip();
        timer = setInterval(poll, POLL_INTERVAL).unref();
      }
      const remove = listeners.add(listener);
      return () => {
        if (remove() === 0) stop();
      };
    },
    begin: () => {
      found = timer === undefined ? [] : remote.collect();
    },
    end: () => {
      if (timer !== undefined) ownEnd = remote.findEnd();
    },
    committed: (changes) => {
      // What this process has written is no news when the file is looked at next.
      if (timer !== undefined) remote.skipTo(ownEnd);
      listeners.call(() => [...found, ...changes]);
    },
    rolledBack: () => {
      listeners.call(() => found);
    },
    close: stop,
  };
}

function createListeners(onError: (error: unknown) => void) {
  // Keyed by an object of their own: the same function may listen twice.
  const listeners = new Map<object, Listener>();
  return {
    /** Returns what takes the listener out, and says how many are left. */
    add: (listener: Listener): (() => number) => {
      const key = {};
      listeners.set(key, listener);
      return () => {
        listeners.delete(key);
        return listeners.size;
      };
    },
    /** Tells each of them what is found; never throws. */
    call: (find: () => readonly TaskChange[]): void => {
      report(onError, () => {
        const changes = find();
        if (changes.length === 0) return;
        for (const listener of listeners.values()) {
          report(onError, () => {
            listener(changes);
          });
        }
      });
    },
  };
}

function report(onError: (error: unknown) => void, work: () => void): void {
  try {
    work();
  } catch (error) {
    onError(error);
  }
}

interface RemoteChanges {
  /** Takes all that is in the file as known. */
  readonly skip: () => void;
  /** The position of the log's last event. */
  readonly findEnd: () => number;
  /** Takes the events up to a position as known. */
  readonly skipTo: (position: number) => void;
  /** What other processes have committed that is not known yet. */
  readonly collect: () => readonly TaskChange[];
}

function createRemoteChanges(db: Database, turns: TurnQueries): RemoteChanges {
  const readVersion = db.prepare<[], number>('PRAGMA data_version').pluck();
  const selectEnd = db.prepare<[], number | null>('SELECT max(position) FROM events').pluck();
  // Grouping would rather read an index from end to end.
  const selectChanged = db.prepare<[number], { taskId: string; end: number }>(`SELECT
    task_id AS taskId, max(position) AS end FROM events NOT INDEXED WHERE position > ?
    GROUP BY 1 ORDER BY 2`);
  const readHead = db.prepare<[string], HeadRow>(`SELECT seq, running_turn AS number,
    running_owner AS owner, running_attempt AS attempt,
    waiting IS NOT NULL AND question IS NULL AS waiting FROM tasks WHERE id = ?`);
  const findEnd = (): number => selectEnd.get() ?? 0;
  let version = -1;
  let known = 0;

  return {
    findEnd,
    skip: () => {
      version = readVersion.get() ?? -1;
      known = findEnd();
    },
    skipTo: (position) => {
      known = position;
    },
    collect: () => {
      const latest = readVersion.get() ?? -1;
      if (latest === version) return [];
      version = latest;
      const changed = selectChanged.all(known);
      known = changed.at(-1)?.end ?? known;
      // A turn that was given back leaves no event; the table says that it waits.
      const idle = new Set(turns.findIdleTasks(MAX_IDLE));
      const taskIds = new Set([...changed.map(({ taskId }) => taskId), ...idle]);
      return [...taskIds].flatMap((taskId) => {
        const row = readHead.get(taskId);
        return row === undefined ? [] : [toTaskChange(taskId, row)];
      });
    },
  };
}

interface HeadRow {
  seq: number;
  number: number | null;
  owner: string;
  attempt: number;
  waiting: number;
}

function toTaskChange(taskId: string, row: HeadRow): TaskChange {
  const { seq, number, owner, attempt, waiting } = row;
  const running = number === null ? undefined : { number, owner, attempt };
  return { taskId, seq, running, waiting: waiting === 1 };
}
