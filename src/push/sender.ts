/** Delivers what is in the outbox to webhooks: at least once, in order a config (specification 4.3.3, 13.2). */
import { setMaxListeners } from 'node:events';
import type { Logger } from '../log.ts';
import type { Delivery, DeliveryOutcome, PushStore, Store } from '../store/port.ts';
import type { AttemptOptions } from './attempt.ts';
import { attemptDelivery } from './attempt.ts';
import type { WebhookGuard } from './guard.ts';
import { createLanes } from './lanes.ts';
import { createPoster } from './post.ts';
import type { Waker } from './waker.ts';
import { createWaker } from './waker.ts';

/** What a sender needs. */
export interface PushSenderOptions extends Omit<AttemptOptions, 'guard' | 'poster'> {
  readonly store: PushStore & Pick<Store, 'watch'>;
  readonly guard: WebhookGuard;
  readonly log: Logger;
}

/** What a sender has done, and how much it is doing. */
interface PushStats {
  readonly delivered: number;
  /** Attempts that failed. */
  readonly failed: number;
  /** Events that were given up. */
  readonly dead: number;
  readonly inFlight: number;
}

/** Sends push notifications while it runs. Several processes may run one on the same store. */
export interface PushSender {
  start(): void;
  /** Looks for what is due now: for callers who made a config that has something to deliver already. */
  wake(): void;
  /**
   * Delivers what is due, until `deadline` (milliseconds since 1970) at the latest, then stops. What is cut off, and
   * what waits for a retry, is delivered after the next start.
   */
  stop(deadline: number): Promise<void>;
  readonly stats: PushStats;
}

/** Exchanges with one host and port, exchanges in all, and characters of bodies that wait for their host. */
const LIMITS = { perLane: 8, total: 128, waiting: 16 * 2 ** 20 };

/** How long a claimed delivery waits for its host before it is left to be claimed again: milliseconds. */
const PATIENCE = 8_000;

/** How much longer a claim is held than an exchange takes, to record what became of it: milliseconds. */
const MARGIN = 2_000;

/** A sender that does nothing until it is started. */
export function createPushSender(options: PushSenderOptions): PushSender {
  return new OutboxSender(options);
}

class OutboxSender implements PushSender {
  readonly #options: PushSenderOptions;
  readonly #attempt: AttemptOptions;
  readonly #lanes = createLanes(LIMITS);
  readonly #waker: Waker;
  readonly #cut = new AbortController();
  readonly #counts = { delivered: 0, failed: 0, dead: 0 };
  #unwatch: (() => void) | undefined;

  constructor(options: PushSenderOptions) {
    const { store, guard, now, log } = options;
    this.#options = options;
    // Each exchange listens to it; Node takes more than ten listeners for a leak.
    setMaxListeners(LIMITS.total, this.#cut.signal);
    this.#attempt = { ...options, poster: createPoster(guard.lookup) };
    this.#waker = createWaker({
      now,
      nextAt: () => store.nextDeliveryAt(),
      work: () => this.#claim(),
      onError: (error) => {
        log.error({ err: error }, 'push: the outbox cannot be read; it is tried again');
      },
    });
  }

  start(): void {
    this.#unwatch ??= this.#options.store.watch(() => {
      this.wake();
    });
    this.wake();
  }

  wake(): void {
    if (this.#unwatch !== undefined) void this.#waker.wake();
  }

  async stop(deadline: number): Promise<void> {
    if (this.#unwatch !== undefined) {
      const wait = Math.max(0, deadline - this.#options.now());
      const timer = setTimeout(() => {
        this.#cut.abort();
      }, wait);
      do {
        await this.#lanes.settled();
        await this.#waker.wake();
      } while (this.#lanes.size.running > 0);
      clearTimeout(timer);
      this.#unwatch();
    }
    this.#waker.stop();
    this.#attempt.poster.close();
  }

  get stats(): PushStats {
    return { ...this.#counts, inFlight: this.#lanes.size.running };
  }

  /** Takes what is due, as far as there is room; gives whether there was any. */
  async #claim(): Promise<boolean> {
    const { store, now, timeout } = this.#options;
    if (this.#lanes.room === 0 || this.#cut.signal.aborted) return false;
    const startBy = now() + PATIENCE;
    const until = startBy + timeout + MARGIN;
    const due = await store.claimDeliveries(now(), until, this.#lanes.room);
    for (const delivery of due) {
      // What finds no place is left alone: it is due again when its claim ends.
      this.#lanes.add({
        lane: new URL(delivery.config.url).host,
        weight: delivery.body.length,
        run: (waited) => this.#deliver(delivery, waited ? startBy : undefined),
      });
    }
    return due.length > 0;
  }

  async #deliver(delivery: Delivery, startBy: number | undefined): Promise<void> {
    try {
      if (startBy !== undefined && !(await this.#isStillDue(delivery, startBy))) return;
      const outcome = await attemptDelivery(delivery, this.#cut.signal, this.#attempt);
      this.#report(delivery, outcome);
      await this.#options.store.settleDelivery(delivery, outcome);
    } catch (error) {
      const details = { ...describe(delivery), err: error };
      this.#options.log.error(details, 'push: a delivery was not recorded; it is made again');
    } finally {
      void this.#waker.wake();
    }
  }

  /** Whether a delivery that waited may be made: its claim holds long enough, and its config is as it was. */
  async #isStillDue({ config }: Delivery, startBy: number): Promise<boolean> {
    const { store, now } = this.#options;
    if (this.#cut.signal.aborted || now() > startBy) return false;
    const current = await store.readPushConfig(config.taskId, config.owner, config.id);
    return current?.url === config.url && current.secrets === config.secrets;
  }

  #report(delivery: Delivery, outcome: DeliveryOutcome): void {
    const { log } = this.#options;
    if (outcome.kind === 'delivered') {
      this.#counts.delivered += 1;
      return;
    }
    this.#counts.failed += 1;
    const details = { ...describe(delivery), error: outcome.error };
    if (outcome.kind === 'retry') {
      log.info({ ...details, retryAt: outcome.at }, 'push: an attempt failed');
    } else {
      this.#counts.dead += 1;
      log.warn(details, 'push: an event was given up');
    }
  }
}

/** What of a delivery goes to the log. The URL's path and query may hold secrets. */
function describe({ config, seq, attempts }: Delivery): object {
  const { origin } = new URL(config.url);
  return { taskId: config.taskId, configId: config.id, origin, seq, attempt: attempts + 1 };
}
