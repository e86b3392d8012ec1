/**
 * A JSON Schema 2020-12 that needs nothing outside itself: each `$ref` is `#` or `#/$defs/<key>`; there
 * is no `$id`, `$anchor` or `$dynamicRef`. It is valid against the meta-schema.
 */
export type FlatSchema = boolean | SchemaObject;

/** Schemas by name. */
export type SchemaMap = Readonly<Record<string, FlatSchema>>;

/** The keywords that are read, with what stands under them. */
export interface Keywords {
  readonly $defs?: SchemaMap;
  readonly $ref?: string;
  readonly additionalProperties?: FlatSchema;
  readonly allOf?: readonly FlatSchema[];
  readonly anyOf?: readonly FlatSchema[];
  readonly const?: unknown;
  readonly contains?: FlatSchema;
  readonly contentEncoding?: string;
  readonly dependencies?: Readonly<Record<string, FlatSchema | readonly string[]>>;
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>;
  readonly dependentSchemas?: SchemaMap;
  readonly else?: FlatSchema;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly exclusiveMaximum?: number;
  readonly exclusiveMinimum?: number;
  readonly format?: string;
  readonly if?: FlatSchema;
  readonly items?: FlatSchema;
  readonly maxContains?: number;
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly maxProperties?: number;
  readonly maximum?: number;
  readonly minContains?: number;
  readonly minItems?: number;
  readonly minLength?: number;
  readonly minProperties?: number;
  readonly minimum?: number;
  readonly multipleOf?: number;
  readonly not?: FlatSchema;
  readonly oneOf?: readonly FlatSchema[];
  readonly pattern?: string;
  readonly patternProperties?: SchemaMap;
  readonly prefixItems?: readonly FlatSchema[];
  readonly properties?: SchemaMap;
  readonly propertyNames?: FlatSchema;
  readonly readOnly?: boolean;
  readonly required?: readonly string[];
  readonly then?: FlatSchema;
  readonly type?: string | readonly string[];
  readonly unevaluatedItems?: FlatSchema;
  readonly unevaluatedProperties?: FlatSchema;
  readonly uniqueItems?: boolean;
}

/** A flat schema that is not a boolean; keywords that are not read are annotations. */
export interface SchemaObject extends Keywords {
  readonly [keyword: string]: unknown;
}

/** The schema that a flat reference leads to. */
export declare function resolveReference(root: FlatSchema, reference: string): FlatSchema;

/** Whether a value of this JSON kind may be valid; false only when none is. */
export declare function admitsKind(root: FlatSchema, schema: FlatSchema, kind: string): boolean;

/** The properties of an object that may hold listed values only, with these values. */
export declare function listTags(
  root: FlatSchema,
  schema: FlatSchema,
): Map<string, readonly unknown[]>;

/** Whether an object must have this property. */
export declare function requiresName(root: FlatSchema, schema: FlatSchema, name: string): boolean;

/** The property names that a schema speaks of, those of its parts and alternatives included. */
export declare function listKnownNames(root: FlatSchema, schema: FlatSchema): string[];

/** What a schema asks for in a few words, such as `a string`; undefined when that cannot be said. */
export declare function nameExpected(
  root: FlatSchema,
  schema: FlatSchema | undefined,
): string | undefined;

/** Listed values as a noun: `"task"`, `one of human, agent`. */
export declare function nameValues(values: readonly unknown[]): string;

/** What alternatives ask for together: `a string or null`; undefined when that cannot be said. */
export declare function nameChoice(
  root: FlatSchema,
  alternatives: readonly FlatSchema[],
): string | undefined;
