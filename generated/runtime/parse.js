import { codePointLength, deepEqual, isMultipleOf } from './checks.js';
import { admitsKind, listKnownNames, listTags, nameChoice, nameExpected, nameValues, requiresName, resolveReference } from './shape.js';
import { countOf, escapePointer, kindOf, listChoice, listEntries, nameKind, showGot, showName, showPath, showValue, showValues, suggestName, unescapePointer } from './wording.js';

/**
 * The keywords that look at a value as a whole: which values, which type, how large, how long.
 */

/** @typedef {import('./visit.js').Visit<unknown>} Visit */

/**
 * Which values, and which types. An `enum` says more than the `type` beside it, so it comes first.
 * @type {import('./visit.js').Table<unknown>}
 */
const EQUALITY = {
  const(visit, expected) {
    if (!deepEqual(visit.value, expected)) failValues(visit, 'const', [expected]);
  },
  enum(visit, values) {
    if (!values.some((value) => deepEqual(visit.value, value))) failValues(visit, 'enum', values);
  },
  type(visit, type) {
    const types = [type].flat();
    if (types.some((name) => isOfType(visit.value, name))) return;
    visit.fail('type', () => `be ${listChoice(types.map(nameKind))}`);
  },
};

/** @type {import('./visit.js').Table<number>} */
const NUMBER = {
  multipleOf: bound(isMultipleOf, 'a multiple of'),
  minimum: bound((value, limit) => value >= limit, 'at least'),
  exclusiveMinimum: bound((value, limit) => value > limit, 'more than'),
  maximum: bound((value, limit) => value <= limit, 'at most'),
  exclusiveMaximum: bound((value, limit) => value < limit, 'less than'),
};

/** @type {import('./visit.js').Table<string>} */
const STRING = {
  minLength: atLeast(codePointLength, 'character'),
  maxLength: atMost(codePointLength, 'character'),
  pattern(visit, source) {
    if (visit.run.pattern(source).test(visit.value)) return;
    visit.fail('pattern', () => namePattern(source, visit.schema));
  },
};

/**
 * Reports that a value is none of those allowed.
 * @param {Visit} visit
 * @param {string} keyword
 * @param {readonly unknown[]} values
 */
function failValues(visit, keyword, values) {
  const must = () => `be ${nameValues(values)}`;
  const say = () => `${visit.subject} must ${must()}; got ${showValue(visit.value)}`;
  visit.report(keyword, say, { must, values });
}

/** Patterns that are easier said in words. */
const IDIOMS = new Map([
  ['\\S', 'not be blank'],
  ['^$|\\S', 'not be only white space'],
]);

/**
 * What a pattern asks for, by the name that an annotation beside it gives it, and an example.
 * @param {string} source
 * @param {import('./shape.js').SchemaObject} schema
 * @returns {string}
 */
function namePattern(source, { contentEncoding, format, examples }) {
  const example = examples?.[0] === undefined ? '' : `, such as ${showValue(examples[0])}`;
  if (contentEncoding) return `be ${contentEncoding}${example}`;
  if (format) return `be of the format ${format}${example}`;
  return IDIOMS.get(source) ?? `match the pattern ${showPattern(source)}${example}`;
}

/**
 * A pattern as it is, unless it is long or would break the line.
 * @param {string} source
 * @returns {string}
 */
function showPattern(source) {
  return /^[!-~ ]{1,100}$/.test(source) ? source : showValue(source);
}

/**
 * A number that JSON cannot write (NaN, Infinity) is none.
 * @param {unknown} value
 * @param {string} type
 * @returns {boolean}
 */
function isOfType(value, type) {
  if (type === 'number') return Number.isFinite(value);
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  return typeof value === type && value !== null && !Array.isArray(value);
}

/**
 * A keyword that compares a number with its operand.
 * @param {(value: number, operand: number) => boolean} holds
 * @param {string} phrase
 * @returns {import('./visit.js').Keyword<number, number>}
 */
function bound(holds, phrase) {
  return (visit, operand, keyword) => {
    if (!holds(visit.value, operand)) visit.fail(keyword, () => `be ${phrase} ${operand}`);
  };
}

