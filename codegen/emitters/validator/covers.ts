/**
 * Which properties or items of a value a schema has evaluated, as `unevaluatedProperties` and
 * `unevaluatedItems` need to know (2020-12 core, 11.2 and 11.3): what is always covered, and what is
 * covered where an alternative holds.
 */
import type { FlatSchema } from '../../flatten.ts';
import type { Json, JsonObject } from '../../json.ts';
import { isObject } from '../../json.ts';
import type { Condition } from './condition.ts';
import { all, call, printCondition } from './condition.ts';
import { keysOf, listOf, resolveReference } from './references.ts';
import type { Site } from './site.ts';
import type { Code } from './statements.ts';
import { line } from './statements.ts';

/** The keyword that asks what is covered. */
export type Subject = 'unevaluatedProperties' | 'unevaluatedItems';

/** Properties or items that a schema evaluates, under the condition that all of `when` hold. */
export interface Cover {
  readonly when: readonly FlatSchema[];
  readonly all: boolean;
  readonly names: readonly string[];
  readonly patterns: readonly string[];
  /** So many items from the first. */
  readonly count: number;
  /** Items that are valid against one of these. */
  readonly matching: readonly FlatSchema[];
}

interface Search {
  readonly root: FlatSchema;
  readonly subject: Subject;
  readonly covers: Cover[];
  /** The references on the way here: one that leads back in place covers nothing new. */
  readonly seen: readonly string[];
  readonly when: readonly FlatSchema[];
}

/** The keywords that evaluate all that the others of their schema leave. */
const REST = {
  unevaluatedProperties: ['additionalProperties', 'unevaluatedProperties'],
  unevaluatedItems: ['items', 'unevaluatedItems'],
};

/** The covers of a schema that has the keyword `subject`; `all` when everything is covered anyway. */
export function listCovers(
  schema: JsonObject,
  subject: Subject,
  root: FlatSchema,
): readonly Cover[] | 'all' {
  const covers: Cover[] = [];
  const others = Object.entries(schema).filter(([keyword]) => keyword !== subject);
  addCovers(Object.fromEntries(others), { root, subject, covers, seen: [], when: [] });
  if (covers.some(({ all: isAll, when }) => isAll && when.length === 0)) return 'all';
  return covers.filter(
    ({ all: isAll, names, patterns, count, matching }) =>
      isAll || names.length + patterns.length + count + matching.length > 0,
  );
}

function addCovers(schema: JsonObject, search: Search): void {
  addOwn(schema, search);
  addInPlace(schema, search);
}

/** What the schema's own keywords evaluate. */
function addOwn(schema: JsonObject, { subject, covers, when }: Search): void {
  const { properties, patternProperties, prefixItems, contains } = schema;
  const isAll = REST[subject].some((keyword) => keyword in schema);
  const none = { when, all: isAll, names: [], patterns: [], count: 0, matching: [] };
  covers.push(
    subject === 'unevaluatedItems'
      ? {
          ...none,
          count: listOf(prefixItems).length,
          matching: contains === undefined ? [] : [contains as FlatSchema],
        }
      : { ...none, names: keysOf(properties), patterns: keysOf(patternProperties) },
  );
}

/** What the schemas that apply to the same value evaluate, each where it holds. */
function addInPlace(schema: JsonObject, search: Search): void {
  const { $ref, allOf, anyOf, oneOf, if: test, then, else: otherwise, dependentSchemas } = schema;
  const add = (part: Json | undefined, ...when: FlatSchema[]): void => {
    if (isObject(part)) addCovers(part, { ...search, when: [...search.when, ...when] });
  };
  if (typeof $ref === 'string' && !search.seen.includes($ref)) {
    const target = resolveReference(search.root, $ref);
    if (isObject(target)) addCovers(target, { ...search, seen: [...search.seen, $ref] });
  }
  for (const part of listOf(allOf)) add(part);
  for (const part of [...listOf(anyOf), ...listOf(oneOf)]) add(part, part as FlatSchema);
  if (test !== undefined) {
    add(test, test as FlatSchema);
    add(then, test as FlatSchema);
    add(otherwise, { not: test });
  }
  for (const name of keysOf(dependentSchemas)) {
    add((dependentSchemas as JsonObject)[name], { type: 'object', required: [name] });
  }
}

/** Variables that say of each cover whether it holds, set once; and the conditions that ask them. */
export function holdCovers(
  site: Site,
  covers: readonly Cover[],
): readonly [Code, readonly Condition[]] {
  const code: Code[number][] = [];
  const conditions = covers.map((cover) => {
    const condition = all(...cover.when.map((schema) => site.test(schema, 'part')));
    if (typeof condition === 'boolean') return condition;
    const name = site.scope.take('holds');
    code.push(...line(`const ${name} = ${printCondition(condition)}`));
    return call(name);
  });
  return [code, conditions];
}
