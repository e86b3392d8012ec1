import type { Keyword, Table, Visit } from './visit.js';

/** Which values, and which types. */
export declare const EQUALITY: Table<unknown>;

/** How large a number is. */
export declare const NUMBER: Table<number>;

/** How long a string is, and which pattern it matches. */
export declare const STRING: Table<string>;

/** Reports that a value is none of those allowed. */
export declare function failValues(visit: Visit, keyword: string, values: readonly unknown[]): void;

/** A pattern as it is, unless it is long or would break the line. */
export declare function showPattern(source: string): string;

/** A keyword that asks for a least size. */
export declare function atLeast<V>(measure: (value: V) => number, noun: string): Keyword<V, number>;

/** A keyword that asks for a largest size. */
export declare function atMost<V>(measure: (value: V) => number, noun: string): Keyword<V, number>;
