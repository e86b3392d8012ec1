/**
 * The keywords that look into arrays and objects. Only own properties count, so that one called
 * `constructor` or `__proto__` is a property like any other.
 */
import { atLeast, atMost, showPattern } from './scalars.js';
import { listKnownNames, nameExpected } from './shape.js';
import {
  countOf,
  escapePointer,
  listChoice,
  listEntries,
  showName,
  showPath,
  showValue,
  suggestName,
} from './wording.js';

/** @typedef {import('./visit.js').ObjectVisit} ObjectVisit */
/** @typedef {import('./visit.js').ArrayVisit} ArrayVisit */
/** @typedef {import('./shape.js').FlatSchema} FlatSchema */

/** The most known names that are worth listing after an unknown one. */
const KNOWN_NAMES = 12;

/** @param {readonly unknown[]} items */
const countItems = (items) => items.length;

/** @param {object} object */
const countProperties = (object) => Object.keys(object).length;

/** @type {import('./visit.js').Keyword<readonly unknown[], number>} */
const maxItems = atMost(countItems, 'item');

/** @type {import('./visit.js').Table<readonly unknown[]>} */
export const ARRAY = {
  minItems: atLeast(countItems, 'item'),
  maxItems,
  uniqueItems(visit, unique) {
    if (unique) checkUnique(visit);
  },
  prefixItems(visit, schemas) {
    for (const [index, schema] of schemas.slice(0, visit.value.length).entries()) {
      visit.child(index, schema, `${visit.at}/prefixItems/${index}`);
    }
  },
  items(visit, schema) {
    const first = visit.schema.prefixItems?.length ?? 0;
    if (schema === false) maxItems(visit, first, 'items');
    else checkItems(visit, first, schema);
  },
  contains(visit, schema) {
    const { minContains = 1, maxContains = Infinity } = visit.schema;
    let count = 0;
    for (const [index, item] of visit.value.entries()) {
      if (!visit.accepts(schema, item)) continue;
      count += 1;
      visit.seen?.add(index);
    }
    if (count < minContains) failContains(visit, 'minContains', 'at least', minContains, count);
    if (count > maxContains) failContains(visit, 'maxContains', 'at most', maxContains, count);
  },
};

/**
 * What comes after every other keyword has seen its items.
 * @type {import('./visit.js').Table<readonly unknown[]>}
 */
export const ARRAY_REST = {
  unevaluatedItems(visit, schema) {
    for (let index = 0; index < visit.value.length && !visit.full; index += 1) {
      if (!visit.seen?.has(index)) visit.child(index, schema, `${visit.at}/unevaluatedItems`);
    }
  },
};

/** @type {import('./visit.js').Table<Readonly<Record<string, unknown>>>} */
export const OBJECT = {
  required(visit, names) {
    for (const name of names) {
      if (Object.hasOwn(visit.value, name)) continue;
      reportMissing(visit, 'required', [name], () => nameMissing(visit, name));
    }
  },
  properties(visit, properties) {
    for (const [name, schema] of listPresent(visit, properties)) {
      visit.child(name, schema, `${visit.at}/properties/${escapePointer(name)}`);
    }
  },
  patternProperties(visit, schemas) {
    for (const [source, schema] of Object.entries(schemas)) {
      const pattern = visit.run.pattern(source);
      const at = `${visit.at}/patternProperties/${escapePointer(source)}`;
      for (const name of listNames(visit)) {
        if (pattern.test(name)) visit.child(name, schema, at);
      }
    }
  },
  additionalProperties(visit, schema) {
    const { properties = {}, patternProperties = {} } = visit.schema;
    const patterns = Object.keys(patternProperties).map((source) => visit.run.pattern(source));
    for (const name of listNames(visit)) {
      if (Object.hasOwn(properties, name)) continue;
      if (patterns.some((pattern) => pattern.test(name))) continue;
      checkRest(visit, name, schema, 'additionalProperties');
    }
  },
  propertyNames(visit, schema) {
    for (const name of listNames(visit)) {
      visit.name(name, schema, `${visit.at}/propertyNames`);
    }
  },
  minProperties: atLeast(countProperties, 'property'),
  maxProperties: atMost(countProperties, 'property'),
  dependentRequired(visit, dependencies) {
    for (const [name, needed] of listPresent(visit, dependencies)) {
      checkNeeded(visit, 'dependentRequired', name, needed);
    }
  },
  dependentSchemas(visit, dependencies) {
    for (const [name, schema] of listPresent(visit, dependencies)) {
      visit.same(schema, `${visit.at}/dependentSchemas/${escapePointer(name)}`);
    }
  },
  // The draft-07 keyword that the two above replaced; schemas in the wild still carry it.
  dependencies(visit, dependencies) {
    for (const [name, dependency] of listPresent(visit, dependencies)) {
      if (isNames(dependency)) checkNeeded(visit, 'dependencies', name, dependency);
      else visit.same(dependency, `${visit.at}/dependencies/${escapePointer(name)}`);
    }
  },
};

/**
 * What comes after every other keyword has seen its properties.
 * @type {import('./visit.js').Table<Readonly<Record<string, unknown>>>}
 */
export const OBJECT_REST = {
  unevaluatedProperties(visit, schema) {
    for (const name of listNames(visit)) {
      if (!visit.seen?.has(name)) checkRest(visit, name, schema, 'unevaluatedProperties');
    }
  },
};

/**
 * What a keyword says of the properties that are there.
 * @template T
 * @param {ObjectVisit} visit
 * @param {Readonly<Record<string, T>>} operand
 * @returns {[name: string, T][]}
 */
