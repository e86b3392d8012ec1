import type { FlatSchema, Keywords, SchemaObject } from './shape.js';

/** Something wrong at a place; its words are made only if it is reported in the end. */
export interface Finding {
  readonly path: string;
  /** Where the keyword stands in the schema. */
  readonly at: string;
  /** How many steps down from the root the value is that a keyword finds fault with. */
  readonly level: number;
  readonly keyword: string;
  readonly value: unknown;
  readonly say: () => string;
  /** What follows "must" in the words, when they have that form. */
  readonly must?: () => string;
  /** The values that were allowed, when it is that. */
  readonly values?: readonly unknown[];
  /** The property that is missing, when it is that. */
  readonly lacks?: string;
  /** The property that may not be there, when it is that. */
  readonly stray?: string;
}

/** Where visits put what they find. */
export interface Sink {
  readonly findings: Finding[];
  readonly readOnly: Finding[];
  readonly limit: number;
}

/** The properties and items that an `unevaluated…` keyword passes over. */
export type Seen = Set<string | number>;

/** What trying a schema has shown. */
export interface Attempt {
  /** What is wrong; nothing when the schema holds. */
  readonly findings: readonly Finding[];
  readonly readOnly: readonly Finding[];
  readonly seen: Seen | undefined;
}

/** Where a value stands, and what its visit shares with others. */
export interface Place<V> {
  readonly run: Run;
  readonly sink: Sink;
  readonly value: V;
  readonly path: string;
  readonly at: string;
  /** How many steps the path has. */
  readonly level: number;
  /** How many visits led here. */
  readonly depth: number;
  readonly seen: Seen | undefined;
  /** Whether the value is the name of a property of the object at the path. */
  readonly isName: boolean;
}

/** What a keyword means: finds what is wrong with the value of a visit. */
export type Keyword<V, O> = (visit: Visit<V>, operand: O, keyword: string) => void;

/** The keywords for values of one kind. */
export type Table<V> = {
  readonly [K in keyof Keywords]?: Keyword<V, NonNullable<Keywords[K]>>;
};

/** A keyword that is applied to values and operands it was made for. */
export type Row = readonly [name: string, check: Keyword<never, never>];

/** A visit of an array. */
export type ArrayVisit = Visit<readonly unknown[]>;

/** A visit of an object. */
export type ObjectVisit = Visit<Readonly<Record<string, unknown>>>;

/** Ends a run early; its finding is the last of the run. */
export declare class Abort extends Error {
  constructor(finding: Finding);
  readonly finding: Finding;
}

/** What one run shares: the root schema, the work left, and the patterns compiled so far. */
export declare class Run {
  constructor(root: FlatSchema, notesReadOnly?: boolean);
  readonly root: FlatSchema;
  readonly notesReadOnly: boolean;
  left: number;
  pattern(source: string): RegExp;
}

/** One schema meets one value. */
export declare class Visit<out V = unknown> implements Place<V> {
  constructor(place: Place<V>);
  readonly run: Run;
  readonly sink: Sink;
  readonly value: V;
  readonly path: string;
  readonly at: string;
  readonly level: number;
  readonly depth: number;
  readonly isName: boolean;
  seen: Seen | undefined;
  schema: SchemaObject;
  /** Whether nothing more needs to be found. */
  get full(): boolean;
  /** What a message calls the value. */
  get subject(): string;
  /** What a message about a part of the value begins with. */
  get prefix(): string;
  apply(schema: FlatSchema): void;
  spend(work: number): void;
  pathTo(key: string | number): string;
  child(key: string | number, schema: FlatSchema, at: string): void;
  name(name: string, schema: FlatSchema, at: string): void;
  same(schema: FlatSchema, at: string): void;
  follow(reference: string): void;
  attempt(schema: FlatSchema, at: string): Attempt;
  adopt(attempt: Attempt): void;
  accepts(schema: FlatSchema, value?: unknown): boolean;
  fail(keyword: string, must: () => string, got?: () => string): void;
  report(keyword: string, say: () => string, more?: Partial<Finding>): void;
}
