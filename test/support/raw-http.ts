/** HTTP by hand: bytes that no client library would send, and what came back. */
import { connect } from 'node:net';
import type { Socket } from 'node:net';

/** How a connection went. */
export interface Conversation {
  /** Everything that the server sent. */
  readonly text: string;
  /** Statuses of the answers, in order. */
  readonly statuses: readonly number[];
  /** Whether the server closed it, in order or by force; false when the time was over. */
  readonly closed: boolean;
}

/** Opens a connection to the server at this URL. Errors of the connection are not thrown: it closes. */
export function openSocket(url: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  socket.on('error', () => undefined);
  return socket;
}

/**
 * Does something with a connection and listens until the server closes it, `enough` says so, or the milliseconds
 * are over.
 */
export function converse(
  url: string,
  act: (socket: Socket) => void,
  {
    enough = () => false,
    within = 10_000,
  }: { enough?: (text: string) => boolean; within?: number } = {},
): Promise<Conversation> {
  return new Promise((resolve) => {
    const socket = openSocket(url);
    let text = '';
    const finish = (closed: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, code]) => Number(code));
      resolve({ text, statuses, closed });
    };
    const timer = setTimeout(finish, within, false);
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      if (enough(text)) finish(false);
    });
    socket.on('end', () => {
      finish(true);
    });
    socket.on('close', () => {
      finish(true);
    });
    socket.once('connect', () => {
      act(socket);
    });
  });
}

/** A request as it is written. `connection: close` makes the server close it after its answer. */
export function writeRequest(
  method: string,
  path: string,
  body: string | Buffer = '',
  headers: Readonly<Record<string, string>> = {},
): Buffer {
  const all = {
    host: 'localhost',
    'a2a-version': '1.0',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([
    Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`),
    Buffer.from(body),
  ]);
}
