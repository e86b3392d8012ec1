/** What the client throws, as a fault: whether asking again may help, and what the log is told. */
import type { FaultDetails, ModelFaultKind } from './fault.ts';
import { ModelFault } from './fault.ts';

/** What is looked at in what the client throws. Its classes are not: they would have to be loaded. */
interface Thrown {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly status?: unknown;
  readonly code?: unknown;
  /** The body of an error, also of one amid a stream. */
  readonly error?: unknown;
  readonly headers?: unknown;
  readonly requestID?: unknown;
  readonly cause?: unknown;
}

/** How much of what an endpoint says goes into the log, in characters. */
const LONGEST_REASON = 500;

/** Only OpenAI's own endpoints have a code for it. */
const TOO_LONG = /context (length|size|window)|too many tokens|prompt is too long/i;

/** The fault; the key, should the endpoint have repeated it, is not in it. */
export function toFault(error: unknown, apiKey: string | undefined): ModelFault {
  if (error instanceof ModelFault) return error;
  const thrown: Thrown = error instanceof Error ? error : {};
  const reason = redact(explain(thrown), apiKey).slice(0, LONGEST_REASON);
  const { status, requestID, headers } = thrown;
  const details: FaultDetails = {
    reason,
    ...(typeof status === 'number' && { status }),
    ...(typeof requestID === 'string' && { requestId: redact(requestID, apiKey) }),
    retryAfter: headers instanceof Headers ? readRetryAfter(headers) : undefined,
  };
  const [kind, retry] = classify(thrown);
  return new ModelFault(kind, { ...details, retry });
}

function classify({ status, code, name, error, message }: Thrown): [ModelFaultKind, boolean] {
  if (code === 'context_length_exceeded') return ['too-long', false];
  if ((status === 400 || status === 413) && TOO_LONG.test(String(message)))
    return ['too-long', false];
  // Out of money: that does not pass while one waits.
  if (code === 'insufficient_quota') return ['refused', false];
  if (name === 'SyntaxError') return ['garbled', true];
  if (typeof status !== 'number') return [isPresent(error) ? 'busy' : 'unreachable', true];
  if (status === 408 || status === 409 || status === 429 || status >= 500) return ['busy', true];
  return ['refused', false];
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** The message, and those of its causes: what the client says of a connection is "Connection error.". */
function explain(thrown: Thrown): string {
  const said: string[] = [];
  let next: Thrown | undefined = thrown;
  for (let depth = 0; depth < 4 && next !== undefined; depth += 1) {
    const { message, code, cause }: Thrown = next;
    const text = typeof message === 'string' ? message : '';
    const also = typeof code === 'string' && !text.includes(code) ? ` (${code})` : '';
    if (text + also !== '') said.push(text + also);
    next = cause instanceof Error ? cause : undefined;
  }
  return said.join(': ').replaceAll('.: ', ': ');
}

function redact(text: string, apiKey: string | undefined): string {
  return apiKey === undefined ? text : text.replaceAll(apiKey, '[redacted]');
}

/** Milliseconds; the header holds seconds or a date (RFC 9110 10.2.3). */
function readRetryAfter(headers: Headers): number | undefined {
  const exact = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (exact >= 0) return exact;
  const value = headers.get('retry-after') ?? '';
  const wait = /^[\d.]+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}
