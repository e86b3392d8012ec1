/**
 * Plans the functions of a validator: one for each definition that is called and for each alternative
 * that is more than one check, in the dialect of `validator-keywords.ts`, with Ajv's deviations from
 * 2020-12 written out of the way.
 */
import type { FlatSchema } from '../flatten.ts';
import type { Json, JsonObject } from '../json.ts';
import { isArray, isObject } from '../json.ts';
import { KEYWORDS } from '../vocabulary.ts';
import { listCovers } from './validator-covers.ts';
import type { Subject } from './validator-covers.ts';
import type { Others, PlannedSchema } from './validator-dialect.ts';
import { isRecursive, readKey, resolveReference } from './validator-references.ts';

/** One function of the validator. */
interface PlannedFunction {
  readonly name: string;
  readonly schema: PlannedSchema;
}

/** The functions of one validator, the root's first, and whether they can recurse. */
export interface ValidatorPlan {
  readonly functions: readonly PlannedFunction[];
  readonly recursive: boolean;
}

interface Planner {
  readonly root: FlatSchema;
  readonly functions: PlannedFunction[];
  /** The function of each reference that is called. */
  readonly names: Map<string, string>;
  /** The function of each alternative that has one. */
  readonly alternatives: Map<JsonObject, string>;
  readonly taken: Set<string>;
  /** What a function for a part of the schema in hand is called after. */
  readonly stem: string;
}

/** Globals that the code uses, and that a definition's name could otherwise hide. */
const GLOBALS = ['isNaN', 'isFinite'];

/** Plans the functions of a schema's validator. `name` is that of the export, which a recursive one only guards. */
export function planValidator(schema: FlatSchema, name: string): ValidatorPlan {
  const recursive = isRecursive(schema);
  const planner: Planner = {
    root: schema,
    functions: [],
    names: new Map(),
    alternatives: new Map(),
    taken: new Set([...GLOBALS, name]),
    stem: 'isRoot',
  };
  if (recursive) callReference(planner, '#');
  else addFunction(planner, name, schema);
  return { functions: planner.functions, recursive };
}

function addFunction(planner: Planner, name: string, schema: FlatSchema): void {
  const index = planner.functions.push({ name, schema: true }) - 1;
  planner.functions[index] = { name, schema: planSchema(planner, schema) };
}

/** The name of the function for a reference's target, which is planned when it is first called. */
function callReference(planner: Planner, reference: string): string {
  const known = planner.names.get(reference);
  if (known !== undefined) return known;
  const key = reference === '#' ? 'root' : readKey(reference);
  const name = takeName(planner, extendStem('is', key));
  planner.names.set(reference, name);
  addFunction({ ...planner, stem: name }, name, resolveReference(planner.root, reference));
  return name;
}

/** Names stay readable up to this length; what is cut off makes them no less unique. */
const MAX_STEM = 60;

