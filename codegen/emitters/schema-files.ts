/** The JSON Schemas themselves, each in a file that stands alone. */
import type { JsonObject } from '../json.ts';
import { bundle } from '../flatten.ts';
import type { Emitter } from './emitter.ts';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** Emits `schemas/**.json`: what a value is checked against, with all that it refers to. */
export const schemaFiles: Emitter = {
  name: 'schema files',
  emit: ({ modules, types }) =>
    modules.flatMap(({ root, schemaPath }) => {
      if (root === undefined) return [];
      const schema = withDialect(bundle(types.resolution, root.at));
      return [{ path: `generated/${schemaPath}`, text: `${JSON.stringify(schema, null, 2)}\n` }];
    }),
};

/** The input of a tool is written inside the tool's file, which names another `$schema`. */
function withDialect(schema: JsonObject): JsonObject {
  return Object.hasOwn(schema, '$schema') ? schema : { $schema: DIALECT, ...schema };
}
