/** A server that is killed again and again, always over the same file. */
import type { ServerProcess } from '../support/server.ts';
import { spawnServer, startServer } from '../support/server.ts';

/** Chance that comes out the same each time: numbers from 0 up to 1 (mulberry32). */
export function createChance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Lives and deaths of one server. */
export class MortalServer {
  readonly #settings: Readonly<Record<string, string>>;
  #current: ServerProcess | undefined;
  #waiting: (() => void)[] = [];

  constructor(settings: Readonly<Record<string, string>>) {
    this.#settings = settings;
  }

  /** Where it is, as soon as it lives. */
  async url(): Promise<string> {
    while (this.#current === undefined)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return this.#current.url;
  }

  /** Starts it; those who wait for it go on when `inspect` is done. */
  async start(inspect: (url: string) => Promise<void> = () => Promise.resolve()): Promise<void> {
    const server = await startServer(this.#settings);
    await inspect(server.url);
    this.#current = server;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Kills it at once, whatever it does. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Stops it as one does; it may give turns back. */
  async stop(): Promise<void> {
    await this.#end('SIGTERM');
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const server = this.#current;
    this.#current = undefined;
    await server?.stop(signal);
  }

  /** Starts it and kills it after so many milliseconds, whether it listens by then or not. */
  async startAndKill(after: number): Promise<void> {
    const child = spawnServer(this.#settings);
    const exited = new Promise((resolve) => child.once('exit', resolve));
    await pause(after);
    child.kill('SIGKILL');
    await exited;
  }
}

/** Waits so many milliseconds. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
