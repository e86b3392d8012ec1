/** A connection that sends bytes as they are and reads one answer at a time. */
import type { Socket } from 'node:net';
import { openSocket } from '../support/raw-http.ts';

/** An answer; of an event stream only the beginning. */
export interface Answer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  /** Whether it is an event stream. */
  readonly streamed: boolean;
}

/** What came of a request: an answer, the connection closed without one, or nothing in time. */
export type Outcome = Answer | 'closed' | 'hang';

/** Sends requests to a server one after the other; opens a new connection where the last one is of no more use. */
export class Connection {
  readonly #url: string;
  #socket: Socket | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  /** Sends the bytes; resolves within so many milliseconds. `headOnly` for a request that gets no body back. */
  send(bytes: Buffer, headOnly: boolean, within: number): Promise<Outcome> {
    const socket = this.#socket ?? openSocket(this.#url);
    this.#socket = socket;
    return new Promise((resolve) => {
      let text = '';
      const finish = (outcome: Outcome, keep = false) => {
        clearTimeout(timer);
        socket.removeAllListeners('data').removeAllListeners('close').removeAllListeners('end');
        if (!keep) this.close();
        resolve(outcome);
      };
      const timer = setTimeout(finish, within, 'hang');
      socket.setEncoding('latin1').on('data', (part: string) => {
        text += part;
        const answer = readAnswer(text, headOnly);
        if (answer === undefined) return;
        const kept = answer.headers.get('connection') !== 'close' && !answer.streamed;
        finish(answer, kept && answer.status < 500);
      });
      for (const event of ['close', 'end']) {
        socket.on(event, () => {
          finish('closed');
        });
      }
      socket.write(bytes);
    });
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }
}

function readAnswer(text: string, headOnly: boolean): Answer | undefined {
  // "100 Continue" is not the answer yet.
  const rest = text.replace(/^HTTP\/1\.1 1\d\d[^]*?\r\n\r\n/, '');
  const split = rest.indexOf('\r\n\r\n');
  if (split === -1) return undefined;
  const [first = '', ...lines] = rest.slice(0, split).split('\r\n');
  const headers = new Map(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  const status = Number(first.split(' ')[1]);
  const body = Buffer.from(rest.slice(split + 4), 'latin1').toString();
  const bare = { status, headers, body: '', streamed: false };
  if (headOnly || status === 204 || status === 304) return bare;
  const length = headers.get('content-length');
  if (length !== undefined) {
    const complete = rest.length - split - 4 >= Number(length);
    return complete ? { ...bare, body } : undefined;
  }
  // Its first event is enough: streams of tasks that go on do not end.
  const event = /data: ([^\n]*)\n\n/.exec(body)?.[1];
  return event === undefined ? undefined : { ...bare, body: event, streamed: true };
}
