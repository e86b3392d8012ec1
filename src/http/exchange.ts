/** One operation called for one HTTP request: what both bindings do around it. */
import { setMaxListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Credentials } from '../auth/authentication.ts';
import type { Config } from '../config.ts';
import type { Logger } from '../log.ts';
import type { Answer, Call, OperationName, Operations } from '../protocol/call.ts';
import type { Fault } from './errors.ts';
import { toFault } from './errors.ts';
import type { Metrics } from './metrics.ts';
import type { ServiceParameters } from './service-parameters.ts';
import { readServiceParameters, requireOneParticipant } from './service-parameters.ts';
import type { Streams } from './sse.ts';

/** The two bindings of the protocol. */
type Binding = 'jsonrpc' | 'rest';

/** What the handlers of a server share. */
export interface Edge {
  readonly operations: Operations;
  readonly config: Config;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly streams: Streams;
}

/** A request and its answer to be. */
export interface Exchange {
  readonly edge: Edge;
  readonly binding: Binding;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** The same for every call of a batch. */
  readonly credentials: Credentials;
  /** What is called, for the log; set when that is known. */
  about?: About;
}

/** What a request is about. */
interface About {
  readonly operation: OperationName;
  readonly taskId: string | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** What the request is about, for the log; of a batch, its last entry. */
    about: About | undefined;
  }
}

/** What proves who sends a request. */
export function readCredentials({ headers, ip }: FastifyRequest): Credentials {
  return { authorization: headers.authorization, address: ip };
}

/**
 * Calls the operation, counts it, and names the activated extensions in the answer's header (rule E2). Rejects with
 * what the operation rejects with.
 */
export async function perform(
  exchange: Exchange,
  operation: OperationName,
  params: unknown,
): Promise<Answer> {
  const { edge, binding, request, reply } = exchange;
  exchange.about = { operation, taskId: taskIdOf(operation, params) };
  request.about = exchange.about;
  const started = performance.now();
  const parameters = readServiceParameters(request.headers, queryOf(request.url));
  let outcome = 'OK';
  try {
    requireOneParticipant(request.raw);
    const answer = await edge.operations.call(
      new HttpCall(operation, params, parameters, exchange),
    );
    if (parameters.extensions.length > 0) echoExtensions(exchange, parameters.extensions);
    // What a caller gets who has said who it is, is for that caller.
    if (operation === 'GetExtendedAgentCard') reply.header('cache-control', 'private, no-cache');
    return answer;
  } catch (error) {
    outcome = toFault(error, request.id, edge.config.bodyLimit).reason;
    throw error;
  } finally {
    const seconds = (performance.now() - started) / 1000;
    edge.metrics.record({ operation, binding, outcome, seconds });
  }
}

/** Lets go of an answer that nobody reads. */
export async function discard(answer: Answer): Promise<void> {
  if (answer.kind === 'stream') await answer.frames[Symbol.asyncIterator]().return?.();
}

/** The part of a request's URL after `?`, or empty. */
export function queryOf(url: string): string {
  const mark = url.indexOf('?');
  return mark === -1 ? '' : url.slice(mark + 1);
}

/**
 * Logs a refusal: a mistake of ours, or what keeps us from working, with all that is known of it; any other at debug
 * level. Returns what to answer.
 */
export function report(
  { edge, request, about }: Pick<Exchange, 'edge' | 'request' | 'about'>,
  error: unknown,
): Fault {
  const fault = toFault(error, request.id, edge.config.bodyLimit);
  const line = { reqId: request.id, ...about, reason: fault.reason };
  if (fault.reason === 'INTERNAL') edge.log.error({ ...line, err: error }, 'request failed');
  else if (fault.reason === 'UNAVAILABLE') edge.log.warn({ ...line, err: error }, fault.message);
  else edge.log.debug(line, fault.message);
  return fault;
}

class HttpCall implements Call {
  readonly operation: OperationName;
  readonly params: unknown;
  readonly version: string | undefined;
  readonly extensions: readonly string[];
  readonly participant: string | undefined;
  readonly credentials: Credentials;
  readonly lastEventId: string | undefined;
  readonly #reply: FastifyReply;

  constructor(
    operation: OperationName,
    params: unknown,
    parameters: ServiceParameters,
    { credentials, reply }: Pick<Exchange, 'credentials' | 'reply'>,
  ) {
    this.operation = operation;
    this.params = params;
    this.version = parameters.version;
    this.extensions = parameters.extensions;
    this.participant = parameters.participant;
    this.credentials = credentials;
    this.lastEventId = parameters.lastEventId;
    this.#reply = reply;
  }

  /** Made when it is asked for: most calls are over before the caller can be gone. */
  get signal(): AbortSignal {
    return signalOf(this.#reply);
  }
}

/** The signals of requests that are being answered: the calls of a batch share one. */
const signals = new WeakMap<ServerResponse, AbortSignal>();

function signalOf({ raw }: FastifyReply): AbortSignal {
  const known = signals.get(raw);
  if (known !== undefined) return known;
  const controller = new AbortController();
  const { signal } = controller;
  // Node takes more than ten listeners for a leak; a batch may have a hundred.
  setMaxListeners(0, signal);
  signals.set(raw, signal);
  if (raw.destroyed) controller.abort();
  else
    raw.once('close', () => {
      if (!raw.writableFinished) controller.abort();
    });
  return signal;
}

function echoExtensions({ edge, reply }: Exchange, asked: readonly string[]): void {
  const activated = edge.operations.activated(asked);
  if (activated.length > 0) reply.header('a2a-extensions', activated.join(', '));
}

/** The task that unchecked parameters name, for the log. */
function taskIdOf(operation: OperationName, params: unknown): string | undefined {
  const { taskId, id, message } = Object(params) as Record<string, unknown>;
  const named = taskId ?? (operation.includes('PushNotification') ? undefined : id);
  const found = named ?? (Object(message) as { taskId?: unknown }).taskId;
  return typeof found === 'string' ? found.slice(0, 100) : undefined;
}
