/**
 * Which schemas apply to a value beside the one that says what holds for its unevaluated properties or
 * items, and under which conditions (2020-12 core, 11.2 and 11.3).
 */
import type { FlatSchema } from '../../flatten.ts';
import type { JsonObject } from '../../json.ts';
import { isObject } from '../../json.ts';
import type { Condition } from './condition.ts';
import { all, call, printCondition } from './condition.ts';
import { listNamed, listSchemas, resolveReference } from './references.ts';
import type { Site } from './compiler.ts';
import type { Code } from './statements.ts';
import { line } from './statements.ts';

/** A schema that has evaluated parts of the value where `holds`. */
export interface Cover {
  readonly schema: JsonObject;
  readonly holds: Condition;
}

interface Search {
  readonly root: FlatSchema;
  readonly found: { readonly schema: JsonObject; readonly when: readonly FlatSchema[] }[];
  /** The references on the way here: one that leads back in place covers nothing new. */
  readonly seen: readonly string[];
  readonly when: readonly FlatSchema[];
}

/**
 * The covers of the site's value that have one of some keywords, and code that runs before one is asked
 * whether it holds. The last keyword is the one that asks, so in the schema itself it does not count.
 */
export function listCovers(
  site: Site,
  keywords: readonly string[],
): readonly [Code, readonly Cover[]] {
  const others = Object.entries(site.schema).filter(([keyword]) => keyword !== keywords.at(-1));
  const search: Search = { root: site.compiler.root, found: [], seen: [], when: [] };
  findInPlace(Object.fromEntries(others), search);
  const code: Code[number][] = [];
  const found = search.found.filter(({ schema }) => keywords.some((keyword) => keyword in schema));
  const covers = found.map(({ schema, when }) => {
    const condition = all(...when.map((part) => site.test(part, 'part')));
    if (typeof condition === 'boolean') return { schema, holds: condition };
    const name = site.scope.take('holds');
    code.push(...line(`const ${name} = ${printCondition(condition)}`));
    return { schema, holds: call(name) };
  });
  return [code, covers];
}

function findInPlace(schema: JsonObject, search: Search): void {
  const { root, found, seen, when } = search;
  const { $ref, if: test, then = true, else: otherwise = true } = schema;
  const add = (part: FlatSchema, ...conditions: FlatSchema[]): void => {
    if (isObject(part)) findInPlace(part, { ...search, when: [...when, ...conditions] });
  };
  found.push({ schema, when });
  if (typeof $ref === 'string' && !seen.includes($ref)) {
    const target = resolveReference(root, $ref);
    if (isObject(target)) findInPlace(target, { ...search, seen: [...seen, $ref] });
  }
  for (const part of listSchemas(schema.allOf)) add(part);
  for (const part of listSchemas(schema.anyOf)) add(part, part);
  for (const part of listSchemas(schema.oneOf)) add(part, part);
  if (test !== undefined) {
    add(test as FlatSchema, test as FlatSchema);
    add(then as FlatSchema, test as FlatSchema);
    add(otherwise as FlatSchema, { not: test });
  }
  for (const [name, part] of listNamed(schema.dependentSchemas)) {
    add(part, { type: 'object', required: [name] });
  }
}
