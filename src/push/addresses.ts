/** Which network addresses push notifications may reach. */
import { isIP, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ReturnType<typeof ipaddr.parse>;

/** Blocks of addresses that push may reach although they are private or reserved. */
export type AllowList = readonly (readonly [Address, number])[];

/** All IPv6 addresses that lead to the internet are in here; IPv4-compatible ones (`::10.0.0.1`) are not. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');

/** Addresses of cloud providers' metadata services that are in no reserved block. */
const METADATA = new Set(['168.63.129.16']);

/**
 * Reads addresses and CIDR blocks, such as `127.0.0.2` and `fd00::/8`.
 *
 * @throws RangeError that names the entry and says what is wrong with it
 */
export function parseAllowList(entries: readonly string[]): AllowList {
  return entries.map(parseBlock);
}

/**
 * Whether push may connect to the address: it is public, or in the list. The address is as DNS and `URL` give it.
 * Addresses that hold an IPv4 address (mapped, translated, 6to4, Teredo) count as reserved, wherever they lead.
 */
export function mayReach(address: string, allow: AllowList): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  return isPublic(parsed) || isListed(parsed, allow);
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv6'
    ? contains(GLOBAL_UNICAST, address)
    : !METADATA.has(address.toString());
}

function isListed(address: Address, allow: AllowList): boolean {
  // A socket that connects to ::ffff:127.0.0.2 arrives at 127.0.0.2.
  const target = ipaddr.process(address.toString());
  return allow.some((block) => contains(block, address) || contains(block, target));
}

function contains([network, bits]: readonly [Address, number], address: Address): boolean {
  return network.kind() === address.kind() && address.match(network, bits);
}

function parseBlock(entry: string): readonly [Address, number] {
  const [address = '', bits, ...rest] = entry.split('/');
  if (isIP(address) === 0 || address.includes('%')) {
    throw new RangeError(
      `"${entry}" is not an address or a CIDR block, such as 10.1.2.3 or 10.0.0.0/8; names are not supported, give the addresses that they stand for`,
    );
  }
  const longest = isIPv6(address) ? 128 : 32;
  if (bits === undefined) return [ipaddr.parse(address), longest];
  if (rest.length > 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > longest) {
    throw new RangeError(
      `"${entry}" is not a CIDR block: after the slash comes a whole number from 0 to ${longest}, such as ${address}/${longest}`,
    );
  }
  return [ipaddr.parse(address), Number(bits)];
}
