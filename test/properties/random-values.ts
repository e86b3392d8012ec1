/** Values that are valid against a schema more often than not, and values one change away from them. */
import type { Json, JsonObject } from '../../codegen/json.ts';
import { codePointLength } from '../../codegen/runtime/checks.js';
import { followPointer, getOwn, isArray, isObject } from '../../codegen/json.ts';

/** Numbers from 0 to 1, the same for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

const SCALARS: readonly Json[] = [
  '',
  'a',
  'b',
  'ab',
  'abc',
  'x',
  'p',
  'q',
  0,
  1,
  1.5,
  2,
  -1,
  10,
  true,
  false,
  null,
];
const NAMES = ['a', 'b', 'c', 'kind', 'x-y', 'toString', 'constructor', 'other'];

/** Makes values for the schemas of one document. */
export class Sampler {
  private readonly document: JsonObject;
  private readonly random: () => number;

  constructor(document: JsonObject, seed: number) {
    this.document = document;
    this.random = createRandom(seed);
  }

  /** A value that tries to be valid. */
  sample(): Json {
    return this.of(this.document, 0);
  }

  /** A value with one thing changed somewhere. */
  change(value: Json): Json {
    if (typeof value !== 'object' || value === null || this.chance(0.2)) return this.pick(SCALARS);
    if (isArray(value)) return this.changeArray(value);
    const entries = Object.entries(value);
    const index = Math.floor(this.random() * entries.length);
    const dice = this.random();
    if (dice < 0.25) return Object.fromEntries(entries.filter((_, place) => place !== index));
    if (dice < 0.5) return { ...value, [this.pick(NAMES)]: this.pick(SCALARS) };
    return Object.fromEntries(
      entries.map(([key, member], place) => [key, place === index ? this.change(member) : member]),
    );
  }

  private changeArray(value: readonly Json[]): Json {
    const index = Math.floor(this.random() * value.length);
    const dice = this.random();
    if (dice < 0.25) return value.filter((_, place) => place !== index);
    if (dice < 0.4) return [...value, ...value.slice(0, 1)];
    if (dice < 0.5) return [...value, this.pick(SCALARS)];
    return value.map((item, place) => (place === index ? this.change(item) : item));
  }

  private chance(probability: number): boolean {
    return this.random() < probability;
  }

  private pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.random() * list.length)]!;
  }

  private of(schema: Json | undefined, depth: number): Json {
    if (!isObject(schema) || depth > 6) return this.pick(SCALARS);
    if (Object.hasOwn(schema, 'const')) return schema.const!;
    const values = getOwn(schema, 'enum');
    if (isArray(values)) return this.pick(values);
    const parts = this.parts(schema, depth);
    const own = this.own(schema, depth);
    return [own, ...parts].reduce((all, part) => this.merge(all, part)) ?? this.pick(SCALARS);
  }

  /** What the schemas that apply to the same value ask for. */
  private parts(schema: JsonObject, depth: number): (Json | undefined)[] {
    const parts: (Json | undefined)[] = [];
    const reference = getOwn(schema, '$ref');
    if (typeof reference === 'string') {
      parts.push(this.of(followPointer(this.document, reference.slice(1)), depth + 1));
    }
    const all = getOwn(schema, 'allOf');
    if (isArray(all)) parts.push(...all.map((part) => this.of(part, depth + 1)));
    for (const keyword of ['anyOf', 'oneOf']) {
      const branches = getOwn(schema, keyword);
      if (isArray(branches)) parts.push(this.of(this.pick(branches), depth + 1));
    }
    if (Object.hasOwn(schema, 'if')) {
      if (this.chance(0.5)) parts.push(this.of(schema.if, depth), this.of(schema.then, depth));
      else parts.push(this.of(schema.else, depth));
    }
    return parts;
  }

  /** Undefined when the schema's own keywords say nothing. */
  private own(schema: JsonObject, depth: number): Json | undefined {
    const type = getOwn(schema, 'type');
    switch (isArray(type) ? this.pick(type) : type) {
      case 'string':
        return this.string(schema);
      case 'integer':
      case 'number':
        return this.pick([
          0,
          1,
          2,
          -1,
          10,
          1.5,
          ...(typeof schema.minimum === 'number' ? [schema.minimum] : []),
        ]);
      case 'boolean':
        return this.chance(0.5);
      case 'null':
        return null;
      case 'array':
        return this.array(schema, depth);
      case 'object':
        return this.object(schema, depth);
      default:
        return Object.hasOwn(schema, 'properties') ? this.object(schema, depth) : undefined;
    }
  }

  private string(schema: JsonObject): string {
    const pattern = getOwn(schema, 'pattern');
    const min = Number(getOwn(schema, 'minLength') ?? 0);
    const max = Number(getOwn(schema, 'maxLength') ?? 9);
    const fitting = ['', 'a', 'b', 'ab', 'aab', 'abb', 'x', 'xyz', '😀'].filter(
      (text) =>
        codePointLength(text) >= min &&
        codePointLength(text) <= max &&
        (typeof pattern !== 'string' || new RegExp(pattern, 'u').test(text)),
    );
    return fitting.length > 0 ? this.pick(fitting) : '';
  }

  private array(schema: JsonObject, depth: number): Json {
    const prefix = getOwn(schema, 'prefixItems');
    const places = isArray(prefix) ? prefix : [];
    const items = getOwn(schema, 'items');
    const min = Number(getOwn(schema, 'minItems') ?? 0);
    const max = Number(getOwn(schema, 'maxItems') ?? (items === false ? places.length : min + 2));
    const length = Math.min(max, Math.max(min, Math.floor(this.random() * (depth > 3 ? 1 : 4))));
    return Array.from({ length }, (_, index) => this.of(places[index] ?? items ?? true, depth + 1));
  }

  private object(schema: JsonObject, depth: number): Json {
    const properties = getOwn(schema, 'properties');
    const required = getOwn(schema, 'required');
    const entries: [string, Json][] = [];
    const wanted = isArray(required) ? required.map(String) : [];
    const declared = isObject(properties) ? Object.keys(properties) : [];
    for (const key of new Set([...declared, ...wanted])) {
      if (!wanted.includes(key) && this.chance(depth > 3 ? 0.9 : 0.5)) continue;
      const member = isObject(properties) ? getOwn(properties, key) : undefined;
      entries.push([key, this.of(member ?? getOwn(schema, 'additionalProperties'), depth + 1)]);
    }
    const rest = getOwn(schema, 'additionalProperties');
    if (rest !== false && this.chance(0.2))
      entries.push(['other', this.of(rest ?? true, depth + 1)]);
    return Object.fromEntries(entries);
  }

  private merge(left: Json | undefined, right: Json | undefined): Json | undefined {
    if (isObject(left) && isObject(right)) return { ...left, ...right };
    return right ?? left;
  }
}
