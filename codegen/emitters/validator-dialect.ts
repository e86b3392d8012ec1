/**
 * The schemas that go to Ajv (`validator-keywords.ts`), and what the functions made of them need around them.
 */
/** A schema in this dialect: 2020-12, with `call`, `otherProperties` and `otherItems`. */
export type PlannedSchema = boolean | Readonly<Record<string, unknown>>;

/** Properties or items that a schema describes, under the condition that all of `when` hold. */
export interface Cover {
  readonly when: readonly PlannedSchema[];
  readonly all: boolean;
  readonly names: readonly string[];
  readonly patterns: readonly string[];
  /** So many items from the first. */
  readonly count: number;
  /** Items that are valid against one of these. */
  readonly matching: readonly PlannedSchema[];
}

/** The value of `otherProperties` and `otherItems`: what is not covered is valid against `schema`. */
export interface Others {
  readonly covers: readonly Cover[];
  readonly schema: PlannedSchema;
}

/** What the compiled functions of a module need around them. */
export interface ModuleParts {
  /** Names of constants, by the text of their values. */
  readonly constants: Map<string, string>;
  /** Names of run-time helpers. */
  readonly helpers: Set<string>;
}
