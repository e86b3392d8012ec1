/** Finding the addresses of webhooks' hosts. */
import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';

/** Finds the addresses of a host name, at least one. Rejects when there are none or nobody answers in time. */
export type ResolveHost = (name: string) => Promise<readonly LookupAddress[]>;

/**
 * Asks DNS directly, then the system for what DNS does not know (`/etc/hosts`, search domains). The system's own
 * look-up runs on very few threads: a name whose server never answers must not keep the others waiting there.
 *
 * `timeout` is how long the first of two questions waits for an answer, in milliseconds; `servers` are those to ask
 * instead of the system's.
 */
export function createHostResolver({
  timeout = 1500,
  servers,
}: { timeout?: number; servers?: readonly string[] } = {}): ResolveHost {
  return async (name) => {
    const resolver = new Resolver({ timeout, tries: 2 });
    if (servers !== undefined) resolver.setServers(servers);
    const found = await Promise.allSettled([
      resolver.resolve4(name).then((all) => all.map((address) => ({ address, family: 4 }))),
      resolver.resolve6(name).then((all) => all.map((address) => ({ address, family: 6 }))),
    ]);
    const addresses = found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
    if (addresses.length > 0) return addresses;
    for (const each of found) {
      if (each.status === 'rejected' && isTimeout(each.reason)) throw each.reason;
    }
    return await lookup(name, { all: true });
  };
}

function isTimeout(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'ETIMEOUT';
}
