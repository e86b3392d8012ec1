/**
 * Fillers: code that adds defaults to a valid value, copy on write. One function a schema that holds
 * defaults somewhere; the caller's value is never changed, what needs nothing stays shared.
 */
import type { Json } from '../json.ts';
import { getOwn, isArray, isObject, splitPointer } from '../json.ts';
import type { FillPlan } from '../model/fill.ts';
import { restKeyword } from '../model/rest.ts';
import { documentTypeName } from '../model/declarations.ts';
import { toTypeName } from '../names.ts';
import type { Resolution, SchemaAt } from '../resolution.ts';
import { printJson } from './print-type.ts';

/** The functions of a module, and the name of the one for each of its roots that needs one. */
export interface Filler {
  readonly code: string;
  readonly functions: ReadonlyMap<SchemaAt, string>;
  /** The helpers that the code uses. */
  readonly helpers: readonly string[];
}

/** Emits the fillers of schemas and of all that they reach, definitions of other documents too. */
export function emitFiller(
  resolution: Resolution,
  plan: FillPlan,
  roots: readonly SchemaAt[],
): Filler {
  const names = new Map<SchemaAt, string>();
  const queue: SchemaAt[] = [];
  const nameOf = (place: SchemaAt): string => {
    const at = follow(resolution, plan, place);
    let name = names.get(at);
    if (name === undefined) {
      name = chooseName(at, new Set(names.values()));
      names.set(at, name);
      queue.push(at);
    }
    return name;
  };
  const filled = roots.filter((root) => plan.fills(root) && plan.isPickable(root));
  const functions = new Map(filled.map((root) => [root, nameOf(root)]));
  const texts: string[] = [];
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    texts.push(emitFunction({ resolution, plan, nameOf }, at, nameOf(at)));
  }
  const code = texts.join('\n');
  const helpers = ['isObject', 'hasOwn', 'setMember', 'setItem'].filter((helper) =>
    code.includes(`${helper}(`),
  );
  return { code, functions, helpers };
}

/** A schema that only passes its value on to one other needs no function of its own. */
function follow(resolution: Resolution, plan: FillPlan, start: SchemaAt): SchemaAt {
  const seen = new Set<SchemaAt>();
  let at = start;
  while (!seen.has(at)) {
    seen.add(at);
    const context = { resolution, plan, nameOf: () => '' };
    if (objectLines(context, at).length + arrayLines(context, at).length > 0) return at;
    const unions = (['anyOf', 'oneOf'] as const).filter(
      (keyword) => plan.branches(at, keyword).length > 0,
    );
    if (unions.some((keyword) => plan.pick(at, keyword)?.by !== 'kind')) return at;
    const ways = [
      ...plan.conjuncts(at),
      ...unions.flatMap((keyword) => plan.branches(at, keyword)),
    ];
    const [next, ...others] = ways.filter((way) => plan.fills(way) && plan.isPickable(way));
    if (next === undefined || others.length > 0) return at;
    at = next;
  }
  return start;
}

interface Context {
  readonly resolution: Resolution;
  readonly plan: FillPlan;
  readonly nameOf: (at: SchemaAt) => string;
}

function emitFunction(context: Context, at: SchemaAt, name: string): string {
  const lines = [
    ...inPlace(context, at),
    ...block('if (isObject(value))', objectLines(context, at)),
    ...block('if (Array.isArray(value))', arrayLines(context, at)),
  ];
  return `function ${name}(value) {\n${indent(lines)}  return value;\n}\n`;
}

/** `$ref`, `allOf` and the branch of a union that the value took. */
function inPlace({ plan, nameOf }: Context, at: SchemaAt): readonly string[] {
  const lines = plan
    .conjuncts(at)
    .filter((conjunct) => plan.fills(conjunct) && plan.isPickable(conjunct))
    .map((conjunct) => `value = ${nameOf(conjunct)}(value);`);
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const pick = plan.pick(at, keyword);
    const branches = plan.branches(at, keyword);
    branches.forEach((branch, index) => {
      if (pick === undefined || !plan.fills(branch) || !plan.isPickable(branch)) return;
      const fill = `value = ${nameOf(branch)}(value);`;
      if (pick.by === 'kind') lines.push(fill);
      else {
        const member = `value[${printJson(pick.name)}]`;
        const tests = (pick.values[index] ?? []).map(
          (literal) => `${member} === ${printJson(literal)}`,
        );
        lines.push(`if (isObject(value) && (${tests.join(' || ')})) ${fill}`);
      }
    });
  }
  return lines;
}

