/** What comes beside an operation's parameters: A2A's service parameters (specification 3.2.6) and our own headers. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { invalidParams } from '../core/errors.ts';

/** The service parameters of a request; names are case-insensitive, values are as they came. */
export interface ServiceParameters {
  /** `A2A-Version` from the header or, without one, from the query; undefined or empty means 0.3 (3.6.2). */
  readonly version: string | undefined;
  /** The URIs of `A2A-Extensions`, in order: the header may be repeated, hold commas and spaces (rule E2). */
  readonly extensions: readonly string[];
  /** Who `X-Participant-Id` asserts the caller to be (rule A2). */
  readonly participant: string | undefined;
  /** `Last-Event-ID`: where a stream is resumed. */
  readonly lastEventId: string | undefined;
}

/** Name of the service parameter that a query may carry in place of a header (specification 3.6.1). */
export const VERSION_PARAMETER = 'a2a-version';

const PARTICIPANT = 'x-participant-id';

const NONE: readonly string[] = [];

/** Reads the service parameters of a request. `query` is the part of the URL after `?`, or empty. */
export function readServiceParameters(
  headers: IncomingHttpHeaders,
  query: string,
): ServiceParameters {
  const extensions = single(headers['a2a-extensions']);
  return {
    version: single(headers[VERSION_PARAMETER]) ?? queryVersion(query),
    extensions: extensions === undefined ? NONE : splitList(extensions),
    participant: nonEmpty(single(headers[PARTICIPANT])),
    lastEventId: nonEmpty(single(headers['last-event-id'])),
  };
}

/**
 * Node joins repeated headers to one text, which would name a participant whom nobody meant.
 *
 * @throws ProtocolError INVALID_PARAMS when the header is there twice (rule A3)
 */
export function requireOneParticipant({ headers, rawHeaders }: IncomingMessage): void {
  if (headers[PARTICIPANT]?.includes(',') !== true) return;
  const names = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === PARTICIPANT);
  if (names.length === 1) return;
  const description = 'X-Participant-Id names one participant; the header is there more than once';
  throw invalidParams([{ field: 'X-Participant-Id', description }]);
}

/** Node joins repeated headers with commas; only few standard ones come as arrays. */
function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(',') : value;
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}

function splitList(text: string): readonly string[] {
  return text
    .split(',')
    .map((uri) => uri.trim())
    .filter((uri) => uri !== '');
}

function queryVersion(query: string): string | undefined {
  if (query === '') return undefined;
  for (const [name, value] of new URLSearchParams(query)) {
    if (name.toLowerCase() === VERSION_PARAMETER) return value;
  }
  return undefined;
}
