/** What a remote agent tells of a task, however often it breaks off: a stream where there is one, questions otherwise. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Message, StreamResponse } from '@tiny-harness/contract/a2a';
import type { RemoteClient } from './client.ts';
import type { Connect } from './connector.ts';
import { RemoteRefusal } from './client.ts';
import { RemoteFault, RemoteNonsense, RemoteTrouble } from './faults.ts';
import type { SilenceWatch } from './silence.ts';

/** What is being told of. */
interface Place {
  /** The remote task, once it is known. */
  readonly remoteTaskId: string | undefined;
  /** Whether the message of this turn has arrived. */
  readonly isSent: boolean;
}

/** Where a feed gets its events from, and how fast. */
export interface FeedOptions {
  readonly connect: Connect;
  /** The message of this turn. */
  readonly messageFor: (client: RemoteClient) => Message;
  readonly place: Place;
  readonly silence: SilenceWatch;
  /** Milliseconds between the first questions. */
  readonly poll: number;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** Ends the feed: it throws the signal's reason. */
  readonly cut: AbortSignal;
  /** Told in words what the remote agent's last trouble was; undefined when it is over. */
  readonly onTrouble: (words: string | undefined) => void;
}

/** The longest wait between two questions or attempts, in milliseconds, unless the first is longer. */
const LONGEST = 30_000;

/** After so many streams without anything new, questions take their place. */
const BARREN_STREAMS = 3;

/** After so many answers in a row that make no sense, there are no more questions. */
const MAX_NONSENSE = 5;

/**
 * Events of the task, without an end: whoever reads them stops when they have heard enough. What may pass is tried
 * again until the feed is cut.
 *
 * @throws RemoteFault for what does not pass
 */
export async function* follow(options: FeedOptions): AsyncGenerator<StreamResponse> {
  const { cut, silence, poll, random, onTrouble } = options;
  const state = { streams: false, barren: 0, nonsense: 0 };
  let pause = poll;
  for (;;) {
    const before = silence.news;
    let asked = 0;
    try {
      for await (const event of listen(options, state)) {
        state.nonsense = 0;
        onTrouble(undefined);
        yield event;
      }
    } catch (error) {
      asked = judge(error, state, cut);
      onTrouble((error as Error).message);
    }
    const hasNews = silence.news > before;
    if (state.streams) state.barren = hasNews ? 0 : state.barren + 1;
    pause = hasNews ? poll : Math.min(pause * 1.5, Math.max(poll, LONGEST));
    await wait(Math.max(asked, pause * (0.5 + random() / 2)), undefined, { signal: cut }).catch(
      () => {
        throw cut.reason;
      },
    );
  }
}

interface FeedState {
  /** Whether there was a stream this time. */
  streams: boolean;
  /** How many streams in a row brought nothing new. */
  barren: number;
  /** How many answers in a row made no sense. */
  nonsense: number;
}

/** How long the remote agent asks to be left alone. Throws what does not pass. */
function judge(error: unknown, state: FeedState, cut: AbortSignal): number {
  cut.throwIfAborted();
  if (!(error instanceof RemoteTrouble)) throw error;
  if (error instanceof RemoteNonsense && (state.nonsense += 1) >= MAX_NONSENSE) {
    throw new RemoteFault(error.message);
  }
  return error.wait;
}

/** One connection's worth of events. */
async function* listen(
  { connect, messageFor, place, cut }: FeedOptions,
  state: FeedState,
): AsyncGenerator<StreamResponse> {
  // An address that leads to nonsense may have changed.
  const client = await connect(cut, state.nonsense > 0);
  const streams = client.card.streams && state.barren < BARREN_STREAMS;
  state.streams = streams;
  if (!place.isSent || place.remoteTaskId === undefined) {
    const message = messageFor(client);
    try {
      if (streams) yield* client.stream(message, cut);
      else yield await client.send(message, cut);
      return;
    } catch (error) {
      // To a task that has ended meanwhile nothing can be said: what it ended with is the answer.
      if (place.remoteTaskId === undefined || !isRefusal(error, 'UNSUPPORTED_OPERATION'))
        throw error;
    }
  }
  const taskId = place.remoteTaskId;
  try {
    if (streams) {
      yield* client.subscribe(taskId, cut);
      return;
    }
  } catch (error) {
    // Tasks that have ended cannot be subscribed to, and some agents have no subscriptions.
    if (!(error instanceof RemoteRefusal) || isRefusal(error, 'TASK_NOT_FOUND')) throw error;
  }
  yield await client.read(taskId, cut);
}

function isRefusal(error: unknown, reason: string): boolean {
  return error instanceof RemoteRefusal && error.reason === reason;
}
