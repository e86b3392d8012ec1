/** The whole contract as emitters read it: extensions, their data, tools, the card. */
import { dirname, posix } from 'node:path';
import type { JsonObject } from '../json.ts';
import type { Json } from '../json.ts';
import type { ExtensionSource, Project, ToolSource } from '../load.ts';
import type { ContractConfig, DataEntry, ExtensionManifest } from '../manifest.ts';
import { toTypeName, toValueName } from '../names.ts';
import type { Resolution, SchemaAt, SchemaDocument } from '../resolution.ts';
import type { SchemaSet } from '../schema-sets.ts';
import type { SourceFile } from '../source.ts';
import type { Declaration, SchemaModule, TypeModel } from './modules.ts';
import { buildTypeModel } from './modules.ts';

/** A module of types and where it is written, without extension, from the package's root. */
export interface ModuleModel extends SchemaModule {
  readonly path: string;
  /** The bundled schema file, from the package's root. */
  readonly schemaPath: string;
}

/** One piece of an extension's data, its schema found. */
export interface EntryModel {
  readonly entry: DataEntry;
  readonly at: SchemaAt;
  readonly module: ModuleModel;
  readonly declaration: Declaration;
  /** The value that this agent's card carries, for `card.params`. */
  readonly value: Json | undefined;
}

/** One version of an extension. */
export interface ExtensionModel {
  readonly name: string;
  readonly version: string;
  /** `taskV1`: what the package's index calls it. */
  readonly id: string;
  /** `extensions/task/v1`, from the package's root; also `ext/task/v1` in the docs. */
  readonly folder: string;
  readonly source: ExtensionSource;
  readonly manifest: ExtensionManifest;
  readonly modules: readonly ModuleModel[];
  readonly entries: readonly EntryModel[];
}

/** Schemas that belong to no extension: a folder of modules of its own. */
export interface SetModel {
  readonly set: SchemaSet;
  /** From the package's root; also the end of what it is imported by. */
  readonly folder: string;
  readonly modules: readonly ModuleModel[];
}

/** One tool. */
export interface ToolModel {
  readonly source: ToolSource;
  readonly name: string;
  readonly module: ModuleModel;
  readonly input: Declaration;
}

/** Everything that is emitted comes from here. */
export interface ContractModel {
  readonly project: Project;
  readonly config: ContractConfig;
  readonly types: TypeModel;
  readonly extensions: readonly ExtensionModel[];
  readonly sets: readonly SetModel[];
  readonly tools: readonly ToolModel[];
  readonly modules: readonly ModuleModel[];
  moduleOf(document: SchemaDocument): ModuleModel | undefined;
  readonly card: JsonObject | undefined;
}

/** Builds the model of a linted project. */
export function buildContract(project: Project, resolution: Resolution): ContractModel {
  const doors = entrySchemas(project, resolution);
  const types = buildTypeModel(resolution, rootNames(project, resolution), doors);
  const modules = types.modules.map((module) => ({
    ...module,
    ...placeDocument(project, module.document),
  }));
  const byDocument = new Map(modules.map((module) => [module.document, module]));
  const moduleOf = (document: SchemaDocument): ModuleModel | undefined => byDocument.get(document);
  const extensions = [...project.extensions]
    .sort((a, b) => orderOf(a) - orderOf(b) || (a.file.path < b.file.path ? -1 : 1))
    .map((source) => buildExtension(source, types, moduleOf));
  const tools = project.tools.flatMap((source): ToolModel[] => {
    const documents = resolution.inFile(source.file.path);
    const input = documents.find(({ prefix }) => prefix === '/input_schema');
    const module = input && moduleOf(input);
    if (module?.root === undefined) return [];
    return [{ source, name: source.tool.name, module, input: module.root }];
  });
  const sets = project.sets.map((set): SetModel => {
    const documents = set.files.flatMap(({ path }) => resolution.inFile(path));
    return { set, folder: set.name, modules: documents.flatMap((each) => moduleOf(each) ?? []) };
  });
  const { config, card } = project;
  return { project, config, card, types, extensions, sets, tools, modules, moduleOf };
}

/** The schemas of all data entries: each gets a name and a verdict. */
export function entrySchemas(project: Project, resolution: Resolution): ReadonlySet<SchemaAt> {
  const found = project.extensions.flatMap((extension) =>
    extension.manifest.data.flatMap((entry) => findEntrySchema(resolution, extension, entry) ?? []),
  );
  return new Set(found);
}

