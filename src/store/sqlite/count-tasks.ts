/** How many tasks a query matches, without counting them one by one. */
import type { Database } from 'better-sqlite3';
import type { TaskQuery } from '../port.ts';
import { toStateNumber } from './states.ts';

/** Which tasks are counted. */
export type TaskFilter = Pick<TaskQuery, 'reader' | 'contextId' | 'state' | 'since'>;

/** Sizes of the buckets in `counts`, as powers of two in milliseconds, coarse first. */
const SHIFTS = [30, 22, 14, 6] as const;

/** Later than any timestamp, and a multiple of every bucket: milliseconds since 1970. */
const MAX_TIME = 2 ** 50;

/**
 * Prepares the statements. A count since some time is that of all coarse buckets after it, then of the finer ones
 * within the bucket where it lies, down to the tasks of at most 64 ms: its cost is bounded whatever the number of
 * tasks.
 */
export function createCountTasks(db: Database): (filter: TaskFilter) => number {
  const sumBuckets = db
    .prepare<[object], number>(
      `SELECT coalesce(sum(n), 0) FROM counts
       WHERE reader = @reader AND context_id = @contextId AND shift = @shift
       AND bucket >= @from AND bucket < @end AND (@state IS NULL OR state = @state)`,
    )
    .pluck();
  const countRange = db
    .prepare<[object], number>(
      `SELECT count(*) FROM memberships
       WHERE reader = @reader AND (@contextId = '' OR context_id = @contextId)
       AND status_at >= @from AND status_at < @end AND (@state IS NULL OR state = @state)`,
    )
    .pluck();
  return ({ reader, contextId = '', state, since = 0 }) => {
    const filter = { reader, contextId, state: state === undefined ? null : toStateNumber(state) };
    const from = Math.min(Math.max(Math.ceil(since), 0), MAX_TIME);
    let end: number = MAX_TIME;
    let total = 0;
    for (const shift of SHIFTS) {
      if (from === end) break;
      // The first whole bucket, up to where the coarser ones begin.
      const size = 2 ** shift;
      const first = Math.ceil(from / size);
      total += sumBuckets.get({ ...filter, shift, from: first, end: end / size }) ?? 0;
      end = first * size;
    }
    return total + (from < end ? (countRange.get({ ...filter, from, end }) ?? 0) : 0);
  };
}
