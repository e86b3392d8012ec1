/**
 * `anyOf` and `oneOf`. Alternatives that a property tells apart are chosen by it; of alternatives that
 * exclude each other exactly one is valid where any is. Neither changes a verdict.
 */
import type { FlatSchema } from '../../flatten.ts';
import type { Json } from '../../json.ts';
import { printJson } from '../print-type.ts';
import type { Compiler, Row, Site } from './compiler.ts';
import type { Condition } from './condition.ts';
import { any, exactlyOne } from './condition.ts';
import { hasType, narrow, printProperty } from './place.ts';
import { listSchemas } from './references.ts';
import { isExclusive } from './shapes.ts';
import type { Code } from './statements.ts';
import { check, choose, when } from './statements.ts';

type Keyword = 'anyOf' | 'oneOf';

/** An alternative, and what it is called. */
interface Option {
  readonly schema: FlatSchema;
  readonly words: string;
}

/** The alternatives for objects that a property tells apart, by its values; and all others. */
interface Choice {
  readonly tag: string;
  readonly options: ReadonlyMap<Json, readonly Option[]>;
  readonly others: readonly Option[];
}

/** `anyOf` and `oneOf`. */
export const UNION: readonly Row[] = [
  { keywords: ['anyOf'], emit: (site) => emitUnion(site, 'anyOf'), isTelling: true },
  { keywords: ['oneOf'], emit: (site) => emitUnion(site, 'oneOf'), isTelling: true },
];

function emitUnion(site: Site, keyword: Keyword): Code {
  const options = listSchemas(site.schema[keyword]).map((schema, index) => ({
    schema,
    words: `${keyword}${index + 1}`,
  }));
  const choice = findChoice(site.compiler, options);
  if (choice === undefined) return check(testOptions(site, keyword, options));
  const object = site.at(narrow(site.place, new Set(['object'])));
  const cases = groupLabels(choice.options).map(([labels, fitting]) => ({
    labels: labels.map(printJson),
    body: check(testOptions(object, keyword, fitting)),
  }));
  const chosen = choose(printProperty(site.place, choice.tag), cases);
  const isObject = hasType(site.place, ['object']);
  if (choice.others.length === 0) return [...check(isObject), ...chosen];
  return when(isObject, chosen, check(testOptions(site, keyword, choice.others)));
}

/** Values for which the same alternatives are left share them. */
function groupLabels(
  options: ReadonlyMap<Json, readonly Option[]>,
): readonly (readonly [Json[], readonly Option[]])[] {
  const groups = new Map<string, readonly [Json[], readonly Option[]]>();
  for (const [value, list] of options) {
    const key = list.map(({ words }) => words).join();
    const group = groups.get(key) ?? [[], list];
    group[0].push(value);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** The choice by the property that leaves the fewest alternatives; undefined when none leaves fewer. */
function findChoice(compiler: Compiler, options: readonly Option[]): Choice | undefined {
  const others = options.filter(({ schema }) => !compiler.shapeOf(schema).kinds.has('object'));
  const objects = options.filter((option) => !others.includes(option));
  const shapes = objects.map(({ schema }) => compiler.shapeOf(schema));
  if (objects.length < 2 || shapes.some(({ kinds }) => kinds.size > 1)) return undefined;
  let best: Choice | undefined;
  let fewest = objects.length;
  for (const tag of shapes[0]?.tags.keys() ?? []) {
    if (!shapes.every(({ tags, required }) => tags.has(tag) && required.has(tag))) continue;
    const chosen = new Map<Json, Option[]>();
    objects.forEach((option, index) => {
      for (const value of new Set(shapes[index]?.tags.get(tag))) {
        chosen.set(value, [...(chosen.get(value) ?? []), option]);
      }
    });
    const most = Math.max(...[...chosen.values()].map((list) => list.length));
    if (most >= fewest) continue;
    fewest = most;
    best = { tag, options: chosen, others };
  }
  return best;
}

function testOptions(site: Site, keyword: Keyword, options: readonly Option[]): Condition {
  const test = ({ schema, words }: Option): Condition => site.test(schema, words);
  if (keyword === 'anyOf') return any(...options.map(test));
  const groups = groupOverlapping(site.compiler, options);
  return any(...groups.map((group) => exactlyOne(...group.map(test))));
}

/** Groups of alternatives such that those of different groups exclude each other. */
function groupOverlapping(
  compiler: Compiler,
  options: readonly Option[],
): readonly (readonly Option[])[] {
  let groups: (readonly Option[])[] = [];
  for (const option of options) {
    const shape = compiler.shapeOf(option.schema);
    const overlaps = (group: readonly Option[]): boolean =>
      group.some(({ schema }) => !isExclusive(shape, compiler.shapeOf(schema)));
    const joined = groups.filter(overlaps).flat();
    groups = [...groups.filter((group) => !overlaps(group)), [...joined, option]];
  }
  return groups;
}
