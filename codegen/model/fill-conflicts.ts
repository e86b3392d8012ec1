/**
 * Where filling in defaults could turn a valid value into an invalid one: a member that is added or
 * filled is judged by something other than the schema that gives the default. There nothing is filled,
 * and the types say so.
 */
import type { Json, JsonObject } from '../json.ts';
import { getOwn, isArray, isObject } from '../json.ts';
import type { Resolution, SchemaAt } from '../resolution.ts';
import { compilePattern } from '../vocabulary.ts';
import { isTrivial } from './assertions.ts';
import { evaluatedNames } from './complement.ts';
import type { FillPlan } from './fill.ts';
import type { World } from './fill-worlds.ts';
import { worldsOf } from './fill-worlds.ts';
import { restKeyword } from './rest.ts';

/** What filling changes in a value. */
interface Changes {
  /** Members by name, with the schemas that fill them. */
  readonly members: ReadonlyMap<string, ReadonlySet<SchemaAt>>;
  /** The members that may be added. */
  readonly added: ReadonlySet<string>;
  /** Whether members are filled that no schema names. */
  readonly others: boolean;
  readonly items: boolean;
}

/** Whether filling through a schema could change a verdict; also when that is too much to find out. */
export function mayChangeVerdict(resolution: Resolution, plan: FillPlan, at: SchemaAt): boolean {
  const worlds = worldsOf(resolution, plan, at);
  return worlds?.some((world) => new Trial(resolution, plan, world).fails()) ?? true;
}

class Trial {
  private readonly resolution: Resolution;
  private readonly plan: FillPlan;
  private readonly world: World;
  private readonly changes: Changes;

  constructor(resolution: Resolution, plan: FillPlan, world: World) {
    this.resolution = resolution;
    this.plan = plan;
    this.world = world;
    this.changes = this.collect();
  }

  fails(): boolean {
    const { members, others, items } = this.changes;
    if (members.size === 0 && !others && !items) return false;
    const { fillers, judges, inverted } = this.world;
    return (
      fillers.some((at) => this.refuses(at, true)) ||
      judges.some((at) => this.refuses(at, false)) ||
      inverted.some((at) => this.mentions(at))
    );
  }

  private collect(): Changes {
    const members = new Map<string, Set<SchemaAt>>();
    const added = new Set<string>();
    const inner = (at: SchemaAt): boolean => this.plan.fills(at) && this.plan.isPickable(at);
    let others = false;
    let items = false;
    for (const at of this.world.fillers) {
      for (const [name, member] of this.children(at, 'properties')) {
        const isAdded = this.plan.defaultOf(member) !== undefined;
        if (isAdded) added.add(name);
        if (isAdded || inner(member))
          members.set(name, new Set([...(members.get(name) ?? []), member]));
      }
      const rest = [...this.children(at, 'patternProperties').values(), ...this.rest(at, 'object')];
      others ||= rest.some(inner);
      items ||= [...this.prefix(at), ...this.rest(at, 'array')].some(inner);
    }
    return { members, added, others, items };
  }

  /** Whether a schema could refuse what is filled in beside what it fills itself. */
  private refuses(at: SchemaAt, fills: boolean): boolean {
    const { schema } = at;
    if (!isObject(schema)) return false;
    const { members, added, others, items } = this.changes;
    const objects = members.size > 0 || others;
    return (
      (objects && (holds(schema, isObject) || this.refusesMembers(at, fills))) ||
      (added.size > 0 && this.refusesNames(at, schema)) ||
      (items && (holds(schema, isArray) || this.refusesItems(at, schema, fills)))
    );
  }

  private refusesMembers(at: SchemaAt, fills: boolean): boolean {
    const { members, others } = this.changes;
    const strict = (place: SchemaAt): boolean => !isTrivial(place.schema);
    for (const [name, owners] of members) {
      const strangers = this.placesOf(at, name).filter(
        (place) => owners.size > 1 || !owners.has(place),
      );
      if (strangers.some(strict)) return true;
    }
    if (!others) return false;
    const patterns = [...this.children(at, 'patternProperties').values()];
    const named = [...this.children(at, 'properties').values()];
    // A filler's own members are no others to it, unless a pattern fills them as well.
    if (fills) return patterns.length > 0 && [...named, ...patterns].filter(strict).length > 1;
    return [...named, ...patterns, ...this.rest(at, 'object')].some(strict);
  }

  private refusesNames(at: SchemaAt, schema: JsonObject): boolean {
    const { added } = this.changes;
    if (Object.hasOwn(schema, 'maxProperties')) return true;
    if (!isTrivial(getOwn(schema, 'propertyNames') ?? true)) return true;
    const dependent = ['dependentRequired', 'dependentSchemas'].flatMap((keyword) =>
      keysOf(getOwn(schema, keyword)),
    );
    if (dependent.some((name) => added.has(name))) return true;
    if (isTrivial(getOwn(schema, 'unevaluatedProperties') ?? true)) return false;
    const evaluated = evaluatedNames(this.resolution, at);
    if (evaluated === undefined) return false;
    const patterns = evaluated.patterns.map(({ pattern }) => compilePattern(pattern));
    return [...added].some(
      (name) => !evaluated.properties.has(name) && !patterns.some((pattern) => pattern?.test(name)),
    );
  }

