// Data that every importer shares stays as it was written.

/**
 * @template T
 * @param {T} value plain data
 * @returns {T} the value, frozen at every depth
 */
export function freezeDeep(value) {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(freezeDeep);
  return Object.freeze(value);
}
