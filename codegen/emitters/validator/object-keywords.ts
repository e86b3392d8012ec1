/**
 * The keywords that look into objects. Only own properties count; one that is undefined is missing.
 */
import type { FlatSchema } from '../../flatten.ts';
import type { Json, JsonObject } from '../../json.ts';
import type { Condition } from './condition.ts';
import { all, any, call, compare, not } from './condition.ts';
import type { Cover } from './covers.ts';
import { holdCovers, listCovers } from './covers.ts';
import type { Scope } from './names.ts';
import type { Place } from './place.ts';
import { ANY_KIND, createPlace, hasProperty, isInherited, printProperty } from './place.ts';
import { keysOf, listOf } from './references.ts';
import type { Row, Site } from './site.ts';
import type { Code } from './statements.ts';
import { check, isRefusal, line, loop, when } from './statements.ts';
import { defineCheck, isOneOf } from './value-keywords.ts';

/** What holds for objects by their own keywords. */
export const OBJECT: readonly Row[] = [
  defineCheck('minProperties', (least, { place }) =>
    compare(`Object.keys(${place.name}).length`, '>=', least),
  ),
  defineCheck('maxProperties', (most, { place }) =>
    compare(`Object.keys(${place.name}).length`, '<=', most),
  ),
  {
    keywords: ['required'],
    emit: emitRequired,
    isTelling: true,
    isCondition: () => true,
  },
  {
    keywords: ['dependentRequired'],
    emit: ({ schema, place }) =>
      Object.entries(schema.dependentRequired as JsonObject).flatMap(([name, needed]) =>
        when(hasProperty(place, name), check(hasAll(place, listOf(needed) as readonly string[]))),
      ),
    isCondition: () => true,
  },
  {
    keywords: ['properties'],
    emit: emitProperties,
    isCondition: ({ properties }) => keysOf(properties).length === 0,
  },
  {
    keywords: ['propertyNames', 'patternProperties', 'additionalProperties'],
    emit: emitKeys,
    isCondition: ({ propertyNames = true, patternProperties = {}, additionalProperties = true }) =>
      propertyNames === true &&
      keysOf(patternProperties).length === 0 &&
      additionalProperties === true,
  },
  {
    keywords: ['dependentSchemas'],
    emit: (site) =>
      Object.entries(site.schema.dependentSchemas as JsonObject).flatMap(([name, schema]) =>
        when(hasProperty(site.place, name), site.apply(schema as FlatSchema, name)),
      ),
    isCondition: ({ dependentSchemas }, compiler) =>
      Object.values(dependentSchemas as JsonObject).every((schema) =>
        compiler.isCondition(schema as FlatSchema),
      ),
  },
];

/** What holds for the properties that no other keyword has evaluated; after all others. */
export const OBJECT_REST: readonly Row[] = [
  {
    keywords: ['unevaluatedProperties'],
    emit: emitUnevaluated,
    isCondition: ({ unevaluatedProperties }) => unevaluatedProperties === true,
  },
];

function hasAll(place: Place, names: readonly string[]): Condition {
  return all(...names.map((name) => hasProperty(place, name)));
}

/** A property whose own check would refuse `undefined` needs no other. */
function emitRequired({ schema, place, compiler }: Site): Code {
  const names = (listOf(schema.required) as readonly string[]).filter((name) => {
    const property = (schema.properties as JsonObject | undefined)?.[name] as FlatSchema;
    const isListed = keysOf(schema.properties).includes(name) && !isInherited(name);
    return !isListed || compiler.shapeOf(property).kinds.size === ANY_KIND.size;
  });
  return check(hasAll(place, names));
}

function emitProperties(site: Site): Code {
  return Object.entries(site.schema.properties as JsonObject).flatMap(([name, schema]) => {
    const { place, scope } = site;
    const isPresent = place.present.has(name);
    const isOwn = isInherited(name) && !isPresent;
    const within = isOwn ? scope.nest() : scope;
    const value = createPlace(within.take(name));
    const body = site.apply(schema as FlatSchema, name, value, within);
    if (body.length === 0) return [];
    const read = line(`const ${value.name} = ${printProperty(place, name)}`);
    if (isPresent) return [...read, ...body];
    if (isOwn) return when(hasProperty(place, name), [...read, ...body]);
    return [...read, ...when(compare(value.name, '!==', 'undefined'), body)];
  });
}

/** One loop over the names of all properties. */
function emitKeys(site: Site): Code {
  const { properties, propertyNames, patternProperties, additionalProperties } = site.schema;
  const scope = site.scope.nest();
  const key = createPlace(scope.take('key'), new Set(['string']));
  const names =
    propertyNames === undefined
      ? []
      : site.apply(propertyNames as FlatSchema, 'propertyNames', key, scope);
  const matching = Object.entries((patternProperties ?? {}) as JsonObject).flatMap(
    ([pattern, schema]) =>
      when(matches(site, pattern, key), applyAtKey(site, scope, key, schema, pattern)),
  );
  const rest =
    additionalProperties === undefined
      ? []
      : when(
          isLeft(site, { names: keysOf(properties), patterns: keysOf(patternProperties) }, key),
          applyAtKey(site, scope, key, additionalProperties, 'other'),
        );
  return loop(`const ${key.name} in ${site.place.name}`, [...names, ...matching, ...rest]);
}

function matches({ module }: Site, pattern: string, key: Place): Condition {
  return call(`${module.addPattern(pattern)}.test(${key.name})`);
}

/** Whether a property is none of those that a cover has. */
function isLeft(
  site: Site,
  { names, patterns }: Pick<Cover, 'names' | 'patterns'>,
  key: Place,
): Condition {
  return not(
    any(
      isOneOf(site.module, key.name, names),
      ...patterns.map((pattern) => matches(site, pattern, key)),
    ),
  );
}

/** Applies a schema to the property that a variable names. */
function applyAtKey(site: Site, scope: Scope, key: Place, schema: Json, words: string): Code {
  const within = scope.nest();
  const value = createPlace(within.take('value'));
  const body = site.apply(schema as FlatSchema, words, value, within);
  if (body.length === 0 || isRefusal(body)) return body;
  return [...line(`const ${value.name} = ${site.place.name}[${key.name}]`), ...body];
}

function emitUnevaluated(site: Site): Code {
  const { schema, place, compiler } = site;
  const covers = listCovers(schema, 'unevaluatedProperties', compiler.root);
  if (covers === 'all') return [];
  const scope = site.scope.nest();
  const key = createPlace(scope.take('key'), new Set(['string']));
  const rest = applyAtKey(site, scope, key, schema.unevaluatedProperties as Json, 'other');
  if (rest.length === 0) return [];
  const [before, holds] = holdCovers(site, covers);
  const open = covers.map((cover, index) =>
    any(not(holds[index] ?? true), cover.all ? false : isLeft(site, cover, key)),
  );
  return [...before, ...loop(`const ${key.name} in ${place.name}`, when(all(...open), rest))];
}
