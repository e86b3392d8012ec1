// How a generated module's parts make a result: verdict, explanation, defaults.
import { explain, findReadOnly } from './explain.js';

/** @typedef {import('./result.js').ValidationError} ValidationError */
/** @typedef {import('./parse.js').Parser} Parser */

/**
 * Checks a value and fills in defaults. The value itself is never changed.
 *
 * @param {Parser} parser
 * @param {unknown} value
 * @returns {import('./result.js').Result<unknown>}
 */
export function parse(parser, value) {
  try {
    if (parser.validate(value)) return { ok: true, value: parser.fill?.(value) ?? value };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return { ok: false, errors: explainRefusal(parser, value) };
}

/**
 * Like `parse`, and refuses members that only the server may set.
 *
 * @param {Parser} parser
 * @param {unknown} value
 * @returns {import('./result.js').Result<unknown>}
 */
export function checkInput(parser, value) {
  const result = parse(parser, value);
  if (!result.ok) return result;
  const errors = findReadOnly(parser.schema, value);
  return errors.length === 0 ? result : { ok: false, errors };
}

/**
 * @param {Parser} parser
 * @param {unknown} value
 * @returns {ValidationError[]} never empty
 */
function explainRefusal(parser, value) {
  const errors = explain(parser.schema, value);
  if (errors.length > 0) return errors;
  // The verdict is the validator's: what it refuses for its depth the explanation may still walk.
  const message = 'the value is nested too deeply to be checked';
  return [{ path: '', message, keyword: 'depth', schemaPath: '#', value: '' }];
}
