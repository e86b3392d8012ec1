// What a board shows.
import { readFileSync } from 'node:fs';
import { readNote } from '@acme/contract/note/v2';
import { unwrap } from "@acme/contract";
import { other } from '../../generated/index.js';

export { parseToolInput } from '@acme/contract/tools';

/** The notes. */
export const notes = [readFileSync, readNote, unwrap, other, () => import('left-pad')];
