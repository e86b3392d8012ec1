/** The JSON kind of a value; for what is not JSON, what `typeof` calls it. */
export declare function kindOf(value: unknown): string;

/** A kind or type with its article: `a string`, `an array`, `null`. */
export declare function nameKind(name: string): string;

/** A value as JSON on one line, cut to at most `width` characters (default 60). */
export declare function showValue(value: unknown, width?: number): string;

/** What came: a scalar as JSON, of anything else only the kind. */
export declare function showGot(value: unknown): string;

/** A property name: as it is when it is plain and short, otherwise quoted and cut. */
export declare function showName(name: string): string;

/** A JSON pointer as a person reads it: no leading slash, odd names quoted, the root `the value`. */
export declare function showPath(path: string): string;

/** One step of a JSON pointer, escaped (RFC 6901). */
export declare function escapePointer(name: string): string;

/** One step of a JSON pointer, unescaped (RFC 6901). */
export declare function unescapePointer(step: string): string;

/** Allowed values, comma-separated: strings without quotes where that is clear. */
export declare function showValues(values: readonly unknown[]): string;

/** Entries separated by commas, the tail of a long list counted instead of named. */
export declare function listEntries(entries: readonly string[]): string;

/** Entries as a choice: `a`, `a or b`, `a, b or c`. */
export declare function listChoice(entries: readonly string[]): string;

/** A number with its noun: `1 item`, `2 items`. */
export declare function countOf(count: number, noun: string): string;

/** The known name that was probably meant, at most two edits away. */
export declare function suggestName(name: string, known: readonly string[]): string | undefined;
