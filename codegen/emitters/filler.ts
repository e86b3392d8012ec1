/**
 * Fillers: code that adds defaults to a valid value, copy on write. One function a schema that holds
 * defaults somewhere; the caller's value is never changed, what needs nothing stays shared.
 */
import type { Json } from '../json.ts';
import { getOwn, isArray, isObject, splitPointer } from '../json.ts';
import type { FillPath, FillPlan } from '../model/fill.ts';
import { restKeyword } from '../model/rest.ts';
import { documentTypeName, toTypeName } from '../names.ts';
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
    const at = follow(plan, place);
    let name = names.get(at);
    if (name === undefined) {
      name = chooseName(at, new Set(names.values()));
      names.set(at, name);
      queue.push(at);
    }
    return name;
  };
  const filled = roots.filter((root) => plan.fills(root));
  const functions = new Map(filled.map((root) => [root, nameOf(root)]));
  const texts: string[] = [];
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    texts.push(emitFunction({ resolution, plan, nameOf }, at, nameOf(at)));
  }
  const code = texts.join('\n');
  const helpers = ['hasMembers', 'hasOwn', 'setMember', 'setItem'].filter((helper) =>
    code.includes(`${helper}(`),
  );
  return { code, functions, helpers };
}

/** A schema that only passes its value on to one other needs no function of its own. */
function follow(plan: FillPlan, start: SchemaAt): SchemaAt {
  const path = plan.pathOf(start);
  if (path?.through === 'reference') return follow(plan, path.target);
  if (path?.through !== 'union' || path.pick.by !== 'kind') return start;
  const [only, ...others] = path.branches.filter((branch) => plan.fills(branch));
  return only !== undefined && others.length === 0 ? follow(plan, only) : start;
}

interface Context {
  readonly resolution: Resolution;
  readonly plan: FillPlan;
  readonly nameOf: (at: SchemaAt) => string;
}

function emitFunction(context: Context, at: SchemaAt, name: string): string {
  const path = context.plan.pathOf(at);
  const members = path?.through === 'members' ? path : undefined;
  const layersFor = (admitted?: boolean): readonly SchemaAt[] =>
    admitted === true ? (members?.layers ?? []) : [];
  const lines = [
    ...(path?.through === 'union' ? unionLines(context, path) : []),
    ...block(
      'if (hasMembers(value))',
      layersFor(members?.objects).flatMap((layer) => objectLines(context, layer)),
    ),
    ...block(
      'if (Array.isArray(value))',
      layersFor(members?.arrays).flatMap((layer) => arrayLines(context, layer)),
    ),
  ];
  return `function ${name}(value) {\n${indent(lines)}  return value;\n}\n`;
}

/** The branch of a union that the value took. */
function unionLines(
  { plan, nameOf }: Context,
  { branches, pick }: Extract<FillPath, { through: 'union' }>,
): readonly string[] {
  return branches.flatMap((branch, index) => {
    if (!plan.fills(branch)) return [];
    const fill = `value = ${nameOf(branch)}(value);`;
    if (pick.by === 'kind') return [fill];
    const member = `value[${printJson(pick.name)}]`;
    const literals = pick.values[index] ?? [];
    const tests = literals.map((literal) => `${member} === ${printJson(literal)}`);
    return [`if (hasMembers(value) && (${tests.join(' || ')})) ${fill}`];
  });
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
    const inner = plan.fills(member) ? nameOf(member) : undefined;
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
    if (!plan.fills(matched)) continue;
    const fill = `copy = setMember(value, copy, key, ${nameOf(matched)}((copy ?? value)[key]));`;
    lines.push(`if (new RegExp(${printJson(source)}, "u").test(key)) ${fill}`);
  }
  const keyword = restKeyword(at.schema, 'object');
  const rest = keyword === undefined ? undefined : resolution.child(at, keyword);
  if (rest !== undefined && plan.fills(rest)) {
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
    if (!plan.fills(item)) continue;
    const place = String(index);
    lines.push(
      `if (${place} < value.length) copy = setItem(value, copy, ${place}, ${nameOf(item)}(value[${place}]));`,
    );
  }
  const keyword = restKeyword(at.schema, 'array');
  const items = keyword === undefined ? undefined : resolution.child(at, keyword);
  if (items !== undefined && plan.fills(items)) {
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
