/** How much an agent may do in one turn. */
import { findExcess } from '../core/measure.ts';

/** Levels of arrays and objects in what an agent writes: what is deeper cannot be read back out of the log. */
const MAX_NESTING = 500;

/** The most of each kind that a turn may use. */
export interface TurnLimits {
  /** Acts of any kind: what is said, artifact chunks, tool calls. */
  readonly steps: number;
  /** Tool calls, those of earlier runs of the turn included. */
  readonly toolCalls: number;
  /** Bytes of what is said and written, as JSON. */
  readonly output: number;
  /** Milliseconds from its beginning to its end; undefined for as long as it takes. */
  readonly time: number | undefined;
}

/** The turn is over a limit. The message is for participants. */
export class LimitError extends Error {
  override readonly name = 'LimitError';
}

/** What one run of a turn has used. Each method throws a LimitError when it is too much. */
export interface TurnBudget {
  step(): void;
  /** `bytes` are those of its arguments: they are kept, and some are shown. */
  call(bytes: number): void;
  /** What is kept and shown: parts, or an artifact with what describes it. */
  write(output: unknown): void;
  /** Rejects with a LimitError as soon as a limit is passed; never resolves. */
  readonly exceeded: Promise<never>;
  /** Ends the waiting for the time limit. */
  close(): void;
}

/** Begins to count; `madeBefore` is the number of tool calls of earlier runs. */
export function createBudget(limits: TurnLimits, madeBefore: number): TurnBudget {
  return new Budget(limits, madeBefore);
}

class Budget implements TurnBudget {
  readonly exceeded: Promise<never>;
  readonly #limits: TurnLimits;
  readonly #used: { steps: number; toolCalls: number; output: number };
  readonly #timer: NodeJS.Timeout | undefined;
  #stop: (error: LimitError) => void = () => undefined;

  constructor(limits: TurnLimits, madeBefore: number) {
    this.#limits = limits;
    this.#used = { steps: 0, toolCalls: madeBefore, output: 0 };
    this.exceeded = new Promise<never>((_resolve, reject) => {
      this.#stop = reject;
    });
    // Whoever runs the turn waits for it; an act of the turn that fails first must not be an unhandled rejection.
    this.exceeded.catch(() => undefined);
    this.#timer = limits.time === undefined ? undefined : this.#startTimer(limits.time);
  }

  step(): void {
    this.#spend('steps', 1, 'it took more than', 'steps in one turn (TURN_STEPS)');
  }

  call(bytes: number): void {
    this.step();
    this.#spend('toolCalls', 1, 'it made more than', 'tool calls in one turn (TURN_TOOL_CALLS)');
    this.#output(bytes);
  }

  write(output: unknown): void {
    this.step();
    const excess = findExcess(output, { bytes: Number.POSITIVE_INFINITY, nesting: MAX_NESTING });
    if (excess !== undefined) this.#fail(`it wrote data that is ${excess}`);
    this.#output(Buffer.byteLength(JSON.stringify(output)));
  }

  #output(bytes: number): void {
    this.#spend('output', bytes, 'it wrote more than', 'bytes in one turn (TURN_OUTPUT)');
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #spend(kind: 'steps' | 'toolCalls' | 'output', amount: number, did: string, what: string): void {
    this.#used[kind] += amount;
    if (this.#used[kind] <= this.#limits[kind]) return;
    this.#fail(`${did} ${this.#limits[kind]} ${what}`);
  }

  #fail(what: string): never {
    const error = new LimitError(`The agent was stopped: ${what}.`);
    this.#stop(error);
    throw error;
  }

  #startTimer(time: number): NodeJS.Timeout {
    const did = `its turn took longer than ${time / 1000} s (TURN_TIMEOUT)`;
    const timer = setTimeout(() => {
      this.#stop(new LimitError(`The agent was stopped: ${did}.`));
    }, time);
    return timer.unref();
  }
}
