// A keep-alive HTTP connection that costs the client next to nothing: whatever is measured is the server's work.
import { once } from 'node:events';
import { connect } from 'node:net';

/** Ids of messages differ between connections and between runs. */
let serial = 0;

/**
 * One request at a time over one connection.
 *
 * @typedef {object} Connection
 * @property {(request: string) => Promise<string>} send resolves with the answer's body; rejects unless it is a result
 * @property {() => void} close
 */

/**
 * @param {number} port
 * @returns {Promise<Connection>}
 */
export async function openConnection(port) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true }).setEncoding('latin1');
  await once(socket, 'connect');
  let received = '';
  /** @type {Waiting | undefined} */
  let waiting;
  socket.on('data', (/** @type {string} */ text) => {
    received += text;
    const body = readBody(received);
    if (body === undefined || waiting === undefined) return;
    const { resolve, reject } = waiting;
    waiting = undefined;
    const answer = received;
    received = '';
    if (isSuccess(answer, body)) resolve(body);
    else reject(new Error(`a server answered ${answer}`));
  });
  const fail = () => waiting?.reject(new Error('a server closed the connection'));
  socket.on('error', fail).on('close', fail);
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        if (socket.destroyed) fail();
        else socket.write(request);
      }),
    close: () => socket.destroy(),
  };
}

/** @typedef {{ resolve: (body: string) => void, reject: (error: Error) => void }} Waiting */

/**
 * @param {string} answer so far
 * @returns {string | undefined} the body once it is complete
 */
function readBody(answer) {
  const end = answer.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(answer.slice(0, end + 2)) ?? [];
  if (length === undefined) throw new Error(`a server answered without a length: ${answer}`);
  const body = answer.slice(end + 4);
  return body.length < Number(length) ? undefined : body;
}

/**
 * Whether an answer holds a result: a server that refuses what it is asked is fast at that.
 *
 * @param {string} answer
 * @param {string} body
 */
function isSuccess(answer, body) {
  return answer.startsWith('HTTP/1.1 200 ') && body.slice(0, 100).includes('"result":');
}

/**
 * The text of an HTTP request that calls an operation.
 *
 * @param {string} method
 * @param {object} params
 * @returns {string}
 */
export function createRequest(method, params) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const head = [
    'POST / HTTP/1.1',
    'host: 127.0.0.1',
    'a2a-version: 1.0',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/**
 * The parameters of a message, new each time.
 *
 * @param {{ taskId?: string, text?: string, historyLength?: number | undefined }} [options]
 */
export function createMessage({ taskId, text = 'hello', historyLength } = {}) {
  const messageId = `bench-${String(process.pid)}-${String(serial++)}`;
  const message = { messageId, role: 'ROLE_USER', parts: [{ text }], ...(taskId && { taskId }) };
  return { message, ...(historyLength !== undefined && { configuration: { historyLength } }) };
}

/**
 * @param {string} body of an answer to SendMessage
 * @returns {string} the task's id
 */
export function readTaskId(body) {
  /** @type {unknown} */
  const answer = JSON.parse(body);
  const { result } = /** @type {{ result?: { task?: { id: string } } }} */ (answer);
  if (result?.task === undefined) throw new Error(`a server answered ${body}`);
  return result.task.id;
}
