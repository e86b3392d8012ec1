/** Requests that Node itself refuses, before there is a request object. */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Fault, Reason } from './errors.ts';
import { restErrorBody, restStatus } from './errors.ts';

/** Answers what is no HTTP request, too long in its headers or late, and closes the connection. */
export function refuseConnection(error: NodeJS.ErrnoException, socket: Socket): void {
  // The peer is gone, or an answer is being written already.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const fault = toFault(error.code);
  const status = restStatus(fault);
  const body = restErrorBody(fault);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nConnection: close\r\n` +
      `Content-Type: application/a2a+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  // A peer that goes on sending is not listened to.
  socket.once('finish', () => socket.destroy());
}

function toFault(code: string | undefined): Fault {
  const [reason, message]: [Reason, string] =
    code === 'HPE_HEADER_OVERFLOW'
      ? ['HEADERS_TOO_LARGE', 'The request line and headers are larger than 16 KiB']
      : code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['REQUEST_TIMEOUT', 'The request did not arrive in time']
        : ['INVALID_REQUEST', 'This is not an HTTP request that can be read'];
  return { reason, message, details: {} };
}
