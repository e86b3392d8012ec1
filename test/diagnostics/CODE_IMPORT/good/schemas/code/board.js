// What a board shows.
import { readNote } from '@acme/contract/note/v1';
import { wall } from '@acme/contract/wall';

/** @typedef {import('./board.js').Board} Board */

/** From 'nowhere' comes nothing. */
export const board = [readNote, wall];
