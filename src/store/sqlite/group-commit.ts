/** Calls of one turn of the event loop share a transaction, and so one wait for the disk. */
import type { Database } from 'better-sqlite3';
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

/** Collects writes of one database. */
export function createGroupCommit(db: Database, hooks: CommitHooks): GroupCommit {
  const runTogether = createRunTogether(db, hooks);
  const queue: Job[] = [];
  let closed = false;

  const flush = (): void => {
    const jobs = queue.splice(0, MAX_JOBS);
    if (queue.length > 0) setImmediate(flush);
    if (jobs.length > 0) runTogether(jobs);
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

/** Runs jobs in one transaction and settles their promises; never throws. */
function createRunTogether(db: Database, hooks: CommitHooks): (jobs: readonly Job[]) => void {
  // Called inside a transaction this is a savepoint.
  const transact = db.transaction((work: () => void) => {
    work();
  });

  return (jobs) => {
    const changes: TaskChange[] = [];
    const settle: (() => void)[] = [];
    const runJob = ({ run, reject }: Job): void => {
      const before = changes.length;
      try {
        transact(() => settle.push(run(changes)));
      } catch (error) {
        // A full disk ends the whole transaction, not only the savepoint.
        if (!db.inTransaction) throw error;
        changes.length = before;
        settle.push(() => {
          reject(error);
        });
      }
    };
    try {
      transact.immediate(() => {
        hooks.begin();
        jobs.forEach(runJob);
        hooks.end();
      });
    } catch (error) {
      for (const { reject } of jobs) reject(error);
      hooks.rolledBack();
      return;
    }
    for (const settleOne of settle) settleOne();
    hooks.committed(changes);
  };
}

function deferResolve<T>(resolve: (value: T) => void, value: T): () => void {
  return () => {
    resolve(value);
  };
}
