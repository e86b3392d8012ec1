/** TYPE_NAME_COLLISION: no two things get one name in the generated TypeScript. */
import { posix } from 'node:path';
import type { Diagnostic } from '../diagnostics.ts';
import { diagnose } from '../diagnostics.ts';
import { FORM_NAMES } from '../emitters/tool-forms.ts';
import { joinPointer } from '../json.ts';
import type { ExtensionSource } from '../load.ts';
import { extensionId, findEntrySchema, placeDocument, rootNames } from '../model/contract.ts';
import { buildTypeModel } from '../model/modules.ts';
import { toConstantName } from '../names.ts';
import type { SchemaAt, SchemaDocument } from '../resolution.ts';
import { isSound } from './meta-schema.ts';
import type { Rule, RuleContext } from './rule.ts';
import type { NamedSchema } from './type-names.ts';
import { namePlace, nameTypes } from './type-names.ts';
import { report } from './walk.ts';

/** Two names that are told apart in JSON may be one in TypeScript. */
export const typeNameCollision: Rule = {
  id: 'TYPE_NAME_COLLISION',
  purpose:
    "No two schemas, data entries or files get one name in the generated package, an `…Input` type's included. TypeScript would refuse the package, or take one for the other.",
  check: (context) => {
    if (!isSound(context)) return [];
    const types = nameTypes(context);
    const { extensions, sets } = context.project;
    const indexes = [
      ...extensions.map((extension) => documentsOf(context, extension)),
      ...sets.map(({ files }) => files.flatMap(({ path }) => context.resolution.inFile(path))),
    ];
    const schemasOf = (document: SchemaDocument): readonly NamedSchema[] =>
      types.get(document) ?? [];
    return [
      ...[...types].flatMap(([document, schemas]) => checkDocument(document, schemas)),
      ...indexes.flatMap((documents) => checkIndex(documents.map(schemasOf))),
      ...checkIndex(toolDocuments(context).map((document) => schemasOf(document).slice(0, 1))),
      ...checkInputs(context, types, indexes),
      ...extensions.flatMap((extension) => [
        ...checkEntries(extension),
        ...checkImported(context, extension, types),
      ]),
      ...checkModules(context),
      ...checkVersions(context),
    ];
  },
};

/** The documents whose types an extension's index exports: its own and those of its packages. */
function documentsOf(
  { resolution }: RuleContext,
  { files, packages }: ExtensionSource,
): readonly SchemaDocument[] {
  const all = [...packages.map(({ file }) => file), ...files];
  return [...new Set(all.flatMap(({ path }) => resolution.inFile(path)))];
}

/** The documents of tools. Their index has only the type of each tool's whole input. */
function toolDocuments({ resolution }: RuleContext): readonly SchemaDocument[] {
  return resolution.documents.filter(({ origin }) => origin === 'tool');
}

/**
 * Of two that collide the later is told of: the one whose author reads it. A package's file that is
 * listed twice is MANIFEST_SCHEMA's to name.
 */
function packagesFirst(documents: readonly SchemaDocument[]): readonly SchemaDocument[] {
  const foreign = documents.filter(({ origin }) => origin === 'package');
  const once = new Map(foreign.map((document) => [document.file, document]));
  return [...once.values(), ...documents.filter(({ origin }) => origin !== 'package')];
}

/** What an index module exports of its own. */
const RESERVED = new Set(['URI', 'MEDIA_TYPE', 'AGENT_EXTENSION', 'PARAMS', 'Result']);

function checkDocument(
  document: SchemaDocument,
  schemas: readonly NamedSchema[],
): readonly Diagnostic[] {
  const taken = new Map<string, SchemaAt>();
  // A package's types are told apart by where they stand: its author cannot be asked.
  if (document.origin === 'package') return [];
  return schemas.flatMap(({ at, wanted }) => {
    if (wanted === undefined) return [];
    if (RESERVED.has(wanted))
      return [collision(at, wanted, 'which the generated module uses itself')];
    const first = taken.get(wanted);
    if (first === undefined) taken.set(wanted, at);
    return first === undefined ? [] : [collision(at, wanted, `as does ${showPlace(first, at)}`)];
  });
}

function checkIndex(modules: readonly (readonly NamedSchema[])[]): readonly Diagnostic[] {
  const taken = new Map<string, SchemaAt>();
  return modules.flatMap((schemas) => {
    const found = schemas.flatMap(({ at, name }) => {
      const first = taken.get(name);
      return first === undefined ? [] : [collision(at, name, `as does ${showPlace(first, at)}`)];
    });
    for (const { at, name } of schemas) if (!taken.has(name)) taken.set(name, at);
    return found;
  });
}

