import { admitsKind, resolveReference } from './shape.js';

// Strict mode lets a model leave nothing out: it sends null for what it would leave out. These nulls
// are taken out again, except where the tool's own schema has a meaning for them.

/** @typedef {import('./shape.js').FlatSchema} FlatSchema */
/** @typedef {import('./shape.js').SchemaObject} SchemaObject */
/** @typedef {Record<string, unknown>} Members */

/**
 * @param {FlatSchema} root
 * @param {unknown} value
 * @returns {unknown} the value; a copy without the nulls that its schema does not admit
 */
export function dropNulls(root, value) {
  return dropFrom(root, [root], value);
}

/**
 * @param {FlatSchema} root
 * @param {readonly FlatSchema[]} schemas those that may speak of the value
 * @param {unknown} value
 * @returns {unknown}
 */
function dropFrom(root, schemas, value) {
  if (typeof value !== 'object' || value === null) return value;
  const shapes = schemas.flatMap((schema) => shapesOf(root, schema, new Set()));
  if (shapes.length === 0) return value;
  if (Array.isArray(value)) {
    const inner = shapes.flatMap(({ items }) => (items === undefined ? [] : [items]));
    return value.map((item) => dropFrom(root, inner, item));
  }
  return dropMembers(root, shapes, /** @type {Members} */ (value));
}

/**
 * @param {FlatSchema} root
 * @param {readonly SchemaObject[]} shapes
 * @param {Members} members
 * @returns {Members}
 */
function dropMembers(root, shapes, members) {
  const fitting = shapes.filter((shape) => fits(shape, members));
  /** @type {Members} */
  const copy = {};
  for (const [key, member] of Object.entries(members)) {
    const speaking = fitting.filter(({ properties = {} }) => Object.hasOwn(properties, key));
    const inner = speaking.map(({ properties }) => properties?.[key] ?? true);
    if (member === null && isLeftOut(root, speaking, inner, key)) continue;
    Object.defineProperty(copy, key, {
      value: dropFrom(root, inner, member),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return copy;
}

/**
 * @param {FlatSchema} root
 * @param {readonly SchemaObject[]} shapes those that declare the member
 * @param {readonly FlatSchema[]} schemas the member's
 * @param {string} key
 * @returns {boolean} whether null can only mean that the member was left out
 */
function isLeftOut(root, shapes, schemas, key) {
  const optional = shapes.some(({ required = [] }) => !required.includes(key));
  return optional && !schemas.some((schema) => admitsKind(root, schema, 'null'));
}

/**
 * @param {FlatSchema} root
 * @param {FlatSchema} schema
 * @param {Set<FlatSchema>} seen
 * @returns {SchemaObject[]} the schema, what it refers to, and the branches of its unions
 */
function shapesOf(root, schema, seen) {
  if (typeof schema === 'boolean' || seen.has(schema)) return [];
  seen.add(schema);
  const { $ref, anyOf = [], oneOf = [], allOf = [] } = schema;
  const target = $ref === undefined ? [] : [resolveReference(root, $ref)];
  const next = [...target, ...anyOf, ...oneOf, ...allOf];
  return [schema, ...next.flatMap((each) => shapesOf(root, each, seen))];
}

/**
 * @param {SchemaObject} shape
 * @param {Members} members
 * @returns {boolean} false when a constant member (a discriminator) says that another branch is meant
 */
function fits({ properties = {} }, members) {
  return Object.entries(properties).every(([key, schema]) => {
    const member = members[key];
    if (typeof schema === 'boolean' || member === null || member === undefined) return true;
    const values = schema.enum ?? (schema.const === undefined ? [member] : [schema.const]);
    return values.includes(member);
  });
}
