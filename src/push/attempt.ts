/** One attempt to deliver an event to a webhook (specification 4.3.3). */
import type { OutgoingHttpHeaders } from 'node:http';
import type { Delivery, DeliveryOutcome } from '../store/port.ts';
import { scheduleRetry } from './backoff.ts';
import type { PushConfigs, PushSecrets } from './configs.ts';
import type { WebhookGuard } from './guard.ts';
import type { Poster } from './post.ts';

/** What an attempt needs. */
export interface AttemptOptions {
  readonly guard: Pick<WebhookGuard, 'admit'>;
  readonly configs: Pick<PushConfigs, 'open'>;
  readonly poster: Poster;
  /** How often an event is tried before it is given up. */
  readonly attempts: number;
  /** How long one exchange may take, from the look-up of the name to the end of the answer: milliseconds. */
  readonly timeout: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** From 0 up to 1. */
  readonly random: () => number;
}

/** The receiver says that the webhook is gone for good. */
const GONE = 410;

/**
 * Posts the event, and says what becomes of the delivery. A 2xx status is success, 410 the end of this event; anything
 * else, a redirect included, is tried again until there were enough attempts. Never rejects. When `cut` is aborted
 * the event is due again at once.
 */
export async function attemptDelivery(
  delivery: Delivery,
  cut: AbortSignal,
  options: AttemptOptions,
): Promise<DeliveryOutcome> {
  const { guard, configs, poster, timeout, now } = options;
  const limit = limitTime(timeout, cut);
  try {
    const url = guard.admit(delivery.config.url);
    const headers = buildHeaders(delivery.body, configs.open(delivery.config));
    const answer = await poster.post({ url, headers, body: delivery.body }, limit.signal);
    if (answer.status >= 200 && answer.status < 300) return { kind: 'delivered' };
    const error = `answered ${answer.status}`;
    if (answer.status === GONE) return { kind: 'dead', error };
    return fail(delivery, error, answer.retryAfter, options);
  } catch (error) {
    if (cut.aborted)
      return { kind: 'retry', at: now(), error: 'cut off because the server stopped' };
    return fail(delivery, explain(error, limit.signal), undefined, options);
  } finally {
    limit.release();
  }
}

/**
 * A signal that is aborted with another one, or after a time. (AbortSignal.any does that too, but on Node 20 it never
 * lets go of what it made from a signal that lives on.)
 */
function limitTime(
  timeout: number,
  cut: AbortSignal,
): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController();
  const abort = () => {
    controller.abort(cut.reason);
  };
  if (cut.aborted) abort();
  cut.addEventListener('abort', abort);
  const timer = setTimeout(() => {
    controller.abort(new Error(`no answer within ${timeout} ms`));
  }, timeout);
  const release = () => {
    clearTimeout(timer);
    cut.removeEventListener('abort', abort);
  };
  return { signal: controller.signal, release };
}

function buildHeaders(body: string, { token, authentication }: PushSecrets): OutgoingHttpHeaders {
  const { scheme, credentials = '' } = authentication ?? {};
  return {
    'User-Agent': 'tiny-harness',
    'Content-Type': 'application/a2a+json',
    'Content-Length': Buffer.byteLength(body),
    ...(scheme === undefined ? {} : { Authorization: `${scheme} ${credentials}`.trimEnd() }),
    ...(token === undefined ? {} : { 'X-A2A-Notification-Token': token }),
  };
}

function fail(
  delivery: Delivery,
  error: string,
  retryAfter: string | undefined,
  { attempts: limit, now, random }: AttemptOptions,
): DeliveryOutcome {
  const attempts = delivery.attempts + 1;
  if (attempts >= limit) return { kind: 'dead', error };
  const at = scheduleRetry({ attempts, retryAfter, now: now(), random: random() });
  return { kind: 'retry', at, error };
}

/** Why there was no answer, for the operator's eyes. */
function explain(error: unknown, { aborted, reason }: AbortSignal): string {
  const cause: unknown = aborted ? reason : error;
  // A host with several addresses gives an error for each.
  const errors: unknown[] = cause instanceof AggregateError ? cause.errors : [cause];
  return errors.map((each) => (each instanceof Error ? each.message : String(each))).join('; ');
}
