// Servers as processes of their own: ours, the SDK's, and a bare one.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from './timing.mjs';

/**
 * A server that listens. `stop` resolves when its process has ended.
 *
 * @typedef {object} Server
 * @property {number} port
 * @property {import('node:child_process').ChildProcess} child
 * @property {() => Promise<void>} stop
 */

/** How long a server may take to listen: milliseconds. */
const PATIENCE = 60_000;

/**
 * Our server, as `npm start` runs it.
 *
 * @param {{ database: string, scenario?: string, skills?: string, nodeOptions?: readonly string[], ipc?: boolean }} options
 * @returns {Promise<Server>}
 */
export function startOurs({ database, scenario, skills, nodeOptions = [], ipc = false }) {
  return startServer([...nodeOptions, join(root, 'src', 'launch.mjs')], {
    ipc,
    env: {
      PORT: '0',
      DATABASE: database,
      LOG_LEVEL: 'warn',
      ...(scenario === undefined ? {} : { SCENARIO: scenario }),
      ...(skills === undefined ? {} : { SKILLS: skills }),
    },
  });
}

/**
 * The SDK's server.
 *
 * @param {string} [database] a file that does not exist yet; left out, tasks are kept in memory
 * @returns {Promise<Server>}
 */
export function startSdk(database) {
  const script = join(import.meta.dirname, 'sdk-server.mjs');
  if (database === undefined) return startServer([script]);
  const cli = join(root, 'node_modules', '@a2a-js', 'sdk', 'dist', 'cli', 'a2a_db.js');
  const { status, stderr } = spawnSync(
    process.execPath,
    [cli, 'upgrade', '--url', `sqlite:${database}`],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`the SDK's database could not be made: ${stderr}`);
  return startServer([script, database]);
}

/** @returns {Promise<Server>} a bare Fastify handler */
export function startBare() {
  return startServer([join(import.meta.dirname, 'bare-server.mjs')]);
}

/**
 * Runs a script that prints `listening on http://host:port/` first.
 *
 * @param {readonly string[]} argv what follows `node`
 * @param {{ env?: Readonly<Record<string, string>>, ipc?: boolean }} [options]
 * @returns {Promise<Server>} rejects with what the process wrote to standard error when it does not listen
 */
export async function startServer(argv, { env = {}, ipc = false } = {}) {
  const child = spawn(process.execPath, argv, {
    cwd: root,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe', ...(ipc ? [/** @type {const} */ ('ipc')] : [])],
  });
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  try {
    return { port: await readPort(child), child, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<number>}
 */
function readPort({ stdout, stderr }) {
  let said = '';
  let wrong = '';
  stderr?.setEncoding('utf8').on('data', (/** @type {string} */ text) => (wrong += text));
  return new Promise((resolve, reject) => {
    const fail = () => {
      reject(new Error(`a server did not listen: ${wrong || said}`));
    };
    const timer = setTimeout(fail, PATIENCE);
    stdout?.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
      said += text;
      const [, port] = /listening on http:\/\/[^/]*:(\d+)/.exec(said) ?? [];
      if (port === undefined) return;
      clearTimeout(timer);
      resolve(Number(port));
    });
    stdout?.on('end', () => {
      clearTimeout(timer);
      fail();
    });
  });
}
