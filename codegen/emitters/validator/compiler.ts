/**
 * Compiles schemas to code. A site is where a schema meets a value; the function of a keyword is given
 * one, and from there leads on to the schemas in the keyword's value.
 */
import type { FlatSchema } from '../../flatten.ts';
import type { JsonObject } from '../../json.ts';
import { isObject } from '../../json.ts';
import type { Condition } from './condition.ts';
import { call } from './condition.ts';
import type { Module } from './module.ts';
import type { Scope } from './names.ts';
import { extendStem } from './names.ts';
import type { Kind, Place } from './place.ts';
import { createPlace, hasType, intersect, isSurely, narrow } from './place.ts';
import { keysOf, readKey, resolveReference } from './references.ts';
import type { Shape } from './shapes.ts';
import { ANYTHING, describeShape } from './shapes.ts';
import type { Code } from './statements.ts';
import { check, isRefusal, toCondition, when } from './statements.ts';

/** Keywords that are handled together, and the code for them. */
export interface Row {
  readonly keywords: readonly string[];
  readonly emit: (site: Site) => Code;
  /** Whether what the keywords ask for makes later code shorter. */
  readonly isTelling?: true;
}

/** Rows that speak of values of one kind; without a kind, of any value. */
export interface Group {
  readonly kind?: Kind;
  readonly rows: readonly Row[];
}

/** Compiles the schemas of one flat schema to functions of one module. */
export class Compiler {
  /** Whether a function calls itself, directly or through others. */
  isRecursive = false;
  readonly root: FlatSchema;
  readonly module: Module;
  readonly groups: readonly Group[];
  private readonly shapes = new Map<FlatSchema, Shape>();
  private readonly functions = new Map<FlatSchema, string>();
  /** The definitions whose code is being made. */
  private readonly open = new Set<FlatSchema>();

  constructor(root: FlatSchema, module: Module, groups: readonly Group[]) {
    this.root = root;
    this.module = module;
    this.groups = groups;
  }

  /** What is true of every value that is valid against the schema. */
  shapeOf(schema: FlatSchema): Shape {
    const known = this.shapes.get(schema);
    if (known !== undefined) return known;
    // A schema that leads back to itself in place adds nothing to what it says.
    this.shapes.set(schema, ANYTHING);
    const shape = this.describe(schema);
    this.shapes.set(schema, shape);
    return shape;
  }

  /** The same of a schema that is not met again. */
  describe(schema: FlatSchema): Shape {
    return describeShape(this.root, schema, (part) => this.shapeOf(part));
  }

  /** The name of the function for a reference's target, which is added when it is first asked for. */
  define(reference: string): string {
    const target = resolveReference(this.root, reference);
    if (this.open.has(target)) this.isRecursive = true;
    const key = reference === '#' ? 'root' : readKey(reference);
    this.open.add(target);
    const name = this.nameOf(target, extendStem('is', key === '' ? 'empty' : key));
    this.open.delete(target);
    return name;
  }

  /** The name of the function for a schema, which is added when it is first asked for. */
  nameOf(schema: FlatSchema, stem: string): string {
    const known = this.findName(schema);
    if (known !== undefined) return known;
    const name = this.module.scope.take(stem);
    this.functions.set(schema, name);
    this.module.addFunction(name, () =>
      new Site(this, schema, createPlace('data'), this.module.scope.nest('data'), name).emit(),
    );
    return name;
  }

  /** The name of the function for a schema that has one. */
  findName(schema: FlatSchema): string | undefined {
    return this.functions.get(schema);
  }
}

/** A schema and the value to which it applies. */
export class Site {
  readonly compiler: Compiler;
  readonly module: Module;
  readonly schema: JsonObject;
  readonly place: Place;
  readonly scope: Scope;
  private readonly whole: FlatSchema;
  private readonly stem: string;

  constructor(compiler: Compiler, schema: FlatSchema, place: Place, scope: Scope, stem: string) {
    this.compiler = compiler;
    this.module = compiler.module;
    this.whole = schema;
    this.schema = isObject(schema) ? schema : {};
    this.place = place;
    this.scope = scope;
    this.stem = stem;
  }

  /** Code that returns false unless the value is valid. What earlier code checks, later code knows. */
  emit(): Code {
    if (typeof this.whole === 'boolean') return check(this.whole);
    const code: Code[number][] = [];
    let { place } = this;
    for (const { kind, rows } of this.compiler.groups) {
      const used = rows.filter(({ keywords }) => keywords.some((word) => word in this.schema));
      if (used.length === 0 || (kind !== undefined && !place.kinds.has(kind))) continue;
      const within = kind === undefined ? place : narrow(place, new Set([kind]));
      const [body, after] = this.emitRows(used, within);
      code.push(...(kind === undefined ? body : when(hasType(place, [kind]), body)));
      if (kind === undefined || isSurely(place, kind)) place = after;
    }
    return isRefusal(code) ? check(false) : code;
  }

  private emitRows(rows: readonly Row[], start: Place): readonly [Code, Place] {
    let place = start;
    const code = rows.flatMap(({ keywords, emit, isTelling }) => {
      const body = emit(this.at(place));
      if (isTelling !== true) return body;
      const entries = Object.entries(this.schema).filter(([word]) => keywords.includes(word));
      const { kinds, required } = this.compiler.describe(Object.fromEntries(entries));
      place = narrow(place, kinds, required);
      return body;
    });
    return [code, place];
  }

  /** The same schema, where more is known of the value. */
  at(place: Place): Site {
    return new Site(this.compiler, this.whole, place, this.scope, this.stem);
  }

  /** Code that returns false unless a value, by default this one, is valid against another schema. */
  apply(schema: FlatSchema, words: string, place = this.place, scope = this.scope): Code {
    return new Site(this.compiler, schema, place, scope, extendStem(this.stem, words)).emit();
  }

  /** Whether a value, by default this one, is valid against another schema. */
  test(schema: FlatSchema, words: string, place = this.place): Condition {
    if (typeof schema === 'boolean') return schema;
    if (intersect(place.kinds, this.compiler.shapeOf(schema).kinds).size === 0) return false;
    const isKnown = this.compiler.findName(schema) !== undefined || looksInto(schema);
    const condition = isKnown ? undefined : toCondition(this.apply(schema, words, place));
    if (condition !== undefined) return condition;
    return call(`${this.compiler.nameOf(schema, extendStem(this.stem, words))}(${place.name})`);
  }
}

/** Keywords that are about the parts of a value. */
const PARTS = [
  ...['properties', 'patternProperties', 'additionalProperties', 'propertyNames'],
  ...['items', 'prefixItems', 'contains', 'uniqueItems'],
  ...['unevaluatedProperties', 'unevaluatedItems'],
];

/** Whether a schema surely asks for more than checks of the value itself. */
function looksInto(schema: JsonObject): boolean {
  return PARTS.some((keyword) => {
    const value = schema[keyword];
    const isIdle = value === true || (isObject(value) && keysOf(value).length === 0);
    return value !== undefined && (!isIdle || keyword === 'contains' || keyword === 'uniqueItems');
  });
}
