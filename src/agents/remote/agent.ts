/** A remote A2A agent as an agent of this server: its turns are done elsewhere, and mirrored here. */
import type { RemoteTask } from '../../core/remote-task.ts';
import type { Agent, Turn, TurnOutcome } from '../port.ts';
import type { Connect } from './connector.ts';
import { createConnector } from './connector.ts';
import type { RemoteAgentDefinition } from './definition.ts';
import { RemoteFault } from './faults.ts';
import { follow } from './feed.ts';
import { createTurnMessage } from './message.ts';
import { Mirror } from './mirror.ts';
import type { Parts } from './parts.ts';
import { RemotePlace } from './place.ts';
import type { RemoteTaskLog } from './port.ts';
import { createQueue } from './queue.ts';
import { settleRemoteTask } from './settle.ts';
import { watchSilence } from './silence.ts';

/** What a remote agent works with. */
export interface RemoteAgentOptions {
  readonly log: RemoteTaskLog;
  /** For how many milliseconds it may have nothing new to say before the task fails. */
  readonly timeout: number;
  /** Milliseconds between the first questions after a task. */
  readonly poll: number;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** From 0 up to 1. */
  readonly random?: () => number;
}

/** A remote agent. */
export interface RemoteAgent extends Agent {
  /**
   * Brings a remote task to its end whose task here has ended: completes it where it is a conversation that has given
   * its answer, cancels it otherwise. Resolves when nothing is left to do; rejects when it may be tried again.
   */
  settle(task: RemoteTask, how: 'complete' | 'cancel', signal: AbortSignal): Promise<void>;
}

/** Turns of one remote agent at a time, each with a connection of its own; others wait. */
const MAX_TURNS = 32;

/** How long the answer to a message is waited for after the turn was cut, to learn what there is to cancel: milliseconds. */
const GRACE = 5000;

/**
 * A remote agent. Whatever it does wrong, the turn ends in `failed` with words that say which agent it was and why.
 */
export function createRemoteAgent(
  definition: RemoteAgentDefinition,
  options: RemoteAgentOptions,
): RemoteAgent {
  const { id } = definition;
  const connect = createConnector(definition, options.now ?? Date.now);
  const enter = createQueue(MAX_TURNS);
  return {
    lifecycle: 'delegated',
    async run(turn) {
      const leave = await enter(turn.signal);
      const cut = new AbortController();
      try {
        const known = await options.log.find(turn.taskId);
        const place = new RemotePlace(options.log, turn, id, known);
        return await work({ turn, place, connect, cut, options });
      } catch (error) {
        if (!(error instanceof RemoteFault)) throw error;
        const end = /[.!?…]$/.test(error.message) ? '' : '.';
        const text = `The remote agent ${id} ${error.message}${end}`;
        return { end: 'failed', parts: [{ text }] };
      } finally {
        // Whatever is still open of the connections.
        cut.abort();
        leave();
      }
    },
    settle: async (task, how, signal) => settleRemoteTask(await connect(signal), task, how, signal),
  };
}

interface Work {
  readonly turn: Turn;
  readonly place: RemotePlace;
  readonly connect: Connect;
  readonly cut: AbortController;
  readonly options: RemoteAgentOptions;
}

/** Sends the turn's message unless an earlier run has, and mirrors what follows from it, to the end of the turn. */
async function work({ turn, place, connect, cut, options }: Work): Promise<TurnOutcome> {
  const { timeout, poll, random = Math.random } = options;
  let trouble: string | undefined;
  const silence = watchSilence(timeout, () => {
    const last = trouble === undefined ? '' : `; it ${trouble}`;
    cut.abort(new RemoteFault(`had nothing new to say for ${toWords(timeout)}${last}`));
  });
  const release = cutWith(turn.signal, cut, () => place.remoteTaskId !== undefined);
  const events = follow({
    connect,
    messageFor: ({ card }) => createTurnMessage(turn, place, card.knowsTasks),
    place,
    silence,
    poll,
    random,
    cut: cut.signal,
    onTrouble(words) {
      trouble = words;
    },
  });
  try {
    const lastSaid = place.isSent ? await findLastSaid(turn) : undefined;
    const mirror = new Mirror({ turn, place, silence, lastSaid });
    for await (const event of events) {
      const outcome = await mirror.take(event);
      if (outcome !== undefined) return outcome;
    }
    throw new RemoteFault('said no more');
  } finally {
    release();
    silence.stop();
  }
}

/** Cuts with a signal: at once, or after a while when it is not known yet what there would be to cancel. */
function cutWith(signal: AbortSignal, cut: AbortController, isKnown: () => boolean): () => void {
  const abort = () => {
    cut.abort(signal.reason);
  };
  let timer: NodeJS.Timeout | undefined;
  const listen = () => {
    if (isKnown()) abort();
    else timer = setTimeout(abort, GRACE).unref();
  };
  if (signal.aborted) abort();
  signal.addEventListener('abort', listen);
  return () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', listen);
  };
}

/** What was passed on last, by a run of this turn that was cut off. */
async function findLastSaid(turn: Turn): Promise<Parts | undefined> {
  const last = (await turn.history(20)).at(-1);
  return last?.role === 'ROLE_AGENT' ? last.parts : undefined;
}

function toWords(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}
