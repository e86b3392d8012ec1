// What the books come to.
import { parseEntry } from 'ledger/books';

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
