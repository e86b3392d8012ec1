/** Where schemas are: documents by URI, places in them, and the way from a reference to its target. */
import type { Json } from './json.ts';
import { getOwn, isArray, isObject, joinPointer, splitPointer } from './json.ts';
import type { SourceFile } from './source.ts';
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
  /** The documents that a file holds, by its path from the project's root. */
  inFile(path: string): readonly SchemaDocument[];
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

/** Indexes documents by `$id` and anchor. Also for single schemas without a project. */
export function createResolution(documents: readonly SchemaDocument[]): Resolution {
  return new SchemaIndex(documents);
}

class SchemaIndex implements Resolution {
  readonly documents: readonly SchemaDocument[];
  private readonly places = new Map<SchemaDocument, Map<string, SchemaAt>>();
  private readonly byUri = new Map<string, SchemaAt>();
  private readonly byFile = new Map<string, SchemaDocument[]>();
  private readonly followed = new Map<string, SchemaAt | undefined>();
  private readonly inside = new Map<SchemaAt, readonly SchemaAt[]>();

  constructor(documents: readonly SchemaDocument[]) {
    this.documents = documents;
    for (const document of documents) {
      const { path } = document.file;
      this.byFile.set(path, [...(this.byFile.get(path) ?? []), document]);
      const root = this.rootOf(document);
      for (const uri of [document.uri, ...document.aliases]) {
        if (!this.byUri.has(uri)) this.byUri.set(uri, root);
      }
      this.index(root);
    }
  }

  find(uri: string): SchemaDocument | undefined {
    return this.byUri.get(uri)?.document;
  }

  inFile(path: string): readonly SchemaDocument[] {
    return this.byFile.get(path) ?? [];
  }

  at(document: SchemaDocument, pointer: string): SchemaAt | undefined {
    return this.descend(this.rootOf(document), splitPointer(pointer));
  }

  child(parent: SchemaAt, ...segments: readonly (string | number)[]): SchemaAt {
    const found = this.descend(parent, segments.map(String));
    return found ?? this.place(parent.document, '\0missing', parent.base, true);
  }

  subschemas(parent: SchemaAt): readonly SchemaAt[] {
    const known = this.inside.get(parent);
    if (known !== undefined) return known;
    const found: SchemaAt[] = [];
    if (isObject(parent.schema)) {
      forEachSubschema(parent.schema, parent.pointer, (subschema, pointer) => {
        found.push(this.place(parent.document, pointer, parent.base, subschema));
      });
    }
    this.inside.set(parent, found);
    return found;
  }

  follow(from: SchemaAt, reference: string): SchemaAt | undefined {
    const key = `${from.base}\n${reference}`;
    if (!this.followed.has(key)) this.followed.set(key, this.lookUp(from.base, reference));
    return this.followed.get(key);
  }

  private rootOf(document: SchemaDocument): SchemaAt {
    return this.place(document, '', document.uri, document.root);
  }

  /** The same place is always the same object. */
  private place(document: SchemaDocument, pointer: string, base: string, schema: Json): SchemaAt {
    let known = this.places.get(document);
    if (known === undefined) this.places.set(document, (known = new Map<string, SchemaAt>()));
    let at = known.get(pointer);
    if (at === undefined) {
      at = { document, pointer, base: baseOf(schema, base), schema };
      known.set(pointer, at);
    }
    return at;
  }

  private index(at: SchemaAt): void {
    const { schema, base } = at;
    if (!isObject(schema)) return;
    if (typeof getOwn(schema, '$id') === 'string' && !this.byUri.has(base))
      this.byUri.set(base, at);
    for (const keyword of ['$anchor', '$dynamicAnchor']) {
      const name = getOwn(schema, keyword);
      if (typeof name === 'string') this.byUri.set(`${base}#${name}`, at);
    }
    for (const subschema of this.subschemas(at)) this.index(subschema);
  }

  private descend(from: SchemaAt, segments: readonly string[]): SchemaAt | undefined {
    let { pointer, base, schema } = from;
    for (const segment of segments) {
      const next = memberOf(schema, segment);
      if (next === undefined) return undefined;
      pointer = joinPointer(pointer, segment);
      base = baseOf(next, base);
      schema = next;
    }
    return this.place(from.document, pointer, base, schema);
  }

  private lookUp(base: string, reference: string): SchemaAt | undefined {
    const { uri, fragment } = splitFragment(toAbsolute(reference, base));
    if (fragment !== '' && !fragment.startsWith('/')) return this.byUri.get(`${uri}#${fragment}`);
    const root = this.byUri.get(uri);
    return root === undefined ? undefined : this.descend(root, splitPointer(fragment));
  }
}

function memberOf(value: Json, segment: string): Json | undefined {
  if (isArray(value)) return value[Number(segment)];
  return isObject(value) ? getOwn(value, segment) : undefined;
}

/** The base URI inside a schema: its own `$id`, else the one around it. */
function baseOf(schema: Json, base: string): string {
  const id = isObject(schema) ? getOwn(schema, '$id') : undefined;
  return typeof id === 'string' ? splitFragment(toAbsolute(id, base)).uri : base;
}

/** A URI and its fragment, percent-decoded; the fragment is empty when there is none. */
export function splitFragment(uri: string): { readonly uri: string; readonly fragment: string } {
  const hash = uri.indexOf('#');
  if (hash === -1) return { uri, fragment: '' };
  const fragment = uri.slice(hash + 1);
  try {
    return { uri: uri.slice(0, hash), fragment: decodeURIComponent(fragment) };
  } catch {
    return { uri: uri.slice(0, hash), fragment };
  }
}

/** A reference as an absolute URI (RFC 3986); as written where the base cannot be resolved against. */
export function toAbsolute(reference: string, base: string): string {
  if (reference.startsWith('#')) return base + reference;
  return URL.canParse(reference, base) ? new URL(reference, base).href : reference;
}
