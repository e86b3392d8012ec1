/** Reads that see one moment of the database. */
import type { Database } from 'better-sqlite3';

/** Runs queries that see one moment of the database. What they throw rejects. */
export type Snapshot = <T>(work: () => T) => Promise<T>;

/** Reads of one database. */
export interface Snapshots {
  readonly run: Snapshot;
  /** Lets go of the moment that was read last. */
  readonly end: () => void;
}

/**
 * Reads that are asked for in one go, as by all whose writes were committed together, share a transaction: to begin
 * one costs as much as a query. It ends before the event loop goes on, so nobody reads an older moment than that of
 * the event that made them ask.
 */
export function createSnapshots(db: Database): Snapshots {
  const begin = db.prepare('BEGIN');
  // Nothing was written, so ROLLBACK ends it as well as COMMIT, and it works on a damaged file, too.
  const rollback = db.prepare('ROLLBACK');
  let open = false;
  const end = (): void => {
    if (!open) return;
    open = false;
    // A file that cannot be read may have ended it already. Nobody could catch what is thrown here.
    if (db.inTransaction) rollback.run();
  };
  const start = (): void => {
    if (open) return;
    begin.run();
    open = true;
    process.nextTick(end);
  };
  return {
    run: (work) =>
      new Promise((resolve) => {
        start();
        resolve(work());
      }),
    end,
  };
}
