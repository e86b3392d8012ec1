/** The Host header where callers need not prove who they are. */
import { isIP } from 'node:net';
import type { Config } from '../config.ts';
import { EdgeError } from './errors.ts';

/**
 * Refuses a request that was meant for a name which is not the server's. Without authentication a server listens on
 * loopback alone; but a web page whose name is made to lead there (DNS rebinding) could act as any participant from
 * within its reader's browser. Addresses and names without a dot are nobody's to register.
 *
 * @throws EdgeError INVALID_REQUEST that names the setting
 */
export function requireOwnHost(
  host: string | undefined,
  { auth, baseUrl }: Pick<Config, 'auth' | 'baseUrl'>,
): void {
  // `AUTH=none` says that somebody else checks the callers.
  if (auth !== undefined || host === undefined) return;
  const name = host.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase();
  const isFree = !name.includes('.') || name.endsWith('.localhost');
  if (isFree || isIP(name) !== 0 || name.startsWith('[')) return;
  if (baseUrl !== undefined && new URL(baseUrl).hostname === name) return;
  throw new EdgeError(
    'INVALID_REQUEST',
    'The Host header is not a name of this server; the operator gives the server its name with BASE_URL',
  );
}