/**
 * A keyword that asks for a least size.
 * @template V
 * @param {(value: V) => number} measure
 * @param {string} noun
 * @returns {import('./visit.js').Keyword<V, number>}
 */
function atLeast(measure, noun) {
  return (visit, least, keyword) => {
    const size = measure(visit.value);
    if (size >= least) return;
    if (least === 1) visit.report(keyword, () => `${visit.subject} must not be empty`);
    else failSize(visit, keyword, `at least ${countOf(least, noun)}`, size);
  };
}

/**
 * A keyword that asks for a largest size.
 * @template V
 * @param {(value: V) => number} measure
 * @param {string} noun
 * @returns {import('./visit.js').Keyword<V, number>}
 */
function atMost(measure, noun) {
  return (visit, most, keyword) => {
    const size = measure(visit.value);
    if (size > most) failSize(visit, keyword, `at most ${countOf(most, noun)}`, size);
  };
}

/**
 * @param {Visit} visit
 * @param {string} keyword
 * @param {string} expected
 * @param {number} size
 */
function failSize(visit, keyword, expected, size) {
  const { value } = visit;
  const shown = typeof value === 'string' ? `${size}: ${showValue(value)}` : `${size}`;
  visit.fail(
    keyword,
    () => `have ${expected}`,
    () => shown,
  );
}

