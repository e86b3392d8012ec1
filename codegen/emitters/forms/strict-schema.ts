/**
 * Strict schemas: what a model API can hold a model to while it writes. Whatever an API does not
 * understand is left out, so that a strict schema admits what the tool's own does and more; the tool's
 * own still judges what comes. A schema with `properties` and no `type` is taken for an object.
 */
import type { Json, JsonObject } from '../../json.ts';
import { getOwn, isArray, isObject } from '../../json.ts';
import type { FlatSchema } from '../../flatten.ts';
import { admitsKind, resolveReference } from '../../runtime/shape.js';
import { sayConstraints } from './strict-words.ts';

/** What one API's strict mode understands of JSON Schema. */
export interface StrictDialect {
  /** Whether every property has to be required, so that one to be left out is sent as null. */
  readonly requiresAll: boolean;
  /** Whether a schema may refer back to itself. */
  readonly recursion: boolean;
  /** Whether a constraint is enforced; others are said in the description. */
  readonly enforces: (keyword: string, value: Json) => boolean;
}

/** A strict schema, or why there can be none. */
export type StrictSchema =
  | { readonly schema: JsonObject; readonly reason?: undefined }
  | { readonly schema?: undefined; readonly reason: string };

/** Rewrites a schema for a dialect. */
export function toStrictSchema(root: FlatSchema, dialect: StrictDialect): StrictSchema {
  try {
    return { schema: new StrictWriter(root, dialect).write() };
  } catch (error) {
    if (error instanceof Inexpressible) return { reason: error.message };
    throw error;
  }
}

