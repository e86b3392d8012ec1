import type { FlatSchema } from './shape.js';
import type { Visit } from './visit.js';

/** Applies an `anyOf` or a `oneOf`. */
export declare function checkUnion(
  visit: Visit,
  schemas: readonly FlatSchema[],
  keyword: string,
): void;
