// A reader of event streams that costs the client little: it tells of each event when it arrives.
import { once } from 'node:events';
import { connect } from 'node:net';

/**
 * @typedef {object} EventStream
 * @property {() => void} close
 */

/**
 * Sends a request that is answered with a stream.
 *
 * @param {number} port
 * @param {string} request
 * @param {(data: string) => void} onEvent called with the data of each event
 * @returns {Promise<EventStream>} once the first event has arrived; rejects when the answer is no stream
 */
export async function readStream(port, request, onEvent) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true }).setEncoding('latin1');
  await once(socket, 'connect');
  return new Promise((resolve, reject) => {
    let received = '';
    let isFirst = true;
    const stream = { close: () => socket.destroy() };
    socket.on('data', (/** @type {string} */ text) => {
      received += text;
      if (isFirst && received.includes('\r\n\r\n') && !received.includes('text/event-stream')) {
        reject(new Error(`a server answered ${received}`));
      }
      const end = received.lastIndexOf('\n\n');
      if (end === -1) return;
      const whole = received.slice(0, end);
      received = received.slice(end + 2);
      for (const [, data = ''] of whole.matchAll(/^data: (.*)$/gm)) onEvent(data);
      if (isFirst) resolve(stream);
      isFirst = false;
    });
    socket.on('error', reject);
    socket.write(request);
  });
}
