/** The form of the tables beside this file. */
import type { JsonObject } from '../../../codegen/json.ts';

/** A schema, and the text of the module that it becomes. */
interface TypeCase {
  readonly given: boolean | JsonObject;
  readonly want: string;
}

/** Cases by what they show. */
export type TypeTable = readonly (readonly [name: string, TypeCase])[];
