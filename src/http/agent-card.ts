/** The public agent card at its well-known path, cacheable (specification 8.2, 8.6). */
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { sendJson } from './reply.ts';

/** How long clients may use a card without asking again, in seconds. */
const MAX_AGE = 300;

/** Adds the route. `card` is asked for with each request. Neither a version nor an extension is needed. */
export function registerAgentCard(app: FastifyInstance, card: () => string): void {
  let tagged = { body: '', etag: '' };
  app.route({
    method: ['GET', 'HEAD'],
    url: '/.well-known/agent-card.json',
    handler: (request, reply) => {
      const body = card();
      if (body !== tagged.body) tagged = { body, etag: tagOf(body) };
      const { etag } = tagged;
      reply.header('etag', etag).header('cache-control', `public, max-age=${MAX_AGE}`);
      if (matches(request.headers['if-none-match'], etag)) reply.code(304).send();
      else sendJson(reply, 200, 'application/json', body);
    },
  });
}

/** A strong entity tag: as long as the bytes are the same, so is the tag. */
function tagOf(body: string): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
}

/** Whether a list of entity tags has this one. If-None-Match compares weakly: `W/` does not matter (RFC 9110 13.1.2). */
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
