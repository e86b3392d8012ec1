/** Calls of one turn of the event loop share a transaction, and so one wait for the disk. */
import type { Database } from 'better-sqlite3';
import { ProtocolError } from '../../core/errors.ts';
import type { TaskChange } from '../port.ts';

/** Writes, in the order of their calls. */
export interface GroupCommit {
  /**
   * Runs the work in a transaction that it may share with others. Resolves when it is durable; what the work
   * throws undoes that work alone. It adds to `changes` what listeners are to hear of.
   */
  readonly run: <T>(work: (changes: TaskChange[]) => T) => Promise<T>;
  /** Commits what waits; what is run afterwards rejects. */
  readonly close: () => void;
}

/** What is done around a transaction. */
export interface CommitHooks {
  /** In the transaction, before its first write. */
  readonly begin: () => void;
  /** In the transaction, after its last write. */
  readonly end: () => void;
  /** After the commit, with what the works have added. */
  readonly committed: (changes: readonly TaskChange[]) => void;
  /** After a transaction of which nothing is left. */
  readonly rolledBack: () => void;
}

interface Job {
  /** Runs the work; returns what settles its promise once that is durable. */
  readonly run: (changes: TaskChange[]) => () => void;
  readonly reject: (error: unknown) => void;
}

/** So many works a transaction: the event loop is not held for longer than some milliseconds. */
const MAX_JOBS = 256;

/** Collects writes of one database. `endReads` ends a transaction that reads, if there is one. */
export function createGroupCommit(
  db: Database,
  hooks: CommitHooks,
  endReads: () => void = () => undefined,
): GroupCommit {
  const runTogether = createRunTogether(db, hooks);
  const queue: Job[] = [];
  let closed = false;

  const flush = (): void => {
    const jobs = queue.splice(0, MAX_JOBS);
    if (queue.length > 0) setImmediate(flush);
    if (jobs.length === 0) return;
    endReads();
    runTogether(jobs);
  };

  return {
    run: (work) =>
      new Promise((resolve, reject) => {
        if (closed) throw new Error('The store is closed');
        queue.push({ run: (changes) => deferResolve(resolve, work(changes)), reject });
        if (queue.length === 1) setImmediate(flush);
      }),
    close: () => {
      closed = true;
      while (queue.length > 0) flush();
    },
  };
}

/** What cannot be kept now and perhaps can later: a full disk, a lock that another program holds. */
function explainFailure(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (!/^SQLITE_(?:FULL|BUSY|IOERR|READONLY)/.test(code)) return error;
  const words = 'The server can keep nothing at the moment; try again later';
  return Object.assign(new ProtocolError('UNAVAILABLE', words), { cause: error });
}

/** Thrown when a job has to be undone alone; that takes savepoints, and they cost every job something. */
const UNDO_ONE = new Error('a job failed after it had written');

/** Runs work in a transaction or, within one, in a savepoint. */
type Transact = (work: () => void) => void;

/** Runs jobs in one transaction and settles their promises; never throws. */
function createRunTogether(db: Database, hooks: CommitHooks): (jobs: readonly Job[]) => void {
  const transact = db.transaction((work: () => void) => {
    work();
  });
  const runBare = createRunBare(db);
  const attempt = (jobs: readonly Job[], isolate: Transact): void => {
    const changes: TaskChange[] = [];
    let settled: readonly (() => void)[] = [];
    try {
      transact.immediate(() => {
        hooks.begin();
        settled = jobs.map((job) => runJob(db, job, changes, isolate));
        hooks.end();
      });
    } catch (error) {
      hooks.rolledBack();
      if (error === UNDO_ONE) {
        attempt(jobs, transact);
        return;
      }
      const failure = explainFailure(error);
      for (const { reject } of jobs) reject(failure);
      return;
    }
    for (const settle of settled) settle();
    hooks.committed(changes);
  };
  return (jobs) => {
    attempt(jobs, runBare);
  };
}

/** Runs work without a savepoint, which is enough as long as it throws before it has written. */
function createRunBare(db: Database): Transact {
  const countWrites = db.prepare<[], number>('SELECT total_changes()').pluck();
  return (work) => {
    const before = countWrites.get();
    try {
      work();
    } catch (error) {
      throw db.inTransaction && countWrites.get() !== before ? UNDO_ONE : error;
    }
  };
}

/** Returns what settles the job's promise once the transaction is durable. */
function runJob(
  db: Database,
  { run, reject }: Job,
  changes: TaskChange[],
  isolate: Transact,
): () => void {
  const before = changes.length;
  let settle = (): void => undefined;
  try {
    isolate(() => {
      settle = run(changes);
    });
    return settle;
  } catch (error) {
    // A full disk ends the whole transaction, not only the savepoint.
    if (error === UNDO_ONE || !db.inTransaction) throw error;
    changes.length = before;
    return () => {
      reject(explainFailure(error));
    };
  }
}

function deferResolve<T>(resolve: (value: T) => void, value: T): () => void {
  return () => {
    resolve(value);
  };
}
