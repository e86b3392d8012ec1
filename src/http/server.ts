/** The HTTP edge: a Fastify instance with both bindings, the card, what operators ask, and its limits. */
import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { isLoopback } from '../config/loopback.ts';
import { ProtocolError } from '../core/errors.ts';
import type { Logger } from '../log.ts';
import type { Operations } from '../protocol/call.ts';
import { registerAgentCard } from './agent-card.ts';
import { refuseConnection } from './client-error.ts';
import { watchConnections } from './connections.ts';
import type { Edge } from './exchange.ts';
import { report } from './exchange.ts';
import { requireOwnHost } from './host.ts';
import { registerJsonRpc } from './jsonrpc.ts';
import type { Gauges } from './metrics.ts';
import { createMetrics } from './metrics.ts';
import type { Health } from './operation.ts';
import { registerOperation } from './operation.ts';
import { registerRest, sendRestFault } from './rest.ts';
import { createStreams } from './sse.ts';

/** What the edge is put on. */
export interface HttpServerOptions {
  readonly operations: Operations;
  readonly config: Config;
  readonly log: Logger;
  readonly health: Health;
  readonly metrics?: Gauges;
}

/** Bytes of a request's line and headers together; more is answered 431. */
const MAX_HEADER_BYTES = 16 * 1024;

/**
 * Makes the server; it does not listen yet. Closing it tells the readers of streams, ends them, and lets requests
 * that are being answered finish.
 */
export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  const { operations, config, log, health } = options;
  const streams = createStreams(config.heartbeatMs, log);
  const metrics = createMetrics(() => streams.count(), options.metrics);
  const edge: Edge = { operations, config, log, metrics, streams };
  const app = createInstance(edge);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
  app.setErrorHandler((error, request, reply) => {
    sendRestFault(reply, report({ edge, request }, error));
  });
  addHooks(app, edge);
  limitRate(app, config);
  allowOrigins(app, config);
  // After the plugins, whose hooks apply to the routes that follow them.
  app.register((routes, _options, done) => {
    registerOperation(routes, { health, metrics, log });
    registerAgentCard(routes, () => operations.card);
    registerJsonRpc(routes, edge);
    registerRest(routes, edge);
    done();
  });
  return app;
}

function createInstance(edge: Edge): FastifyInstance {
  const { config } = edge;
  const { requestTimeoutMs } = config;
  return Fastify({
    bodyLimit: config.bodyLimit,
    requestTimeout: requestTimeoutMs,
    trustProxy: config.trustProxy.length > 0 && [...config.trustProxy],
    genReqId: ({ headers }) => usableId(headers['x-request-id']) ?? randomUUID(),
    exposeHeadRoutes: false,
    // Refused by a hook, in the words of the binding.
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_HEADER_BYTES },
    clientErrorHandler: refuseConnection,
    frameworkErrors: (error, request, reply) => {
      sendRestFault(reply, report({ edge, request }, error));
    },
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: requestTimeoutMs,
      requestTimeout: requestTimeoutMs,
      // How often Node looks for requests that are late.
      connectionsCheckingInterval: Math.max(100, Math.min(5000, requestTimeoutMs / 4)),
    },
  });
}

function addHooks(app: FastifyInstance, { config, log, streams }: Edge): void {
  const letGo = watchConnections(app.server);
  let closing = false;
  app.decorateRequest('about', undefined);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    requireOwnHost(request.headers.host, config);
    if (!closing) done();
    else done(new ProtocolError('UNAVAILABLE', 'The server is stopping; send the request again'));
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { id: reqId, method, url, about } = request;
    const { statusCode: status, elapsedTime: ms } = reply;
    log.debug({ reqId, ...about, method, url, status, ms }, 'answered');
    done();
  });
  app.addHook('preClose', (done) => {
    closing = true;
    streams.close();
    letGo();
    done();
  });
}

function limitRate(app: FastifyInstance, { rateLimit }: Config): void {
  if (rateLimit === 0) return;
  app.register(import('@fastify/rate-limit'), {
    max: rateLimit,
    timeWindow: 60_000,
    allowList: ({ ip }: FastifyRequest) => isLoopback(ip),
    errorResponseBuilder: (_request, { max, after }) =>
      new ProtocolError(
        'RATE_LIMITED',
        `More than ${max} requests in a minute; try again in ${after}`,
      ),
  });
}

function allowOrigins(app: FastifyInstance, { corsOrigins }: Config): void {
  if (corsOrigins.length === 0) return;
  app.register(import('@fastify/cors'), {
    origin: corsOrigins.includes('*') ? '*' : [...corsOrigins],
    methods: ['GET', 'HEAD', 'POST', 'DELETE'],
    exposedHeaders: ['A2A-Extensions', 'X-Request-Id', 'Retry-After', 'ETag', 'WWW-Authenticate'],
    maxAge: 600,
  });
}

/** A proxy's or client's own id, when it can stand in a log as it is. */
function usableId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\w.-]{1,64}$/.test(header) ? header : undefined;
}
