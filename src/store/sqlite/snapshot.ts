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
  const commit = db.prepare('COMMIT');
  let open = false;
  const end = (): void => {
    if (!open) return;
    open = false;
    commit.run();
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
