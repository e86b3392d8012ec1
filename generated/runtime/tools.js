// How what a model sends to call a tool becomes checked arguments.
import { describeJsonFault } from './json-fault.js';

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