/** Thrown from wherever it is found, so that nothing in between has to carry it. */
class Inexpressible extends Error {
  constructor(path: string, why: string) {
    super(`${path === '' ? 'the input' : `\`${path}\``} ${why}`);
  }
}

class StrictWriter {
  private readonly root: FlatSchema;
  private readonly dialect: StrictDialect;
  private readonly definitions = new Map<string, JsonObject>();
  /** References that are being followed: one that comes again is recursive. */
  private readonly following = new Set<string>();

  constructor(root: FlatSchema, dialect: StrictDialect) {
    this.root = root;
    this.dialect = dialect;
  }

  write(): JsonObject {
    const schema = this.node(this.root, '');
    if (this.definitions.size === 0) return schema;
    return { ...schema, $defs: Object.fromEntries(this.definitions) };
  }

  private node(schema: Json, path: string): JsonObject {
    if (!isObject(schema)) throw new Inexpressible(path, 'may be anything');
    const reference = getOwn(schema, '$ref');
    if (typeof reference === 'string') return this.reference(schema, reference, path);
    const written = this.structure(schema, path);
    const words = typeBranches(schema).length > 0 ? [] : this.words(schema);
    return addWords(written, [describe(schema), ...words].join(' ').trim());
  }

  private words(schema: JsonObject): readonly string[] {
    return sayConstraints(schema, this.dialect.enforces);
  }

  /** The part of a schema that says what a value is made of; narrower unions beside it are dropped. */
  private structure(schema: JsonObject, path: string): JsonObject {
    const { type, anyOf = schema.oneOf, allOf } = schema;
    const constants = Object.hasOwn(schema, 'const') ? [schema.const ?? null] : undefined;
    const { enum: values = constants } = schema;
    if (isArray(values)) return writeValues(values, path);
    const branches = typeBranches(schema);
    if (branches.length > 0) return this.union(branches, path);
    const closed = isObject(schema.properties) || schema.additionalProperties === false;
    if (closed && (type ?? 'object') === 'object') return this.object(schema, path);
    if (type === 'array') return this.array(schema, path);
    if (isArray(anyOf) && (type ?? 'object') === 'object') return this.union(anyOf, path);
    if (isArray(allOf) && allOf.length === 1) return this.node(allOf[0] ?? true, path);
    if (type === 'object') throw new Inexpressible(path, 'is an object with any members');
    if (type === undefined) throw new Inexpressible(path, 'may be anything');
    return { type, ...this.enforced(schema) };
  }

  private object(schema: JsonObject, path: string): JsonObject {
    if (schema.additionalProperties !== false || schema.patternProperties !== undefined) {
      throw new Inexpressible(path, 'is an object with further members');
    }
    const properties = isObject(schema.properties) ? Object.entries(schema.properties) : [];
    const required = isArray(schema.required) ? schema.required : [];
    const written = properties.map(([name, property]) => {
      const inner = this.node(property, path === '' ? name : `${path}.${name}`);
      return [name, required.includes(name) ? inner : this.optional(inner, property)] as const;
    });
    const all = this.dialect.requiresAll ? properties.map(([name]) => name) : required;
    return {
      type: 'object',
      properties: Object.fromEntries(written),
      required: all,
      additionalProperties: false,
    };
  }

  /** A member that may be left out: null stands for that where the dialect wants all members. */
  private optional(written: JsonObject, property: Json): JsonObject {
    const fallback = isObject(property) ? getOwn(property, 'default') : undefined;
    const said = fallback === undefined ? '' : JSON.stringify(fallback);
    if (!this.dialect.requiresAll) return addWords(written, said && `Default: ${said}.`);
    // Null has a meaning of its own here, or is a value like any other.
    if (admitsKind(this.root, property as FlatSchema, 'null')) return written;
    const words = said === '' ? 'Null leaves it out.' : `Null stands for ${said}.`;
    return addWords(withNull(written), words);
  }

  private array(schema: JsonObject, path: string): JsonObject {
    if (schema.prefixItems !== undefined) {
      throw new Inexpressible(path, 'is a list whose places have schemas of their own');
    }
    const items = this.node(schema.items ?? true, `${path}[]`);
    return { type: 'array', items, ...this.enforced(schema) };
  }

  private union(branches: readonly Json[], path: string): JsonObject {
    return { anyOf: branches.map((branch) => this.node(branch, path)) };
  }

  /** Strict modes take nothing beside `$ref`: a description there is written onto a copy. */
  private reference(schema: JsonObject, reference: string, path: string): JsonObject {
    const recursive = this.following.has(reference) || reference === '#';
    if (recursive && !this.dialect.recursion) throw new Inexpressible(path, 'contains itself');
    const description = describe(schema);
    if (description !== '' && !recursive) {
      return addWords(without(this.target(reference, path), 'description'), description);
    }
    const key = reference.slice('#/$defs/'.length);
    if (reference !== '#' && !this.definitions.has(key)) {
      // Known before it is written, so that a reference to itself inside it finds it.
      this.definitions.set(key, {});
      this.definitions.set(key, this.target(reference, path));
    }
    return { $ref: reference };
  }

  private target(reference: string, path: string): JsonObject {
    const outermost = !this.following.has(reference);
    this.following.add(reference);
    const written = this.node(resolveReference(this.root, reference) as Json, path);
    if (outermost) this.following.delete(reference);
    return written;
  }

  private enforced(schema: JsonObject): JsonObject {
    const entries = Object.entries(schema).filter(([keyword, value]) =>
      this.dialect.enforces(keyword, value),
    );
    return Object.fromEntries(entries);
  }
}

/** A list of types that need keywords of their own is written as one branch a type. */
function typeBranches(schema: JsonObject): readonly JsonObject[] {
  const { type } = schema;
  if (!isArray(type) || !type.some((each) => each === 'object' || each === 'array')) return [];
  return type.map((each) => ({ ...without(schema, 'description'), type: each }));
}

function without(schema: JsonObject, keyword: string): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== keyword));
}

function describe(schema: JsonObject): string {
  const description = getOwn(schema, 'description');
  return typeof description === 'string' ? description : '';
}

function writeValues(values: readonly Json[], path: string): JsonObject {
  const types = [...new Set(values.map(typeOfValue))];
  if (types.includes('object')) throw new Inexpressible(path, 'is one of several whole objects');
  return { type: types.length === 1 ? (types[0] ?? 'string') : types, enum: values };
}

function typeOfValue(value: Json): string {
  return value === null ? 'null' : typeof value;
}

function withNull(schema: JsonObject): JsonObject {
  const { description = '', ...bare } = schema;
  const { type, anyOf } = schema;
  if (isArray(anyOf)) return { ...schema, anyOf: [...anyOf, { type: 'null' }] };
  if (typeof type !== 'string' || type === 'object') {
    return { description, anyOf: [bare, { type: 'null' }] };
  }
  const values = isArray(schema.enum) ? { enum: [...schema.enum, null] } : {};
  return { ...schema, type: [type, 'null'], ...values };
}

/** Adds to the description, which stands before what it describes; nothing may stand beside `$ref`. */
function addWords(schema: JsonObject, words: string): JsonObject {
  const { type, description, ...rest } = schema;
  const said = typeof description === 'string' ? `${description} ${words}`.trim() : words;
  if (said === '' || Object.hasOwn(schema, '$ref')) return schema;
  return { ...(type === undefined ? {} : { type }), description: said, ...rest };
}
