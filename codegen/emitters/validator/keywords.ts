/**
 * The keywords of JSON Schema 2020-12 that change a verdict, in the order in which they are checked: each
 * may rely on what those before it have checked. What a schema has beside them says nothing of validity.
 */
import { ARRAY, ARRAY_REST } from './array-keywords.ts';
import type { Group } from './compiler.ts';
import { BRANCHES, CONJUNCTION } from './in-place-keywords.ts';
import { OBJECT, OBJECT_REST } from './object-keywords.ts';
import { UNION } from './union-keywords.ts';
import { IDENTITY, NUMBER, STRING } from './value-keywords.ts';

/** All keywords, but for those that only change what another says (`then`, `minContains`, …). */
export const GROUPS: readonly Group[] = [
  { rows: [...IDENTITY, ...CONJUNCTION] },
  { kind: 'number', rows: NUMBER },
  { kind: 'string', rows: STRING },
  { kind: 'array', rows: ARRAY },
  { kind: 'object', rows: OBJECT },
  { rows: [...UNION, ...BRANCHES] },
  { kind: 'array', rows: ARRAY_REST },
  { kind: 'object', rows: OBJECT_REST },
];
