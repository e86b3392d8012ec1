/** The names that a project's schemas get in TypeScript, each with the place that it comes from. */
import { getOwn, isObject, splitPointer } from '../json.ts';
import { groupByDocument, nameDeclarations } from '../model/declarations.ts';
import { documentTypeName, toTypeName } from '../names.ts';
import { entrySchemas, rootNames } from '../model/contract.ts';
import type { SchemaAt, SchemaDocument } from '../resolution.ts';
import type { RuleContext } from './rule.ts';
import { referencesOf, walkProject } from './walk.ts';

/** A schema that gets a type. */
export interface NamedSchema {
  readonly at: SchemaAt;
  /** The name in code; where the one that it asks for is taken, a longer one. */
  readonly name: string;
  /** The name it asks for, when its author chose that: by a title, a file name or a key of `$defs`. */
  readonly wanted: string | undefined;
}

/** The types of each document of a project. */
export function nameTypes(
  context: RuleContext,
): ReadonlyMap<SchemaDocument, readonly NamedSchema[]> {
  const { project, resolution } = context;
  const places = {
    targets: groupByDocument(walkProject(context).flatMap(referencesOf)),
    doors: groupByDocument(entrySchemas(project, resolution)),
  };
  const roots = rootNames(project, resolution);
  const named = resolution.documents.map((document) => {
    const declared = nameDeclarations(resolution, document, roots.get(document), places);
    const schemas = declared.map(({ at, name }) => ({ at, name, wanted: wantedName(at) }));
    return [document, schemas] as const;
  });
  return new Map(named);
}

function wantedName({ document, pointer }: SchemaAt): string | undefined {
  if (pointer === '') return documentTypeName(document);
  const [keyword, key, ...deeper] = splitPointer(pointer);
  return keyword === '$defs' && key !== undefined && deeper.length === 0
    ? toTypeName(key)
    : undefined;
}

/** The member that names a schema, from the schema's own place: its title, or its key in `$defs`. */
export function namePlace({ document, pointer }: SchemaAt): { path: string[]; key: boolean } {
  if (pointer !== '') return { path: [], key: true };
  const titled = isObject(document.root) && getOwn(document.root, 'title') !== undefined;
  return { path: titled ? ['title'] : [], key: false };
}
