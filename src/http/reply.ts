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
  setFaultHeaders(reply, fault);
  if (fault.reason === 'BODY_TOO_LARGE') linger(reply);
  sendJson(reply, status, mediaType, body);
}

/** Sets the headers that HTTP wants beside a refusal. */
export function setFaultHeaders(reply: FastifyReply, fault: Fault): void {
  const { reason, details } = fault;
  const { allow = '', retryAfter } = details.metadata ?? {};
  if (reason === 'METHOD_NOT_ALLOWED') reply.header('allow', allow);
  if (reason === 'UNAUTHENTICATED') reply.header('www-authenticate', challengeOf(fault));
  if (reason === 'UNAVAILABLE') reply.header('retry-after', '1');
  else if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
}

/** RFC 6750, section 3: without a token only that one is wanted, with one what is wrong with it. */
function challengeOf({ message, details }: Fault): string {
  const error = details.metadata?.error;
  const realm = 'Bearer realm="a2a"';
  return error === undefined ? realm : `${realm}, error="${error}", error_description="${message}"`;
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
