/** The names in a directory, as far as they are looked at. */
import type { Dirent } from 'node:fs';
import { opendir } from 'node:fs/promises';

/** The most entries of a directory that are looked at. */
export const MAX_ENTRIES = 1000;

/** What is in a directory. */
export interface Listing {
  /** In the order of their names, without those that are hidden or would break a line of a list. */
  readonly entries: readonly Dirent[];
  /** There are more than {@link MAX_ENTRIES}, and the rest was not looked at. */
  readonly truncated: boolean;
}

/** Lists a directory. Rejects as the file system does. */
export async function listDirectory(path: string): Promise<Listing> {
  const entries: Dirent[] = [];
  let seen = 0;
  for await (const entry of await opendir(path)) {
    seen += 1;
    if (seen > MAX_ENTRIES) break;
    if (!/^\.|[\p{Cc}\p{Zl}\p{Zp}]/u.test(entry.name)) entries.push(entry);
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { entries, truncated: seen > MAX_ENTRIES };
}
