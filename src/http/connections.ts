/** Connections that would keep a server from stopping. */
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Watches a server's connections. What is returned lets go of those that nobody waits for: a connection on which no
 * request has come yet is ended at once (Node takes it for a request that is on its way), one whose last answer is
 * being sent is not kept alive after it.
 */
export function watchConnections(server: Server): () => void {
  const unused = new Set<Socket>();
  function forget(this: Socket): void {
    unused.delete(this);
  }
  server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', forget);
  });
  server.on('request', ({ socket }: IncomingMessage) => {
    if (unused.delete(socket)) socket.off('close', forget);
  });
  return () => {
    server.keepAliveTimeout = 1;
    for (const socket of unused) socket.destroy();
  };
}
