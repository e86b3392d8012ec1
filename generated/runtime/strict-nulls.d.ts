import type { FlatSchema } from './shape.js';

/** A copy of the value without the nulls of optional members whose schema does not admit null. */
export declare function dropNulls(root: FlatSchema, value: unknown): unknown;
