/** META_SCHEMA: every keyword has the value that the 2020-12 meta-schema asks for. */
import type { Diagnostic } from '../diagnostics.ts';
import type { Json } from '../json.ts';
import { getOwn, isArray, isObject } from '../json.ts';
import { nearestName } from '../names.ts';
import { showGot } from '../runtime/wording.js';
import type { Keyword } from '../vocabulary.ts';
import { KEYWORDS, compilePattern } from '../vocabulary.ts';
import type { Rule, RuleContext } from './rule.ts';
import type { Visit } from './walk.ts';
import { referencesOf, report, walkProject } from './walk.ts';

/** Schemas are valid against the meta-schema: what is not, validators and types would misread. */
export const metaSchema: Rule = {
  id: 'META_SCHEMA',
  purpose:
    'Every keyword has a value that JSON Schema 2020-12 allows, and every pattern compiles. Anything else would be read one way by the types and another by the validators.',
  check: findMetaFaults,
};

const found = new WeakMap<RuleContext, readonly Diagnostic[]>();

/** Whether rules that interpret schemas can: none has a malformed keyword. */
export function isSound(context: RuleContext): boolean {
  return findMetaFaults(context).length === 0;
}

function findMetaFaults(context: RuleContext): readonly Diagnostic[] {
  let faults = found.get(context);
  if (faults === undefined) {
    faults = walkProject(context).flatMap(checkSchema);
    found.set(context, faults);
  }
  return faults;
}

/** What the meta-schema has against one schema, its subschemas left to their own visits. */
export function checkSchema(visit: Visit): readonly Diagnostic[] {
  const { schema, at } = visit;
  if (!isObject(schema)) return [];
  const diagnostics: Diagnostic[] = [];
  for (const [name, value] of Object.entries(schema)) {
    const keyword = KEYWORDS.get(name);
    if (keyword === undefined) continue;
    for (const { path, message, hint: own, key } of findFaults(name, value, keyword)) {
      const hint = own ?? (at.document.origin === 'package' ? PACKAGE_HINT : undefined);
      const options = { key: key === true, ...(hint === undefined ? {} : { hint }) };
      diagnostics.push(report(metaSchema.id, at, [name, ...path], message, options));
    }
  }
  return [...diagnostics, ...strayReferences(visit)];
}

const PACKAGE_HINT =
  'The file is not yours: set the value right with an "amend" entry in the manifest.';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** One fault in a keyword's value: where from the value, what, and the repair where one is plain. */
interface Fault {
  readonly path: readonly string[];
  readonly message: string;
  readonly hint?: string | undefined;
  /** The name of the member is at fault, not its value. */
  readonly key?: true;
}

function findFaults(name: string, value: Json, keyword: Keyword): readonly Fault[] {
  if (name === '$schema' && typeof value === 'string') return checkDialect(value);
  if (keyword.shape.test(value)) return [];
  const whole = [{ path: [], message: expected(name, keyword, value), hint: repair(name, value) }];
  const members = faultyMembers(name, value, keyword);
  return members.length > 0 ? members : whole;
}

function expected(name: string, { shape }: Keyword, value: Json): string {
  const got = isArray(value) && value.length === 0 ? 'an empty one' : showGot(value);
  return `${name} must be ${shape.words}; got ${got}`;
}

