import type { Table } from './visit.js';

/** The keywords that apply further schemas to the same value. */
export declare const IN_PLACE: Table<unknown>;
