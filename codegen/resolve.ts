/**
 * Resolve: every `$ref` finds the schema it names, by `$id`, `$anchor`, JSON pointer, neighbouring
 * file or package, never over the network.
 */
import { dirname, posix } from 'node:path';
import type { Diagnostic } from './diagnostics.ts';
import { diagnose } from './diagnostics.ts';
import type { Json, JsonObject } from './json.ts';
import {
  followPointer,
  getOwn,
  isArray,
  isObject,
  joinPointer,
  setOwn,
  splitPointer,
} from './json.ts';
import type { ExtensionSource, PackageSchema, Project } from './load.ts';
import type { ToolFile } from './manifest.ts';
import { nearestName } from './names.ts';
import type { Resolution, SchemaAt, SchemaDocument } from './resolution.ts';
import { createResolution, filePointer, splitFragment, toAbsolute } from './resolution.ts';
import type { SourceFile, Stage } from './source.ts';

/** Builds the resolution of a project's schemas; a reference that leads nowhere is a diagnostic. */
export function resolveProject(project: Project): Stage<Resolution> {
  const diagnostics: Diagnostic[] = [];
  const resolution = createResolution([
    ...project.extensions.flatMap((extension) =>
      schemaFiles(extension).map((file) => ownDocument(project, file)),
    ),
    ...project.sets.flatMap(({ files }) => files.map((file) => ownDocument(project, file))),
    ...project.extensions.flatMap(({ file, packages }) =>
      groupByFile(packages).map((group) => packageDocument(file, group, diagnostics)),
    ),
    ...project.tools.flatMap(({ file, tool }) => toolDocuments(project, file, tool)),
  ]);
  for (const document of resolution.documents) {
    diagnostics.push(...checkReferences(project, resolution, document));
  }
  return diagnostics.length > 0
    ? { value: undefined, diagnostics }
    : { value: resolution, diagnostics: [] };
}

/** The files of an extension's folder that are schemas: all but the values for the card. */
export function schemaFiles(extension: ExtensionSource): readonly SourceFile[] {
  const folder = dirname(extension.file.path);
  const values = new Set(
    extension.manifest.data.map(({ valueFile }) =>
      valueFile === undefined ? '' : posix.join(folder, valueFile),
    ),
  );
  return extension.files.filter(({ path }) => !values.has(path));
}

/** The URL at which a schema file is published; the rule for its `$id`. */
export function publishedUri(baseUrl: string, path: string): string {
  return `${baseUrl}/${publishedPath(path)}`;
}

/** Where a file below `schemas/` is published, from the base URL. */
export function publishedPath(path: string): string {
  const [from, to] = FOLDERS.find(([folder]) => path.startsWith(folder)) ?? ['schemas/', ''];
  return to + path.slice(from.length);
}

/** Folders that are called otherwise on the web; a base URL mostly says `a2a` itself. */
const FOLDERS = [
  ['schemas/extensions/', 'ext/'],
  ['schemas/a2a/', 'protocol/'],
] as const;

function ownDocument({ config }: Project, file: SourceFile): SchemaDocument {
  const root = file.json.value;
  const id = isObject(root) ? getOwn(root, '$id') : undefined;
  const uri = typeof id === 'string' ? id : publishedUri(config.baseUrl, file.path);
  return { uri, aliases: [], file, root, prefix: '', origin: 'own' };
}

/** A package's file may be known under several URIs; it is one document all the same. */
function groupByFile(packages: readonly PackageSchema[]): readonly (readonly PackageSchema[])[] {
  const groups = new Map<SourceFile, PackageSchema[]>();
  for (const schema of packages) {
    const group = groups.get(schema.file);
    if (group === undefined) groups.set(schema.file, [schema]);
    else group.push(schema);
  }
  return [...groups.values()];
}

function packageDocument(
  manifest: SourceFile,
  group: readonly PackageSchema[],
  diagnostics: Diagnostic[],
): SchemaDocument {
  const [first] = group as readonly [PackageSchema, ...PackageSchema[]];
  const { source, file, index } = first;
  let root = file.json.value;
  const id = isObject(root) ? getOwn(root, '$id') : undefined;
  const uris = group.map(({ uri }) => uri);
  const uri = typeof id === 'string' && uris.includes(id) ? id : first.uri;
  for (const [number, amendment] of (source.amend ?? []).entries()) {
    if (!uris.includes(amendment.schema)) continue;
    const changed = replaceAt(root, splitPointer(amendment.pointer), amendment.to);
    if (changed === undefined) {
      const pointer = `/packages/${String(index)}/amend/${String(number)}/pointer`;
      const message = `${file.path} has nothing at ${amendment.pointer}`;
      const hint = 'An amendment replaces a value that is there: correct the pointer, or drop it.';
      diagnostics.push(diagnose('PACKAGE_SCHEMA', manifest, pointer, message, { hint }));
    } else root = changed;
  }
  const aliases = uris.filter((other) => other !== uri);
  return { uri, aliases, file, root, prefix: '', origin: 'package' };
}