/**
 * The keywords that look into arrays and objects. Only own properties count, so that one called
 * `constructor` or `__proto__` is a property like any other.
 */

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
const ARRAY = {
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
const ARRAY_REST = {
  unevaluatedItems(visit, schema) {
    for (let index = 0; index < visit.value.length && !visit.full; index += 1) {
      if (!visit.seen?.has(index)) visit.child(index, schema, `${visit.at}/unevaluatedItems`);
    }
  },
};

/** @type {import('./visit.js').Table<Readonly<Record<string, unknown>>>} */
const OBJECT = {
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
const OBJECT_REST = {
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
function reportMissing(visit, keyword, names, more = () => '') {
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
function reportUnknown(visit, keyword, name, listKnown) {
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

/**
 * `anyOf` and `oneOf`. A value that fits no alternative gets the errors of the one that was meant, never
 * those of all: the alternatives of its kind, among them those that its tags choose, among them the one
 * that it fits furthest.
 */

/** @typedef {import('./shape.js').FlatSchema} FlatSchema */
/** @typedef {import('./visit.js').Finding} Finding */
/** @typedef {import('./visit.js').Visit<unknown>} Visit */
/** @typedef {import('./visit.js').ObjectVisit} ObjectVisit */
/** @typedef {{ readonly schema: FlatSchema, readonly index: number }} Option */
/** @typedef {import('./visit.js').Attempt & { readonly option: Option }} Trial */

const KINDS = ['null', 'boolean', 'number', 'string', 'array', 'object'];

/**
 * Applies an `anyOf` or a `oneOf`.
 * @param {Visit} visit
 * @param {readonly FlatSchema[]} schemas
 * @param {string} keyword
 */
function checkUnion(visit, schemas, keyword) {
  const kind = kindOf(visit.value);
  const fitting = schemas
    .map((schema, index) => ({ schema, index }))
    .filter(({ schema }) => admitsKind(visit.run.root, schema, kind));
  if (fitting.length === 0) failKind(visit, schemas, keyword);
  const options =
    kind === 'object'
      ? chooseByTags(/** @type {ObjectVisit} */ (visit), fitting, keyword)
      : fitting;
  if (options.length === 0) return;
  const trials = tryOptions(visit, options, keyword);
  const valid = trials.filter(fits);
  if (valid.length === 0) reportClosest(visit, trials, keyword);
  else if (keyword === 'oneOf' && valid.length > 1) failSeveral(visit, trials, keyword);
  else adoptValid(visit, valid);
}

/**
 * No alternative admits values of this kind.
 * @param {Visit} visit
 * @param {readonly FlatSchema[]} schemas
 * @param {string} keyword
 */
function failKind(visit, schemas, keyword) {
  const { root } = visit.run;
  const must = () => {
    const kinds = KINDS.filter((kind) => schemas.some((schema) => admitsKind(root, schema, kind)));
    return `be ${nameChoice(root, schemas) ?? listChoice(kinds.map(nameKind))}`;
  };
  visit.fail(keyword, must);
}

/**
 * The alternatives that the value's tags leave. A tag is a property for which every alternative lists the
 * values it may have, such as `kind`. None when the tags leave none: that is reported here.
 * @param {ObjectVisit} visit
 * @param {readonly Option[]} options
 * @param {string} keyword
 * @returns {readonly Option[]}
 */
function chooseByTags(visit, options, keyword) {
  const { root } = visit.run;
  if (options.length < 2) return options;
  const tags = options.map(({ schema }) => listTags(root, schema));
  for (const name of tags[0]?.keys() ?? []) {
    const lists = tags.map((tag) => tag.get(name));
    if (!lists.every((list) => list !== undefined)) continue;
    const values = [...new Set(lists.flat())];
    if (!Object.hasOwn(visit.value, name)) {
      if (values.length < 2) continue;
      if (!options.every(({ schema }) => requiresName(root, schema, name))) continue;
      reportMissing(visit, keyword, [name], () => ` (${nameValues(values)})`);
      return [];
    }
    const value = visit.value[name];
    const left = options.filter((_, index) => lists[index]?.some((tag) => deepEqual(tag, value)));
    if (left.length === 0) reportTag(visit, keyword, name, values);
    if (left.length < options.length) return chooseByTags(visit, left, keyword);
  }
  return options;
}

/**
 * @param {ObjectVisit} visit
 * @param {string} keyword
 * @param {string} name
 * @param {readonly unknown[]} values
 */
function reportTag(visit, keyword, name, values) {
  const path = visit.pathTo(name);
  const value = visit.value[name];
  const say = () => `${showPath(path)} must be ${nameValues(values)}; got ${showValue(value)}`;
  visit.report(keyword, say, { path, value });
}

/**
 * Tries the alternatives in order; `anyOf` needs no second that fits, unless it has more to say.
 * @param {Visit} visit
 * @param {readonly Option[]} options
 * @param {string} keyword
 * @returns {Trial[]}
 */
function tryOptions(visit, options, keyword) {
  const trials = [];
  for (const option of options) {
    const attempt = visit.attempt(option.schema, `${visit.at}/${keyword}/${option.index}`);
    const trial = Object.assign(attempt, { option });
    trials.push(trial);
    if (keyword === 'anyOf' && fits(trial) && !trial.seen && trial.readOnly.length === 0) break;
  }
  return trials;
}

/**
 * @param {Trial} trial
 * @returns {boolean}
 */
function fits({ findings }) {
  return findings.length === 0;
}

/**
 * What any of the fitting alternatives has seen is seen; read-only is only what all of them refuse.
 * @param {Visit} visit
 * @param {readonly Trial[]} valid
 */
function adoptValid(visit, valid) {
  const mildest = valid.reduce((a, b) => (b.readOnly.length < a.readOnly.length ? b : a));
  for (const trial of valid) visit.adopt(trial === mildest ? trial : { ...trial, readOnly: [] });
}

/**
 * @param {Visit} visit
 * @param {readonly Trial[]} trials
 * @param {string} keyword
 */
function failSeveral(visit, trials, keyword) {
  const valid = trials.filter(fits);
  const rivals = trials.flatMap(({ option }) => soleRequirement(option));
  const say = () => {
    if (rivals.length === trials.length) {
      const found = valid.flatMap(({ option }) => soleRequirement(option));
      return `${visit.subject} must have only one of ${showValues(rivals)}; got ${found.map(showName).join(', ')}`;
    }
    const names = valid.map(({ option }) => nameOption(option)).join(' and ');
    return `${visit.subject} must fit exactly one alternative; got ${showGot(visit.value)}, which fits ${names}`;
  };
  visit.report(keyword, say);
}

/**
 * The property that an alternative asks for, when that is all it says.
 * @param {Option} option
 * @returns {readonly string[]}
 */
function soleRequirement({ schema }) {
  if (typeof schema !== 'object' || Object.keys(schema).length > 1) return [];
  return schema.required?.length === 1 ? schema.required : [];
}

/**
 * @param {Option} option
 * @returns {string}
 */
function nameOption({ schema, index }) {
  const key = typeof schema === 'object' ? schema.$ref?.split('/').at(-1) : undefined;
  if (key === undefined || key === '#') return `alternative ${index + 1}`;
  return showName(unescapePointer(key));
}

/**
 * Reports the alternative that was probably meant.
 * @param {Visit} visit
 * @param {readonly Trial[]} trials
 * @param {string} keyword
 */
function reportClosest(visit, trials, keyword) {
  const demands = trials.flatMap(({ findings }) => onlyDemand(visit, findings));
  const furthest = keepLeast(
    trials,
    ({ findings }) => -Math.min(...findings.map(({ level }) => level)),
  );
  const closest = keepLeast(furthest, ({ findings }) => findings.length);
  const names = listLacking(visit, closest);
  if (trials.length > 1 && demands.length === trials.length) failJoined(visit, demands, keyword);
  else if (names.length > 1)
    reportChoice(/** @type {ObjectVisit} */ (visit), closest, names, keyword);
  else visit.sink.findings.push(...(closest[0]?.findings ?? []));
}

/**
 * The finding of an alternative that asks just one thing of the value itself.
 * @param {Visit} visit
 * @param {readonly Finding[]} findings
 * @returns {Finding[]}
 */
function onlyDemand(visit, findings) {
  return findings.length === 1
    ? findings.filter(({ path, must }) => path === visit.path && must)
    : [];
}

/**
 * The properties of which one would do: each alternative lacks another. None when one lacks nothing.
 * @param {Visit} visit
 * @param {readonly Trial[]} trials
 * @returns {string[]}
 */
function listLacking(visit, trials) {
  const lacks = trials.map(
    ({ findings }) =>
      findings.find(({ path, lacks }) => path === visit.path && lacks !== undefined)?.lacks,
  );
  return lacks.every((name) => name !== undefined) ? [...new Set(lacks)] : [];
}

/**
 * @template T
 * @param {readonly T[]} entries
 * @param {(entry: T) => number} rank
 * @returns {T[]}
 */
function keepLeast(entries, rank) {
  const least = Math.min(...entries.map(rank));
  return entries.filter((entry) => rank(entry) === least);
}

/**
 * Each alternative asks one thing of the value: `must be one of a, b or match the pattern ^x-`.
 * @param {Visit} visit
 * @param {readonly Finding[]} findings
 * @param {string} keyword
 */
function failJoined(visit, findings, keyword) {
  const values = findings.flatMap((finding) => finding.values ?? []);
  if (findings.every((finding) => finding.values)) failValues(visit, keyword, [...new Set(values)]);
  else
    visit.fail(keyword, () => listChoice([...new Set(findings.map(({ must }) => must?.() ?? ''))]));
}

/**
 * Alternatives that are told apart by which property is there, all equally far off: says which would do
 * instead of picking one alternative, and what none of them knows.
 * @param {ObjectVisit} visit
 * @param {readonly Trial[]} trials
 * @param {readonly string[]} names
 * @param {string} keyword
 */
function reportChoice(visit, trials, names, keyword) {
  const { root } = visit.run;
  reportMissing(visit, keyword, names);
  const known = () => trials.flatMap(({ option }) => listKnownNames(root, option.schema));
  for (const { stray, path } of trials[0]?.findings ?? []) {
    if (stray === undefined || path !== visit.pathTo(stray)) continue;
    /** @param {Trial} trial */
    const refuses = ({ findings }) =>
      findings.some((other) => other.stray === stray && other.path === path);
    if (trials.every(refuses)) reportUnknown(visit, keyword, stray, () => [...new Set(known())]);
  }
}

/**
 * The keywords that apply further schemas to the same value.
 */

/** @type {import('./visit.js').Table<unknown>} */
const IN_PLACE = {
  $ref(visit, reference) {
    visit.follow(reference);
  },
  allOf(visit, schemas) {
    for (const [index, schema] of schemas.entries())
      visit.same(schema, `${visit.at}/allOf/${index}`);
  },
  anyOf: checkUnion,
  oneOf: checkUnion,
  if(visit, schema) {
    const attempt = visit.attempt(schema, `${visit.at}/if`);
    const keyword = attempt.findings.length === 0 ? 'then' : 'else';
    if (keyword === 'then') visit.adopt(attempt);
    visit.same(visit.schema[keyword] ?? true, `${visit.at}/${keyword}`);
  },
  not(visit, schema) {
    if (visit.accepts(schema))
      visit.fail('not', () => `not ${nameExcluded(visit.run.root, schema)}`);
  },
};

/**
 * What a value may not be or have: exact where the schema says one thing, vague otherwise.
 * @param {import('./shape.js').FlatSchema} root
 * @param {import('./shape.js').FlatSchema} schema
 * @returns {string}
 */
function nameExcluded(root, schema) {
  const { required, ...others } = typeof schema === 'object' ? schema : {};
  const [keyword = '', ...more] = Object.keys(others);
  if (required && keyword === '') return `have ${required.map(showName).join(' and ')}`;
  const isOne = !required && more.length === 0 && /^(?:type|const|enum)$/.test(keyword);
  const phrase = isOne ? nameExpected(root, schema) : undefined;
  return `be ${phrase ?? 'what the schema excludes'}`;
}

/**
 * The keywords of JSON Schema 2020-12, in the order in which they are applied.
 */

/** @typedef {import('./visit.js').Row} Row */

/**
 * Each table is typed by the values and operands its keywords take. Whoever applies a row sees to both:
 * the group fits the kind of the value, and the schema is valid against its meta-schema.
 * @param {object} table
 * @returns {readonly Row[]}
 */
const rows = (table) => Object.entries(table);

/** What a value is at all. */
const IDENTITY = rows(EQUALITY);

/**
 * What else applies to a value of each kind.
 * @type {Readonly<Record<string, readonly Row[]>>}
 */
const GROUPS = {
  number: rows({ ...NUMBER, ...IN_PLACE }),
  string: rows({ ...STRING, ...IN_PLACE }),
  array: rows({ ...ARRAY, ...IN_PLACE, ...ARRAY_REST }),
  object: rows({ ...OBJECT, ...IN_PLACE, ...OBJECT_REST }),
};

/** What applies to a value of any other kind. */
const OTHERS = rows(IN_PLACE);

/**
 * One schema meets one value. A visit knows where both stand, gathers what it finds, and leads on to the
 * visits of their parts; what a keyword means is in the tables.
 */

/** @typedef {import('./shape.js').FlatSchema} FlatSchema */
/** @typedef {import('./shape.js').SchemaObject} SchemaObject */
/** @typedef {import('./visit.js').Sink} Sink */
/** @typedef {import('./visit.js').Table<unknown>} Table */

/** How deep visits may nest: about half of what a stack of one megabyte holds. */
const MAX_DEPTH = 600;

/** How many visits one run may make; bounds its time when alternatives multiply. */
const MAX_VISITS = 500_000;

/** Ends a run early; its finding is the last of the run. */
class Abort extends Error {
  /** @param {import('./visit.js').Finding} finding */
  constructor(finding) {
    super(finding.keyword);
    this.finding = finding;
  }
}

/** What one run shares: the root schema, the work left, and the patterns compiled so far. */
class Run {
  /** @type {Map<string, RegExp>} */
  #patterns = new Map();

  /**
   * @param {FlatSchema} root
   * @param {boolean} [notesReadOnly]
   */
  constructor(root, notesReadOnly = false) {
    this.root = root;
    this.notesReadOnly = notesReadOnly;
    this.left = MAX_VISITS;
  }

  /**
   * @param {string} source
   * @returns {RegExp}
   */
  pattern(source) {
    const known = this.#patterns.get(source);
    const pattern = known ?? compilePattern(source);
    if (!known) this.#patterns.set(source, pattern);
    return pattern;
  }
}

/**
 * JSON Schema asks for Unicode patterns; some that people write are valid without that flag only. One
 * that is not valid at all says nothing.
 * @param {string} source
 * @returns {RegExp}
 */
function compilePattern(source) {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(source, flags);
    } catch {
      continue;
    }
  }
  return /(?:)/;
}

/**
 * @template [V=unknown]
 */
class Visit {
  /** @param {import('./visit.js').Place<V>} place */
  constructor({ run, sink, value, path, at, level, depth, seen, isName }) {
    this.run = run;
    this.sink = sink;
    this.value = value;
    this.path = path;
    this.at = at;
    this.level = level;
    this.depth = depth;
    this.seen = seen;
    this.isName = isName;
    /** @type {SchemaObject} */
    this.schema = {};
  }

  /** Whether nothing more needs to be found. */
  get full() {
    return this.sink.findings.length >= this.sink.limit;
  }

  /** What a message calls the value of this visit. */
  get subject() {
    return this.isName
      ? `${this.prefix}the property name ${showValue(this.value)}`
      : showPath(this.path);
  }

  /** What a message about a part of the value begins with, unless the value is the root. */
  get prefix() {
    return this.path === '' ? '' : `${showPath(this.path)}: `;
  }

  /**
   * Applies a schema to the value.
   * @param {FlatSchema} schema
   */
  apply(schema) {
    if (this.full) return;
    this.spend(1);
    if (schema === false) this.#refuse();
    if (typeof schema === 'boolean') return;
    this.schema = schema;
    const outer = this.seen;
    if ('unevaluatedProperties' in schema || 'unevaluatedItems' in schema) this.seen = new Set();
    if (schema.readOnly === true && this.run.notesReadOnly) this.#noteReadOnly();
    this.#applyKeywords();
    if (this.seen !== outer) for (const key of this.seen ?? []) outer?.add(key);
  }

  #refuse() {
    this.report('false', () => `${this.subject} is not allowed`, { at: this.at });
  }

  /** A value that is not what it should be at all gets one error, not one for each keyword. */
  #applyKeywords() {
    const before = this.sink.findings.length;
    for (const row of IDENTITY) {
      this.#applyTable([row]);
      if (this.sink.findings.length > before) return;
    }
    this.#applyTable(this.#isUnwritable() ? OTHERS : (GROUPS[kindOf(this.value)] ?? OTHERS));
  }

  /** Whether the value is a number that JSON cannot write, of which no keyword for numbers speaks. */
  #isUnwritable() {
    return typeof this.value === 'number' && !Number.isFinite(this.value);
  }

  /** @param {readonly import('./visit.js').Row[]} rows */
  #applyTable(rows) {
    for (const [keyword, check] of rows) {
      const operand = this.schema[keyword];
      if (operand === undefined) continue;
      check(/** @type {never} */ (this), /** @type {never} */ (operand), keyword);
    }
  }

  /**
   * Pays for work, counted in visits; ends the run when it is too much or the value nests too deeply.
   * @param {number} work
   */
  spend(work) {
    this.run.left -= work;
    if (this.depth > MAX_DEPTH) this.#abort('depth', (where) => `${where} is nested too deeply`);
    if (this.run.left < 0) {
      this.#abort('size', (where) => `the value takes too much work to check; stopped at ${where}`);
    }
  }

  /**
   * @param {string} keyword
   * @param {(where: string) => string} say
   */
  #abort(keyword, say) {
    const { path, at, level, value } = this;
    throw new Abort({ path, at, level, keyword, value, say: () => say(showPath(path)) });
  }

  /**
   * The JSON pointer to a property or an item.
   * @param {string | number} key
   * @returns {string}
   */
  pathTo(key) {
    return `${this.path}/${typeof key === 'number' ? key : escapePointer(key)}`;
  }

  /**
   * Applies a schema to a property or an item.
   * @param {string | number} key
   * @param {FlatSchema} schema
   * @param {string} at
   */
  child(key, schema, at) {
    const value = /** @type {Record<string | number, unknown>} */ (this.value)[key];
    const path = this.pathTo(key);
    this.seen?.add(key);
    this.#visit({ value, path, at, level: this.level + 1, seen: undefined }).apply(schema);
  }

  /**
   * Applies a schema to the name of a property.
   * @param {string} name
   * @param {FlatSchema} schema
   * @param {string} at
   */
  name(name, schema, at) {
    this.#visit({ value: name, at, seen: undefined, isName: true }).apply(schema);
  }

  /**
   * Applies a schema that must hold for the same value.
   * @param {FlatSchema} schema
   * @param {string} at
   */
  same(schema, at) {
    this.#visit({ at }).apply(schema);
  }

  /** @param {string} reference */
  follow(reference) {
    this.same(resolveReference(this.run.root, reference), reference);
  }

  /**
   * Tries a schema that may hold for the same value, apart from the findings so far.
   * @param {FlatSchema} schema
   * @param {string} at
   * @returns {import('./visit.js').Attempt}
   */
  attempt(schema, at) {
    /** @type {Sink} */
    const sink = { findings: [], readOnly: [], limit: this.sink.limit };
    const seen = this.seen && new Set();
    this.#visit({ at, sink, seen }).apply(schema);
    return { findings: sink.findings, readOnly: sink.readOnly, seen };
  }

  /**
   * Takes over what an attempt that succeeded has learned.
   * @param {import('./visit.js').Attempt} attempt
   */
  adopt({ readOnly, seen }) {
    this.sink.readOnly.push(...readOnly);
    for (const key of seen ?? []) this.seen?.add(key);
  }

  /**
   * Whether a schema holds for the value, or for an item of it.
   * @param {FlatSchema} schema
   * @param {unknown} [value]
   * @returns {boolean}
   */
  accepts(schema, value = this.value) {
    /** @type {Sink} */
    const sink = { findings: [], readOnly: [], limit: 1 };
    this.#visit({ value, sink, seen: undefined }).apply(schema);
    return sink.findings.length === 0;
  }

  /** @param {Partial<import('./visit.js').Place<unknown>>} changes */
  #visit(changes) {
    const { run, sink, value, path, at, level, seen, isName } = this;
    const depth = this.depth + 1;
    return new Visit({ run, sink, value, path, at, level, depth, seen, isName, ...changes });
  }

  /**
   * Finds that the value must be or do something else.
   * @param {string} keyword
   * @param {() => string} must
   * @param {() => string} [got]
   */
  fail(keyword, must, got = () => showGot(this.value)) {
    this.report(keyword, () => `${this.subject} must ${must()}; got ${got()}`, { must });
  }

  /**
   * Finds something that is said in its own words.
   * @param {string} keyword
   * @param {() => string} say
   * @param {Partial<import('./visit.js').Finding>} [more]
   */
  report(keyword, say, more) {
    if (this.full) return;
    const { path, at, level, value } = this;
    this.sink.findings.push({ path, at: `${at}/${keyword}`, level, keyword, value, say, ...more });
  }

  /** The root is the whole value; nobody could leave it out. */
  #noteReadOnly() {
    const { path, level, value, sink } = this;
    if (path === '' || sink.readOnly.length >= sink.limit) return;
    const say = () => `${showPath(path)} is set by the server; leave it out`;
    sink.readOnly.push({ path, at: `${this.at}/readOnly`, level, keyword: 'readOnly', value, say });
  }
}

