/** What operators ask: is the process alive, does it take requests, what does it do. No rate limit, no version. */
import type { FastifyInstance } from 'fastify';
import type { Logger } from '../log.ts';
import type { Metrics } from './metrics.ts';
import { sendJson } from './reply.ts';

/** Whether the server can do its work. */
export interface Health {
  /** True once the server has begun to stop. */
  readonly draining: boolean;
  /** Rejects when the store cannot be written to. */
  check(): Promise<void>;
  /** What operators should know besides; it makes the server neither ready nor unavailable. */
  detail?(): Promise<Readonly<Record<string, unknown>>>;
}

/** Adds `/healthz`, `/readyz` and `/metrics`. */
export function registerOperation(
  app: FastifyInstance,
  { health, metrics, log }: { health: Health; metrics: Metrics; log: Logger },
): void {
  const config = { rateLimit: false };
  app.get('/healthz', { config }, (_request, reply) => {
    sendJson(reply, 200, 'application/json', '{"status":"alive"}');
  });
  app.get('/readyz', { config }, async (_request, reply) => {
    const checks = { accepting: !health.draining, store: await isWritable(health, log) };
    const ready = checks.accepting && checks.store;
    const status = ready ? 'ready' : 'unavailable';
    const body = JSON.stringify({ status, checks, ...(await health.detail?.()) });
    sendJson(reply, ready ? 200 : 503, 'application/json', body);
    return reply;
  });
  app.get('/metrics', { config }, async (_request, reply) => {
    const { contentType, body } = await metrics.render();
    return reply.header('content-type', contentType).send(body);
  });
}

async function isWritable(health: Health, log: Logger): Promise<boolean> {
  try {
    await health.check();
    return true;
  } catch (err) {
    log.error({ err }, 'the store cannot be written to');
    return false;
  }
}
