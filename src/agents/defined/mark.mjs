/** What tells an agent that `defineAgent` made from any other object; the same in every copy of this package. */
export const MARK = Symbol.for('tiny-harness/agent');
