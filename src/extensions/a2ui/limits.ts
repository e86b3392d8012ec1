/** How much user interface an agent may show: what is more is refused before anybody has to store or draw it. */

/** Bounds on what one call shows and on what it leaves of a surface. */
export interface UiLimits {
  /** Bytes of JSON, of one call as of one surface; escapes in texts are not counted. */
  readonly bytes: number;
  /** Levels of arrays and objects in a message. */
  readonly nesting: number;
  /** Surfaces of a task. */
  readonly surfaces: number;
  /** Components of a surface, one that several parents name counted for each. */
  readonly components: number;
  /** Levels of components under a surface, its root included. */
  readonly depth: number;
  /** Characters of a regular expression. */
  readonly pattern: number;
  /** Faults that are told; more than that helps nobody. */
  readonly faults: number;
}

/** Far more than people can read, far less than what hurts a client. */
export const UI_LIMITS: UiLimits = {
  bytes: 1_048_576,
  nesting: 100,
  surfaces: 50,
  components: 1_000,
  depth: 50,
  pattern: 1_000,
  faults: 20,
};