function listPresent(visit, operand) {
  return Object.entries(operand).filter(([name]) => Object.hasOwn(visit.value, name));
}

/**
 * The names of the properties that are there; passing over them is work too.
 * @param {ObjectVisit} visit
 * @returns {string[]}
 */
function listNames(visit) {
  const names = Object.keys(visit.value);
  visit.spend(names.length / 16);
  return names;
}

/**
 * @param {ArrayVisit} visit
 * @param {number} first
 * @param {FlatSchema} schema
 */
function checkItems(visit, first, schema) {
  for (let index = first; index < visit.value.length && !visit.full; index += 1) {
    visit.child(index, schema, `${visit.at}/items`);
  }
}

/**
 * @param {FlatSchema | readonly string[]} dependency
 * @returns {dependency is readonly string[]}
 */
function isNames(dependency) {
  return Array.isArray(dependency);
}

/**
 * Equal items have equal text once the members of their objects are sorted; comparing each pair would
 * take quadratic time.
 * @param {ArrayVisit} visit
 */
function checkUnique(visit) {
  /** @type {Map<string, number>} */
  const places = new Map();
  for (const [index, item] of visit.value.entries()) {
    const text = JSON.stringify(item, sortMembers);
    visit.spend(text.length / 32);
    const first = places.get(text);
    if (first !== undefined) {
      const say = () =>
        `${visit.subject} must not repeat an item; items ${first} and ${index} are both ${showValue(item)}`;
      visit.report('uniqueItems', say);
      return;
    }
    places.set(text, index);
  }
}

/**
 * @param {string} _key
 * @param {unknown} value
 * @returns {unknown}
 */
function sortMembers(_key, value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * @param {ArrayVisit} visit
 * @param {'minContains' | 'maxContains'} keyword
 * @param {string} phrase
 * @param {number} limit
 * @param {number} count
 */
function failContains(visit, keyword, phrase, limit, count) {
  const { schema, run } = visit;
  const expected = nameExpected(run.root, schema.contains);
  visit.fail(
    schema[keyword] === undefined ? 'contains' : keyword,
    () => `contain ${phrase} ${countOf(limit, 'matching item')}${expected ? ` (${expected})` : ''}`,
    () => `${count}`,
  );
}

/**
 * @param {ObjectVisit} visit
 * @param {string} keyword
 * @param {string} name
 * @param {readonly string[]} needed
 */
function checkNeeded(visit, keyword, name, needed) {
  for (const other of needed) {
    if (Object.hasOwn(visit.value, other)) continue;
    reportMissing(visit, keyword, [other], () => `; ${showName(name)} needs it`);
  }
}

/**
 * Reports that a property, or one of several, is missing.
 * @param {ObjectVisit} visit
 * @param {string} keyword
 * @param {readonly string[]} names
 * @param {() => string} [more]
 */
export function reportMissing(visit, keyword, names, more = () => '') {
  const say = () => {
    // Of one the whole path is said; of several that would be the same path again and again.
    const [only = ''] = names;
    const what =
      names.length > 1
        ? visit.prefix + listChoice(names.map(showName))
        : showPath(visit.pathTo(only));
    return `${what} is missing${more()}`;
  };
  visit.report(keyword, say, { lacks: names[0] ?? '' });
}

/**
 * What a missing property should have been, when that can be said shortly.
 * @param {ObjectVisit} visit
 * @param {string} name
 * @returns {string}
 */
function nameMissing({ run, schema }, name) {
  const { properties = {} } = schema;
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
  const expected = nameExpected(run.root, property);
  return expected === undefined ? '' : ` (${expected})`;
}

/**
 * A property that no other keyword has dealt with.
 * @param {ObjectVisit} visit
 * @param {string} name
 * @param {FlatSchema} schema
 * @param {'additionalProperties' | 'unevaluatedProperties'} keyword
 */
function checkRest(visit, name, schema, keyword) {
  if (schema !== false) {
    visit.child(name, schema, `${visit.at}/${keyword}`);
    return;
  }
  // `additionalProperties` knows the names beside it, `unevaluatedProperties` those of every part.
  const { run, schema: own } = visit;
  const beside = () => Object.keys(own.properties ?? {});
  const all = () => listKnownNames(run.root, own);
  reportUnknown(visit, keyword, name, keyword === 'additionalProperties' ? beside : all);
}

/**
 * Reports a property that may not be there: with the known name that was probably meant, otherwise with
 * the known names when they are few.
 * @param {ObjectVisit} visit
 * @param {string} keyword
 * @param {string} name
 * @param {() => readonly string[]} listKnown
 */
export function reportUnknown(visit, keyword, name, listKnown) {
  const say = () => {
    const what = `${visit.prefix}${showValue(name)} is not a known property`;
    const known = listKnown();
    const meant = suggestName(
      name,
      known.filter((other) => !Object.hasOwn(visit.value, other)),
    );
    if (meant !== undefined) return `${what}; did you mean ${showValue(meant)}?`;
    const patterns = Object.keys(visit.schema.patternProperties ?? {});
    const names = [
      ...known.map(showName),
      ...patterns.map((source) => `names like ${showPattern(source)}`),
    ];
    return names.length === 0 || names.length > KNOWN_NAMES
      ? what
      : `${what} (known: ${listEntries(names)})`;
  };
  const path = visit.pathTo(name);
  visit.report(keyword, say, { path, value: visit.value[name], stray: name });
}