function extendStem(stem: string, words: string): string {
  const upper = words
    .split(/[^A-Za-z0-9_$]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${stem}${upper.join('')}`.slice(0, MAX_STEM);
}

function takeName({ taken }: Planner, stem: string): string {
  let name = stem;
  for (let count = 2; taken.has(name) || name === 'is'; count += 1)
    name = `${stem}${String(count)}`;
  taken.add(name);
  return name;
}

/** A schema on its way: its keywords, and what has to stand beside them in `allOf`. */
interface Draft {
  readonly keywords: Record<string, unknown>;
  readonly parts: PlannedSchema[];
}

/** Plans a schema. What changes no verdict is dropped. */
function planSchema(planner: Planner, schema: FlatSchema): PlannedSchema {
  if (typeof schema === 'boolean') return schema;
  const draft: Draft = { keywords: {}, parts: [] };
  for (const [keyword, value] of Object.entries(schema)) {
    if (!isAssertion(keyword)) continue;
    const rewrite = REWRITES.get(keyword);
    if (rewrite !== undefined) rewrite({ planner, schema, keyword, value, draft });
    else draft.keywords[keyword] = planValue(planner, keyword, value);
  }
  return joinDraft(draft);
}

/** Keywords that only place a schema, or hold others. */
const PLACES = ['$defs', '$id', '$anchor', '$dynamicAnchor'];

function isAssertion(keyword: string): boolean {
  const known = KEYWORDS.get(keyword);
  return known !== undefined && known.annotation !== true && !PLACES.includes(keyword);
}

/** Keywords whose schemas may fail without the schema failing that they stand in. */
const ALTERNATIVES = ['anyOf', 'oneOf', 'not', 'if', 'contains', 'propertyNames'];

function planValue(planner: Planner, keyword: string, value: Json): unknown {
  const form = KEYWORDS.get(keyword)?.schemas;
  const plan = ALTERNATIVES.includes(keyword) ? planAlternative : planSchema;
  const planWithin = (words: string, item: Json): PlannedSchema =>
    plan({ ...planner, stem: extendStem(planner.stem, words) }, item as FlatSchema);
  if (form === 'one') return planWithin(keyword, value);
  if (form === 'list') {
    return (value as readonly Json[]).map((item, index) =>
      planWithin(`${keyword}${String(index + 1)}`, item),
    );
  }
  if (form === undefined) return value;
  const entries = Object.entries(value as JsonObject);
  return Object.fromEntries(entries.map(([key, item]) => [key, planWithin(key, item)]));
}

/** Plans a schema that may fail alone: one check as it stands, anything more as a function. */
function planAlternative(planner: Planner, schema: FlatSchema): PlannedSchema {
  if (typeof schema === 'boolean') return schema;
  const keywords = Object.keys(schema).filter(isAssertion);
  if (keywords.length === 0) return true;
  const [only] = keywords;
  if (only === '$ref' && keywords.length === 1) return planReference(planner, schema, isOneCheck);
  if (isOneCheck(schema)) return planSchema(planner, schema);
  const known = planner.alternatives.get(schema);
  const name = known ?? takeName(planner, planner.stem);
  planner.alternatives.set(schema, name);
  if (known === undefined) addFunction({ ...planner, stem: name }, name, schema);
  return { call: name };
}

/** A reference's target itself where it is small enough to be repeated, or else a call. */
function planReference(
  planner: Planner,
  schema: JsonObject,
  isSmall: (target: FlatSchema) => boolean,
): PlannedSchema {
  const reference = schema.$ref as string;
  const target = resolveReference(planner.root, reference);
  return isSmall(target)
    ? planSchema(planner, target)
    : { call: callReference(planner, reference) };
}

/** Whether the code for a schema is a single condition. */
function isOneCheck(schema: FlatSchema): boolean {
  if (typeof schema === 'boolean') return true;
  const keywords = Object.keys(schema).filter(isAssertion);
  const values = keywords.filter((keyword) => keyword !== 'type');
  if (values.length === 0) return keywords.length === 1;
  return values.length === 1 && ['enum', 'const'].includes(values[0] ?? '');
}

/** Whether a schema checks a value without looking into it. */
function isScalar(schema: FlatSchema): boolean {
  if (typeof schema === 'boolean') return true;
  const keywords = Object.keys(schema).filter(isAssertion);
  return keywords.every((keyword) => SCALAR.has(keyword));
}

const SCALAR = new Set([
  'type',
  'enum',
  'const',
  'pattern',
  'minLength',
  'maxLength',
  'multipleOf',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
]);

function joinDraft({ keywords, parts }: Draft): PlannedSchema {
  const rest = parts.filter((part) => part !== true);
  if (rest.includes(false)) return false;
  const [only = true] = rest;
  if (Object.keys(keywords).length === 0 && rest.length < 2) return only;
  if (rest.length === 0) return keywords;
  return { ...keywords, allOf: [...((keywords.allOf ?? []) as PlannedSchema[]), ...rest] };
}

interface Rewriting {
  readonly planner: Planner;
  readonly schema: JsonObject;
  readonly keyword: string;
  readonly value: Json;
  readonly draft: Draft;
}

/** Keywords that are not handed to Ajv as they stand, and why. */
const REWRITES: ReadonlyMap<string, (rewriting: Rewriting) => void> = new Map([
  // Ajv looks a reference up by its URI; here it is a call, or the target itself.
  ['$ref', rewriteReference],
  // Ajv takes a pattern that is called `__proto__` for something else, and skips it.
  ['patternProperties', rewritePatterns],
  // Ajv looks names up in an object literal, in which `__proto__` is none.
  ['additionalProperties', rewriteOthers('additionalProperties')],
  // Ajv counts what a failed alternative or `contains` evaluated, and forgets what a lone `if` did.
  ['unevaluatedProperties', rewriteOthers('unevaluatedProperties')],
  ['unevaluatedItems', rewriteOthers('unevaluatedItems')],
  // A list of values says their types, so one check is enough. An empty one Ajv refuses.
  ['enum', rewriteValues],
  ['const', rewriteValues],
  ['type', rewriteType],
]);

function rewriteReference({ planner, schema, draft }: Rewriting): void {
  draft.parts.push(planReference(planner, schema, isScalar));
}

function rewritePatterns({ planner, value, draft }: Rewriting): void {
  const planned = planValue(planner, 'patternProperties', value) as Record<string, PlannedSchema>;
  const entries = Object.entries(planned).map(
    ([pattern, schema]) => [pattern === '__proto__' ? '(?:__proto__)' : pattern, schema] as const,
  );
  draft.keywords.patternProperties = Object.fromEntries(entries);
}

function rewriteOthers(subject: Subject): (rewriting: Rewriting) => void {
  return ({ planner, schema, value, draft }) => {
    const others = planSchema(planner, value as FlatSchema);
    if (others === true) return;
    const within = { ...planner, stem: extendStem(planner.stem, 'part') };
    const covers = listCovers(schema, subject, {
      plan: (condition) => planAlternative(within, condition),
      resolve: (reference) => resolveReference(planner.root, reference),
    });
    if (covers === 'all') return;
    const keyword = subject === 'unevaluatedItems' ? 'otherItems' : 'otherProperties';
    draft.keywords[keyword] = { covers, schema: others } satisfies Others;
  };
}

function rewriteValues({ schema, keyword, value, draft }: Rewriting): void {
  const types = schema.type === undefined ? undefined : [schema.type].flat();
  const values = (keyword === 'const' ? [value] : (value as readonly Json[])).filter(
    (item) => types?.some((type) => isOfType(item, type)) ?? true,
  );
  if (values.length === 0) draft.parts.push(false);
  else draft.keywords[keyword] = keyword === 'const' ? value : values;
}

function rewriteType({ schema, value, draft }: Rewriting): void {
  if (schema.enum === undefined && schema.const === undefined) draft.keywords.type = value;
}

function isOfType(value: Json, type: Json): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'null') return value === null;
  if (type === 'array') return isArray(value);
  return type === 'object' ? isObject(value) : typeof value === type;
}