function toolDocuments(project: Project, file: SourceFile, tool: ToolFile): SchemaDocument[] {
  const base = publishedUri(project.config.baseUrl, file.path);
  const common = { aliases: [], file, origin: 'tool' } as const;
  const input = { ...common, uri: base, root: tool.input_schema, prefix: '/input_schema' };
  if (tool.output_schema === null) return [input];
  const output = { uri: `${base}/output`, root: tool.output_schema, prefix: '/output_schema' };
  return [input, { ...common, ...output }];
}

/** A copy with one value set; undefined when the place does not exist. */
function replaceAt(root: Json, segments: readonly string[], to: Json): Json | undefined {
  const [first, ...rest] = segments;
  if (first === undefined) return to;
  const index = isArray(root) ? Number(first) : first;
  const child = isArray(root)
    ? root[Number(first)]
    : isObject(root)
      ? getOwn(root, first)
      : undefined;
  const changed = child === undefined ? undefined : replaceAt(child, rest, to);
  if (changed === undefined) return undefined;
  if (isArray(root)) return root.map((item, position) => (position === index ? changed : item));
  const copy: Record<string, Json> = {};
  for (const [key, value] of Object.entries(root as JsonObject)) {
    setOwn(copy, key, key === first ? changed : value);
  }
  return copy;
}

/** Visits every schema that a document holds or reaches inside itself, and tries its references. */
function checkReferences(
  project: Project,
  resolution: Resolution,
  document: SchemaDocument,
): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const seen = new Set<SchemaAt>();
  const queue = [resolution.at(document, '')];
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    if (seen.has(at) || at.document !== document || !isObject(at.schema)) continue;
    seen.add(at);
    queue.push(...resolution.subschemas(at));
    for (const keyword of ['$ref', '$dynamicRef']) {
      const reference = getOwn(at.schema, keyword);
      if (typeof reference !== 'string') continue;
      const target = resolution.follow(at, reference);
      if (target !== undefined) queue.push(target);
      else diagnostics.push(unresolved(project, resolution, at, [keyword, reference]));
    }
  }
  return diagnostics;
}

function unresolved(
  project: Project,
  resolution: Resolution,
  at: SchemaAt,
  [keyword, reference]: readonly [string, string],
): Diagnostic {
  const { uri, fragment } = splitFragment(toAbsolute(reference, at.base));
  const target = resolution.find(uri);
  const words = `${keyword} ${JSON.stringify(reference)}`;
  const message =
    target === undefined
      ? `${words} names no schema of this project (${uri})`
      : `${words} leads nowhere in ${target.file.path}`;
  const hint =
    target === undefined
      ? hintForUri(project, resolution, at, uri)
      : hintForFragment(target, fragment);
  const pointer = joinPointer(filePointer(at), keyword);
  return diagnose('REF_UNRESOLVED', at.document.file, pointer, message, { hint });
}

/** A wrong `$id`, here or there, is the likeliest cause; then a slip of the pen. */
function hintForUri(
  { config }: Project,
  { documents }: Resolution,
  { document }: SchemaAt,
  uri: string,
): string {
  const own = documents.filter(({ origin }) => origin === 'own');
  const published = ({ file }: SchemaDocument): string => publishedUri(config.baseUrl, file.path);
  const target = own.find((each) => published(each) === uri);
  if (target !== undefined) {
    return `${target.file.path} is published there, but its $id says ${target.uri}: mend that.`;
  }
  if (own.includes(document) && document.uri !== published(document)) {
    return `References start from the file's $id, ${document.uri}; by its path that is ${published(document)}.`;
  }
  const known = documents.map((each) => each.uri);
  const near = nearestName(uri, known);
  return near === undefined
    ? 'References are never fetched: put the schema beside this file, or name its package in the manifest.'
    : `Did you mean ${near}?`;
}

function hintForFragment({ root, file }: SchemaDocument, fragment: string): string {
  const renamed = hintForDefinitions(root, file, fragment);
  if (renamed !== undefined) return renamed;
  const definitions = isObject(root) ? getOwn(root, '$defs') : undefined;
  const names = isObject(definitions) ? Object.keys(definitions) : [];
  const pointers = names.map((name) => joinPointer('/$defs', name));
  const near = nearestName(fragment, pointers);
  if (near !== undefined) return `Did you mean #${near}?`;
  return `Its definitions: ${names.length > 0 ? pointers.map((each) => `#${each}`).join(', ') : 'none'}.`;
}

/** Up to draft 7 `$defs` was called `definitions`; a reference of one kind misses those of the other. */
function hintForDefinitions(root: Json, file: SourceFile, fragment: string): string | undefined {
  const [keyword, ...rest] = splitPointer(fragment.startsWith('/') ? fragment : '');
  if (keyword !== 'definitions' && keyword !== '$defs') return undefined;
  const other = keyword === '$defs' ? 'definitions' : '$defs';
  if (followPointer(root, joinPointer('', other, ...rest)) === undefined) return undefined;
  return keyword === '$defs'
    ? `Since 2019-09 definitions stand in "$defs": rename "definitions" in ${file.path}.`
    : `Since 2019-09 definitions stand in "$defs": write "#${joinPointer('/$defs', ...rest)}".`;
}
