/** Ids that the server gives: to tasks, contexts, messages and push configs. */
import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

/** Bytes that one id takes. */
const LENGTH = 16;

/** Asking the system for random bytes costs more than making an id of them: it is asked for many at once. */
const pool = new Uint8Array(256 * LENGTH);
let used = pool.length;

/** A UUID of version 7: nobody can guess it, and ids that are made together are kept together in an index. */
export function createId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const random = pool.subarray(used, used + LENGTH);
  used += LENGTH;
  return v7({ random });
}
