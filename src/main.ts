/** The process: reads the settings, starts the server, says where it is, and stops it when it is told to. */
import { randomUUID } from 'node:crypto';
import type { App } from './app.ts';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { readConfig } from './config.ts';
import { isLoopback } from './config/loopback.ts';
import { createJsonLog } from './json-log.ts';
import type { Logger } from './log.ts';

/** Exit code for settings that are wrong, and for a server that cannot start. */
const EXIT = { settings: 2, start: 1, interrupted: 130 } as const;

/** Milliseconds that stopping may take beyond its timeout before the process ends anyway. */
const GRACE = 1000;

/** Runs the server until it is stopped. Prints to standard output only where it listens and how to try it. */
export async function main(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const result = readConfig(env, argv);
  switch (result.kind) {
    case 'help':
      process.stdout.write(result.text);
      return;
    case 'errors':
      process.stderr.write(`${result.errors.join('\n')}\n`);
      process.exitCode = EXIT.settings;
      return;
    case 'config':
      await run(result.config);
  }
}

async function run(config: Config): Promise<void> {
  const log = createJsonLog(config.logLevel);
  // An agent may begin what it does not wait for, and throw where only Node calls it: when its signal fires, or a timer.
  // That is no reason to end the server for everybody; what is stored changes in whole transactions.
  process.on('uncaughtException', (error) => {
    log.error({ err: error }, 'something failed that nobody waits for');
  });
  try {
    const app = await createApp(config, log);
    const baseUrl = await app.listen();
    stopOnSignal(app, config, log);
    process.stdout.write(greeting(baseUrl, config));
    reportStart(baseUrl, config, log);
  } catch (error) {
    log.debug({ err: error }, 'not started');
    process.stderr.write(`${explain(error, config)}\n`);
    process.exit(EXIT.start);
  }
}

function greeting(baseUrl: string, { auth = 'none' }: Config): string {
  const base = baseUrl.replace(/\/$/, '');
  const message = {
    messageId: `hello-${randomUUID().slice(0, 8)}`,
    role: 'ROLE_USER',
    parts: [{ text: 'hello' }],
  };
  const credentials = auth === 'none' ? '' : ` -H "Authorization: Bearer $TOKEN"`;
  return [
    `listening on ${baseUrl}`,
    `agent card: ${base}/.well-known/agent-card.json`,
    `try: curl ${base}/message:send -H 'A2A-Version: 1.0'${credentials} -H 'Content-Type: application/json' -d '${JSON.stringify({ message })}'`,
    '',
  ].join('\n');
}

/** What an operator wants to find in a log later. */
function reportStart(baseUrl: string, config: Config, log: Logger): void {
  const { host, database, auth = 'none', agentId, agentModule, scenario, model } = config;
  log.info({ baseUrl, host, database, auth, agentId, agentModule, scenario, model }, 'started');
  if (config.baseUrl !== undefined || isLoopback(host)) return;
  log.warn(
    { baseUrl },
    'BASE_URL is unset: the agent card sends clients to this address; set it to the one under which they reach the server',
  );
}

/** The first signal drains, a second one ends the process at once. */
function stopOnSignal(app: App, { drainTimeoutMs }: Config, log: Logger): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) process.exit(EXIT.interrupted);
    stopping = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => {
      log.warn({ drainTimeoutMs }, 'not everything ended in time');
      process.exit(0);
    }, drainTimeoutMs + GRACE).unref();
    app.drain(drainTimeoutMs).then(
      () => {
        log.info({}, 'stopped');
        process.exit(0);
      },
      (error: unknown) => {
        log.error({ err: error }, 'stopping failed');
        process.exit(EXIT.start);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

/** Why the server did not start, in words. */
function explain(error: unknown, { host, port }: Config): string {
  if (!(error instanceof Error)) return String(error);
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use. Stop what listens there, or set PORT to another; 0 takes any that is free.`;
    case 'EACCES':
      return `Port ${port} on ${host} may not be listened on by this user. Set PORT to one above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `HOST ${host} is no address of this machine. Set it to one that is, such as 127.0.0.1 or 0.0.0.0.`;
    default:
      return error.message;
  }
}
