/** From the bytes of a request to a JSON value that is safe to work with. */
import { isUtf8 } from 'node:buffer';
import { EdgeError } from './errors.ts';

/** What ill-formed input can be mended with, in the standard words of JSON-RPC. */
const PARSE_ERROR = 'Invalid JSON payload';

/**
 * Checks the Content-Type and Content-Encoding of a request that has a body.
 *
 * @throws EdgeError MEDIA_TYPE_NOT_SUPPORTED naming what is taken
 */
export function requireJson(
  contentType: string | undefined,
  contentEncoding: string | undefined,
  accepted: readonly string[],
): void {
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== 'identity') {
    throw new EdgeError(
      'MEDIA_TYPE_NOT_SUPPORTED',
      `The body has Content-Encoding ${quote(contentEncoding)}; send it as it is, without compression`,
    );
  }
  if (contentType !== undefined && accepted.includes(contentType)) return;
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim());
  if (!accepted.includes(type.toLowerCase())) {
    const came = type === '' ? 'no Content-Type' : `Content-Type ${quote(type)}`;
    throw new EdgeError(
      'MEDIA_TYPE_NOT_SUPPORTED',
      `The body has ${came}; send ${accepted.join(' or ')}`,
    );
  }
  const charset = parameters.find((parameter) => /^charset=/i.test(parameter));
  if (charset !== undefined && !/^charset="?utf-?8"?$/i.test(charset)) {
    throw new EdgeError(
      'MEDIA_TYPE_NOT_SUPPORTED',
      `The body has ${quote(charset)}; JSON is sent as UTF-8`,
    );
  }
}

/**
 * Parses a body. The value holds no ill-formed string and is at most `maxDepth` levels deep, so that it can be
 * walked by recursion and written as UTF-8; a member `__proto__` is a member like any other.
 *
 * @throws EdgeError PARSE_ERROR for what is not JSON in UTF-8, INVALID_REQUEST for what is too deep or ill-formed
 */
export function parseJson(bytes: Buffer, maxDepth: number): unknown {
  if (!isUtf8(bytes)) throw parseError('the body is not valid UTF-8');
  const text = bytes.toString('utf8');
  if (isDeeper(text, maxDepth)) {
    throw new EdgeError(
      'INVALID_REQUEST',
      `The body is nested deeper than the ${maxDepth} levels that this server takes`,
      { metadata: { limit: String(maxDepth) } },
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw parseError(error instanceof Error ? error.message : 'not JSON');
  }
  // In valid UTF-8 only an escape can make half a surrogate pair.
  if (/\\u[dD][89a-fA-F]/.test(text)) requireWellFormed(value, '');
  return value;
}

function parseError(description: string): EdgeError {
  return new EdgeError('PARSE_ERROR', PARSE_ERROR, { violations: [{ field: '', description }] });
}

/** Whether brackets outside of strings open more than `limit` levels. Cheaper than parsing, and before it. */
function isDeeper(text: string, limit: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = endOfString(text, at);
    else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > limit) return true;
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return false;
}

/** Index of the quote that ends the string which begins at `start`; the end of the text when none does. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === 0x5c) backslashes += 1;
  return backslashes % 2 === 1;
}

function requireWellFormed(value: unknown, path: string): void {
  if (typeof value === 'string') {
    // With the u flag a surrogate matches only when it stands alone.
    if (/\p{Surrogate}/u.test(value)) throw illFormed(path);
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => {
      requireWellFormed(item, `${path}[${index}]`);
    });
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      if (/\p{Surrogate}/u.test(name)) throw illFormed(path);
      requireWellFormed(member, path === '' ? name : `${path}.${name}`);
    }
  }
}

function illFormed(field: string): EdgeError {
  const description = 'half a surrogate pair cannot be written as UTF-8; send whole characters';
  return new EdgeError('INVALID_REQUEST', `Ill-formed string: ${description}`, {
    violations: [{ field, description }],
  });
}

/** What came, short enough to repeat. */
function quote(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}
