/** Which keywords say something of values, and which schemas say nothing at all. */
import type { Json } from '../json.ts';
import { isObject } from '../json.ts';
import { KEYWORDS } from '../vocabulary.ts';

const SILENT = new Set(['$id', '$anchor', '$dynamicAnchor', '$defs', 'contentSchema']);

/** Keywords that only identify, define or annotate leave values, and so types, alone. */
export function isAssertion(keyword: string): boolean {
  const known = KEYWORDS.get(keyword);
  return known !== undefined && known.annotation !== true && !SILENT.has(keyword);
}

/** Whether every value is valid, plain to see. */
export function isTrivial(schema: Json): boolean {
  return schema === true || (isObject(schema) && !Object.keys(schema).some(isAssertion));
}
