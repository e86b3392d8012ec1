/**
 * The length of a string in Unicode code points, as `minLength` and `maxLength` count it. A lone
 * surrogate counts as one.
 */
export declare function codePointLength(text: string): number;

/**
 * Whether two JSON values are equal (JSON Schema 2020-12 core, 4.2.2): objects in any order of their
 * members, `1` and `1.0` alike. Any depth of nesting is fine; a value that contains itself is not JSON.
 */
export declare function deepEqual(a: unknown, b: unknown): boolean;

/**
 * Whether a finite number is a multiple of another, both taken as the decimals they are written as:
 * binary division would find that 0.3 is no multiple of 0.1.
 */
export declare function isMultipleOf(value: number, divisor: number): boolean;
