import type { Row } from './visit.js';

/** What a value is at all. */
export declare const IDENTITY: readonly Row[];

/** What else applies to a value of each kind. */
export declare const GROUPS: Readonly<Record<string, readonly Row[]>>;

/** What applies to a value of any other kind. */
export declare const OTHERS: readonly Row[];
