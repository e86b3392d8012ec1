/** Counts invalid tokens by address: whoever guesses is not listened to for a while. */
import ipaddr from 'ipaddr.js';
import { isLoopback } from '../config/loopback.ts';

/** Milliseconds in which failures are counted. */
const WINDOW = 60_000;

/** Addresses that are remembered; beyond that the oldest is forgotten, so that memory is bounded. */
const MAX_ADDRESSES = 10_000;

/** The failures of the last minute. */
export interface FailureCount {
  /** Milliseconds for which tokens from the address are not looked at; 0 when they are. */
  waitFor(address: string): number;
  add(address: string): void;
}

/**
 * A count that lets an address fail `most` times in a minute; 0 is any number. Loopback addresses have no limit: a
 * proxy that is not named in TRUST_PROXY stands for all its clients.
 */
export function createFailureCount(most: number, now: () => number): FailureCount {
  const failures = new Map<string, { count: number; readonly until: number }>();
  return {
    waitFor(address) {
      const entry = failures.get(networkOf(address));
      return entry === undefined || entry.count < most ? 0 : Math.max(0, entry.until - now());
    },
    add(address) {
      if (most === 0 || isLoopback(address)) return;
      const key = networkOf(address);
      const entry = failures.get(key);
      if (entry !== undefined && entry.until > now()) {
        entry.count += 1;
        return;
      }
      failures.delete(key);
      const [oldest] = failures.keys();
      if (failures.size >= MAX_ADDRESSES && oldest !== undefined) failures.delete(oldest);
      failures.set(key, { count: 1, until: now() + WINDOW });
    },
  };
}

/** What one client has: an IPv4 address, or a /64 of IPv6, in which it can take any address. */
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}
