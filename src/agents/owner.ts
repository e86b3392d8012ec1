/** The name under which a process holds leases: tells another one on the same host whether it is gone. */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

/** The names that this process goes by. */
const ours = new Set<string>();

/** A name for this process, never given twice: `<host>/<pid>/<random>`. */
export function createOwner(): string {
  const owner = `${hostname()}/${process.pid}/${randomBytes(6).toString('hex')}`;
  ours.add(owner);
  return owner;
}

/**
 * Whether the process of that name is surely gone: it ran on this host and its number is free, or is this process's
 * own by now (in a container the server is always number 1). False when that cannot be told; its leases then end
 * by themselves.
 */
export function isOwnerGone(owner: string): boolean {
  const [host, pid] = owner.split('/');
  if (host !== hostname() || pid === undefined) return false;
  if (Number(pid) === process.pid) return !ours.has(owner);
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