function checkDialect(value: string): readonly Fault[] {
  if (value.replace(/#$/, '') === DIALECT) return [];
  const message = `the dialect ${JSON.stringify(value)} is not supported`;
  const hint = `Schemas are JSON Schema 2020-12: write "${DIALECT}" and mend what that version reads otherwise.`;
  return [{ path: [], message, hint }];
}

/** The members of a value that are at fault, where the value as a whole has the right form. */
function faultyMembers(name: string, value: Json, keyword: Keyword): readonly Fault[] {
  if (name === 'patternProperties' && isObject(value)) {
    const patterns = Object.keys(value).flatMap((key) => checkPattern(key, [key]));
    return [
      ...patterns.map((fault) => ({ ...fault, key: true as const })),
      ...notSchemas(name, value),
    ];
  }
  if (keyword.schemas === 'list' && isArray(value)) return notSchemas(name, value);
  if (keyword.schemas === 'map' && isObject(value)) return notSchemas(name, value);
  if (name === 'pattern' && typeof value === 'string') return checkPattern(value, []);
  if (name === 'required' && isArray(value)) return notNames(name, value, []);
  if (name === 'type') return notTypes(value);
  if (name === 'dependentRequired' && isObject(value)) {
    return Object.entries(value).flatMap(([key, names]) => {
      const message = `${name} must name a list of properties; got ${showGot(names)}`;
      return isArray(names) ? notNames(name, names, [key]) : [{ path: [key], message }];
    });
  }
  return [];
}

function notSchemas(name: string, value: Json): readonly Fault[] {
  return Object.entries(value as Record<string, Json>).flatMap(([key, item]) => {
    if (typeof item === 'boolean' || isObject(item)) return [];
    const message = `a schema must stand here, an object, true or false; got ${showGot(item)}`;
    const hint = typeof item === 'string' ? hintForText(name, item) : undefined;
    return [{ path: [key], message, hint }];
  });
}

/** `"name": "string"` is how many first write a property. */
function hintForText(name: string, text: string): string | undefined {
  return name === 'properties' && TYPES.includes(text)
    ? `Write { "type": ${JSON.stringify(text)} }.`
    : undefined;
}

function checkPattern(source: string, path: readonly string[]): readonly Fault[] {
  if (compilePattern(source) !== undefined) return [];
  const message = `the pattern ${JSON.stringify(source)} does not compile: ${reasonAgainst(source)}`;
  return [{ path, message }];
}

/** What the engine has against a pattern, without the pattern that it repeats. */
function reasonAgainst(source: string): string {
  try {
    return String(new RegExp(source));
  } catch (error) {
    const { message } = error as Error;
    return message.slice(message.lastIndexOf(': ') + 2);
  }
}

function notNames(name: string, value: readonly Json[], path: readonly string[]): Fault[] {
  return value.flatMap((item, index): Fault[] => {
    const place = [...path, String(index)];
    if (typeof item !== 'string') {
      return [{ path: place, message: `${name} lists property names; got ${showGot(item)}` }];
    }
    if (value.indexOf(item) === index) return [];
    const message = `${JSON.stringify(item)} stands twice in ${name}; keep one`;
    return [{ path: place, message }];
  });
}

const TYPES = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];

function notTypes(value: Json): readonly Fault[] {
  const listed = isArray(value);
  return (listed ? value : [value]).flatMap((item, index, all): Fault[] => {
    const path = listed ? [String(index)] : [];
    if (typeof item !== 'string') return [];
    if (TYPES.includes(item)) {
      const message = `${JSON.stringify(item)} stands twice in type; keep one`;
      return all.indexOf(item) === index ? [] : [{ path, message }];
    }
    const near = nearestName(item, TYPES);
    const hint = near === undefined ? typeHint(item) : `Did you mean "${near}"?`;
    return [
      {
        path,
        message: `no type is called ${JSON.stringify(item)}; there are ${TYPES.join(', ')}`,
        hint,
      },
    ];
  });
}

function typeHint(name: string): string | undefined {
  if (name === 'any') return 'Leave type out: a schema without it takes any value.';
  return ['float', 'double', 'decimal'].includes(name) ? 'Write "number".' : undefined;
}

/** The repair, where the value is what older drafts or neighbouring languages write. */
function repair(name: string, value: Json): string | undefined {
  if (name === 'items' && isArray(value)) {
    return 'Since 2020-12 the schemas of single places stand in prefixItems.';
  }
  if (name === 'required' && typeof value === 'boolean') {
    return "List the property's name in the required of the object it belongs to.";
  }
  if (name.startsWith('exclusive') && typeof value === 'boolean') {
    return `Write the limit itself: ${name} is a number and stands in place of ${name.slice(9).toLowerCase()}.`;
  }
  if (name === '$id' && typeof value === 'string') {
    return 'Name a place inside a schema with $anchor.';
  }
  const quoted = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
  if (!Number.isNaN(quoted) && KEYWORDS.get(name)?.shape.test(quoted) === true) {
    return `Write ${value as string} without quotes.`;
  }
  return undefined;
}

/** References that lead to something that is no schema: a list, a text. */
function strayReferences(visit: Visit): readonly Diagnostic[] {
  return referencesOf(visit).flatMap(({ schema }) => {
    if (typeof schema === 'boolean' || isObject(schema)) return [];
    const name =
      isObject(visit.schema) && getOwn(visit.schema, '$ref') === undefined ? '$dynamicRef' : '$ref';
    const message = `${name} leads to ${showGot(schema)}, where a schema must stand`;
    return [report(metaSchema.id, visit.at, [name], message)];
  });
}
