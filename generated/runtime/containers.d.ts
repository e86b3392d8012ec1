import type { ObjectVisit, Table } from './visit.js';

/** The keywords that look into arrays. */
export declare const ARRAY: Table<readonly unknown[]>;

/** What comes after every other keyword has seen its items. */
export declare const ARRAY_REST: Table<readonly unknown[]>;

/** The keywords that look into objects. */
export declare const OBJECT: Table<Readonly<Record<string, unknown>>>;

/** What comes after every other keyword has seen its properties. */
export declare const OBJECT_REST: Table<Readonly<Record<string, unknown>>>;

/** Reports that a property, or one of several, is missing. */
export declare function reportMissing(
  visit: ObjectVisit,
  keyword: string,
  names: readonly string[],
  more?: () => string,
): void;

/** Reports a property that may not be there, with the known names. */
export declare function reportUnknown(
  visit: ObjectVisit,
  keyword: string,
  name: string,
  listKnown: () => readonly string[],
): void;
