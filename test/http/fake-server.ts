/** The HTTP edge over operations that a test makes up. */
import { createHttpServer } from '../../src/http/server.ts';
import type { HttpServerOptions } from '../../src/http/server.ts';
import { readConfig } from '../../src/config.ts';
import type { Config } from '../../src/config.ts';
import { createJsonLog } from '../../src/json-log.ts';
import type { Answer, Call, StreamFrame } from '../../src/protocol/call.ts';

/** A setting by its environment variable. */
type Settings = Readonly<Record<string, string>>;

export interface FakeOptions extends Partial<Omit<HttpServerOptions, 'config' | 'operations'>> {
  readonly settings?: Settings;
  readonly card?: string;
  readonly activated?: (extensions: readonly string[]) => readonly string[];
}

/** The config for these settings; throws for wrong ones. */
function configOf(settings: Settings = {}): Config {
  const result = readConfig(settings, []);
  if (result.kind !== 'config') throw new Error(JSON.stringify(result));
  return result.config;
}

/** A server whose operations all do what `call` does. `lines` gets what is logged. */
export function createFakeServer(
  call: (call: Call) => Promise<Answer> | Answer,
  { settings = {}, card = '{"name":"fake"}', activated, ...rest }: FakeOptions = {},
) {
  const calls: Call[] = [];
  const lines: Record<string, unknown>[] = [];
  const log = createJsonLog('debug', {
    write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>),
  });
  const app = createHttpServer({
    operations: {
      call: async (request) => {
        calls.push(request);
        return call(request);
      },
      activated: activated ?? (() => []),
      card,
    },
    config: configOf(settings),
    log,
    health: { draining: false, check: () => Promise.resolve() },
    ...rest,
  });
  return { app, calls, lines };
}

/** An answer of one value. */
export function value(json: unknown): Answer {
  return { kind: 'value', body: JSON.stringify(json) };
}

/** A stream of these bodies, numbered from 0. */
export function stream(...bodies: readonly string[]): Answer {
  async function* frames(): AsyncGenerator<StreamFrame> {
    for (const [id, body] of bodies.entries()) yield await Promise.resolve({ id, body });
  }
  const iterator = frames();
  return {
    kind: 'stream',
    frames: { [Symbol.asyncIterator]: () => iterator, onCut: () => undefined },
  };
}
