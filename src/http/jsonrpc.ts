/** The JSON-RPC 2.0 binding at `POST /` (specification 9). */
import type { FastifyInstance } from 'fastify';
import { invalidParams } from '../core/errors.ts';
import type { OperationName } from '../protocol/call.ts';
import { OPERATION_NAMES } from '../protocol/call.ts';
import { parseJson, requireJson } from './body.ts';
import type { Fault } from './errors.ts';
import { EdgeError, rpcErrorBody, rpcStatus } from './errors.ts';
import type { Edge, Exchange } from './exchange.ts';
import { discard, perform, readCredentials, report } from './exchange.ts';
import { sendFault, sendJson, setFaultHeaders } from './reply.ts';
import { isObject } from '../core/json.ts';

/** Requests in one batch. */
export const MAX_BATCH = 100;

/** Characters of an id: it is repeated in each event of a stream. */
const MAX_ID = 1024;

const MEDIA_TYPE = 'application/json';
const STREAMING: ReadonlySet<OperationName> = new Set(['SendStreamingMessage', 'SubscribeToTask']);

/** A request object that is valid as such. */
interface RpcRequest {
  readonly operation: OperationName;
  readonly params: object;
  /** JSON text; undefined for a notification. */
  readonly id: string | undefined;
}

/** Adds the binding's one route. */
export function registerJsonRpc(app: FastifyInstance, edge: Edge): void {
  app.route({
    method: 'POST',
    url: '/',
    errorHandler: (error, request, reply) => {
      sendRpcFault({ edge, request, reply }, error, 'null');
    },
    handler: (request, reply) => {
      // Fastify is given no promise: a stream would keep it and what hangs on it for as long as it is open.
      const credentials = readCredentials(request);
      const exchange: Exchange = { edge, binding: 'jsonrpc', request, reply, credentials };
      handle(exchange).catch((error: unknown) => {
        sendRpcFault(exchange, error, 'null');
      });
    },
  });
}

async function handle(exchange: Exchange): Promise<void> {
  const { edge, request, reply } = exchange;
  const { 'content-type': type, 'content-encoding': encoding } = request.headers;
  requireJson(type, encoding, [MEDIA_TYPE]);
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const payload = parseJson(bytes, edge.config.maxDepth);
  if (!Array.isArray(payload)) {
    await answerOne(exchange, payload);
    return;
  }
  if (payload.length === 0) throw invalid('The batch is empty');
  if (payload.length > MAX_BATCH) {
    throw invalid(`The batch has ${payload.length} requests; send at most ${MAX_BATCH} at once`);
  }
  const answers = await Promise.all(payload.map((entry) => answerInBatch({ ...exchange }, entry)));
  const bodies = answers.flatMap(({ body }) => body ?? []);
  // The requests of a batch share their credentials, so HTTP can say for all of them what is wrong with those.
  const refusal = answers.map(({ fault }) => fault).find(isAboutCredentials);
  if (refusal !== undefined) setFaultHeaders(reply, refusal);
  if (bodies.length === 0) reply.code(refusal === undefined ? 204 : rpcStatus(refusal)).send();
  else {
    const status = refusal === undefined ? 200 : rpcStatus(refusal);
    sendJson(reply, status, MEDIA_TYPE, `[${bodies.join(',')}]`);
  }
}

async function answerOne(exchange: Exchange, entry: unknown): Promise<void> {
  const { edge, reply } = exchange;
  try {
    const { operation, params, id } = readRequest(entry);
    const answer = await perform(exchange, operation, params);
    if (id === undefined) {
      await discard(answer);
      reply.code(204).send();
      return;
    }
    const envelope = { before: `{"jsonrpc":"2.0","id":${id},"result":`, after: '}' };
    if (answer.kind === 'stream') await edge.streams.open(reply, answer.frames, envelope);
    else sendJson(reply, 200, MEDIA_TYPE, envelope.before + answer.body + envelope.after);
  } catch (error) {
    if (!isNotification(entry)) sendRpcFault(exchange, error, idOf(entry));
    else sendUnanswered(exchange, error);
  }
}