/** `XInput` is the input type of an `X` with defaults; only then another schema may not be called so. */
function checkInputs(
  context: RuleContext,
  types: ReadonlyMap<SchemaDocument, readonly NamedSchema[]>,
  indexes: readonly (readonly SchemaDocument[])[],
): readonly Diagnostic[] {
  const tools = toolDocuments(context).map((document) => [document]);
  const pairs = [...indexes, ...tools].flatMap((documents) => {
    const schemas = documents.flatMap((document) => types.get(document) ?? []);
    const byName = new Map(schemas.map((schema) => [schema.name, schema]));
    return schemas.flatMap((plain) => {
      const input = byName.get(`${plain.name}Input`);
      return input === undefined ? [] : [{ plain, input }];
    });
  });
  if (pairs.length === 0) return [];
  const model = buildTypeModel(context.resolution, rootNames(context.project, context.resolution));
  return pairs.flatMap(({ plain, input }) => {
    if (model.declarationOf(plain.at)?.differs !== true) return [];
    const because = `as does what may be sent for ${showPlace(plain.at, input.at)}`;
    return [collision(input.at, input.name, because)];
  });
}

function checkEntries({ file, manifest }: ExtensionSource): readonly Diagnostic[] {
  return manifest.data.flatMap(({ name }, index) => {
    const constant = toConstantName(name);
    const first = manifest.data.find((other) => toConstantName(other.name) === constant);
    // MANIFEST_SCHEMA names entries that are called alike.
    if (first === undefined || first.name === name) return [];
    const message = `"${name}" and "${first.name}" would both have the constants ${constant}_…`;
    const pointer = joinPointer('/data', index, 'name');
    return [diagnose(typeNameCollision.id, file, pointer, message, { hint: RENAME })];
  });
}

/** What an index imports for its accessors, beside the types that they read and write. */
const IMPORTED = new Set([
  'AgentExtension',
  'DataPart',
  'ExtensionCarrier',
  'MetadataCarrier',
  'Part',
]);

function checkImported(
  { resolution }: RuleContext,
  extension: ExtensionSource,
  types: ReadonlyMap<SchemaDocument, readonly NamedSchema[]>,
): readonly Diagnostic[] {
  const places = extension.manifest.data.flatMap(
    (entry) => findEntrySchema(resolution, extension, entry) ?? [],
  );
  return [...new Set(places)].flatMap((at) => {
    const name = types.get(at.document)?.find((schema) => schema.at === at)?.name ?? '';
    return IMPORTED.has(name)
      ? [collision(at, name, 'which the index needs for its accessors')]
      : [];
  });
}

/** Files of one folder whose modules would have one path. */
function checkModules({ project, resolution }: RuleContext): readonly Diagnostic[] {
  const taken = new Map<string, SchemaDocument>();
  return packagesFirst(resolution.documents).flatMap((document) => {
    const { path } = placeDocument(project, document);
    const stem = posix.basename(path);
    const first = taken.get(path);
    taken.set(path, first ?? document);
    const message = `the module of this file would be ${stem}.js, `;
    const hint = MODULE_HINTS[document.origin];
    const says = (why: string): Diagnostic =>
      diagnose(typeNameCollision.id, document.file, '', message + why, { hint });
    if (stem === 'index') return [says('which is the module that exports all others')];
    if (document.origin === 'tool' && FORM_NAMES.includes(stem))
      return [says('which has all tools in that form')];
    if (stem.endsWith('.validator')) return [says('which is what validators are called')];
    return first === undefined ? [] : [says(`as that of ${first.file.path}`)];
  });
}

function checkVersions({ project }: RuleContext): readonly Diagnostic[] {
  const byId = new Map<string, ExtensionSource>();
  return project.extensions.flatMap((extension) => {
    const id = extensionId(extension);
    const first = byId.get(id);
    if (first === undefined) {
      byId.set(id, extension);
      return [];
    }
    const message = `in code this extension version would be called ${id}, as that of ${first.file.path}`;
    const hint = 'Call the folder otherwise.';
    return [diagnose(typeNameCollision.id, extension.file, '', message, { hint })];
  });
}

const RENAME = 'Rename one of them.';
const PACKAGE_HINT = 'The file is not yours: leave one of the two out of "packages".';

const MODULE_HINTS = {
  own: 'Call the file otherwise.',
  tool: 'Call the tool, and its file, otherwise.',
  package: PACKAGE_HINT,
};

function collision(at: SchemaAt, name: string, because: string): Diagnostic {
  const { path, key } = namePlace(at);
  const message = `this schema would get the type ${name}, ${because}`;
  const hint = at.document.origin === 'package' ? PACKAGE_HINT : RENAME;
  return report(typeNameCollision.id, at, path, message, { key, hint });
}

function showPlace(other: SchemaAt, from: SchemaAt): string {
  const { document, pointer } = other;
  if (document === from.document) return pointer === '' ? 'the whole file' : `#${pointer}`;
  return pointer === '' ? document.file.path : `${document.file.path}#${pointer}`;
}
