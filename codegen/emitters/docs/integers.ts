/** Whether numbers are integers: JSON Schema tells them apart, the types of TypeScript do not. */
import { getOwn, isArray, isObject } from '../../json.ts';
import type { TypeModel } from '../../model/modules.ts';
import type { SchemaAt } from '../../resolution.ts';

/** The numbers that a schema admits; undefined when it says nothing of numbers. */
type Numbers = 'integer' | 'number' | undefined;

/**
 * Whether all numbers in a type are integers: those of its schema, of plain schemas that it refers to
 * and of its items. Members of objects and what has a section of its own are left out.
 */
export function isWhole(types: TypeModel, at: SchemaAt): boolean {
  return numbersIn(types, at, new Set()) === 'integer';
}

function numbersIn(types: TypeModel, at: SchemaAt, open: ReadonlySet<SchemaAt>): Numbers {
  const { schema } = at;
  if (!isObject(schema) || open.has(at)) return undefined;
  const within = new Set([...open, at]);
  const inner = (child: SchemaAt): Numbers =>
    types.declarationOf(child) === undefined ? numbersIn(types, child, within) : undefined;
  const { resolution } = types;
  const children = (keyword: string): readonly SchemaAt[] => {
    const value = getOwn(schema, keyword);
    if (isArray(value)) return value.map((_, index) => resolution.child(at, keyword, index));
    return isObject(value) ? [resolution.child(at, keyword)] : [];
  };
  const reference = getOwn(schema, '$ref');
  const target = typeof reference === 'string' ? resolution.follow(at, reference) : undefined;
  const all = [...children('allOf'), ...(target === undefined ? [] : [target])].map(inner);
  const itself = narrowest([ownNumbers(getOwn(schema, 'type')), ...all]);
  const inside = INSIDE.flatMap(children).map(inner);
  const alternatives = [...children('anyOf'), ...children('oneOf')].map(inner);
  return widest([narrowest([itself, widest(alternatives)]), ...inside]);
}

/** Keywords whose schemas apply to what is inside a value. */
const INSIDE = ['items', 'prefixItems', 'additionalProperties'];

function ownNumbers(type: unknown): Numbers {
  const names: readonly unknown[] = Array.isArray(type) ? type : [type];
  if (names.includes('number')) return 'number';
  return names.includes('integer') ? 'integer' : undefined;
}

/** Of schemas that all apply. */
function narrowest(list: readonly Numbers[]): Numbers {
  return list.includes('integer') ? 'integer' : list.find((each) => each !== undefined);
}

/** Of schemas of which one applies. */
function widest(list: readonly Numbers[]): Numbers {
  return list.includes('number') ? 'number' : list.find((each) => each !== undefined);
}
