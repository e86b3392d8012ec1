/** Which names are of this machine alone. */
import { isIP } from 'node:net';

/** Whether an address, or the name `localhost`, is reached from this machine alone. Other names are not looked up. */
export function isLoopback(host: string): boolean {
  if (isIP(host) === 0) return host.toLowerCase() === 'localhost';
  return host === '::1' || /^(::ffff:)?127\./i.test(host);
}
