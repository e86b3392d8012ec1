/**
 * The keywords that look into arrays.
 */
import type { FlatSchema } from '../../flatten.ts';
import type { Json } from '../../json.ts';
import { all, any, call, compare, not, printCondition } from './condition.ts';
import { holdCovers, listCovers } from './covers.ts';
import type { Place } from './place.ts';
import { createPlace } from './place.ts';
import type { Scope } from './names.ts';
import { listOf } from './references.ts';
import type { Row, Site } from './site.ts';
import type { Code } from './statements.ts';
import { check, isRefusal, line, loop, when } from './statements.ts';
import { defineCheck } from './value-keywords.ts';

/** What holds for arrays by their own keywords. */
export const ARRAY: readonly Row[] = [
  defineCheck('minItems', (least, { place }) =>
    least === 0 ? true : compare(`${place.name}.length`, '>=', least),
  ),
  defineCheck('maxItems', (most, { place }) => compare(`${place.name}.length`, '<=', most)),
  {
    keywords: ['prefixItems', 'items'],
    emit: (site) => [...emitPrefix(site), ...emitItems(site)],
    isCondition: () => false,
  },
  {
    keywords: ['contains', 'minContains', 'maxContains'],
    emit: emitContains,
    isCondition: ({ contains }) => contains === undefined,
  },
  {
    keywords: ['uniqueItems'],
    emit: emitUnique,
    isCondition: ({ uniqueItems }) => uniqueItems !== true,
  },
];

/** What holds for the items that no other keyword has evaluated; after all others. */
export const ARRAY_REST: readonly Row[] = [
  {
    keywords: ['unevaluatedItems'],
    emit: emitUnevaluated,
    isCondition: ({ unevaluatedItems }) => unevaluatedItems === true,
  },
];

function emitPrefix(site: Site): Code {
  const { schema, place } = site;
  return listOf(schema.prefixItems).flatMap((item, index) => {
    const body = applyAt(site, site.scope.nest(), String(index), item, `prefixItems${index + 1}`);
    return when(compare(`${place.name}.length`, '>', index), body);
  });
}

function emitItems(site: Site): Code {
  const { schema, place } = site;
  const first = listOf(schema.prefixItems).length;
  if (schema.items === undefined) return [];
  if (schema.items === false) return check(compare(`${place.name}.length`, '<=', first));
  const { scope, index, head } = openLoop(site, first);
  return loop(head, applyAt(site, scope, index, schema.items, 'items'));
}

/** A loop over the items from the one at `first` on, as long as `goesOn` holds too. */
function openLoop(
  site: Site,
  first: number,
  goesOn = '',
): { readonly scope: Scope; readonly index: string; readonly head: string } {
  const scope = site.scope.nest();
  const index = scope.take('i');
  const head = `let ${index} = ${first}; ${index} < ${site.place.name}.length${goesOn}; ${index} += 1`;
  return { scope, index, head };
}

/** Applies a schema to the item at an index. */
function applyAt(site: Site, scope: Scope, index: string, schema: Json, words: string): Code {
  const item = createPlace(scope.take('item'));
  const body = site.apply(schema as FlatSchema, words, item, scope);
  return body.length === 0 || isRefusal(body) ? body : [...readItem(site, item, index), ...body];
}

function readItem({ place }: Site, item: Place, index: string): Code {
  return line(`const ${item.name} = ${place.name}[${index}]`);
}

/** Counts no further than it takes to decide. */
function emitContains(site: Site): Code {
  const { contains, minContains = 1, maxContains } = site.schema;
  if (contains === undefined || (minContains === 0 && maxContains === undefined)) return [];
  const count = site.scope.take('count');
  const goesOn =
    maxContains === undefined
      ? compare(count, '<', minContains as number)
      : compare(count, '<=', maxContains as number);
  const { scope, index, head } = openLoop(site, 0, ` && ${printCondition(goesOn)}`);
  const item = createPlace(scope.take('item'));
  const fits = when(site.test(contains as FlatSchema, 'contains', item), line(`${count} += 1`));
  return [
    ...line(`let ${count} = 0`),
    ...loop(head, fits.length === 0 ? [] : [...readItem(site, item, index), ...fits]),
    ...check(compare(count, '>=', minContains as number)),
    ...(maxContains === undefined ? [] : check(compare(count, '<=', maxContains as number))),
  ];
}

function emitUnique(site: Site): Code {
  const { schema, place, compiler, module } = site;
  if (schema.uniqueItems !== true) return [];
  const { kinds } = compiler.shapeOf((schema.items ?? true) as FlatSchema);
  // Items that are neither arrays nor objects a set tells apart.
  if (schema.prefixItems === undefined && !kinds.has('array') && !kinds.has('object')) {
    return check(compare(`new Set(${place.name}).size`, '===', `${place.name}.length`));
  }
  const { scope, index, head } = openLoop(site, 1);
  const other = scope.take('j');
  const [left, right] = [`${place.name}[${index}]`, `${place.name}[${other}]`];
  const isRepeated = call(module.callHelper('deepEqual', left, right));
  return loop(
    head,
    loop(`let ${other} = 0; ${other} < ${index}; ${other} += 1`, check(not(isRepeated))),
  );
}

function emitUnevaluated(site: Site): Code {
  const { schema, compiler } = site;
  const covers = listCovers(schema, 'unevaluatedItems', compiler.root);
  if (covers === 'all') return [];
  const { scope, index, head } = openLoop(site, 0);
  const item = createPlace(scope.take('item'));
  const rest = site.apply(schema.unevaluatedItems as FlatSchema, 'other', item, scope);
  if (rest.length === 0) return [];
  const [before, holds] = holdCovers(site, covers);
  const covered = covers.map((cover, place) =>
    all(
      holds[place] ?? true,
      any(
        cover.all,
        cover.count > 0 && compare(index, '<', cover.count),
        ...cover.matching.map((match) => site.test(match, 'contains', item)),
      ),
    ),
  );
  const body = when(not(any(...covered)), rest);
  return [...before, ...loop(head, [...readItem(site, item, index), ...body])];
}
