/** What any answer must be like, whatever was asked. */
import type { Answer, Outcome } from './connection.ts';

/** What is wrong with an outcome; undefined when nothing is. `rpc`: the request went to the JSON-RPC endpoint. */
export function findFault(outcome: Outcome, rpc: boolean, closes: boolean): string | undefined {
  if (outcome === 'hang') return 'no answer in time';
  if (outcome === 'closed') return closes ? undefined : 'closed without an answer';
  const { status, body, headers } = outcome;
  if (status >= 500) return `status ${status}: ${body}`;
  if (/\n\s+at .+:\d+/.test(body)) return `a stack trace: ${body}`;
  const type = headers.get('content-type') ?? '';
  const isProtocol = type.startsWith('application/') || type.startsWith('text/event-stream');
  if (body === '' || !isProtocol) return status < 400 ? undefined : noFault(body === '', outcome);
  const json = parse(body);
  if (json === undefined) return `no JSON: ${body}`;
  if (rpc && (status === 200 || Object.hasOwn(json, 'jsonrpc') || Array.isArray(json)))
    return findRpcFault(json);
  return status < 400 ? undefined : findStatusFault(json, status);
}

function noFault(isEmpty: boolean, { status, headers }: Answer): string | undefined {
  // An answer to HEAD has no body to look at.
  if (isEmpty && headers.has('content-length')) return undefined;
  return `status ${status} without a google.rpc.Status`;
}

function parse(body: string): object | undefined {
  try {
    return Object(JSON.parse(body)) as object;
  } catch {
    return undefined;
  }
}

function findRpcFault(json: object): string | undefined {
  if (Array.isArray(json)) {
    if (json.length === 0) return 'an empty batch';
    return json.map((entry) => findRpcFault(Object(entry) as object)).find((fault) => fault);
  }
  const { jsonrpc, id, result, error } = json as Record<string, unknown>;
  const text = JSON.stringify(json).slice(0, 500);
  if (jsonrpc !== '2.0') return `no JSON-RPC 2.0: ${text}`;
  if (id !== null && typeof id !== 'string' && typeof id !== 'number') return `no id: ${text}`;
  if ((result === undefined) === (error === undefined))
    return `not one of result and error: ${text}`;
  if (error === undefined) return undefined;
  const { code, message, data } = Object(error) as Record<string, unknown>;
  if (!Number.isInteger(code) || typeof message !== 'string') return `no error object: ${text}`;
  if (code === -32603) return `internal error: ${text}`;
  return hasErrorInfo(data) ? undefined : `no ErrorInfo: ${text}`;
}

function findStatusFault(json: object, status: number): string | undefined {
  const { error } = json as Record<string, unknown>;
  const { code, status: name, message, details } = Object(error) as Record<string, unknown>;
  const text = JSON.stringify(json).slice(0, 500);
  if (code !== status || typeof name !== 'string' || !/^[A-Z_]+$/.test(name))
    return `no google.rpc.Status for ${status}: ${text}`;
  if (typeof message !== 'string' || message === '') return `no message: ${text}`;
  return hasErrorInfo(details) ? undefined : `no ErrorInfo: ${text}`;
}

function hasErrorInfo(details: unknown): boolean {
  if (!Array.isArray(details)) return false;
  return details.some((detail) => {
    const { '@type': type, reason, domain } = Object(detail) as Record<string, unknown>;
    const isInfo = type === 'type.googleapis.com/google.rpc.ErrorInfo';
    return isInfo && typeof reason === 'string' && domain === 'a2a-protocol.org';
  });
}
