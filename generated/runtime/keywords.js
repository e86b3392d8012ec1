/**
 * The keywords of JSON Schema 2020-12, in the order in which they are applied.
 */
import { ARRAY, ARRAY_REST, OBJECT, OBJECT_REST } from './containers.js';
import { IN_PLACE } from './in-place.js';
import { EQUALITY, NUMBER, STRING } from './scalars.js';

/** @typedef {import('./visit.js').Row} Row */

/**
 * Each table is typed by the values and operands its keywords take. Whoever applies a row sees to both:
 * the group fits the kind of the value, and the schema is valid against its meta-schema.
 * @param {object} table
 * @returns {readonly Row[]}
 */
const rows = (table) => Object.entries(table);

/** What a value is at all. */
export const IDENTITY = rows(EQUALITY);

/**
 * What else applies to a value of each kind.
 * @type {Readonly<Record<string, readonly Row[]>>}
 */
export const GROUPS = {
  number: rows({ ...NUMBER, ...IN_PLACE }),
  string: rows({ ...STRING, ...IN_PLACE }),
  array: rows({ ...ARRAY, ...IN_PLACE, ...ARRAY_REST }),
  object: rows({ ...OBJECT, ...IN_PLACE, ...OBJECT_REST }),
};

/** What applies to a value of any other kind. */
export const OTHERS = rows(IN_PLACE);
