/**
 * `anyOf` and `oneOf`. A value that fits no alternative gets the errors of the one that was meant, never
 * those of all: the alternatives of its kind, among them those that its tags choose, among them the one
 * that it fits furthest.
 */
import { deepEqual } from './checks.js';
import { reportMissing, reportUnknown } from './containers.js';
import { failValues } from './scalars.js';
import {
  admitsKind,
  listKnownNames,
  listTags,
  nameChoice,
  nameValues,
  requiresName,
} from './shape.js';
import {
  kindOf,
  listChoice,
  nameKind,
  showGot,
  showName,
  showPath,
  showValue,
  showValues,
  unescapePointer,
} from './wording.js';

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
export function checkUnion(visit, schemas, keyword) {
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
