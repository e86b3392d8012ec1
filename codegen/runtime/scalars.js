/**
 * The keywords that look at a value as a whole: which values, which type, how large, how long.
 */
import { codePointLength, deepEqual, isMultipleOf } from './checks.js';
import { nameValues } from './shape.js';
import { countOf, listChoice, nameKind, showValue } from './wording.js';

/** @typedef {import('./visit.js').Visit<unknown>} Visit */

/**
 * Which values, and which types. An `enum` says more than the `type` beside it, so it comes first.
 * @type {import('./visit.js').Table<unknown>}
 */
export const EQUALITY = {
  const(visit, expected) {
    if (!deepEqual(visit.value, expected)) failValues(visit, 'const', [expected]);
  },
  enum(visit, values) {
    if (!values.some((value) => deepEqual(visit.value, value))) failValues(visit, 'enum', values);
  },
  type(visit, type) {
    const types = [type].flat();
    if (types.some((name) => isOfType(visit.value, name))) return;
    visit.fail('type', () => `be ${listChoice(types.map(nameKind))}`);
  },
};

/** @type {import('./visit.js').Table<number>} */
export const NUMBER = {
  multipleOf: bound(isMultipleOf, 'a multiple of'),
  minimum: bound((value, limit) => value >= limit, 'at least'),
  exclusiveMinimum: bound((value, limit) => value > limit, 'more than'),
  maximum: bound((value, limit) => value <= limit, 'at most'),
  exclusiveMaximum: bound((value, limit) => value < limit, 'less than'),
};

/** @type {import('./visit.js').Table<string>} */
export const STRING = {
  minLength: atLeast(codePointLength, 'character'),
  maxLength: atMost(codePointLength, 'character'),
  pattern(visit, source) {
    if (visit.run.pattern(source).test(visit.value)) return;
    visit.fail('pattern', () => namePattern(source, visit.schema));
  },
};

/**
 * Reports that a value is none of those allowed.
 * @param {Visit} visit
 * @param {string} keyword
 * @param {readonly unknown[]} values
 */
export function failValues(visit, keyword, values) {
  const must = () => `be ${nameValues(values)}`;
  const say = () => `${visit.subject} must ${must()}; got ${showValue(visit.value)}`;
  visit.report(keyword, say, { must, values });
}

/** Patterns that are easier said in words. */
const IDIOMS = new Map([
  ['\\S', 'not be blank'],
  ['^$|\\S', 'not be only white space'],
]);

/**
 * What a pattern asks for, by the name that an annotation beside it gives it, and an example.
 * @param {string} source
 * @param {import('./shape.js').SchemaObject} schema
 * @returns {string}
 */
function namePattern(source, { contentEncoding, format, examples }) {
  const example = examples?.[0] === undefined ? '' : `, such as ${showValue(examples[0])}`;
  if (contentEncoding) return `be ${contentEncoding}${example}`;
  if (format) return `be of the format ${format}${example}`;
  return IDIOMS.get(source) ?? `match the pattern ${showPattern(source)}${example}`;
}

/**
 * A pattern as it is, unless it is long or would break the line.
 * @param {string} source
 * @returns {string}
 */
export function showPattern(source) {
  return /^[!-~ ]{1,100}$/.test(source) ? source : showValue(source);
}

/**
 * A number that JSON cannot write (NaN, Infinity) is none.
 * @param {unknown} value
 * @param {string} type
 * @returns {boolean}
 */
function isOfType(value, type) {
  if (type === 'number') return Number.isFinite(value);
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  return typeof value === type && value !== null && !Array.isArray(value);
}

/**
 * A keyword that compares a number with its operand.
 * @param {(value: number, operand: number) => boolean} holds
 * @param {string} phrase
 * @returns {import('./visit.js').Keyword<number, number>}
 */
function bound(holds, phrase) {
  return (visit, operand, keyword) => {
    if (!holds(visit.value, operand)) visit.fail(keyword, () => `be ${phrase} ${operand}`);
  };
}

/**
 * A keyword that asks for a least size.
 * @template V
 * @param {(value: V) => number} measure
 * @param {string} noun
 * @returns {import('./visit.js').Keyword<V, number>}
 */
export function atLeast(measure, noun) {
  return (visit, least, keyword) => {
    const size = measure(visit.value);
    if (size >= least) return;
    if (least === 1) visit.report(keyword, () => `${visit.subject} must not be empty`);
    else failSize(visit, keyword, `at least ${countOf(least, noun)}`, size);
  };
}

/**
 * A keyword that asks for a largest size.
 * @template V
 * @param {(value: V) => number} measure
 * @param {string} noun
 * @returns {import('./visit.js').Keyword<V, number>}
 */
export function atMost(measure, noun) {
  return (visit, most, keyword) => {
    const size = measure(visit.value);
    if (size > most) failSize(visit, keyword, `at most ${countOf(most, noun)}`, size);
  };
}

/**
 * @param {Visit} visit
 * @param {string} keyword
 * @param {string} expected
 * @param {number} size
 */
function failSize(visit, keyword, expected, size) {
  const { value } = visit;
  const shown = typeof value === 'string' ? `${size}: ${showValue(value)}` : `${size}`;
  visit.fail(
    keyword,
    () => `have ${expected}`,
    () => shown,
  );
}