/**
 * Says why a value is not valid, in words for a person. A compiled validator gives the verdict; this
 * interpreter of the same schema runs after it has said no, and words the errors.
 */

/** @typedef {import('./shape.js').FlatSchema} FlatSchema */
/** @typedef {import('./visit.js').Finding} Finding */
/** @typedef {import('./result.js').ValidationError} ValidationError */

/** How many errors are enough to act on. */
const LIMIT = 50;

/**
 * Why a value is not valid against a schema: at most `limit` errors, none when it is valid. Never throws
 * and never hangs on a JSON value: one that nests too deeply, or takes too much work, gets an error that
 * says so. `format` and `content…` are annotations.
 * @param {FlatSchema} schema
 * @param {unknown} value
 * @param {{ readonly limit?: number }} [options]
 * @returns {ValidationError[]}
 */
function explain(schema, value, { limit = LIMIT } = {}) {
  return toErrors(visitRoot(new Run(schema), value, limit).findings).slice(0, limit);
}

/**
 * Whether a value is valid against a schema; false also when it nests too deeply to tell.
 * @param {FlatSchema} schema
 * @param {unknown} value
 * @returns {boolean}
 */
function isValid(schema, value) {
  return visitRoot(new Run(schema), value, 1).findings.length === 0;
}

/**
 * The properties of a valid value that only the server may set (`readOnly: true`), one error each. Of
 * alternatives that the value fits, the one that refuses least decides. The schema of the whole value is
 * not asked: there would be nothing left to send.
 * @param {FlatSchema} schema
 * @param {unknown} value
 * @returns {ValidationError[]}
 */
