/**
 * The helpers that a compiled validator calls at run time.
 */

/**
 * The length of a string in Unicode code points, as `minLength` and `maxLength` count it. A lone
 * surrogate counts as one.
 * @param {string} text
 * @returns {number}
 */
export function codePointLength(text) {
  let length = 0;
  for (let index = 0; index < text.length; index += 1) {
    if ((text.codePointAt(index) ?? 0) > 0xffff) index += 1;
    length += 1;
  }
  return length;
}

/**
 * Whether two JSON values are equal (JSON Schema 2020-12 core, 4.2.2): objects in any order of their
 * members, `1` and `1.0` alike. Any depth of nesting is fine; a value that contains itself is not JSON.
 * @param {unknown} a
 * @param {unknown} b
 * @returns {boolean}
 */
export function deepEqual(a, b) {
  /** @type {unknown[]} */
  const pending = [a, b];
  while (pending.length > 0) {
    const right = pending.pop();
    const left = pending.pop();
    if (left === right) continue;
    if (!isComposite(left) || !isComposite(right)) return false;
    if (Array.isArray(left) !== Array.isArray(right)) return false;
    const keys = Object.keys(left);
    if (keys.length !== Object.keys(right).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(right, key)) return false;
      pending.push(left[key], right[key]);
    }
  }
  return true;
}

/**
 * Whether a finite number is a multiple of another, both taken as the decimals they are written as:
 * binary division would find that 0.3 is no multiple of 0.1.
 * @param {number} value
 * @param {number} divisor
 * @returns {boolean}
 */
export function isMultipleOf(value, divisor) {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0;
  const [units, step] = [toMillionths(value), toMillionths(divisor)];
  if (units !== undefined && step !== undefined) return units % step === 0;
  const [digits, exponent] = toDecimal(value);
  const [divisorDigits, divisorExponent] = toDecimal(divisor);
  const shift = exponent - divisorExponent;
  const power = 10n ** BigInt(Math.abs(shift));
  return shift > 0
    ? (digits * power) % divisorDigits === 0n
    : digits % (divisorDigits * power) === 0n;
}

/**
 * A number in millionths, where it has no more than six decimals and fifteen digits: so many a double
 * tells apart, and the common case needs no big integers.
 * @param {number} value
 * @returns {number | undefined}
 */
function toMillionths(value) {
  const units = Math.round(value * 1e6);
  return Math.abs(units) < 1e15 && units / 1e6 === value ? units : undefined;
}

/**
 * A number as digits and the power of ten they are multiplied by.
 * @param {number} value
 * @returns {[digits: bigint, exponent: number]}
 */
function toDecimal(value) {
  const [mantissa = '', power = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return [BigInt(whole + fraction), Number(power) - fraction.length];
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
function isComposite(value) {
  return typeof value === 'object' && value !== null;
}
