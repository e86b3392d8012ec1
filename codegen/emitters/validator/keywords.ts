/**
 * The keywords of JSON Schema 2020-12 that change a verdict, in the order in which they are checked: each
 * may rely on what those before it have checked. What a schema has beside them says nothing of validity.
 */
import { ARRAY, ARRAY_REST } from './array-keywords.ts';
import { ALL_OF, BRANCHES, REFERENCE } from './in-place-keywords.ts';
import { OBJECT, OBJECT_REST } from './object-keywords.ts';
import type { Group } from './site.ts';
import { UNION } from './union-keywords.ts';
import { IDENTITY, NUMBER, STRING } from './value-keywords.ts';

/** All keywords. */
export const GROUPS: readonly Group[] = [
  { rows: [...IDENTITY, ...REFERENCE, ...ALL_OF] },
  { kind: 'number', rows: NUMBER },
  { kind: 'string', rows: STRING },
  { kind: 'array', rows: ARRAY },
  { kind: 'object', rows: OBJECT },
  { rows: [...UNION, ...BRANCHES] },
  { kind: 'array', rows: ARRAY_REST },
  { kind: 'object', rows: OBJECT_REST },
];
