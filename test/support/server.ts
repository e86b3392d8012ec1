/** The whole server: as the process that `npm start` starts, or inside the test's own process. */
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import type { Replacements } from '../../src/app.ts';
import { createApp } from '../../src/app.ts';
import type { Config } from '../../src/config.ts';
import { readConfig } from '../../src/config.ts';
import type { Logger } from '../../src/log.ts';
import { repository } from './projects.ts';

/** Who stops a server: the end of the test that started it, or whoever called (`beforeAll` returns `stop`). */
export type Until = 'test-ends' | 'stopped';

/** How a process ended. */
interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A server that is a process of its own. */
export interface ServerProcess {
  /** Where it listens, without a slash at the end. */
  readonly url: string;
  readonly pid: number;
  /** What it logged so far. */
  readonly stderr: string;
  /** Sends the signal; resolves when the process has ended. Doing it again waits for the same end. */
  stop(signal?: NodeJS.Signals): Promise<Exit>;
  /** How it ended, once it has. */
  readonly ended: Promise<Exit>;
}

/** Environment of a server: that of the test without the server's own settings, any free port, memory for a database. */
function environment(settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env;
  const base = { PORT: '0', DATABASE: ':memory:', RATE_LIMIT: '0', LOG_LEVEL: 'warn' };
  return { PATH, HOME, TMPDIR, ...base, ...settings };
}

/** Begins to start the server as a process; nothing is known of how that goes. */
export function spawnServer(settings: Readonly<Record<string, string>>) {
  return spawn(process.execPath, [join(repository, 'src', 'launch.mjs')], {
    cwd: repository,
    env: environment(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Starts the server as a process; resolves when it listens, rejects with what it wrote when it ends before. */
export async function startServer(
  settings: Readonly<Record<string, string>> = {},
  until: Until = 'test-ends',
): Promise<ServerProcess> {
  const child = spawnServer(settings);
  const ended = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => {
      resolve({ code, signal });
    });
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const stop = (signal: NodeJS.Signals = 'SIGKILL') => {
    child.kill(signal);
    return ended;
  };
  if (until === 'test-ends') onTestFinished(() => stop().then(() => undefined));
  const url = await firstUrl(child, ended).catch((error: unknown) => {
    throw new Error(`${String(error)}\n${stderr}`);
  });
  return {
    url,
    pid: child.pid!,
    ended,
    stop,
    get stderr() {
      return stderr;
    },
  };
}

async function firstUrl(child: ChildProcess, ended: Promise<Exit>): Promise<string> {
  const line = once(createInterface(child.stdout!), 'line') as Promise<[string]>;
  const first = await Promise.race([line, ended]);
  const url = Array.isArray(first) ? /^listening on (\S+?)\/?$/.exec(first[0])?.[1] : undefined;
  if (url !== undefined) return url;
  throw new Error(`the server did not start: ${JSON.stringify(first)}`);
}

/** A server inside this process. */
export interface InProcessServer {
  /** Where it listens, without a slash at the end. */
  readonly url: string;
  /** What it logged as an error or a warning. */
  readonly complaints: readonly string[];
  /** Drains it. */
  stop(): Promise<void>;
}

/** Starts the server in this process: defaults, a database in memory, no rate limit, and what the test wants. */
export async function startApp(
  overrides: Partial<Config> = {},
  until: Until = 'test-ends',
  replacements: Replacements = {},
): Promise<InProcessServer> {
  const read = readConfig({ PORT: '0', DATABASE: ':memory:', RATE_LIMIT: '0' }, []);
  if (read.kind !== 'config') throw new Error(JSON.stringify(read));
  const complaints: string[] = [];
  const app = await createApp(
    { ...read.config, ...overrides },
    recordingLog(complaints),
    replacements,
  );
  const baseUrl = await app.listen();
  const stop = () => app.drain(2000);
  if (until === 'test-ends') onTestFinished(stop);
  return { url: baseUrl.replace(/\/$/, ''), complaints, stop };
}

function recordingLog(complaints: string[]): Logger {
  const keep = (details: object, message: string) => {
    const { err } = details as { err?: unknown };
    complaints.push(err instanceof Error ? `${message}: ${err.stack ?? ''}` : message);
  };
  const ignore = () => undefined;
  return { error: keep, warn: keep, info: ignore, debug: ignore };
}

/** A new folder that is gone when the test has ended. */
export function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tiny-harness-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** The most memory that a process has had so far, in MiB; undefined where the system does not say. */
export function peakMemory(pid: number): number | undefined {
  try {
    const status = readFileSync(join('/proc', String(pid), 'status'), 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
  } catch {
    return undefined;
  }
}

/** The server's own figures, by name; those with labels by name and labels. */
export async function readMetrics(url: string): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const lines = [...text.matchAll(/^([^#\s][^ ]*) (\S+)$/gm)];
  return new Map(lines.map(([, name = '', value]) => [name, Number(value)]));
}
