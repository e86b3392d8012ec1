/**
 * Corpora and tools that stand beside the repository where it is developed. They are not part of it:
 * tests that use them say that they are skipped where they are missing.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './projects.ts';

const shared = join(repository, '..', 'shared');

/** Where a corpus or tool is, and what to add to the name of a suite that is skipped without it. */
export interface Corpus {
  readonly path: string;
  readonly missing: boolean;
  /** '' or ` (skipped: …)`. */
  readonly note: string;
}

/** Looks for a corpus or tool by its path beside the repository. */
export function findCorpus(path: string): Corpus {
  const place = join(shared, path);
  const missing = !existsSync(place);
  return { path: place, missing, note: missing ? ` (skipped: there is no ../shared/${path})` : '' };
}
