/**
 * How values, names and lists look in a message. Whatever comes in from outside is cut short and
 * escaped here, so that no message is long, breaks its line or commands a terminal.
 */

/** The most characters of a value, or of one name, that a message shows. */
const WIDTH = 60;

/** The most steps of a path that a message shows; a longer one loses its middle. */
const STEPS = 12;

/** The most entries of a list that a message shows. */
const ENTRIES = 20;

/** What JSON.stringify leaves as it is although it is invisible, breaks lines or reorders text. */
const UNSEEN = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** A name that is understood without quotes. */
const PLAIN = /^[\p{L}\p{N}_$@][\p{L}\p{M}\p{N}_$@.:+-]*$/u;

/** A word that would be taken for something else than a string. */
const AMBIGUOUS = /^(?:true|false|null|[+-]?\d.*)$/;

/**
 * The JSON kind of a value; for what is not JSON, what `typeof` calls it.
 * @param {unknown} value
 * @returns {string}
 */
export function kindOf(value) {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/**
 * A kind or type with its article: `a string`, `an array`, `null`.
 * @param {string} name
 * @returns {string}
 */
export function nameKind(name) {
  if (name === 'null' || name === 'undefined') return name;
  return `${/^[aio]/.test(name) ? 'an' : 'a'} ${name}`;
}

/**
 * A value as JSON, cut to at most `width` characters.
 * @param {unknown} value
 * @param {number} [width]
 * @returns {string}
 */
export function showValue(value, width = WIDTH) {
  if (typeof value === 'string') return showString(value, width);
  if (typeof value === 'function' || typeof value === 'symbol') return typeof value;
  if (typeof value !== 'object' || value === null) return String(value);
  const isList = Array.isArray(value);
  let text = isList ? '[' : '{';
  for (const key of isList ? value.slice(0, width).keys() : Object.keys(value)) {
    if (text.length > 1) text += ',';
    if (text.length >= width) break;
    if (!isList) text += `${showString(String(key), width - text.length)}:`;
    text += showValue(Reflect.get(value, key), width - text.length);
  }
  text += isList ? ']' : '}';
  return text.length > width ? text.slice(0, width - 1).replace(/…?$/, '…') : text;
}

/**
 * @param {string} text
 * @param {number} width
 * @returns {string}
 */
function showString(text, width) {
  let shown = '"';
  // As much as leaves room for the mark that something follows.
  let kept = shown;
  for (const character of text) {
    const piece = JSON.stringify(character).slice(1, -1).replace(UNSEEN, escapeUnit);
    shown += piece;
    if (shown.length <= width - 2) kept = shown;
    else if (shown.length > width - 1) return `${kept}…"`;
  }
  return `${shown}"`;
}

/**
 * @param {string} unit
 * @returns {string}
 */
function escapeUnit(unit) {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * What came, after "got": a scalar as JSON, of anything else only the kind.
 * @param {unknown} value
 * @returns {string}
 */
export function showGot(value) {
  const isScalar = value === null || !/object|function/.test(typeof value);
  return isScalar ? showValue(value) : nameKind(kindOf(value));
}

/**
 * A property name: as it is when it is plain and short, otherwise quoted and cut.
 * @param {string} name
 * @returns {string}
 */
export function showName(name) {
  return name.length <= WIDTH && PLAIN.test(name) ? name : showValue(name);
}

/**
 * A JSON pointer as a person reads it: no leading slash, odd names quoted, the root `the value`.
 * @param {string} path
 * @returns {string}
 */
export function showPath(path) {
  if (path === '') return 'the value';
  const names = path.split('/').slice(1);
  if (names.length > STEPS) names.splice(STEPS / 2, names.length - STEPS, '…');
  return names.map((name) => (name === '…' ? name : showName(unescapePointer(name)))).join('/');
}

/**
 * One step of a JSON pointer, escaped (RFC 6901).
 * @param {string} name
 * @returns {string}
 */
export function escapePointer(name) {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/**
 * @param {string} step
 * @returns {string}
 */
export function unescapePointer(step) {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

/**
 * Allowed values, comma-separated: strings without quotes where that is clear.
 * @param {readonly unknown[]} values
 * @returns {string}
 */
export function showValues(values) {
  return listEntries(
    values.map((value) =>
      typeof value === 'string' && !AMBIGUOUS.test(value) ? showName(value) : showValue(value),
    ),
  );
}

/**
 * Entries separated by commas, the tail of a long list counted instead of named.
 * @param {readonly string[]} entries
 * @returns {string}
 */
export function listEntries(entries) {
  const more = entries.length - ENTRIES;
  if (more <= 1) return entries.join(', ');
  return `${entries.slice(0, ENTRIES).join(', ')} and ${more} more`;
}

/**
 * Entries as a choice: `a`, `a or b`, `a, b or c`.
 * @param {readonly string[]} entries
 * @returns {string}
 */
export function listChoice(entries) {
  const last = entries.at(-1) ?? '';
  return entries.length < 2 ? last : `${entries.slice(0, -1).join(', ')} or ${last}`;
}

/**
 * A number with its noun: `1 item`, `2 items`.
 * @param {number} count
 * @param {string} noun
 * @returns {string}
 */
export function countOf(count, noun) {
  if (count === 1) return `1 ${noun}`;
  return `${count} ${noun.endsWith('y') ? `${noun.slice(0, -1)}ie` : noun}s`;
}

/**
 * The known name that was probably meant: at most two edits away, and fewer for a short name.
 * @param {string} name
 * @param {readonly string[]} known
 * @returns {string | undefined}
 */
export function suggestName(name, known) {
  let nearest;
  let least = Math.min(2, Math.floor(name.length / 2)) + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) >= least) continue;
    const edits = countEdits(name, candidate);
    if (edits < least) [nearest, least] = [candidate, edits];
  }
  return nearest;
}

/**
 * The Levenshtein distance of two strings, kept one row at a time.
 * @param {string} from
 * @param {string} to
 * @returns {number}
 */
function countEdits(from, to) {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let line = 1; line <= from.length; line += 1) {
    const next = [line];
    for (let column = 1; column <= to.length; column += 1) {
      const swap = from[line - 1] === to[column - 1] ? 0 : 1;
      next[column] = Math.min(
        (row[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (row[column - 1] ?? 0) + swap,
      );
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
