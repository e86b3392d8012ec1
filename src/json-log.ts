/** The server's log: a JSON object a line. */
import { pino } from 'pino';
import type { DestinationStream } from 'pino';
import type { Config } from './config.ts';
import type { Logger } from './log.ts';

/** Members that may hold a secret; whatever they hold is not written. */
const SECRETS = [
  'authorization',
  'token',
  'credentials',
  'secrets',
  'secretKey',
  'apiKey',
  'modelApiKey',
];

/** How deep in what is logged secrets are looked for. */
const DEPTH = 3;

/**
 * A log at this level, on standard error unless told otherwise. Each line is written when it is logged: what waits when the
 * process ends would come out of order.
 */
export function createJsonLog(
  level: Config['logLevel'],
  destination: DestinationStream = pino.destination({ dest: 2, sync: true }),
): Logger {
  const paths = SECRETS.flatMap((name) =>
    Array.from({ length: DEPTH + 1 }, (_, depth) => '*.'.repeat(depth) + name),
  );
  return pino({ level, redact: { paths, censor: '[redacted]' } }, destination);
}