function objectLines({ resolution, plan, nameOf }: Context, at: SchemaAt): readonly string[] {
  if (!isObject(at.schema)) return [];
  const { schema } = at;
  const properties = getOwn(schema, 'properties');
  const names = isObject(properties) ? Object.keys(properties) : [];
  const lines: string[] = [];
  for (const name of names) {
    const member = resolution.child(at, 'properties', name);
    const key = printJson(name);
    const inner = plan.fills(member) && plan.isPickable(member) ? nameOf(member) : undefined;
    const fallback = plan.defaultOf(member);
    if (inner !== undefined) {
      lines.push(
        `if (hasOwn(value, ${key})) copy = setMember(value, copy, ${key}, ${inner}(value[${key}]));`,
      );
    }
    if (fallback !== undefined) {
      const value =
        inner === undefined || !holds(fallback)
          ? printJson(fallback)
          : `${inner}(${printJson(fallback)})`;
      lines.push(
        `${inner === undefined ? `if (!hasOwn(value, ${key}))` : 'else'} copy = setMember(value, copy, ${key}, ${value});`,
      );
    }
  }
  return [...lines, ...restLines({ resolution, plan, nameOf }, at, names)];
}

function restLines(
  { resolution, plan, nameOf }: Context,
  at: SchemaAt,
  names: readonly string[],
): readonly string[] {
  if (!isObject(at.schema)) return [];
  const patterns = getOwn(at.schema, 'patternProperties');
  const sources = isObject(patterns) ? Object.keys(patterns) : [];
  const lines: string[] = [];
  for (const source of sources) {
    const matched = resolution.child(at, 'patternProperties', source);
    if (!plan.fills(matched) || !plan.isPickable(matched)) continue;
    const fill = `copy = setMember(value, copy, key, ${nameOf(matched)}((copy ?? value)[key]));`;
    lines.push(`if (new RegExp(${printJson(source)}, "u").test(key)) ${fill}`);
  }
  const keyword = restKeyword(at.schema, 'object');
  const rest = keyword === undefined ? undefined : resolution.child(at, keyword);
  if (rest !== undefined && plan.fills(rest) && plan.isPickable(rest)) {
    const tests = [
      ...(names.length > 0 ? [`!${printJson(names)}.includes(key)`] : []),
      ...sources.map((source) => `!new RegExp(${printJson(source)}, "u").test(key)`),
    ];
    const fill = `copy = setMember(value, copy, key, ${nameOf(rest)}(value[key]));`;
    lines.push(tests.length > 0 ? `if (${tests.join(' && ')}) ${fill}` : fill);
  }
  if (lines.length === 0) return [];
  return ['for (const key of Object.keys(value)) {', ...lines.map((line) => `  ${line}`), '}'];
}

function arrayLines({ resolution, plan, nameOf }: Context, at: SchemaAt): readonly string[] {
  if (!isObject(at.schema)) return [];
  const prefix = getOwn(at.schema, 'prefixItems');
  const length = isArray(prefix) ? prefix.length : 0;
  const lines: string[] = [];
  for (let index = 0; index < length; index++) {
    const item = resolution.child(at, 'prefixItems', index);
    if (!plan.fills(item) || !plan.isPickable(item)) continue;
    const place = String(index);
    lines.push(
      `if (${place} < value.length) copy = setItem(value, copy, ${place}, ${nameOf(item)}(value[${place}]));`,
    );
  }
  const keyword = restKeyword(at.schema, 'array');
  const items = keyword === undefined ? undefined : resolution.child(at, keyword);
  if (items !== undefined && plan.fills(items) && plan.isPickable(items)) {
    lines.push(
      `for (let index = ${String(length)}; index < value.length; index++) {`,
      `  copy = setItem(value, copy, index, ${nameOf(items)}(value[index]));`,
      '}',
    );
  }
  return lines;
}

function block(head: string, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [];
  const body = ['let copy;', ...lines, 'value = copy ?? value;'];
  return [`${head} {`, ...body.map((line) => `  ${line}`), '}'];
}

function indent(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}\n`).join('');
}

/** Whether a default has an inside that may itself need filling: an empty object has. */
function holds(value: Json): boolean {
  return isArray(value) ? value.length > 0 : isObject(value);
}

/** `fillStep`, `fillTaskExtensionDataPlan`: by definition, else by the way to it. */
function chooseName(at: SchemaAt, taken: ReadonlySet<string>): string {
  const segments = splitPointer(at.pointer).filter((segment) => segment !== '$defs');
  const path = segments.filter((segment) => segment !== 'properties');
  const base = `fill${path.length === 0 ? documentTypeName(at.document) : toTypeName(path.join('-').replaceAll('_', '-'))}`;
  let name = base;
  while (taken.has(name)) name = `${name}_`;
  return name;
}
