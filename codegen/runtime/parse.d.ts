import type { FlatSchema } from './shape.js';
import type { Result } from './result.js';

/** The parts of a generated module that parsing needs. */
export interface Parser {
  /** The verdict. */
  readonly validate: (value: unknown) => boolean;
  /** The schema that explains a refusal. */
  readonly schema: FlatSchema;
  /** Adds defaults to a valid value; missing when there are none. */
  readonly fill?: ((value: unknown) => unknown) | undefined;
}

/** Checks a value and fills in defaults. The value itself is never changed. */
export declare function parse(parser: Parser, value: unknown): Result<unknown>;

/** Like `parse`, and refuses members that only the server may set. */
export declare function checkInput(parser: Parser, value: unknown): Result<unknown>;
