// Copied by tiny-harness codegen from schemas/code/totals.js. Do not edit: change that file and run codegen.
// What the books come to.
import { parseEntry } from './books/index.js';

/** @typedef {import('./totals.js').Total} Total */

/**
 * @param {readonly unknown[]} entries
 * @returns {Total} the debits, less the credits
 */
export function addUp(entries) {
  let amount = 0;
  for (const entry of entries) {
    const result = parseEntry(entry);
    if (result.ok) amount += result.value.side === 'debit' ? result.value.amount : -result.value.amount;
  }
  return { amount };
}
