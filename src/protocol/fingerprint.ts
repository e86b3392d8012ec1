/** Recognises what comes again: a message (rule A5), the webhook of a message. */
import { createHash } from 'node:crypto';

/** A digest of a JSON value that does not depend on the order of members. */
export function fingerprint(value: unknown): string {
  return createHash('sha256').update(canonicalise(value)).digest('base64url');
}

function canonicalise(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalise).join(',')}]`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalise(member)}`).join(',')}}`;
}
