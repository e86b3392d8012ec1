/** Followers of tasks: each gets a task's events from a cursor on, in order, none lost and none twice (rule A4). */
import type { Store, StoredEvent } from '../store/port.ts';

/** Gives a task's events, and ends when it is closed, when the hub is, or when its reader was too slow. */
export interface Follower extends AsyncIterableIterator<StoredEvent> {
  /** Ends it; `next` resolves with `done`. */
  close(): void;
  /** Calls the listener when it ends without having been asked: the reader was too slow, or the hub was closed. */
  onCut(listener: () => void): void;
}

/** Hands each task's events to all who follow it. */
export interface StreamHub {
  /** Gives the events after this sequence number: those that are there, then those to come. */
  follow(taskId: string, after: number): Follower;
  /** How many followers there are. */
  readonly size: number;
  /** Ends all followers, those to come as well. */
  close(): void;
}

/** What the hub needs and may use. */
export interface StreamHubOptions {
  readonly store: Pick<Store, 'readEvents' | 'watch'>;
  /** Events that wait for a slow reader before it is let go; it can resume from its cursor. */
  readonly queueLimit: number;
  /** Told what went wrong while reading; the task's followers end. */
  readonly onError: (error: unknown, taskId: string) => void;
}

/** How many events are read from the log at once. */
const BATCH = 100;

/** A hub over a store. Each event is read once, however many follow the task. */
export function createStreamHub({ store, queueLimit, onError }: StreamHubOptions): StreamHub {
  const channels = new Map<string, Channel>();
  let open = true;
  const stop = store.watch((changes) => {
    for (const { taskId, seq } of changes) channels.get(taskId)?.reach(seq);
  });
  const openChannel = (taskId: string): Channel => {
    const read = (after: number) => store.readEvents(taskId, after, BATCH);
    const drop = () => channels.delete(taskId);
    const channel = new Channel({
      read,
      drop,
      queueLimit,
      onError: (error) => {
        onError(error, taskId);
      },
    });
    channels.set(taskId, channel);
    return channel;
  };
  return {
    follow(taskId, after) {
      const follower = (channels.get(taskId) ?? openChannel(taskId)).join(after);
      if (!open) follower.close();
      return follower;
    },
    get size() {
      let size = 0;
      for (const channel of channels.values()) size += channel.size;
      return size;
    },
    close() {
      open = false;
      stop();
      for (const channel of [...channels.values()]) channel.close();
    },
  };
}

interface ChannelOptions {
  readonly read: (after: number) => Promise<readonly StoredEvent[]>;
  readonly drop: () => void;
  readonly queueLimit: number;
  readonly onError: (error: unknown) => void;
}

/** One task's followers, and how far its log was read for those of them that are live. */
class Channel {
  readonly options: ChannelOptions;
  readonly #followers = new Set<ChannelFollower>();
  /** The last event that was handed out; undefined until a follower is live. */
  #cursor: number | undefined;
  /** The last event that is known to be in the log. */
  #reached = -1;
  #reading = false;

  constructor(options: ChannelOptions) {
    this.options = options;
  }

  get size(): number {
    return this.#followers.size;
  }

  join(after: number): ChannelFollower {
    const follower = new ChannelFollower(this, after);
    this.#followers.add(follower);
    return follower;
  }

  leave(follower: ChannelFollower): void {
    this.#followers.delete(follower);
    if (this.#followers.size === 0) this.options.drop();
  }

  close(): void {
    for (const follower of [...this.#followers]) follower.cut();
  }

  /** The log has grown to this event. */
  reach(seq: number): void {
    this.#reached = Math.max(this.#reached, seq);
    void this.#pump();
  }

  /** Whether a follower that has had this event, and found none after it in the log, has missed nothing. */
  goLive(last: number): boolean {
    if (this.#reached > last) return false;
    this.#cursor ??= last;
    return true;
  }

  async #pump(): Promise<void> {
    if (this.#reading || this.#cursor === undefined) return;
    this.#reading = true;
    try {
      while (this.#cursor < this.#reached && this.#followers.size > 0) {
        for (const event of await this.options.read(this.#cursor)) {
          this.#cursor = event.seq;
          for (const follower of this.#followers) follower.push(event);
        }
      }
    } catch (error) {
      this.options.onError(error);
      this.close();
    } finally {
      this.#reading = false;
    }
  }
}

/** A follower first reads what it missed by itself, then lives on what its channel hands out. */
class ChannelFollower implements Follower {
  readonly #channel: Channel;
  #last: number;
  #queue: StoredEvent[] = [];
  #live = false;
  #closed = false;
  #wake: (() => void) | undefined;
  #onCut: (() => void) | undefined;

  constructor(channel: Channel, after: number) {
    this.#channel = channel;
    this.#last = after;
  }

  onCut(listener: () => void): void {
    this.#onCut = listener;
  }

  /** Ends it from the server's side. */
  cut(): void {
    if (this.#closed) return;
    this.close();
    this.#onCut?.();
  }

  push(event: StoredEvent): void {
    if (!this.#live || event.seq <= this.#last) return;
    if (this.#queue.length >= this.#channel.options.queueLimit) {
      this.cut();
      return;
    }
    this.#last = event.seq;
    this.#queue.push(event);
    this.#wake?.();
  }

  async next(): Promise<IteratorResult<StoredEvent>> {
    for (;;) {
      const event = this.#queue.shift();
      if (event !== undefined) return { done: false, value: event };
      if (this.#closed) return { done: true, value: undefined };
      if (this.#live) await this.#change();
      else await this.#catchUp();
    }
  }

  async #catchUp(): Promise<void> {
    const events = await this.#channel.options.read(this.#last);
    if (this.#closed) return;
    this.#queue.push(...events);
    this.#last = events.at(-1)?.seq ?? this.#last;
    // Nothing slips in between: the log is known to have grown before this task of the event loop is over.
    if (events.length < BATCH) this.#live = this.#channel.goLive(this.#last);
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = undefined;
        resolve();
      };
    });
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#queue = [];
    this.#channel.leave(this);
    this.#wake?.();
  }

  return(): Promise<IteratorResult<StoredEvent>> {
    this.close();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
