/**
 * Where a schema meets a value in the emitted code. A keyword's function is given a site, and from there
 * leads on to the schemas in the keyword's value.
 */
import type { FlatSchema } from '../../flatten.ts';
import type { JsonObject } from '../../json.ts';
import type { Condition } from './condition.ts';
import { call } from './condition.ts';
import type { ModuleParts } from './module.ts';
import { Scope, extendStem } from './names.ts';
import type { Kind, Place } from './place.ts';
import { createPlace, hasType, intersect, isSurely, narrow } from './place.ts';
import { readKey, resolveReference } from './references.ts';
import type { Shape } from './shapes.ts';
import { ANYTHING, describeShape } from './shapes.ts';
import type { Code } from './statements.ts';
import { check, isRefusal, toCondition, when } from './statements.ts';

/** Keywords that are handled together, and the code for them. */
export interface Row {
  readonly keywords: readonly string[];
  readonly emit: (site: Site) => Code;
  /** Whether the code is checks only, so that it can be an alternative's condition. */
  readonly isCondition: (schema: JsonObject, compiler: Compiler) => boolean;
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
  readonly root: FlatSchema;
  readonly module: ModuleParts;
  readonly groups: readonly Group[];
  private readonly shapes = new Map<FlatSchema, Shape>();
  private readonly definitions = new Map<string, string>();
  private readonly alternatives = new Map<JsonObject, string>();

  constructor(root: FlatSchema, module: ModuleParts, groups: readonly Group[]) {
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

  /** The function for a reference's target, which is added when it is first asked for. */
  define(reference: string): string {
    const known = this.definitions.get(reference);
    if (known !== undefined) return known;
    const key = reference === '#' ? 'root' : readKey(reference);
    const name = this.module.names.take(extendStem('is', key === '' ? 'empty' : key));
    this.definitions.set(reference, name);
    this.addFunction(name, resolveReference(this.root, reference), name);
    return name;
  }

  /** The function for a schema that stands nowhere else, called after its stem. */
  defineAlternative(schema: JsonObject, stem: string): string {
    const known = this.alternatives.get(schema);
    if (known !== undefined) return known;
    const name = this.module.names.take(stem);
    this.alternatives.set(schema, name);
    this.addFunction(name, schema, name);
    return name;
  }

  /** Adds a function that says whether a value is valid against the schema. */
  addFunction(name: string, schema: FlatSchema, stem: string): void {
    this.module.addFunction(name, () => {
      const scope = new Scope(this.module.names);
      return new Site(this, schema, createPlace('data'), scope, stem).emit();
    });
  }

  /** Whether the code for a schema is checks only. */
  isCondition(schema: FlatSchema): boolean {
    if (typeof schema === 'boolean') return true;
    return this.groups.every(({ rows }) =>
      rows.every(
        ({ keywords, isCondition }) =>
          keywords.every((keyword) => schema[keyword] === undefined) || isCondition(schema, this),
      ),
    );
  }
}

/** A schema and the value to which it applies. */
export class Site {
  readonly compiler: Compiler;
  readonly module: ModuleParts;
  readonly schema: JsonObject;
  readonly place: Place;
  readonly scope: Scope;
  private readonly whole: FlatSchema;
  private readonly stem: string;

  constructor(compiler: Compiler, schema: FlatSchema, place: Place, scope: Scope, stem: string) {
    this.compiler = compiler;
    this.module = compiler.module;
    this.whole = schema;
    this.schema = typeof schema === 'boolean' ? {} : schema;
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
  apply(schema: FlatSchema, words = '', place = this.place, scope = this.scope): Code {
    return new Site(this.compiler, schema, place, scope, extendStem(this.stem, words)).emit();
  }

  /** Whether a value, by default this one, is valid against another schema. */
  test(schema: FlatSchema, words = '', place = this.place): Condition {
    if (typeof schema === 'boolean') return schema;
    if (intersect(place.kinds, this.compiler.shapeOf(schema).kinds).size === 0) return false;
    if (!this.compiler.isCondition(schema)) {
      const stem = extendStem(this.stem, words);
      return call(`${this.compiler.defineAlternative(schema, stem)}(${place.name})`);
    }
    const condition = toCondition(this.apply(schema, words, place));
    if (condition === undefined) throw new Error('internal: an alternative is more than checks');
    return condition;
  }
}
