/** One reason why a value is not valid. */
export interface ValidationError {
  /**
   * JSON pointer (RFC 6901) to the place in the value: `''` for the value itself,
   * `'/participants/0/role'`. A missing property is reported at the object that lacks it.
   */
  readonly path: string;
  /** What is wrong, what was expected and what came: one sentence for a person, on one line. */
  readonly message: string;
  /** The keyword that failed, such as `'enum'`. */
  readonly keyword: string;
  /** Where the keyword stands in the schema, as a JSON pointer fragment. */
  readonly schemaPath: string;
  /** The offending value as JSON, cut to at most 60 characters. */
  readonly value: string;
}

/** A value that was checked, or the errors (1 to 50) that say why it is not valid. */
export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: readonly ValidationError[] };

/** The errors as text for a person, one line each. */
export declare function formatErrors(errors: readonly ValidationError[]): string;

/** Thrown by `unwrap`: its message is `formatErrors(errors)`, its `errors` are those of the result. */
export declare class ContractError extends Error {
  constructor(errors: readonly ValidationError[]);
  override name: string;
  readonly errors: readonly ValidationError[];
}

/** The value of a result that is ok; throws a `ContractError` when it is not. */
export declare function unwrap<T>(result: Result<T>): T;
