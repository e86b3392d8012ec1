/**
 * Resolve: every `$ref` finds the schema it names, by `$id`, `$anchor`, JSON pointer, neighbouring
 * file or package, never over the network.
 */
import { dirname, posix } from 'node:path';
import type { Diagnostic } from './diagnostics.ts';
import { diagnose } from './diagnostics.ts';
import type { Json, JsonObject } from './json.ts';
import { getOwn, isArray, isObject, joinPointer, setOwn, splitPointer } from './json.ts';
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
    ...project.extensions.flatMap((extension) => extensionDocuments(project, extension)),
    ...project.extensions.flatMap(({ file, packages }) =>
      groupByFile(packages).map((group) => packageDocument(file, group, diagnostics)),
    ),
    ...project.tools.flatMap(({ file, tool }) => toolDocuments(project, file, tool)),
  ]);
  for (const document of resolution.documents) checkReferences(resolution, document, diagnostics);
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

/** The URL at which a schema file of an extension is published; the rule for its `$id`. */
export function publishedUri(baseUrl: string, path: string): string {
  return `${baseUrl}/${path.replace(/^schemas\/extensions\//, 'ext/').replace(/^schemas\//, '')}`;
}

function extensionDocuments(project: Project, extension: ExtensionSource): SchemaDocument[] {
  return schemaFiles(extension).map((file) => {
    const root = file.json.value;
    const id = isObject(root) ? getOwn(root, '$id') : undefined;
    const uri = typeof id === 'string' ? id : publishedUri(project.config.baseUrl, file.path);
    return { uri, aliases: [], file, root, prefix: '', origin: 'own' };
  });
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
      diagnostics.push(diagnose('PACKAGE_SCHEMA', manifest, pointer, message));
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
  resolution: Resolution,
  document: SchemaDocument,
  diagnostics: Diagnostic[],
): void {
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
      if (target === undefined) diagnostics.push(unresolved(resolution, at, keyword, reference));
      else queue.push(target);
    }
    if (loops(resolution, at)) diagnostics.push(endless(at));
  }
}

/** Whether following `$ref` alone from here comes back here: no value can ever be judged by it. */
function loops(resolution: Resolution, start: SchemaAt): boolean {
  const seen = new Set<SchemaAt>();
  let at: SchemaAt | undefined = start;
  while (at !== undefined && isObject(at.schema)) {
    if (seen.has(at)) return at === start;
    seen.add(at);
    const reference = getOwn(at.schema, '$ref');
    at = typeof reference === 'string' ? resolution.follow(at, reference) : undefined;
  }
  return false;
}

function endless(at: SchemaAt): Diagnostic {
  const message =
    'this $ref leads back to itself and nothing else, so no value can be judged by it';
  return diagnose('REF_LOOP', at.document.file, joinPointer(filePointer(at), '$ref'), message);
}

function unresolved(
  resolution: Resolution,
  at: SchemaAt,
  keyword: string,
  reference: string,
): Diagnostic {
  const { uri } = splitFragment(toAbsolute(reference, at.base));
  const document = resolution.find(uri);
  const pointer = joinPointer(filePointer(at), keyword);
  const quoted = JSON.stringify(reference);
  if (document === undefined) {
    const known = nearestName(
      uri,
      resolution.documents.map((each) => each.uri),
    );
    const hint =
      known === undefined
        ? 'References are never fetched: put the schema beside this file, or name its package in the manifest.'
        : `Did you mean ${known}?`;
    const message = `${keyword} ${quoted} names no schema of this project (${uri})`;
    return diagnose('REF_UNRESOLVED', at.document.file, pointer, message, { hint });
  }
  const defs = isObject(document.root) ? getOwn(document.root, '$defs') : undefined;
  const names = isObject(defs) ? Object.keys(defs) : [];
  const known = nearestName(
    reference,
    names.map((name) => `#/$defs/${name}`),
  );
  const hint =
    known === undefined
      ? `Known definitions: ${names.length > 0 ? names.join(', ') : 'none'}.`
      : `Did you mean ${known}?`;
  const message = `${keyword} ${quoted} leads nowhere in ${document.file.path}`;
  return diagnose('REF_UNRESOLVED', at.document.file, pointer, message, { hint });
}
