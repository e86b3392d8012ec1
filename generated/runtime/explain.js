/**
 * Says why a value is not valid, in words for a person. A compiled validator gives the verdict; this
 * interpreter of the same schema runs after it has said no, and words the errors.
 */
import { Abort, Run, Visit } from './visit.js';
import { showValue } from './wording.js';

/** @typedef {import('./shape.js').FlatSchema} FlatSchema */
/** @typedef {import('./visit.js').Finding} Finding */
/** @typedef {import('./result.js').ValidationError} ValidationError */

/** How many errors are enough to act on. */
const LIMIT = 50;

/**
 * Why a value is not valid against a schema: at most `limit` errors, none when it is valid. Never throws
 * and never hangs on a JSON value: one that nests too deeply, or takes too much work, gets an error that
 * says so. `format` and `content…` are annotations.
 * @param {FlatSchema} schema
 * @param {unknown} value
 * @param {{ readonly limit?: number }} [options]
 * @returns {ValidationError[]}
 */
export function explain(schema, value, { limit = LIMIT } = {}) {
  return toErrors(visitRoot(new Run(schema), value, limit).findings).slice(0, limit);
}

/**
 * Whether a value is valid against a schema; false also when it nests too deeply to tell.
 * @param {FlatSchema} schema
 * @param {unknown} value
 * @returns {boolean}
 */
export function isValid(schema, value) {
  return visitRoot(new Run(schema), value, 1).findings.length === 0;
}

/**
 * The properties of a valid value that only the server may set (`readOnly: true`), one error each. Of
 * alternatives that the value fits, the one that refuses least decides. The schema of the whole value is
 * not asked: there would be nothing left to send.
 * @param {FlatSchema} schema
 * @param {unknown} value
 * @returns {ValidationError[]}
 */
export function findReadOnly(schema, value) {
  const { readOnly, cut } = visitRoot(new Run(schema, true), value, LIMIT);
  return toErrors(cut ? [...readOnly, cut] : readOnly).slice(0, LIMIT);
}

/**
 * @param {Run} run
 * @param {unknown} value
 * @param {number} limit
 * @returns {{ findings: Finding[], readOnly: Finding[], cut?: Finding }}
 */
function visitRoot(run, value, limit) {
  /** @type {import('./visit.js').Sink} */
  const sink = { findings: [], readOnly: [], limit };
  const place = {
    run,
    sink,
    value,
    path: '',
    at: '#',
    level: 0,
    depth: 0,
    seen: undefined,
    isName: false,
  };
  try {
    new Visit(place).apply(run.root);
    return sink;
  } catch (error) {
    const cut = toFinding(error, value);
    return { ...sink, findings: [...sink.findings, cut], cut };
  }
}

/**
 * What ended a run early. A caller that is deep in its own stack may leave less of it than a run needs.
 * @param {unknown} error
 * @param {unknown} value
 * @returns {Finding}
 */
function toFinding(error, value) {
  if (error instanceof Abort) return error.finding;
  if (!(error instanceof RangeError)) throw error;
  const say = () => 'the value is nested too deeply';
  return { path: '', at: '#', level: 0, keyword: 'depth', value, say };
}

/**
 * Words the findings; two keywords that say the same of the same place are one error.
 * @param {readonly Finding[]} findings
 * @returns {ValidationError[]}
 */
function toErrors(findings) {
  /** @type {Map<string, ValidationError>} */
  const errors = new Map();
  for (const { path, at, keyword, value, say } of findings) {
    const message = say();
    const key = `${path} ${message}`;
    if (!errors.has(key))
      errors.set(key, { path, message, keyword, schemaPath: at, value: showValue(value) });
  }
  return [...errors.values()];
}
