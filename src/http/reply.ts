/** Writing answers that are JSON text already. */
import type { FastifyReply } from 'fastify';
import type { Fault } from './errors.ts';

/** Sends JSON text under exactly this media type. */
export function sendJson(
  reply: FastifyReply,
  status: number,
  mediaType: string,
  body: string,
): void {
  // With a serializer of its own Fastify leaves the media type alone; JSON's has no charset parameter.
  reply.code(status).header('content-type', mediaType).serializer(asItIs).send(body);
}

/** Sends a refusal, with the headers that HTTP wants beside it. */
export function sendFault(
  reply: FastifyReply,
  fault: Fault,
  status: number,
  mediaType: string,
  body: string,
): void {
  const { reason, details } = fault;
  if (reason === 'METHOD_NOT_ALLOWED') reply.header('allow', details.metadata?.allow ?? '');
  if (reason === 'UNAVAILABLE') reply.header('retry-after', '1');
  if (reason === 'BODY_TOO_LARGE') linger(reply);
  sendJson(reply, status, mediaType, body);
}

/** Milliseconds for which a peer that goes on sending after its answer is listened to, and not heard. */
const LINGER = 1000;

/** Closes the connection gently: while bytes come in, closing at once would take the answer from the peer again. */
function linger({ raw: { socket } }: FastifyReply): void {
  if (socket === null) return;
  socket.destroySoon = () => {
    socket.end();
    const timer = setTimeout(() => socket.destroy(), LINGER);
    socket.once('close', () => {
      clearTimeout(timer);
    });
  };
}

function asItIs(payload: unknown): string {
  return payload as string;
}
