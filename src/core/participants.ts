/** Who takes part in a task. */

/** Who calls without saying who: a participant like any other (rule A6). */
export const ANONYMOUS = 'anonymous';
