/** An answer to a request whose body is not wanted. */
import type { FastifyReply } from 'fastify';
import type { OutgoingHttpHeaders } from 'node:http';

/** For how many milliseconds and bytes more a body is taken in and thrown away. */
const LINGER = { ms: 1000, bytes: 32 * 1024 * 1024 };

/**
 * Answers at once and closes the connection a little later: closing while the peer still sends would reset the
 * connection, and the answer would be lost with it.
 */
export function sendAndLinger(
  reply: FastifyReply,
  status: number,
  type: string,
  body: string,
): void {
  const { raw } = reply;
  const incoming = reply.request.raw;
  const headers = {
    ...reply.getHeaders(),
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  reply.hijack();
  raw.writeHead(status, headers as OutgoingHttpHeaders);
  raw.write(body);
  let left = LINGER.bytes;
  const close = (): void => {
    clearTimeout(timer);
    raw.end();
  };
  const timer = setTimeout(close, LINGER.ms);
  incoming.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) close();
  });
  incoming.once('end', close).once('close', close);
  incoming.resume();
}
