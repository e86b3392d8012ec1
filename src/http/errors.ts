/** The one place that knows how a refusal looks on the wire, in both bindings (specification 5.4, 9.5, 11.6). */
import type { ErrorDetails, ErrorReason } from '../core/errors.ts';
import { ProtocolError } from '../core/errors.ts';

/** Reasons that only the HTTP edge has: the request never reached an operation. */
export type EdgeReason =
  | 'PARSE_ERROR'
  | 'INVALID_REQUEST'
  | 'METHOD_NOT_FOUND'
  | 'ROUTE_NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'MEDIA_TYPE_NOT_SUPPORTED'
  | 'BODY_TOO_LARGE'
  | 'HEADERS_TOO_LARGE'
  | 'REQUEST_TIMEOUT';

/** Why a request was refused. */
export type Reason = ErrorReason | EdgeReason;

/** A request that the edge refuses. Its message and details are for the caller's eyes. */
export class EdgeError extends Error {
  override readonly name = 'EdgeError';
  readonly reason: EdgeReason;
  readonly details: ErrorDetails;

  constructor(reason: EdgeReason, message: string, details: ErrorDetails = {}) {
    super(message);
    this.reason = reason;
    this.details = details;
  }
}

/** How a reason looks on the wire. */
interface WireForm {
  /** JSON-RPC's `error.code`. */
  readonly rpc: number;
  /** HTTP status of HTTP+JSON, and `error.code` there. */
  readonly http: number;
  /** `error.status`: the name of a google.rpc.Code. */
  readonly status: string;
  /** HTTP status of JSON-RPC: 200 unless the refusal is about HTTP itself. */
  readonly rpcHttp: number;
}

const WIRE: Readonly<Record<Reason, WireForm>> = {
  TASK_NOT_FOUND: form(-32001, 404, 'NOT_FOUND'),
  TASK_NOT_CANCELABLE: form(-32002, 400, 'FAILED_PRECONDITION'),
  PUSH_NOTIFICATION_NOT_SUPPORTED: form(-32003, 400, 'FAILED_PRECONDITION'),
  UNSUPPORTED_OPERATION: form(-32004, 400, 'FAILED_PRECONDITION'),
  CONTENT_TYPE_NOT_SUPPORTED: form(-32005, 400, 'INVALID_ARGUMENT'),
  INVALID_AGENT_RESPONSE: form(-32006, 500, 'INTERNAL'),
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: form(-32007, 400, 'FAILED_PRECONDITION'),
  EXTENSION_SUPPORT_REQUIRED: form(-32008, 400, 'FAILED_PRECONDITION'),
  VERSION_NOT_SUPPORTED: form(-32009, 400, 'FAILED_PRECONDITION'),
  INVALID_PARAMS: form(-32602, 400, 'INVALID_ARGUMENT'),
  INTERNAL: form(-32603, 500, 'INTERNAL'),
  PARSE_ERROR: form(-32700, 400, 'INVALID_ARGUMENT'),
  INVALID_REQUEST: form(-32600, 400, 'INVALID_ARGUMENT'),
  METHOD_NOT_FOUND: form(-32601, 404, 'NOT_FOUND'),
  // JSON-RPC has no codes for these three: -32000 is its "server error", the ErrorInfo tells them apart.
  UNAUTHENTICATED: form(-32000, 401, 'UNAUTHENTICATED', 401),
  RATE_LIMITED: form(-32000, 429, 'RESOURCE_EXHAUSTED', 429),
  UNAVAILABLE: form(-32000, 503, 'UNAVAILABLE', 503),
  // Refusals of HTTP itself keep their status in JSON-RPC too.
  ROUTE_NOT_FOUND: form(-32601, 404, 'NOT_FOUND', 404),
  METHOD_NOT_ALLOWED: form(-32601, 405, 'UNIMPLEMENTED', 405),
  MEDIA_TYPE_NOT_SUPPORTED: form(-32005, 415, 'INVALID_ARGUMENT', 415),
  BODY_TOO_LARGE: form(-32600, 413, 'INVALID_ARGUMENT', 413),
  HEADERS_TOO_LARGE: form(-32600, 431, 'INVALID_ARGUMENT', 431),
  REQUEST_TIMEOUT: form(-32600, 408, 'DEADLINE_EXCEEDED', 408),
};

function form(rpc: number, http: number, status: string, rpcHttp = 200): WireForm {
  return { rpc, http, status, rpcHttp };
}

/** A refusal, ready to be written in either binding. */
export interface Fault {
  readonly reason: Reason;
  readonly message: string;
  readonly details: ErrorDetails;
}

/** The refusal that an error stands for; INTERNAL, with nothing of the error in it, when it is a mistake of ours. */
export function toFault(error: unknown, requestId: string, bodyLimit: number): Fault {
  if (error instanceof ProtocolError || error instanceof EdgeError) {
    const { reason, message, details } = error;
    return { reason, message, details };
  }
  return (
    frameworkFault(error, bodyLimit) ?? {
      reason: 'INTERNAL',
      message: 'Internal error',
      details: { metadata: { correlationId: requestId } },
    }
  );
}

/** What Fastify itself refuses, by its code or status. */
function frameworkFault(error: unknown, bodyLimit: number): Fault | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return {
      reason: 'BODY_TOO_LARGE',
      message: `The request body is larger than the ${bodyLimit} bytes that this server takes`,
      details: { metadata: { limit: String(bodyLimit) } },
    };
  }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return {
      reason: 'MEDIA_TYPE_NOT_SUPPORTED',
      message: 'The Content-Type header is not a media type; send application/json',
      details: {},
    };
  }
  if (code === 'FST_ERR_BAD_URL') {
    const message = 'The path has a malformed percent escape; encode UTF-8 as in %C3%A9';
    return { reason: 'INVALID_REQUEST', message, details: {} };
  }
  if (typeof statusCode !== 'number' || statusCode < 400 || statusCode >= 500) return undefined;
  return { reason: 'INVALID_REQUEST', message: error.message, details: {} };
}

/** HTTP status of the refusal in HTTP+JSON. */
export function restStatus(fault: Fault): number {
  return WIRE[fault.reason].http;
}

/** HTTP status of the refusal in JSON-RPC. */
export function rpcStatus(fault: Fault): number {
  return WIRE[fault.reason].rpcHttp;
}

/** The body of an HTTP+JSON answer: a google.rpc.Status under `error`. */
export function restErrorBody(fault: Fault): string {
  const { http: code, status } = WIRE[fault.reason];
  return JSON.stringify({
    error: { code, status, message: fault.message, details: errorDetails(fault) },
  });
}

/** A JSON-RPC response object with the refusal. `id` is JSON text. */
export function rpcErrorBody(fault: Fault, id: string): string {
  const { rpc: code } = WIRE[fault.reason];
  const error = { code, message: fault.message, data: errorDetails(fault) };
  return `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}`;
}

function errorDetails({ reason, details }: Fault): object[] {
  const info = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    // A2A has one name for media types that are not taken, of parts and of bodies.
    reason: reason === 'MEDIA_TYPE_NOT_SUPPORTED' ? 'CONTENT_TYPE_NOT_SUPPORTED' : reason,
    domain: 'a2a-protocol.org',
    metadata: { ...details.metadata, timestamp: new Date().toISOString() },
  };
  if (details.violations === undefined) return [info];
  const fieldViolations = details.violations;
  return [info, { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations }];
}
