/** Runs work when it is due, one run at a time, with one timer. */

/** What is due when, and what is done then. */
export interface WakerOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** When something is due next; undefined when nothing waits. */
  readonly nextAt: () => Promise<number | undefined>;
  /** Does some of what is due; gives whether there was something to do, so that it is asked again. */
  readonly work: () => Promise<boolean>;
  readonly onError: (error: unknown) => void;
}

/** Something that works when it is woken, and by itself when something becomes due. */
export interface Waker {
  /** Looks whether something is due. Resolves when all that was due then has been done. */
  wake(): Promise<void>;
  /** Sleeps for good. */
  stop(): void;
}

/** Without a wake-up it looks this often, for what another process left behind: milliseconds. */
const SLOW = 30_000;

/** What is due but cannot be done now is looked at again after this: milliseconds. */
const BUSY = 1_000;

/** A waker that sleeps until it is woken for the first time. */
export function createWaker({ now, nextAt, work, onError }: WakerOptions): Waker {
  let timer: NodeJS.Timeout | undefined;
  let run: Promise<void> | undefined;
  let again = false;
  let stopped = false;

  const isWanted = () => again;

  /** Works until nothing is due and nobody asked again, then sets the timer. */
  const workOff = async () => {
    clearTimeout(timer);
    let wait: number;
    let worked: boolean;
    do {
      again = false;
      try {
        const next = await nextAt();
        const due = next !== undefined && next <= now();
        worked = due && (await work());
        wait = next === undefined ? SLOW : Math.max(next - now(), due ? BUSY : 0);
      } catch (error) {
        onError(error);
        worked = false;
        wait = BUSY;
      }
      // From here to the end there is no await: who asks now either sees this run or begins another.
    } while (worked || isWanted());
    run = undefined;
    if (!stopped) timer = setTimeout(() => void wake(), Math.min(wait, SLOW)).unref();
  };

  const wake = (): Promise<void> => {
    if (stopped) return Promise.resolve();
    again = true;
    return (run ??= Promise.resolve().then(workOff));
  };

  return {
    wake,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
