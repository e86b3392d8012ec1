/** A task's events as the frames of a stream, or waited for by a call that blocks. */
import type { Follower } from '../stream/hub.ts';
import { isTerminal } from '../core/task.ts';
import type { StoredEvent } from '../store/port.ts';
import type { FrameStream, StreamFrame } from './call.ts';

/** Whether the task has ended with this event. */
export function endsTask({ state }: StoredEvent): boolean {
  return state !== undefined && isTerminal(state);
}

/** What a stream gives and when it ends. */
export interface TaskStream {
  readonly first: StreamFrame;
  readonly follower: Follower;
  /** Whether the stream is over with this event. */
  readonly isLast: (event: StoredEvent) => boolean;
  /** Whether its reader may still see the task: asked when the task's data has changed (rule A2). */
  readonly mayRead: () => Promise<boolean>;
}

/** The first frame, then the follower's events up to and including the one that is the last. */
export function streamTask(stream: TaskStream): FrameStream {
  const { follower } = stream;
  return {
    onCut: (listener) => {
      follower.onCut(listener);
    },
    [Symbol.asyncIterator]() {
      const frames = toFrames(stream);
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

async function* toFrames({
  first,
  follower,
  isLast,
  mayRead,
}: TaskStream): AsyncGenerator<StreamFrame, undefined> {
  try {
    yield first;
    for await (const event of follower) {
      if (event.changesData && !(await mayRead())) return;
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
