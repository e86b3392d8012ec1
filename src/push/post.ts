/** One HTTP exchange with a webhook. */
import * as http from 'node:http';
import * as https from 'node:https';
import type { LookupFunction } from 'node:net';

/** What a webhook is sent. */
interface WebhookRequest {
  readonly url: URL;
  readonly headers: http.OutgoingHttpHeaders;
  readonly body: string;
}

/** What a webhook answers; the rest of its answer is thrown away. */
interface WebhookAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

/** Sends requests to webhooks over connections that are kept for a while. */
export interface Poster {
  /** Rejects when there is no answer, or the signal is aborted before one begins. Redirects are not followed. */
  post(request: WebhookRequest, signal: AbortSignal): Promise<WebhookAnswer>;
  /** Closes all connections. */
  close(): void;
}

/** How much of an answer is read, so that the connection can be used again. */
const ANSWER_BYTES = 4096;

/** Idle connections are closed after four seconds: many servers close theirs after five. */
const KEPT = { keepAlive: true, maxFreeSockets: 2, timeout: 4000 };

/** A poster that connects only to what `lookup` finds. */
export function createPoster(lookup: LookupFunction): Poster {
  const plain = new http.Agent({ ...KEPT, lookup });
  const secure = new https.Agent({ ...KEPT, lookup });
  return {
    post({ url, headers, body }, signal) {
      const request =
        url.protocol === 'https:'
          ? https.request(url, { method: 'POST', headers, signal, agent: secure })
          : http.request(url, { method: 'POST', headers, signal, agent: plain });
      // Beside a string Node would send the headers in the string's encoding; they are Latin-1.
      request.end(Buffer.from(body));
      return readAnswer(request);
    },
    close() {
      plain.destroy();
      secure.destroy();
    },
  };
}

function readAnswer(request: http.ClientRequest): Promise<WebhookAnswer> {
  return new Promise((resolve, reject) => {
    let answer: WebhookAnswer | undefined;
    const settle = (error: Error) => {
      // With its status the answer is known, whatever becomes of its body.
      if (answer === undefined) reject(error);
      else resolve(answer);
    };
    request.on('error', settle);
    request.once('close', () => {
      settle(new Error('the connection was closed without an answer'));
    });
    request.once('response', (response) => {
      answer = {
        status: response.statusCode ?? 0,
        retryAfter: response.headers['retry-after'],
      };
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > ANSWER_BYTES) response.destroy();
      });
      response.on('error', settle);
    });
  });
}
