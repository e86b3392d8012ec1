/** The end of a query that returns at most a bound number of rows. */

/**
 * SQLite plans a query with a bare `LIMIT ?` anew for each value that is bound, since the value might change the plan;
 * that costs more than most queries do. Into a sum it does not look.
 */
export const LIMIT = 'LIMIT ? + 0';
