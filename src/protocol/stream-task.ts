/** A task's events as the frames of a stream, or waited for by a call that blocks. */
import type { Follower } from '../stream/hub.ts';
import { isTerminal } from '../core/task.ts';
import type { StoredEvent } from '../store/port.ts';
import type { FrameStream, StreamFrame } from './call.ts';

/** Whether the task has ended with this event. */
export function endsTask({ state }: StoredEvent): boolean {
  return state !== undefined && isTerminal(state);
}

/** The first frame, then the follower's events up to and including the one that is the last. */
export function streamTask(
  first: StreamFrame,
  follower: Follower,
  isLast: (event: StoredEvent) => boolean,
): FrameStream {
  return {
    onCut: (listener) => {
      follower.onCut(listener);
    },
    [Symbol.asyncIterator]() {
      const frames = toFrames(first, follower, isLast);
      return {
        next: () => frames.next(),
        // A generator that waits for its next event hears of this only when that comes, which may be never.
        return: () => {
          follower.close();
          return frames.return(undefined);
        },
      };
    },
  };
}

async function* toFrames(
  first: StreamFrame,
  follower: Follower,
  isLast: (event: StoredEvent) => boolean,
): AsyncGenerator<StreamFrame, undefined> {
  try {
    yield first;
    for await (const event of follower) {
      yield { id: event.seq, body: event.body };
      if (isLast(event)) return;
    }
  } finally {
    follower.close();
  }
}

/** A stream of one frame that is over at once. */
export function streamOnce(frame: StreamFrame): FrameStream {
  return {
    onCut: () => undefined,
    async *[Symbol.asyncIterator]() {
      yield await Promise.resolve(frame);
    },
  };
}

/** The first event for which `isLast` holds; undefined when the follower ends before. */
export async function waitFor(
  follower: Follower,
  isLast: (event: StoredEvent) => boolean,
  signal: AbortSignal,
): Promise<StoredEvent | undefined> {
  const stop = () => {
    follower.close();
  };
  signal.addEventListener('abort', stop);
  try {
    for await (const event of follower) if (isLast(event)) return event;
    return undefined;
  } finally {
    signal.removeEventListener('abort', stop);
    follower.close();
  }
}