function findReadOnly(schema, value) {
  const { readOnly, cut } = visitRoot(new Run(schema, true), value, LIMIT);
  return toErrors(cut ? [...readOnly, cut] : readOnly).slice(0, LIMIT);
}

/**
 * @param {Run} run
 * @param {unknown} value
 * @param {number} limit
 * @returns {{ findings: Finding[], readOnly: Finding[], cut?: Finding }}
 */
function visitRoot(run, value, limit) {
  /** @type {import('./visit.js').Sink} */
  const sink = { findings: [], readOnly: [], limit };
  const place = {
    run,
    sink,
    value,
    path: '',
    at: '#',
    level: 0,
    depth: 0,
    seen: undefined,
    isName: false,
  };
  try {
    new Visit(place).apply(run.root);
    return sink;
  } catch (error) {
    const cut = toFinding(error, value);
    return { ...sink, findings: [...sink.findings, cut], cut };
  }
}

/**
 * What ended a run early. A caller that is deep in its own stack may leave less of it than a run needs.
 * @param {unknown} error
 * @param {unknown} value
 * @returns {Finding}
 */
function toFinding(error, value) {
  if (error instanceof Abort) return error.finding;
  if (!(error instanceof RangeError)) throw error;
  const say = () => 'the value is nested too deeply';
  return { path: '', at: '#', level: 0, keyword: 'depth', value, say };
}

