/**
 * One schema meets one value. A visit knows where both stand, gathers what it finds, and leads on to the
 * visits of their parts; what a keyword means is in the tables.
 */
import { GROUPS, IDENTITY, OTHERS } from './keywords.js';
import { resolveReference } from './shape.js';
import { escapePointer, kindOf, showGot, showPath, showValue } from './wording.js';

/** @typedef {import('./shape.js').FlatSchema} FlatSchema */
/** @typedef {import('./shape.js').SchemaObject} SchemaObject */
/** @typedef {import('./visit.js').Sink} Sink */
/** @typedef {import('./visit.js').Table<unknown>} Table */

/** How deep visits may nest: about half of what a stack of one megabyte holds. */
const MAX_DEPTH = 600;

/** How many visits one run may make; bounds its time when alternatives multiply. */
const MAX_VISITS = 500_000;

/** Ends a run early; its finding is the last of the run. */
export class Abort extends Error {
  /** @param {import('./visit.js').Finding} finding */
  constructor(finding) {
    super(finding.keyword);
    this.finding = finding;
  }
}

/** What one run shares: the root schema, the work left, and the patterns compiled so far. */
export class Run {
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
export class Visit {
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
