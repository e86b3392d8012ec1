import { kindOf, listChoice, nameKind, showValue, showValues, unescapePointer } from './wording.js';

/**
 * What a schema says by itself, before any value: which kinds it admits, which tags tell its
 * alternatives apart, which names it knows, and how to call it in a few words.
 *
 * Every answer here is safe to act on (a kind or a tag that is ruled out is really invalid), and none is
 * needed for a verdict: where a schema is too intricate, the answer is "anything" or nothing.
 */

/** @typedef {import('./shape.js').FlatSchema} FlatSchema */
/** @typedef {import('./shape.js').SchemaObject} SchemaObject */

/** How many references and alternatives are looked through; cycles end here. */
const HOPS = 6;

/** The longest phrase that is worth saying in passing. */
const PHRASE = 80;

/**
 * The schema that a flat reference leads to: `#`, or `#/$defs/<key>`.
 * @param {FlatSchema} root
 * @param {string} reference
 * @returns {FlatSchema}
 */
export function resolveReference(root, reference) {
  if (typeof root === 'boolean' || reference === '#') return root;
  const definitions = root.$defs ?? {};
  const key = unescapePointer(reference.slice('#/$defs/'.length));
  const name = Object.hasOwn(definitions, key) ? key : decodeURIComponent(key);
  return (Object.hasOwn(definitions, name) ? definitions[name] : undefined) ?? false;
}

/**
 * The schemas that apply to the same value whenever this one does: the target of `$ref`, and `allOf`.
 * @param {FlatSchema} root
 * @param {SchemaObject} schema
 * @returns {FlatSchema[]}
 */
function listParts(root, schema) {
  const { $ref, allOf = [] } = schema;
  return $ref === undefined ? [...allOf] : [resolveReference(root, $ref), ...allOf];
}

/**
 * Whether a value of this kind may be valid; false only when none is.
 * @param {FlatSchema} root
 * @param {FlatSchema} schema
 * @param {string} kind
 * @param {number} [hops]
 * @returns {boolean}
 */
export function admitsKind(root, schema, kind, hops = HOPS) {
  if (typeof schema === 'boolean') return schema;
  if (hops === 0) return true;
  /** @param {FlatSchema} part */
  const admits = (part) => admitsKind(root, part, kind, hops - 1);
  const values = ownValues(schema);
  const { type, anyOf, oneOf } = schema;
  return (
    (values === undefined || values.some((value) => kindOf(value) === kind)) &&
    (type === undefined || [type].flat().some((name) => kindOfType(name) === kind)) &&
    (anyOf?.some(admits) ?? true) &&
    (oneOf?.some(admits) ?? true) &&
    listParts(root, schema).every(admits)
  );
}

/**
 * @param {string} type
 * @returns {string}
 */
function kindOfType(type) {
  return type === 'integer' ? 'number' : type;
}

/**
 * @param {SchemaObject} schema
 * @returns {readonly unknown[] | undefined}
 */
function ownValues(schema) {
  return Object.hasOwn(schema, 'const') ? [schema.const] : schema.enum;
}

/**
 * The values that a schema admits, when it lists them.
 * @param {FlatSchema} root
 * @param {FlatSchema} schema
 * @param {number} [hops]
 * @returns {readonly unknown[] | undefined}
 */
function listValues(root, schema, hops = HOPS) {
  if (typeof schema === 'boolean' || hops === 0) return undefined;
  const values = ownValues(schema);
  if (values !== undefined || schema.$ref === undefined) return values;
  return listValues(root, resolveReference(root, schema.$ref), hops - 1);
}

/**
 * The properties of an object that may hold listed values only, with these values.
 * @param {FlatSchema} root
 * @param {FlatSchema} schema
 * @param {number} [hops]
 * @returns {Map<string, readonly unknown[]>}
 */
export function listTags(root, schema, hops = HOPS) {
  /** @type {Map<string, readonly unknown[]>} */
  const tags = new Map();
  if (typeof schema === 'boolean' || hops === 0) return tags;
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const values = listValues(root, property);
    if (values !== undefined) tags.set(name, values);
  }
  for (const part of listParts(root, schema)) {
    for (const [name, values] of listTags(root, part, hops - 1)) tags.set(name, values);
  }
  return tags;
}

/**
 * Whether an object must have this property.
 * @param {FlatSchema} root
 * @param {FlatSchema} schema
 * @param {string} name
 * @param {number} [hops]
 * @returns {boolean}
 */
export function requiresName(root, schema, name, hops = HOPS) {
  if (typeof schema === 'boolean' || hops === 0) return false;
  return (
    schema.required?.includes(name) === true ||
    listParts(root, schema).some((part) => requiresName(root, part, name, hops - 1))
  );
}

/**
 * The property names that a schema speaks of, those of its parts and alternatives included.
 * @param {FlatSchema} root
 * @param {FlatSchema | undefined} schema
 * @param {number} [hops]
 * @returns {string[]}
 */
export function listKnownNames(root, schema, hops = HOPS) {
  if (typeof schema !== 'object' || hops === 0) return [];
  const { properties = {}, anyOf = [], oneOf = [] } = schema;
  const parts = [...listParts(root, schema), ...anyOf, ...oneOf, schema.then, schema.else];
  const names = parts.flatMap((part) => listKnownNames(root, part, hops - 1));
  return [...new Set([...Object.keys(properties), ...names])];
}

/**
 * What a schema asks for, in a few words: `a string`, `one of human, agent`, `an object or null`.
 * Undefined when it cannot be said shortly.
 * @param {FlatSchema} root
 * @param {FlatSchema | undefined} schema
 * @returns {string | undefined}
 */
export function nameExpected(root, schema) {
  const phrase = namePart(root, schema, HOPS);
  return phrase === undefined || phrase.length > PHRASE ? undefined : phrase;
}

/**
 * @param {FlatSchema} root
 * @param {FlatSchema | undefined} schema
 * @param {number} hops
 * @returns {string | undefined}
 */
function namePart(root, schema, hops) {
  if (typeof schema !== 'object' || hops === 0) return undefined;
  const values = ownValues(schema);
  if (values !== undefined) return nameValues(values);
  if (schema.type !== undefined) return listChoice([schema.type].flat().map(nameKind));
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) return nameChoice(root, alternatives, hops - 1);
  for (const part of listParts(root, schema)) {
    const phrase = namePart(root, part, hops - 1);
    if (phrase !== undefined) return phrase;
  }
  return undefined;
}

/**
 * Listed values as a noun: `"task"`, `one of human, agent`.
 * @param {readonly unknown[]} values
 * @returns {string}
 */
export function nameValues(values) {
  return values.length === 1 ? showValue(values[0]) : `one of ${showValues(values)}`;
}

/**
 * What alternatives ask for together: `a string or null`. Undefined when one of them cannot be named.
 * @param {FlatSchema} root
 * @param {readonly FlatSchema[]} alternatives
 * @param {number} [hops]
 * @returns {string | undefined}
 */
export function nameChoice(root, alternatives, hops = HOPS) {
  const values = alternatives.map((schema) => listValues(root, schema));
  if (values.every((list) => list !== undefined)) return nameValues(values.flat());
  const phrases = alternatives.map((schema) => namePart(root, schema, hops));
  if (!phrases.every((phrase) => phrase !== undefined)) return undefined;
  return listChoice([...new Set(phrases)]);
}
