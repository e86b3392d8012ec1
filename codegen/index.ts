/** The generator as a library. */
import type { Json, JsonObject } from './json.ts';
import { parseJson } from './json.ts';
import type { Mode } from './model/type-node.ts';
import type { SchemaAt, SchemaDocument } from './resolution.ts';
import { createResolution } from './resolution.ts';
import { buildTypeModel, typeName } from './model/modules.ts';
import { printDeclarations } from './emitters/declarations.ts';

export { readProject } from './read.ts';
export { checkProject, renderProject } from './pipeline.ts';
export { createTemplates, precompileTemplates, readRuntime } from './templates.ts';

/** Types of one schema: a TypeScript module and the names of its root's two types. */
export interface GeneratedTypes {
  readonly code: string;
  readonly typeName: string;
  readonly inputTypeName: string;
}

/** Generates the types of a single schema whose references stay inside it. */
export function generateTypes(schema: boolean | JsonObject, name = 'Root'): GeneratedTypes {
  const document = singleDocument(schema);
  const model = buildTypeModel(createResolution([document]), new Map([[document, name]]));
  const [module] = model.modules;
  if (module?.root === undefined) throw new Error('the schema has no root');
  const nameOf = (at: SchemaAt, mode: Mode): string => {
    const declaration = model.declarationOf(at);
    return declaration === undefined ? 'unknown' : typeName(declaration, mode);
  };
  const code = printDeclarations(model, module, { nameOf });
  return { code, typeName: module.root.name, inputTypeName: typeName(module.root, 'input') };
}

function singleDocument(schema: Json): SchemaDocument {
  const file = { path: 'schema.json', text: '', json: parseJson('{}') };
  const base = { uri: 'schema:/', aliases: [], file, prefix: '' } as const;
  return { ...base, root: schema, origin: 'own' };
}
