/**
 * What is applied to one value when its defaults are filled in: for each way through its unions, the
 * schemas that fill, those that judge what was filled, and those whose refusal counts as consent.
 */
import { getOwn, isObject } from '../json.ts';
import type { Resolution, SchemaAt } from '../resolution.ts';
import type { FillPlan } from './fill.ts';

/** One way through the unions of a schema. */
export interface World {
  readonly fillers: readonly SchemaAt[];
  readonly judges: readonly SchemaAt[];
  /** `not`, `if` and branches that must not match: a change may turn their verdict either way. */
  readonly inverted: readonly SchemaAt[];
}

/** More ways than this are not looked at. */
const MAX_WORLDS = 32;

const NOTHING: World = { fillers: [], judges: [], inverted: [] };

/** All ways through a schema's unions; undefined when they are too many to look at. */
export function worldsOf(
  resolution: Resolution,
  plan: FillPlan,
  at: SchemaAt,
): readonly World[] | undefined {
  const worlds = new Worlds(resolution, plan);
  const all = worlds.of(at, new Set());
  return worlds.tooMany ? undefined : all;
}

class Worlds {
  tooMany = false;
  private readonly resolution: Resolution;
  private readonly plan: FillPlan;

  constructor(resolution: Resolution, plan: FillPlan) {
    this.resolution = resolution;
    this.plan = plan;
  }

  of(at: SchemaAt, open: ReadonlySet<SchemaAt>): readonly World[] {
    if (!isObject(at.schema) || open.has(at)) return [NOTHING];
    const inside = new Set([...open, at]);
    const beside = this.conditions(at).map((condition) => this.judging(condition));
    const inverted = this.opposed(at);
    let worlds: readonly World[] = [{ ...merge(NOTHING, ...beside), fillers: [at] }];
    worlds = this.product(worlds, [{ ...NOTHING, inverted }]);
    for (const conjunct of this.plan.conjuncts(at)) {
      worlds = this.product(worlds, this.of(conjunct, inside));
    }
    for (const keyword of ['anyOf', 'oneOf'] as const) {
      worlds = this.product(worlds, this.branches(at, keyword, inside));
    }
    return worlds;
  }

  private branches(
    at: SchemaAt,
    keyword: 'anyOf' | 'oneOf',
    open: ReadonlySet<SchemaAt>,
  ): readonly World[] {
    const all = this.plan.branches(at, keyword);
    const filling = all.filter((each) => this.plan.fills(each) && this.plan.isPickable(each));
    const others = all.filter((each) => !filling.includes(each));
    const worlds = filling.flatMap((branch) => this.of(branch, open));
    // Where no property tells the branches apart, exactly one has to go on matching.
    if (keyword === 'oneOf' && this.plan.pick(at, keyword)?.by !== 'property') {
      const alike = [{ ...NOTHING, inverted: others }];
      return worlds.length === 0 ? alike : this.product(worlds, alike);
    }
    const judged = others.map((branch) => this.judging(branch));
    return all.length === 0 ? [NOTHING] : [...worlds, ...judged];
  }

  /** A schema through which nothing is filled still judges what is filled beside it. */
  private judging(start: SchemaAt): World {
    const judges = new Set<SchemaAt>();
    const inverted: SchemaAt[] = [];
    const queue = [start];
    for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
      if (judges.has(at)) continue;
      judges.add(at);
      inverted.push(...this.opposed(at), ...this.plan.branches(at, 'oneOf'));
      queue.push(...this.plan.conjuncts(at), ...this.plan.branches(at, 'anyOf'));
      queue.push(...this.conditions(at));
    }
    return { fillers: [], judges: [...judges], inverted };
  }

  /** Schemas that hold when something else does. */
  private conditions(at: SchemaAt): readonly SchemaAt[] {
    const dependent = isObject(at.schema) ? getOwn(at.schema, 'dependentSchemas') : undefined;
    return [
      ...this.held(at, ['then', 'else']),
      ...(isObject(dependent) ? Object.keys(dependent) : []).map((name) =>
        this.resolution.child(at, 'dependentSchemas', name),
      ),
    ];
  }

  private opposed(at: SchemaAt): readonly SchemaAt[] {
    return this.held(at, ['not', 'if']);
  }

  private held(at: SchemaAt, keywords: readonly string[]): readonly SchemaAt[] {
    const { schema } = at;
    if (!isObject(schema)) return [];
    return keywords
      .filter((keyword) => Object.hasOwn(schema, keyword))
      .map((keyword) => this.resolution.child(at, keyword));
  }

  private product(left: readonly World[], right: readonly World[]): readonly World[] {
    if (left.length * right.length > MAX_WORLDS) {
      this.tooMany = true;
      return [NOTHING];
    }
    return left.flatMap((a) => right.map((b) => merge(a, b)));
  }
}

function merge(...worlds: readonly World[]): World {
  return {
    fillers: worlds.flatMap(({ fillers }) => fillers),
    judges: worlds.flatMap(({ judges }) => judges),
    inverted: worlds.flatMap(({ inverted }) => inverted),
  };
}
