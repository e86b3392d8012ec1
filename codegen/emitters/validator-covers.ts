/**
 * Which properties or items of a value a schema has evaluated, as `unevaluatedProperties` and
 * `unevaluatedItems` need to know (2020-12 core, 11.2 and 11.3): what is always covered, and what is
 * covered where an alternative holds.
 */
import type { FlatSchema } from '../flatten.ts';
import type { Json, JsonObject } from '../json.ts';
import { isArray, isObject } from '../json.ts';
import type { Cover, PlannedSchema } from './validator-dialect.ts';

/** The keyword that asks what is covered. */
export type Subject = 'additionalProperties' | 'unevaluatedProperties' | 'unevaluatedItems';

/** What the covers of a schema are made with. */
export interface CoverTools {
  readonly plan: (schema: FlatSchema) => PlannedSchema;
  readonly resolve: (reference: string) => FlatSchema;
}

interface Search extends CoverTools {
  readonly subject: Subject;
  readonly covers: Cover[];
  /** The references on the way here: one that leads back in place covers nothing new. */
  readonly seen: readonly string[];
  readonly when: readonly FlatSchema[];
}

/** The covers of a schema that has the keyword `subject`; `all` when everything is covered anyway. */
export function listCovers(
  schema: JsonObject,
  subject: Subject,
  tools: CoverTools,
): readonly Cover[] | 'all' {
  const covers: Cover[] = [];
  const search: Search = { ...tools, subject, covers, seen: [], when: [] };
  addOwn(schema, search, subject === 'unevaluatedProperties' ? ['additionalProperties'] : []);
  if (subject !== 'additionalProperties') addInPlace(schema, search);
  if (covers.some(({ all, when }) => all && when.length === 0)) return 'all';
  return covers.filter(
    ({ all, names, patterns, count, matching }) =>
      all || names.length > 0 || patterns.length > 0 || count > 0 || matching.length > 0,
  );
}

/** The keywords that evaluate all that the others of their schema leave. */
const COVER_ALL = ['additionalProperties', 'unevaluatedProperties', 'unevaluatedItems'];

/** What the schema's own keywords evaluate. */
function addOwn(schema: JsonObject, search: Search, rest: readonly string[] = COVER_ALL): void {
  const { subject, covers, plan } = search;
  const when = search.when.map(plan);
  const ofItems = subject === 'unevaluatedItems';
  const all = rest.some(
    (keyword) =>
      keyword.endsWith(ofItems ? 'Items' : 'Properties') && schema[keyword] !== undefined,
  );
  const none = { when, all, names: [], patterns: [], count: 0, matching: [] };
  if (ofItems) {
    const { items, prefixItems, contains } = schema as Record<string, Json | undefined>;
    const count = isArray(prefixItems) ? prefixItems.length : 0;
    const matching = contains === undefined ? [] : [plan(contains as FlatSchema)];
    covers.push({ ...none, all: all || items !== undefined, count, matching });
  } else {
    covers.push({
      ...none,
      names: keysOf(schema.properties),
      patterns: keysOf(schema.patternProperties),
    });
  }
}

/** What the schemas that apply to the same value evaluate, each where it holds. */
function addInPlace(schema: JsonObject, search: Search): void {
  const {
    $ref,
    allOf,
    anyOf,
    oneOf,
    if: test,
    then,
    else: otherwise,
    dependentSchemas,
  } = schema as Record<string, Json | undefined>;
  const add = (part: Json | undefined, ...when: FlatSchema[]): void => {
    if (!isObject(part)) return;
    const within: Search = { ...search, when: [...search.when, ...when] };
    addOwn(part, within);
    addInPlace(part, within);
  };
  if (typeof $ref === 'string' && !search.seen.includes($ref)) {
    const within: Search = { ...search, seen: [...search.seen, $ref] };
    const target = search.resolve($ref);
    if (isObject(target)) {
      addOwn(target, within);
      addInPlace(target, within);
    }
  }
  for (const part of listOf(allOf)) add(part);
  for (const part of [...listOf(anyOf), ...listOf(oneOf)]) add(part, part as FlatSchema);
  if (test !== undefined) {
    add(test, test as FlatSchema);
    add(then, test as FlatSchema);
    add(otherwise, { not: test });
  }
  if (isObject(dependentSchemas)) {
    for (const [name, part] of Object.entries(dependentSchemas))
      add(part, { type: 'object', required: [name] });
  }
}

function keysOf(value: Json | undefined): readonly string[] {
  return isObject(value) ? Object.keys(value) : [];
}

function listOf(value: Json | undefined): readonly Json[] {
  return isArray(value) ? value : [];
}
