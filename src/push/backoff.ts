/** When a delivery that failed is tried again. */

/** The longest wait between two attempts: five minutes, in milliseconds. */
const LONGEST = 300_000;

/** The first wait is up to two seconds, one on average. */
const FIRST = 2_000;

/**
 * When to try again, in milliseconds since 1970: exponential backoff with full jitter, but not before the receiver's
 * `Retry-After`, which counts up to five minutes.
 */
export function scheduleRetry(failure: {
  /** How many attempts have failed, from 1. */
  readonly attempts: number;
  /** The header as it came. */
  readonly retryAfter: string | undefined;
  readonly now: number;
  /** From 0 up to 1. */
  readonly random: number;
}): number {
  const { attempts, retryAfter, now, random } = failure;
  const wait = random * Math.min(LONGEST, FIRST * 2 ** (attempts - 1));
  const asked = retryAfter === undefined ? 0 : readRetryAfter(retryAfter, now);
  return now + Math.round(Math.max(wait, Math.min(asked, LONGEST)));
}

/** Milliseconds to wait; the header holds seconds or a date (RFC 9110 10.2.3). */
function readRetryAfter(value: string, now: number): number {
  const wait = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isFinite(wait) ? Math.max(0, wait) : 0;
}
