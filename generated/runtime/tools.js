// Where a text stops being JSON. Engines word their own errors differently, and not all say where.

const SPACE = /[ \t\r\n]*/y;
/** In a string: its end, an escape, or what may not stand there. */
const NOTABLE = /[^ !#-[\]-\uffff]/g;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;

/** @typedef {'value' | 'first item' | 'first key' | 'key' | 'colon' | 'next'} State what may follow */
/** @typedef {{ text: string, at: number, open: ('{' | '[')[], state: State }} Scan */

/**
 * @param {string} text a text that is not JSON
 * @returns {string} line and column from 1, what stands there, and what should
 */
function describeJsonFault(text) {
  /** @type {Scan} */
  const scan = { text, at: 0, open: [], state: 'value' };
  let expected;
  while (expected === undefined) {
    scan.at = matchEnd(SPACE, text, scan.at);
    expected = advance(scan);
  }
  const before = text.slice(0, scan.at).split('\n');
  const place = `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
  const [found] = /^(?:[\w.+-]{1,20}|[^])?/.exec(text.slice(scan.at)) ?? [''];
  if (found === '') return `the text ends at ${place}, where ${expected} is missing`;
  return `at ${place} there is ${JSON.stringify(found)} instead of ${expected}`;
}

/**
 * @param {Scan} scan moved past the next token
 * @returns {string | undefined} what was expected, when the token is another
 */
function advance(scan) {
  const sign = scan.text[scan.at] ?? '';
  switch (scan.state) {
    case 'next':
      return advanceAfterValue(scan, sign);
    case 'colon':
      if (sign !== ':') return 'a colon';
      return move(scan, 'value');
    case 'first key':
      return sign === '}' ? close(scan) : advanceString(scan, 'colon');
    case 'key':
      return advanceString(scan, 'colon');
    case 'first item':
      return sign === ']' ? close(scan) : advanceValue(scan, sign);
    case 'value':
      return advanceValue(scan, sign);
  }
}

/**
 * @param {Scan} scan
 * @param {string} sign
 * @returns {string | undefined}
 */
function advanceAfterValue(scan, sign) {
  const inside = scan.open.at(-1);
  if (inside === undefined) return 'the end';
  if (sign === ',') return move(scan, inside === '{' ? 'key' : 'value');
  const end = inside === '{' ? '}' : ']';
  return sign === end ? close(scan) : `a comma or a ${end}`;
}

/**
 * @param {Scan} scan
 * @param {string} sign
 * @returns {string | undefined}
 */
function advanceValue(scan, sign) {
  if (sign === '"') return advanceString(scan, 'next');
  if (sign === '{' || sign === '[') {
    scan.open.push(sign);
    return move(scan, sign === '{' ? 'first key' : 'first item');
  }
  const end = matchEnd(SCALAR, scan.text, scan.at);
  if (end === scan.at) return 'a value';
  return move(scan, 'next', end);
}

/**
 * @param {Scan} scan
 * @param {State} next
 * @returns {string | undefined}
 */
function advanceString(scan, next) {
  const { text } = scan;
  if (text[scan.at] !== '"') return 'a property name in double quotes';
  const end = findStringEnd(text, scan.at + 1);
  if (text[end] === '"') return move(scan, next, end + 1);
  scan.at = end;
  if (end === text.length) return 'the closing quote of a string';
  return text[end] === '\\' ? 'an escape that JSON knows' : 'an escape such as \\n in a string';
}

/**
 * @param {string} text
 * @param {number} at inside a string
 * @returns {number} where the string ends, or may not go on as it does
 */
function findStringEnd(text, at) {
  for (let from = at; ;) {
    NOTABLE.lastIndex = from;
    const found = NOTABLE.exec(text)?.index ?? text.length;
    from = matchEnd(ESCAPE, text, found);
    if (from === found) return found;
  }
}

/**
 * @param {Scan} scan
 * @returns {string | undefined}
 */
function close(scan) {
  scan.open.pop();
  return move(scan, 'next');
}

/**
 * @param {Scan} scan
 * @param {State} state
 * @param {number} [at]
 * @returns {string | undefined}
 */
function move(scan, state, at = scan.at + 1) {
  scan.state = state;
  scan.at = at;
  return undefined;
}

/**
 * @param {RegExp} pattern
 * @param {string} text
 * @param {number} at
 * @returns {number} where the match that begins here ends; here when there is none
 */
function matchEnd(pattern, text, at) {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

// How what a model sends to call a tool becomes checked arguments.

/** @typedef {import('./result.js').Result<any>} AnyResult */
/** @typedef {import('./tools.js').ToolParsers} ToolParsers */

/**
 * @param {ToolParsers} parsers
 * @param {unknown} name
 * @param {unknown} value
 * @returns {AnyResult} the tool's arguments with their defaults; an error when there is no such tool
 */
export function parseNamed(parsers, name, value) {
  const known = typeof name === 'string' && Object.hasOwn(parsers, name);
  const parser = known ? parsers[name] : undefined;
  if (parser !== undefined) return parser(value);
  const names = Object.keys(parsers).join(', ');
  return refuse('tool', `there is no tool ${quote(name)}; the tools are ${names}`, quote(name));
}

/**
 * @param {ToolParsers} parsers
 * @param {unknown} name
 * @param {unknown} text JSON as a model sends it; blank counts as no arguments
 * @returns {AnyResult} the call, `{ name, input }`
 */
export function parseNamedCall(parsers, name, text) {
  const value = readArguments(text);
  if (!value.ok) return value;
  const result = parseNamed(parsers, name, value.value);
  if (!result.ok) return result;
  /** @type {unknown} */
  const input = result.value;
  return { ok: true, value: { name, input } };
}

/**
 * @param {unknown} text
 * @returns {AnyResult}
 */
function readArguments(text) {
  // Some APIs hand over arguments that are parsed already.
  if (typeof text !== 'string') return { ok: true, value: text };
  // What models send for a tool without arguments.
  if (text.trim() === '') return { ok: true, value: {} };
  try {
    /** @type {unknown} */
    const value = JSON.parse(text);
    return { ok: true, value };
  } catch {
    return refuse('json', `the arguments are not JSON: ${describeJsonFault(text)}`, quote(text));
  }
}

/**
 * @param {string} keyword
 * @param {string} message
 * @param {string} value
 * @returns {AnyResult}
 */
function refuse(keyword, message, value) {
  return { ok: false, errors: [{ path: '', message, keyword, schemaPath: '#', value }] };
}

/**
 * @param {unknown} value
 * @returns {string} the value as JSON, at most 60 characters
 */
function quote(value) {
  const text = value === undefined ? 'undefined' : JSON.stringify(value);
  return text.length <= 60 ? text : `${text.slice(0, 59)}…`;
}
