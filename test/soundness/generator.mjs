// The generator as a soundness harness drives it: one schema in, one TypeScript module out.
import { loadGenerator } from '../../codegen/launch.mjs';

const { generateTypes } = await loadGenerator();

/**
 * @param {import('../../codegen/json.ts').JsonObject | boolean} schema
 * @returns {Promise<{ code: string, typeName: string, inputTypeName: string }>} a module, and the names of its root's types
 */
export async function generate(schema) {
  return Promise.resolve(generateTypes(schema));
}
