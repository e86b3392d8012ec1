/** Webhooks that a test can watch, on an address that no real service uses. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** The address of the webhooks. */
export const WEBHOOK_ADDRESS = '127.0.0.2';

/** A request that came. */
interface Received {
  readonly path: string;
  readonly headers: readonly string[];
  readonly body: string;
}

/** A server for webhooks. */
export interface Webhook {
  readonly url: string;
  readonly port: number;
  readonly received: Received[];
  /** How many connections were made to it. */
  readonly connections: number;
  /** Resolves when so many requests have come. */
  got(count: number): Promise<Received[]>;
  close(): Promise<void>;
}

/** How a webhook answers its n-th request, from 1. */
export type Respond = (n: number, response: ServerResponse, request: Received) => void;

export async function openWebhook(
  respond: Respond = (_n, response) => response.end(),
): Promise<Webhook> {
  const received: Received[] = [];
  const waiting: { count: number; resolve: (all: Received[]) => void }[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const got = { path: request.url ?? '', headers: request.rawHeaders, body };
      received.push(got);
      for (const { count, resolve } of waiting) if (received.length >= count) resolve(received);
      respond(received.length, response, got);
    });
  });
  server.on('connection', (socket) => {
    connections += 1;
    sockets.add(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, WEBHOOK_ADDRESS, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${WEBHOOK_ADDRESS}:${port}/hook`,
    port,
    received,
    get connections() {
      return connections;
    },
    got(count) {
      if (received.length >= count) return Promise.resolve(received);
      return new Promise((resolve) => waiting.push({ count, resolve }));
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