/** A notification has no answer in JSON-RPC; HTTP still says when its credentials will not do. */
function sendUnanswered(exchange: Exchange, error: unknown): void {
  const { reply } = exchange;
  const fault = report(exchange, error);
  setFaultHeaders(reply, fault);
  reply.code(isAboutCredentials(fault) ? rpcStatus(fault) : 204).send();
}

function isAboutCredentials(fault: Fault | undefined): fault is Fault {
  return fault?.reason === 'UNAUTHENTICATED';
}

function sendRpcFault(
  exchange: Pick<Exchange, 'edge' | 'request' | 'reply' | 'about'>,
  error: unknown,
  id: string,
): void {
  const fault = report(exchange, error);
  sendFault(exchange.reply, fault, rpcStatus(fault), MEDIA_TYPE, rpcErrorBody(fault, id));
}

/** What one request of a batch came to; a notification has no body. */
interface BatchAnswer {
  readonly body?: string;
  readonly fault?: Fault;
}

async function answerInBatch(exchange: Exchange, entry: unknown): Promise<BatchAnswer> {
  try {
    const { operation, params, id } = readRequest(entry);
    if (STREAMING.has(operation)) {
      throw new EdgeError(
        'INVALID_REQUEST',
        `${operation} answers with a stream, which a batch cannot hold; send it alone`,
      );
    }
    const answer = await perform(exchange, operation, params);
    if (id !== undefined && answer.kind === 'value') {
      return { body: `{"jsonrpc":"2.0","id":${id},"result":${answer.body}}` };
    }
    await discard(answer);
    return {};
  } catch (error) {
    const fault = report(exchange, error);
    return isNotification(entry) ? { fault } : { fault, body: rpcErrorBody(fault, idOf(entry)) };
  }
}

/** Reads a request object; throws EdgeError, or ProtocolError for parameters by position. */
function readRequest(entry: unknown): RpcRequest {
  if (!isObject(entry)) throw invalid('A request is an object');
  const { jsonrpc, method, params } = entry;
  if (jsonrpc !== '2.0') throw invalid('A request has the member "jsonrpc" with the value "2.0"');
  if (typeof method !== 'string') throw invalid('A request has the member "method", a string');
  if (!hasUsableId(entry)) {
    throw invalid(`An id is null, a finite number or a string of at most ${MAX_ID} characters`);
  }
  if (!isOperation(method)) throw notFound();
  if (params !== undefined && !isObject(params)) throw notByName();
  return { operation: method, params: params ?? {}, id: 'id' in entry ? idOf(entry) : undefined };
}

function isOperation(method: string): method is OperationName {
  return (OPERATION_NAMES as readonly string[]).includes(method);
}

function hasUsableId(entry: Readonly<Record<string, unknown>>): boolean {
  const { id } = entry;
  if (typeof id === 'string') return id.length <= MAX_ID;
  return id === undefined || id === null || Number.isFinite(id);
}

/** The id to answer with, as JSON text: null when there is none or it cannot be used. */
function idOf(entry: unknown): string {
  return isObject(entry) && hasUsableId(entry) ? JSON.stringify(entry.id ?? null) : 'null';
}

/** Whether no answer is wanted: a request object, valid as such, without an id. */
function isNotification(entry: unknown): boolean {
  if (!isObject(entry) || 'id' in entry) return false;
  return entry.jsonrpc === '2.0' && typeof entry.method === 'string';
}

function invalid(description: string): EdgeError {
  return new EdgeError('INVALID_REQUEST', 'Request payload validation error', {
    violations: [{ field: '', description }],
  });
}

/** The message is the specification's (9.5); the rest helps who comes from another version. */
function notFound(): EdgeError {
  const description = `method must be one of ${OPERATION_NAMES.join(', ')}`;
  return new EdgeError('METHOD_NOT_FOUND', 'Method not found', {
    violations: [{ field: 'method', description }],
  });
}

function notByName(): Error {
  const description = 'params is an object whose members are named; lists are not taken';
  return invalidParams([{ field: 'params', description }]);
}
