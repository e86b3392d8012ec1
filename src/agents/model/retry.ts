/** Asks again when that may help. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ModelFault } from './fault.ts';

/** How often and after how long one asks again. */
export interface RetryPolicy {
  /** Attempts in all. */
  readonly attempts: number;
  /** The first wait is at most this, in milliseconds; each further one at most twice as long. */
  readonly firstWait: number;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly signal: AbortSignal;
  /** Told of each fault after which there is another attempt. */
  readonly onRetry: (fault: ModelFault, wait: number) => void;
}

/** The longest wait between attempts that is ours to choose, in milliseconds. */
const LONGEST = 30_000;

/** The longest wait that an endpoint may ask for: who is to wait longer is not served in this turn. */
const PATIENCE = 60_000;

/**
 * Attempts until one goes well: exponential backoff with jitter, but never sooner than the endpoint asks for. Only a
 * fault that says so is tried again. Rejects with the last fault, or as the signal says once that is aborted.
 */
export async function askAgain<T>(attempt: () => Promise<T>, policy: RetryPolicy): Promise<T> {
  for (let made = 1; ; made += 1) {
    try {
      return await attempt();
    } catch (error) {
      policy.signal.throwIfAborted();
      if (!(error instanceof ModelFault) || !mayRetry(error, made, policy)) throw error;
      const wait = waitAfter(error, made, policy);
      policy.onRetry(error, wait);
      await sleep(wait, undefined, { signal: policy.signal }).catch(() => undefined);
      policy.signal.throwIfAborted();
    }
  }
}

function mayRetry({ details }: ModelFault, made: number, { attempts }: RetryPolicy): boolean {
  return details.retry === true && made < attempts && (details.retryAfter ?? 0) <= PATIENCE;
}

function waitAfter({ details }: ModelFault, made: number, policy: RetryPolicy): number {
  const longest = Math.min(LONGEST, policy.firstWait * 2 ** (made - 1));
  // Half of it is certain: who fails at once is not asked again at once.
  const wait = longest * (0.5 + policy.random() / 2);
  return Math.round(Math.max(wait, details.retryAfter ?? 0));
}
