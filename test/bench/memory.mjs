// What a server holds on to, asked of the server itself: it is started with the options here.
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** @typedef {import('./servers.mjs').Server} Server */

/**
 * @typedef {object} Memory
 * @property {number} used bytes of heap and buffers, after collecting garbage
 * @property {number} rss resident bytes
 * @property {readonly string[]} resources kinds of what the event loop waits for: sockets and the like, one for each
 * @property {number} timers that run, those included that it does not wait for
 */

/** For `startOurs`: the server can be asked. */
export const ASKABLE = {
  nodeOptions: [
    '--expose-gc',
    '--import',
    pathToFileURL(join(import.meta.dirname, 'report-memory.mjs')).href,
  ],
  ipc: true,
};

/**
 * @param {Server} server
 * @returns {Promise<Memory>}
 */
export async function askMemory({ child }) {
  const answered = /** @type {Promise<[Memory]>} */ (once(child, 'message'));
  child.send('memory');
  const [memory] = await answered;
  return memory;
}
