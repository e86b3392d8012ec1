/** The HTTP+JSON binding at the root paths (specification 11). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { invalidParams } from '../core/errors.ts';
import { parseJson, requireJson } from './body.ts';
import { restErrorBody, restStatus } from './errors.ts';
import type { Fault } from './errors.ts';
import type { Edge, Exchange } from './exchange.ts';
import { perform, queryOf, readCredentials, report } from './exchange.ts';
import { readQuery } from './query.ts';
import { sendFault, sendJson } from './reply.ts';
import { matchRoute } from './routes.ts';
import type { Match } from './routes.ts';

/** Media type of answers; requests may come as plain JSON too (specification 11.1). */
const MEDIA_TYPE = 'application/a2a+json';
const ACCEPTED = [MEDIA_TYPE, 'application/json'];

const BARE = { before: '', after: '' };

/** Adds the binding's routes, and answers for every path and method that nothing else takes. */
export function registerRest(app: FastifyInstance, edge: Edge): void {
  const handler = (request: FastifyRequest, reply: FastifyReply): void => {
    // Fastify is given no promise: a stream would keep it and what hangs on it for as long as it is open.
    const credentials = readCredentials(request);
    void handle({ edge, binding: 'rest', request, reply, credentials });
  };
  app.route({ method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'], url: '/*', handler });
  app.setNotFoundHandler(handler);
}

/** Answers with a google.rpc.Status. */
export function sendRestFault(reply: FastifyReply, fault: Fault): void {
  sendFault(reply, fault, restStatus(fault), MEDIA_TYPE, restErrorBody(fault));
}

async function handle(exchange: Exchange): Promise<void> {
  const { edge, request, reply } = exchange;
  try {
    const match = matchRoute(request.method, pathOf(request.url));
    const answer = await perform(exchange, match.operation, readParams(exchange, match));
    if (answer.kind === 'stream') await edge.streams.open(reply, answer.frames, BARE);
    else sendJson(reply, 200, MEDIA_TYPE, answer.body);
  } catch (error) {
    sendRestFault(reply, report(exchange, error));
  }
}

/** Parameters of a request: those in the path, and the members of the body or the query. */
function readParams({ edge, request }: Exchange, { operation, path }: Match): object {
  const members =
    request.method === 'POST'
      ? readBody(request, edge.config.maxDepth)
      : readQuery(operation, queryOf(request.url));
  const violations = Object.entries(path)
    .filter(([name, value]) => Object.hasOwn(members, name) && members[name] !== value)
    .map(([field]) => ({
      field,
      description: `${field} in the body or query differs from the one in the path; leave it out`,
    }));
  if (violations.length > 0) throw invalidParams(violations);
  return { ...members, ...path };
}

function readBody(request: FastifyRequest, maxDepth: number): Record<string, unknown> {
  const { body, headers } = request;
  if (!Buffer.isBuffer(body) || body.length === 0) return {};
  requireJson(headers['content-type'], headers['content-encoding'], ACCEPTED);
  const value = parseJson(body, maxDepth);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw invalidParams([{ field: '', description: 'The body is not a JSON object' }]);
}

function pathOf(url: string): string {
  const mark = url.indexOf('?');
  return mark === -1 ? url : url.slice(0, mark);
}
