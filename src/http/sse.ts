/** Server-Sent Events: frames of an operation written to a response, as fast as its reader takes them. */
import type { FastifyReply } from 'fastify';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Logger } from '../log.ts';
import type { FrameStream, StreamFrame } from '../protocol/call.ts';

/** What stands before and after each body: the JSON-RPC envelope, or nothing. */
interface Envelope {
  readonly before: string;
  readonly after: string;
}

/** The open streams of a server. */
export interface Streams {
  /**
   * Answers with a stream. Resolves when its first frame is written; rejects with what the frames throw before
   * that, and then the reply is still to be sent.
   */
  open(reply: FastifyReply, frames: FrameStream, envelope: Envelope): Promise<void>;
  /** How many are open. */
  count(): number;
  /** Tells every reader that the server stops, and ends the streams. Readers may resume with the last `id`. */
  close(): void;
}

/** A stream that is being written. There may be thousands: nothing here that is not needed. */
interface OpenStream {
  readonly raw: ServerResponse;
  readonly iterator: AsyncIterator<StreamFrame>;
  readonly envelope: Envelope;
  readonly requestId: string;
  /** For how many heartbeats the reader has taken nothing. */
  stalled: number;
}

/** A reader that takes nothing for this many heartbeats is disconnected; it can resume with the last `id`. */
const STALLED_HEARTBEATS = 2;

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  // Proxies of nginx's kind hold answers back unless they are told not to.
  'x-accel-buffering': 'no',
};

/** Keeps the streams of a server: one timer gives all of them their heartbeats, every `heartbeatMs` milliseconds. */
export function createStreams(heartbeatMs: number, log: Logger): Streams {
  const streams = new Set<OpenStream>();
  const timer = setInterval(() => {
    for (const stream of streams) beat(stream, log);
  }, heartbeatMs);
  timer.unref();
  return {
    async open(reply, frames, envelope) {
      const iterator = frames[Symbol.asyncIterator]();
      const { raw } = reply;
      const stream = { raw, iterator, envelope, requestId: reply.request.id, stalled: 0 };
      raw.once('close', () => {
        streams.delete(stream);
        void Promise.resolve(iterator.return?.()).catch(ignore);
      });
      frames.onCut(() => {
        cut(stream, log);
      });
      const first = await iterator.next();
      if (raw.destroyed) {
        reply.hijack();
        return;
      }
      streams.add(stream);
      raw.writeHead(200, { ...reply.getHeaders(), ...HEADERS } as OutgoingHttpHeaders);
      reply.hijack();
      void pump(stream, first, log);
    },
    count: () => streams.size,
    close() {
      clearInterval(timer);
      for (const stream of streams) cut(stream, log);
    },
  };
}

/** Ends a stream that is not over. A reader that is being waited for would not learn of it: it is disconnected. */
function cut(stream: OpenStream, log: Logger): void {
  const { raw } = stream;
  // Before the first event an ordinary answer is still possible; after the last there is nothing to cut.
  if (!raw.headersSent || raw.writableEnded) return;
  if (raw.writableNeedDrain) {
    disconnect(stream, log);
    return;
  }
  // The connection goes as well: a server that stops waits for those that are kept alive.
  const { socket } = raw;
  raw.end(': the server ends this stream; resume with Last-Event-ID\n\n', () => {
    socket?.destroySoon();
  });
}

async function pump(
  stream: OpenStream,
  first: IteratorResult<StreamFrame>,
  log: Logger,
): Promise<void> {
  const { raw, iterator, requestId } = stream;
  try {
    for (let next = first; next.done !== true; next = await iterator.next()) {
      if (raw.destroyed || raw.writableEnded) return;
      if (!raw.write(toEvent(next.value, stream.envelope))) await drained(raw);
    }
    raw.end();
  } catch (err) {
    log.warn({ reqId: requestId, err }, 'stream cut off');
    // Not ended in order: the reader shall see that something is missing, and resume.
    raw.destroy();
  }
}

function toEvent({ id, body }: StreamFrame, { before, after }: Envelope): string {
  const data = `data: ${before}${body}${after}\n\n`;
  return id === undefined ? data : `id: ${id}\n${data}`;
}

function drained(raw: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      raw.off('drain', done);
      raw.off('close', done);
      resolve();
    };
    raw.on('drain', done);
    raw.on('close', done);
  });
}

function beat(stream: OpenStream, log: Logger): void {
  const { raw } = stream;
  if (!raw.writableNeedDrain) {
    stream.stalled = 0;
    raw.write(':\n\n');
    return;
  }
  stream.stalled += 1;
  if (stream.stalled < STALLED_HEARTBEATS) return;
  disconnect(stream, log);
}

function disconnect({ raw, requestId }: OpenStream, log: Logger): void {
  log.info({ reqId: requestId }, 'a reader did not keep up with its stream and was disconnected');
  raw.destroy();
}

function ignore(): void {
  // The reader is gone; whatever its stream has to say about that interests nobody.
}
