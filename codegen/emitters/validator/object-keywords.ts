/**
 * The keywords that look into objects. Only own properties count; one that is undefined is missing.
 */
import type { FlatSchema } from '../../flatten.ts';
import { getOwn, isObject } from '../../json.ts';
import type { JsonObject } from '../../json.ts';
import type { Row, Site } from './compiler.ts';
import type { Condition } from './condition.ts';
import { all, any, atLeast, compare, not } from './condition.ts';
import { listCovers } from './covers.ts';
import type { Scope } from './names.ts';
import type { Place } from './place.ts';
import { ANY_KIND, createPlace, hasProperty, isInherited, printProperty } from './place.ts';
import { keysOf, listNamed, listNames } from './references.ts';
import type { Code } from './statements.ts';
import { check, isRefusal, line, loop, when } from './statements.ts';
import { defineLimit, isOneOf, matches } from './value-keywords.ts';

/** What holds for objects by their own keywords. */
export const OBJECT: readonly Row[] = [
  defineLimit('minProperties', (least, { place }) =>
    atLeast(`Object.keys(${place.name}).length`, least),
  ),
  defineLimit('maxProperties', (most, { place }) =>
    compare(`Object.keys(${place.name}).length`, '<=', most),
  ),
  { keywords: ['required'], emit: emitRequired, isTelling: true },
  {
    keywords: ['dependentRequired'],
    emit: ({ schema, place }) =>
      Object.entries(schema.dependentRequired as JsonObject).flatMap(([name, needed]) =>
        when(hasProperty(place, name), check(hasAll(place, listNames(needed)))),
      ),
  },
  { keywords: ['properties'], emit: emitProperties },
  { keywords: ['propertyNames', 'patternProperties', 'additionalProperties'], emit: emitKeys },
  {
    keywords: ['dependentSchemas'],
    emit: (site) =>
      listNamed(site.schema.dependentSchemas).flatMap(([name, schema]) =>
        when(
          hasProperty(site.place, name),
          site.apply(schema, name, site.place, site.scope.nest()),
        ),
      ),
  },
];

/** What holds for the properties that no other keyword has evaluated; after all others. */
export const OBJECT_REST: readonly Row[] = [
  { keywords: ['unevaluatedProperties'], emit: emitUnevaluated },
];

/** The keywords that evaluate properties. */
const KEYS = ['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties'];

function hasAll(place: Place, names: readonly string[]): Condition {
  return all(...names.map((name) => hasProperty(place, name)));
}

/** A property whose own check refuses `undefined` needs no other. */
function emitRequired({ schema, place, compiler }: Site): Code {
  const names = listNames(schema.required).filter((name) => {
    const property = isObject(schema.properties) ? getOwn(schema.properties, name) : undefined;
    if (property === undefined || isInherited(name)) return true;
    return compiler.shapeOf(property as FlatSchema).kinds.size === ANY_KIND.size;
  });
  return check(hasAll(place, names));
}

function emitProperties(site: Site): Code {
  const { place, scope } = site;
  return listNamed(site.schema.properties).flatMap(([name, schema]) => {
    const isPresent = place.present.has(name);
    const isOwn = isInherited(name) && !isPresent;
    const within = isOwn ? scope.nest() : scope;
    const value = createPlace(within.takeFor(name));
    const body = site.apply(schema, name, value, within);
    if (body.length === 0) return [];
    const read = line(`const ${value.name} = ${printProperty(place, name)}`);
    if (isPresent) return [...read, ...body];
    if (isOwn) return when(hasProperty(place, name), [...read, ...body]);
    return [...read, ...when(compare(value.name, '!==', 'undefined'), body)];
  });
}

/** One loop over the names of all properties. */
function emitKeys(site: Site): Code {
  const { propertyNames = true, patternProperties, additionalProperties = true } = site.schema;
  return loopOverKeys(site, (scope, key) => [
    ...site.apply(propertyNames as FlatSchema, 'propertyNames', key, scope),
    ...listNamed(patternProperties).flatMap(([pattern, schema]) =>
      when(
        matches(site.module, key, pattern),
        applyAtKey(site, scope.nest(), key, schema, pattern),
      ),
    ),
    ...when(
      not(isDescribed(site, key, site.schema)),
      applyAtKey(site, scope.nest(), key, additionalProperties as FlatSchema, 'other'),
    ),
  ]);
}

function emitUnevaluated(site: Site): Code {
  const [before, covers] = listCovers(site, KEYS);
  const code = loopOverKeys(site, (scope, key) => {
    const covered = covers.map(({ schema, holds }) => {
      const isAll = 'additionalProperties' in schema || 'unevaluatedProperties' in schema;
      return all(holds, any(isAll, isDescribed(site, key, schema)));
    });
    const { unevaluatedProperties } = site.schema;
    const body = applyAtKey(site, scope, key, unevaluatedProperties as FlatSchema, 'other');
    return when(not(any(...covered)), body);
  });
  return code.length === 0 ? [] : [...before, ...code];
}

function loopOverKeys(site: Site, emit: (scope: Scope, key: Place) => Code): Code {
  const scope = site.scope.nest();
  const key = createPlace(scope.take('key'), new Set(['string']));
  return loop(`const ${key.name} in ${site.place.name}`, emit(scope, key));
}

/** Whether a schema's `properties` or `patternProperties` speak of a property. */
function isDescribed({ module }: Site, key: Place, schema: JsonObject): Condition {
  return any(
    isOneOf(module, key, keysOf(schema.properties)),
    ...keysOf(schema.patternProperties).map((pattern) => matches(module, key, pattern)),
  );
}

/** Applies a schema to the property that a variable names. */
function applyAtKey(site: Site, scope: Scope, key: Place, schema: FlatSchema, words: string): Code {
  const value = createPlace(scope.take('value'));
  const body = site.apply(schema, words, value, scope);
  if (body.length === 0 || isRefusal(body)) return body;
  return [...line(`const ${value.name} = ${site.place.name}[${key.name}]`), ...body];
}