  private refusesItems(at: SchemaAt, schema: JsonObject, fills: boolean): boolean {
    if (getOwn(schema, 'uniqueItems') === true || Object.hasOwn(schema, 'contains')) return true;
    return !fills && [...this.prefix(at), ...this.rest(at, 'array')].length > 0;
  }

  /** Whether a schema whose refusal counts as consent speaks of anything that is filled in. */
  private mentions(start: SchemaAt): boolean {
    const { members, added, others, items } = this.changes;
    const seen = new Set<SchemaAt>();
    const queue = [start];
    for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
      if (seen.has(at) || !isObject(at.schema)) continue;
      seen.add(at);
      const { schema } = at;
      const has = (keyword: string): boolean => Object.hasOwn(schema, keyword);
      const named = keysOf(getOwn(schema, 'properties'));
      if (named.some((name) => others || members.has(name))) return true;
      if (namesIn(schema).some((name) => added.has(name))) return true;
      if ((members.size > 0 || others) && (OF_OBJECTS.some(has) || holds(schema, isObject)))
        return true;
      if (items && (OF_ITEMS.some(has) || holds(schema, isArray))) return true;
      queue.push(...inPlace(this.resolution, this.plan, at));
    }
    return false;
  }

  private placesOf(at: SchemaAt, name: string): readonly SchemaAt[] {
    const declared = this.children(at, 'properties').get(name);
    const matched = [...this.children(at, 'patternProperties')].flatMap(([pattern, place]) =>
      compilePattern(pattern)?.test(name) === true ? [place] : [],
    );
    const places = [...(declared === undefined ? [] : [declared]), ...matched];
    return places.length > 0 ? places : this.rest(at, 'object');
  }

  private children(at: SchemaAt, keyword: string): ReadonlyMap<string, SchemaAt> {
    const map = isObject(at.schema) ? getOwn(at.schema, keyword) : undefined;
    return new Map(keysOf(map).map((name) => [name, this.resolution.child(at, keyword, name)]));
  }

  private prefix(at: SchemaAt): readonly SchemaAt[] {
    const list = isObject(at.schema) ? getOwn(at.schema, 'prefixItems') : undefined;
    if (!isArray(list)) return [];
    return list.map((_, index) => this.resolution.child(at, 'prefixItems', index));
  }

  private rest(at: SchemaAt, kind: 'object' | 'array'): readonly SchemaAt[] {
    const keyword = isObject(at.schema) ? restKeyword(at.schema, kind) : undefined;
    return keyword === undefined ? [] : [this.resolution.child(at, keyword)];
  }
}

/** Keywords that look at all members, whatever they are called. */
const OF_OBJECTS = [
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'minProperties',
  'maxProperties',
];

/** Keywords that look into items. */
const OF_ITEMS = ['items', 'prefixItems', 'unevaluatedItems', 'contains', 'uniqueItems'];

function keysOf(map: Json | undefined): readonly string[] {
  return isObject(map) ? Object.keys(map) : [];
}

/** Names whose presence a schema asks about. */
function namesIn(schema: JsonObject): readonly string[] {
  const lists = [getOwn(schema, 'required'), ...Object.values(dependencies(schema))];
  const names = lists.flatMap((list) => (isArray(list) ? list.map(String) : []));
  return [
    ...names,
    ...keysOf(getOwn(schema, 'dependentRequired')),
    ...keysOf(getOwn(schema, 'dependentSchemas')),
  ];
}

function dependencies(schema: JsonObject): JsonObject {
  const map = getOwn(schema, 'dependentRequired');
  return isObject(map) ? map : {};
}

/** Whether a schema lists whole values of a kind. */
function holds(schema: JsonObject, isKind: (value: Json) => boolean): boolean {
  const values = getOwn(schema, 'enum');
  const only = getOwn(schema, 'const');
  return [...(isArray(values) ? values : []), ...(only === undefined ? [] : [only])].some(isKind);
}

function inPlace(resolution: Resolution, plan: FillPlan, at: SchemaAt): readonly SchemaAt[] {
  const { schema } = at;
  if (!isObject(schema)) return [];
  const held = ['not', 'if', 'then', 'else'].filter((keyword) => Object.hasOwn(schema, keyword));
  return [
    ...plan.conjuncts(at),
    ...plan.branches(at, 'anyOf'),
    ...plan.branches(at, 'oneOf'),
    ...held.map((keyword) => resolution.child(at, keyword)),
    ...keysOf(getOwn(schema, 'dependentSchemas')).map((name) =>
      resolution.child(at, 'dependentSchemas', name),
    ),
  ];
}
