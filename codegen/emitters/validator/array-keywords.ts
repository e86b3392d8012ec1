/**
 * The keywords that look into arrays.
 */
import type { FlatSchema } from '../../flatten.ts';
import type { Row, Site } from './compiler.ts';
import { all, any, atLeast, call, compare, not, printCondition } from './condition.ts';
import { listCovers } from './covers.ts';
import type { Scope } from './names.ts';
import type { Place } from './place.ts';
import { createPlace } from './place.ts';
import { listSchemas } from './references.ts';
import type { Code } from './statements.ts';
import { check, isRefusal, line, loop, when } from './statements.ts';
import { defineLimit } from './value-keywords.ts';

/** What holds for arrays by their own keywords. */
export const ARRAY: readonly Row[] = [
  defineLimit('minItems', (least, { place }) => atLeast(`${place.name}.length`, least)),
  defineLimit('maxItems', (most, { place }) => compare(`${place.name}.length`, '<=', most)),
  { keywords: ['prefixItems'], emit: emitPrefix },
  { keywords: ['items'], emit: emitItems },
  { keywords: ['contains'], emit: emitContains },
  { keywords: ['uniqueItems'], emit: emitUnique },
];

/** What holds for the items that no other keyword has evaluated; after all others. */
export const ARRAY_REST: readonly Row[] = [
  { keywords: ['unevaluatedItems'], emit: emitUnevaluated },
];

/** The keywords that evaluate items. */
const ITEMS = ['items', 'prefixItems', 'contains', 'unevaluatedItems'];

function emitPrefix(site: Site): Code {
  const { schema, place } = site;
  return listSchemas(schema.prefixItems).flatMap((item, index) => {
    const body = applyAt(site, site.scope.nest(), String(index), item, `prefixItems${index + 1}`);
    return when(compare(`${place.name}.length`, '>', index), body);
  });
}

function emitItems(site: Site): Code {
  const { schema, place } = site;
  const first = listSchemas(schema.prefixItems).length;
  if (schema.items === false) return check(compare(`${place.name}.length`, '<=', first));
  const { scope, index, head } = openLoop(site, first);
  return loop(head, applyAt(site, scope, index, schema.items as FlatSchema, 'items'));
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
function applyAt(site: Site, scope: Scope, index: string, schema: FlatSchema, words: string): Code {
  const item = createPlace(scope.take('item'));
  const body = site.apply(schema, words, item, scope);
  return body.length === 0 || isRefusal(body) ? body : [...readItem(site, item, index), ...body];
}

function readItem({ place }: Site, item: Place, index: string): Code {
  return line(`const ${item.name} = ${place.name}[${index}]`);
}

/** Counts no further than it takes to decide. */
function emitContains(site: Site): Code {
  const { minContains = 1, maxContains } = site.schema;
  if (minContains === 0 && maxContains === undefined) return [];
  const count = site.scope.take('count');
  const goesOn =
    maxContains === undefined
      ? compare(count, '<', minContains as number)
      : compare(count, '<=', maxContains as number);
  const { scope, index, head } = openLoop(site, 0, ` && ${printCondition(goesOn)}`);
  const item = createPlace(scope.take('item'));
  const fits = when(
    site.test(site.schema.contains as FlatSchema, 'contains', item),
    line(`${count} += 1`),
  );
  return [
    ...line(`let ${count} = 0`),
    ...loop(head, fits.length === 0 ? [] : [...readItem(site, item, index), ...fits]),
    ...check(atLeast(count, minContains as number)),
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
  const { scope, index, head } = openLoop(site, 0);
  const item = createPlace(scope.take('item'));
  const rest = site.apply(site.schema.unevaluatedItems as FlatSchema, 'other', item, scope);
  const [before, covers] = listCovers(site, ITEMS);
  const covered = covers.map(({ schema, holds }) =>
    all(
      holds,
      any(
        'items' in schema || 'unevaluatedItems' in schema,
        not(atLeast(index, listSchemas(schema.prefixItems).length)),
        schema.contains !== undefined && site.test(schema.contains as FlatSchema, 'contains', item),
      ),
    ),
  );
  const body = when(not(any(...covered)), rest);
  if (body.length === 0) return [];
  return [...before, ...loop(head, [...readItem(site, item, index), ...body])];
}
