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
  sendJson(reply, status, mediaType, body);
}

function asItIs(payload: unknown): string {
  return payload as string;
}
