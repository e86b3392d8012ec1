/**
 * What validating answers: a value, or the errors that say why not.
 */

/**
 * The errors as text for a person, one line each.
 * @param {readonly import('./result.js').ValidationError[]} errors
 * @returns {string}
 */
export function formatErrors(errors) {
  return errors.map((error) => error.message).join('\n');
}

/** Thrown by `unwrap`: its message is `formatErrors(errors)`, its `errors` are those of the result. */
export class ContractError extends Error {
  /** @param {readonly import('./result.js').ValidationError[]} errors */
  constructor(errors) {
    super(formatErrors(errors));
    this.name = 'ContractError';
    this.errors = errors;
  }
}

/**
 * The value of a result that is ok.
 * @template T
 * @param {import('./result.js').Result<T>} result
 * @returns {T}
 * @throws {ContractError} when the result is not ok
 */
export function unwrap(result) {
  if (!result.ok) throw new ContractError(result.errors);
  return result.value;
}
