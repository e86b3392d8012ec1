/** Page tokens of ListTasks: where a page ended, as an opaque text. */
import { invalidParams } from '../core/errors.ts';
import type { TaskKey } from '../store/port.ts';

/** The token that continues after a task. */
export function writePageToken({ statusAt, id }: TaskKey): string {
  return Buffer.from(JSON.stringify([statusAt, id])).toString('base64url');
}

/** @throws ProtocolError INVALID_PARAMS when the text is no token of ours */
export function readPageToken(token: string): TaskKey {
  const key = parseKey(token);
  if (key !== undefined) return key;
  const description =
    'pageToken must be the nextPageToken of an earlier page; leave it out for the first';
  throw invalidParams([{ field: 'pageToken', description }]);
}

function parseKey(token: string): TaskKey | undefined {
  try {
    const key: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    if (!Array.isArray(key) || key.length !== 2) return undefined;
    const [statusAt, id] = key as unknown[];
    if (!Number.isSafeInteger(statusAt) || typeof id !== 'string') return undefined;
    return { statusAt: statusAt as number, id };
  } catch {
    return undefined;
  }
}
