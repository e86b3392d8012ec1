import type { ValidationError } from './result.js';
import type { FlatSchema } from './shape.js';

/**
 * Why a value is not valid against a schema: at most `limit` errors (default 50), none when it is valid.
 * Never throws and never hangs on a JSON value: one that nests too deeply, or takes too much work, gets an
 * error that says so. `format` and `content…` are annotations.
 */
export declare function explain(
  schema: FlatSchema,
  value: unknown,
  options?: { readonly limit?: number },
): ValidationError[];

/** Whether a value is valid against a schema; false also when it nests too deeply to tell. */
export declare function isValid(schema: FlatSchema, value: unknown): boolean;

/**
 * The properties of a valid value that only the server may set (`readOnly: true`), one error each, at most
 * 50. Of alternatives that the value fits, the one that refuses least decides. The schema of the whole
 * value is not asked: there would be nothing left to send.
 */
export declare function findReadOnly(schema: FlatSchema, value: unknown): ValidationError[];