/**
 * Words the findings; two keywords that say the same of the same place are one error.
 * @param {readonly Finding[]} findings
 * @returns {ValidationError[]}
 */
function toErrors(findings) {
  /** @type {Map<string, ValidationError>} */
  const errors = new Map();
  for (const { path, at, keyword, value, say } of findings) {
    const message = say();
    const key = `${path} ${message}`;
    if (!errors.has(key))
      errors.set(key, { path, message, keyword, schemaPath: at, value: showValue(value) });
  }
  return [...errors.values()];
}

// How a generated module's parts make a result: verdict, explanation, defaults.

/** @typedef {import('./result.js').ValidationError} ValidationError */
/** @typedef {import('./parse.js').Parser} Parser */

/**
 * Checks a value and fills in defaults. The value itself is never changed.
 *
 * @param {Parser} parser
 * @param {unknown} value
 * @returns {import('./result.js').Result<unknown>}
 */
export function parse(parser, value) {
  try {
    if (parser.validate(value)) return { ok: true, value: parser.fill?.(value) ?? value };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return { ok: false, errors: explainRefusal(parser, value) };
}

/**
 * Like `parse`, and refuses members that only the server may set.
 *
 * @param {Parser} parser
 * @param {unknown} value
 * @returns {import('./result.js').Result<unknown>}
 */
export function checkInput(parser, value) {
  const result = parse(parser, value);
  if (!result.ok) return result;
  const errors = findReadOnly(parser.schema, value);
  return errors.length === 0 ? result : { ok: false, errors };
}

/**
 * @param {Parser} parser
 * @param {unknown} value
 * @returns {ValidationError[]} never empty
 */
function explainRefusal(parser, value) {
  const errors = explain(parser.schema, value);
  if (errors.length > 0) return errors;
  // The verdict is the validator's: what it refuses for its depth the explanation may still walk.
  const message = 'the value is nested too deeply to be checked';
  return [{ path: '', message, keyword: 'depth', schemaPath: '#', value: '' }];
}