/** The document that a data entry's `schema` names, and the schema in it. */
export function findEntrySchema(
  resolution: Resolution,
  extension: ExtensionSource,
  entry: DataEntry,
): SchemaAt | undefined {
  const [path = '', fragment = ''] = entry.schema.split('#');
  const file = posix.join(dirname(extension.file.path), path);
  const document = resolution.inFile(file)[0] ?? resolution.find(path);
  return document === undefined ? undefined : resolution.at(document, fragment);
}

/** The value a card carries for an entry: written in the manifest, or in a file beside it. */
export function entryValue(extension: ExtensionSource, entry: DataEntry): Json | undefined {
  return entry.value ?? valueFile(extension, entry)?.json.value;
}

/** The file that `valueFile` names. */
export function valueFile(extension: ExtensionSource, entry: DataEntry): SourceFile | undefined {
  if (entry.valueFile === undefined) return undefined;
  const path = posix.join(dirname(extension.file.path), entry.valueFile);
  return extension.files.find((file) => file.path === path);
}

/** A package's messages are called by what the manifest calls the data. */
export function rootNames(
  project: Project,
  resolution: Resolution,
): ReadonlyMap<SchemaDocument, string> {
  const names = new Map<SchemaDocument, string>();
  for (const extension of project.extensions) {
    for (const entry of extension.manifest.data) {
      const at = findEntrySchema(resolution, extension, entry);
      if (at?.document.origin === 'package' && at.pointer === '') {
        names.set(at.document, toTypeName(entry.name));
      }
    }
  }
  return names;
}

/** Where a document's module and its bundled schema are written, from the package's root. */
export function placeDocument(
  project: Project,
  { file, origin, prefix }: SchemaDocument,
): Pick<ModuleModel, 'path' | 'schemaPath'> {
  const stem = posix
    .basename(file.path)
    .replace(/(\.schema)?\.json$/, '')
    .replaceAll('_', '-');
  if (origin === 'tool') {
    const name = prefix === '/output_schema' ? `${stem}-output` : stem;
    return { path: `tools/${name}`, schemaPath: `schemas/tools/${name}.json` };
  }
  const set = project.sets.find(({ files }) => files.includes(file));
  if (set !== undefined) {
    const schemaPath = `schemas/${set.name}/${posix.basename(file.path)}`;
    return { path: `${set.name}/${stem}`, schemaPath };
  }
  const owner = ownersOf(project).get(file);
  const folder = `${owner?.name ?? ''}/${owner?.version ?? ''}`;
  const own = stem === 'schema' ? (owner?.name ?? stem) : stem;
  return {
    path: `extensions/${folder}/${own}`,
    schemaPath: `schemas/${folder}/${posix.basename(file.path)}`,
  };
}

const owners = new WeakMap<Project, ReadonlyMap<SourceFile, ExtensionSource>>();

/** The extension that each of its files, and of its packages' files, belongs to. */
function ownersOf(project: Project): ReadonlyMap<SourceFile, ExtensionSource> {
  let found = owners.get(project);
  if (found === undefined) {
    const pairs = project.extensions.flatMap((extension) =>
      [...extension.files, ...extension.packages.map(({ file }) => file)].map(
        (file) => [file, extension] as const,
      ),
    );
    // Of two extensions that name one package's file the first has it.
    found = new Map(pairs.reverse());
    owners.set(project, found);
  }
  return found;
}

function buildExtension(
  source: ExtensionSource,
  types: TypeModel,
  moduleOf: ContractModel['moduleOf'],
): ExtensionModel {
  const { name, version, manifest } = source;
  const folder = `extensions/${name}/${version}`;
  const files = [...source.files, ...source.packages.map(({ file }) => file)];
  const documents = new Set(files.flatMap(({ path }) => types.resolution.inFile(path)));
  const own = [...documents]
    .flatMap((document) => moduleOf(document) ?? [])
    .filter((module) => posix.dirname(module.path) === folder);
  const entries = manifest.data.flatMap((entry): EntryModel[] => {
    const at = findEntrySchema(types.resolution, source, entry);
    const module = at && moduleOf(at.document);
    const declaration = at === undefined ? undefined : types.declarationOf(at);
    if (at === undefined || module === undefined || declaration === undefined) return [];
    return [{ entry, at, module, declaration, value: entryValue(source, entry) }];
  });
  const id = extensionId(source);
  return { name, version, id, folder, source, manifest, modules: own, entries };
}

/** What code calls an extension version: `taskV1`. */
export function extensionId({ name, version }: ExtensionSource): string {
  return toValueName(`${name}-${version.replaceAll('.', '_')}`);
}

function orderOf({ manifest }: ExtensionSource): number {
  return manifest.order ?? Number.MAX_SAFE_INTEGER;
}
