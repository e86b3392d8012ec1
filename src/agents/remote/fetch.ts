/** HTTP to a remote agent: to one origin alone, without redirects, and no more of an answer than fits. */
import { RemoteFault, RemoteTrouble } from './faults.ts';

/** The longest that a remote agent may ask to be left alone: milliseconds. */
const LONGEST = 300_000;

/** What the requests have in common. */
export interface RemoteFetchOptions {
  /** The only origin that is spoken to. */
  readonly origin: string;
  /** Goes with each request as a bearer token. */
  readonly token: string | undefined;
  /** The most bytes of an answer, after it was decompressed; and of a stream while it is connected. */
  readonly answerBytes: number;
  readonly streamBytes: number;
}

/**
 * A fetch that rejects with a RemoteFault for another origin, a redirect and refused credentials, and with a
 * RemoteTrouble when nobody answers or the status says to come back later.
 */
export function createRemoteFetch(options: RemoteFetchOptions): typeof fetch {
  const { origin, token } = options;
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.origin !== origin) {
      throw new RemoteFault(`would have been asked at ${url.origin}, which is not its origin`);
    }
    const headers = new Headers(init.headers);
    if (token !== undefined) headers.set('Authorization', `Bearer ${token}`);
    const response = await fetch(url, { ...init, headers, redirect: 'manual' }).catch(
      (error: unknown) => {
        if (init.signal?.aborted === true) throw error;
        // Which address it was and why it failed is not for participants.
        throw new RemoteTrouble('cannot be reached');
      },
    );
    const refusal = findRefusal(response);
    if (refusal === undefined) return limit(response, options);
    await response.body?.cancel().catch(() => undefined);
    throw refusal;
  };
}

function findRefusal({ status, headers }: Response): Error | undefined {
  if (status >= 300 && status < 400) {
    return new RemoteFault(`answers with a redirect (status ${status}), which is not followed`);
  }
  if (status === 401 || status === 403) {
    return new RemoteFault(`does not accept the credentials of this server (status ${status})`);
  }
  if (status !== 429 && status < 500) return undefined;
  const wait = Number(headers.get('Retry-After') ?? 0) * 1000;
  return new RemoteTrouble(`answers with status ${status}`, wait > 0 ? Math.min(wait, LONGEST) : 0);
}

function limit(response: Response, { answerBytes, streamBytes }: RemoteFetchOptions): Response {
  if (response.body === null) return response;
  const { status, statusText, headers } = response;
  const isStream = headers.get('Content-Type')?.startsWith('text/event-stream') === true;
  const most = isStream ? streamBytes : answerBytes;
  let bytes = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > most) throw new RemoteFault(`sent more than ${most} bytes in one answer`);
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(counter), { status, statusText, headers });
}
