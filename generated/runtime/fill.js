// What generated fillers are made of: copy on write, one member or item at a time.

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>} whether a JSON value is an object
 */
export function hasMembers(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * @param {object} value
 * @param {string} key
 * @returns {boolean} whether an object has a member of its own
 */
export function hasOwn(value, key) {
  return Object.hasOwn(value, key);
}

/**
 * @param {Record<string, unknown>} value the object as it came
 * @param {Record<string, unknown> | undefined} copy the copy, once there is one
 * @param {string} key
 * @param {unknown} member
 * @returns {Record<string, unknown> | undefined} the copy, made when the member differs
 */
export function setMember(value, copy, key, member) {
  const current = copy ?? value;
  if (Object.hasOwn(current, key) && current[key] === member) return copy;
  const target = copy ?? copyObject(value);
  if (key === '__proto__') define(target, key, member);
  else target[key] = member;
  return target;
}

/**
 * @param {unknown[]} value the array as it came
 * @param {unknown[] | undefined} copy the copy, once there is one
 * @param {number} index
 * @param {unknown} item
 * @returns {unknown[] | undefined} the copy, made when the item differs
 */
export function setItem(value, copy, index, item) {
  if (value[index] === item) return copy;
  const target = copy ?? value.slice();
  target[index] = item;
  return target;
}

/** @param {Record<string, unknown>} value */
function copyObject(value) {
  // Assigning is many times as fast as spreading; an own member called __proto__ needs the slow way.
  if (!Object.hasOwn(value, '__proto__')) return Object.assign({}, value);
  /** @type {Record<string, unknown>} */
  const copy = {};
  for (const [key, member] of Object.entries(value)) define(copy, key, member);
  return copy;
}

/**
 * @param {Record<string, unknown>} target
 * @param {string} key
 * @param {unknown} value
 */
function define(target, key, value) {
  Object.defineProperty(target, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}
