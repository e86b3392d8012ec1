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
import type { SourceFile, Stage } from './source.ts';
import { forEachSubschema } from './vocabulary.ts';

/** One schema resource file: an extension's own, a package's, or a tool's input. */
export interface SchemaDocument {
  readonly uri: string;
  /** Further URIs under which references find it. */
  readonly aliases: readonly string[];
  readonly file: SourceFile;
  readonly root: Json;
  /** Where the root stands in its file: '' or, for a tool, '/input_schema'. */
  readonly prefix: string;
  readonly origin: 'own' | 'package' | 'tool';
}

/** A schema at its place. The same place is always the same object, so it can be a key. */
export interface SchemaAt {
  readonly document: SchemaDocument;
  readonly pointer: string;
  readonly base: string;
  /** An object or a boolean; anything else was refused by META_SCHEMA. */
  readonly schema: Json;
}

/** All documents of a project and the way from a reference to its target. */
export interface Resolution {
  readonly documents: readonly SchemaDocument[];
  /** The document published or known under a URI. */
  find(uri: string): SchemaDocument | undefined;
  /** The schema at a JSON pointer of a document. */
  at(document: SchemaDocument, pointer: string): SchemaAt | undefined;
  /** The subschema reached from a schema by keyword and key or index. */
  child(parent: SchemaAt, ...segments: readonly (string | number)[]): SchemaAt;
  /** All direct subschemas of a schema. */
  subschemas(parent: SchemaAt): readonly SchemaAt[];
  /** What a `$ref` (or `$dynamicRef`, resolved statically) names; undefined when nothing. */
  follow(from: SchemaAt, reference: string): SchemaAt | undefined;
}

/** Where a place stands in its source file, for a diagnostic. */
export function filePointer(at: SchemaAt): string {
  return at.document.prefix + at.pointer;
}

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

/** Indexes documents by `$id` and anchor. Also for single schemas without a project. */
export function createResolution(documents: readonly SchemaDocument[]): Resolution {
  const places = new Map<SchemaDocument, Map<string, SchemaAt>>();
  const byUri = new Map<string, SchemaAt>();
  const followed = new Map<string, SchemaAt | undefined>();
  const inside = new Map<SchemaAt, readonly SchemaAt[]>();

  function place(document: SchemaDocument, pointer: string, base: string, schema: Json): SchemaAt {
    let known = places.get(document);
    if (known === undefined) places.set(document, (known = new Map<string, SchemaAt>()));
    let at = known.get(pointer);
    if (at === undefined) {
      at = { document, pointer, base: baseOf(schema, base), schema };
      known.set(pointer, at);
    }
    return at;
  }

  function index(at: SchemaAt): void {
    const { schema, base } = at;
    if (!isObject(schema)) return;
    if (typeof getOwn(schema, '$id') === 'string' && !byUri.has(base)) byUri.set(base, at);
    for (const keyword of ['$anchor', '$dynamicAnchor']) {
      const name = getOwn(schema, keyword);
      if (typeof name === 'string') byUri.set(`${base}#${name}`, at);
    }
    subschemas(at).forEach(index);
  }

  function subschemas(at: SchemaAt): readonly SchemaAt[] {
    let children = inside.get(at);
    if (children === undefined) {
      const found: SchemaAt[] = [];
      if (isObject(at.schema)) {
        forEachSubschema(at.schema, at.pointer, (subschema, pointer) => {
          found.push(place(at.document, pointer, at.base, subschema));
        });
      }
      inside.set(at, (children = found));
    }
    return children;
  }

  function descend(from: SchemaAt, segments: readonly string[]): SchemaAt | undefined {
    let { pointer, base, schema } = from;
    for (const segment of segments) {
      const next: Json | undefined = isArray(schema)
        ? schema[Number(segment)]
        : isObject(schema)
          ? getOwn(schema, segment)
          : undefined;
      if (next === undefined) return undefined;
      pointer = joinPointer(pointer, segment);
      base = baseOf(next, base);
      schema = next;
    }
    return place(from.document, pointer, base, schema);
  }

  function follow(from: SchemaAt, reference: string): SchemaAt | undefined {
    const key = `${from.base}\n${reference}`;
    if (!followed.has(key)) followed.set(key, lookUp(from.base, reference));
    return followed.get(key);
  }

  function lookUp(base: string, reference: string): SchemaAt | undefined {
    const target = toAbsolute(reference, base);
    const [uri = '', fragment = ''] = splitFragment(target);
    if (fragment !== '' && !fragment.startsWith('/')) return byUri.get(`${uri}#${fragment}`);
    const root = byUri.get(uri);
    return root === undefined ? undefined : descend(root, splitPointer(fragment));
  }

  for (const document of documents) {
    const root = place(document, '', document.uri, document.root);
    for (const uri of [document.uri, ...document.aliases]) {
      if (!byUri.has(uri)) byUri.set(uri, root);
    }
    index(root);
  }
  return {
    documents,
    find: (uri) => byUri.get(uri)?.document,
    at: (document, pointer) =>
      descend(place(document, '', document.uri, document.root), splitPointer(pointer)),
    child: (parent, ...segments) =>
      descend(parent, segments.map(String)) ??
      place(parent.document, '\0missing', parent.base, true),
    subschemas,
    follow,
  };
}

function baseOf(schema: Json, base: string): string {
  const id = isObject(schema) ? getOwn(schema, '$id') : undefined;
  return typeof id === 'string' ? (splitFragment(toAbsolute(id, base))[0] ?? base) : base;
}

function splitFragment(uri: string): [string, string] {
  const hash = uri.indexOf('#');
  if (hash === -1) return [uri, ''];
  const fragment = uri.slice(hash + 1);
  try {
    return [uri.slice(0, hash), decodeURIComponent(fragment)];
  } catch {
    return [uri.slice(0, hash), fragment];
  }
}

function toAbsolute(reference: string, base: string): string {
  if (reference.startsWith('#')) return base + reference;
  return URL.canParse(reference, base) ? new URL(reference, base).href : reference;
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
  const [uri] = splitFragment(toAbsolute(reference, at.base));
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
