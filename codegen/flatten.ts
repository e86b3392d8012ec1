/**
 * Flatten: a schema and all it refers to as one schema with local references only, annotations
 * dropped. Validators are compiled from it, and errors are explained with it.
 */
import type { Json, JsonObject } from './json.ts';
import { getOwn, isArray, isObject, joinPointer, setOwn, splitPointer } from './json.ts';
import { documentTypeName, toTypeName } from './names.ts';
import type { Resolution, SchemaAt } from './resolution.ts';
import { KEYWORDS } from './vocabulary.ts';

/** A schema whose references are `#` or `#/$defs/<key>`. */
export type FlatSchema = boolean | JsonObject;

/** Flattens a schema, once. Definitions keep their names, in the order in which they are reached. */
export function flatten(resolution: Resolution, root: SchemaAt): FlatSchema {
  let flat = flattened.get(root);
  if (flat === undefined) {
    flat = new Flattener(resolution, root, () => false).flatten();
    flattened.set(root, flat);
  }
  return flat;
}

/** A place belongs to one resolution, so its schema is flat in one way. */
const flattened = new WeakMap<SchemaAt, FlatSchema>();

/** Flattens a schema that somebody is to read: the annotations that `keep` names stay. */
export function flattenReadably(
  resolution: Resolution,
  root: SchemaAt,
  keep: (keyword: string) => boolean = () => true,
): FlatSchema {
  return new Flattener(resolution, root, keep).flatten();
}

class Flattener {
  private readonly resolution: Resolution;
  private readonly root: SchemaAt;
  private readonly keepAnnotation: (keyword: string) => boolean;
  private readonly keys = new Map<SchemaAt, string>();
  private readonly queue: SchemaAt[] = [];

  constructor(
    resolution: Resolution,
    root: SchemaAt,
    keepAnnotation: (keyword: string) => boolean,
  ) {
    this.resolution = resolution;
    this.root = root;
    this.keepAnnotation = keepAnnotation;
  }

  flatten(): FlatSchema {
    const flat = this.copy(this.root);
    const definitions: Record<string, Json> = {};
    for (let at = this.queue.shift(); at !== undefined; at = this.queue.shift()) {
      setOwn(definitions, this.keys.get(at) ?? '', this.copy(at));
    }
    if (!isObject(flat)) return flat === true;
    return Object.keys(definitions).length === 0 ? flat : { ...flat, $defs: definitions };
  }

  private copy(at: SchemaAt): Json {
    if (!isObject(at.schema)) return at.schema;
    const result: Record<string, Json> = {};
    const beside: Json[] = [];
    for (const [keyword, value] of Object.entries(at.schema)) {
      const form = KEYWORDS.get(keyword)?.schemas;
      if (keyword === '$ref' || keyword === '$dynamicRef')
        this.addReference(result, beside, at, value);
      else if (
        isKept(keyword) ||
        (isAnnotation(keyword) && this.keepAnnotation(keyword)) ||
        namesPattern(keyword, at.schema)
      ) {
        const child = (...path: (string | number)[]): Json =>
          this.copy(this.resolution.child(at, keyword, ...path));
        setOwn(result, keyword, copyValue(value, form, child));
      }
    }
    // A second reference stands among what else has to hold.
    if (beside.length > 0)
      result.allOf = [...beside, ...(isArray(result.allOf) ? result.allOf : [])];
    return result;
  }

  private addReference(
    result: Record<string, Json>,
    beside: Json[],
    at: SchemaAt,
    value: Json,
  ): void {
    const target = typeof value === 'string' ? this.resolution.follow(at, value) : undefined;
    if (target === undefined) return;
    const reference = this.referenceTo(target);
    if (result.$ref === undefined) result.$ref = reference;
    else beside.push({ $ref: reference });
  }

  private referenceTo(target: SchemaAt): string {
    if (target === this.root) return '#';
    let key = this.keys.get(target);
    if (key === undefined) {
      key = chooseKey(target, new Set(this.keys.values()));
      this.keys.set(target, key);
      this.queue.push(target);
    }
    return joinPointer('#/$defs', key);
  }
}

const IDENTITY = new Set(['$id', '$anchor', '$dynamicAnchor', '$defs']);

/** Whatever changes a verdict, and `readOnly`, which clients' input is checked for. */
function isKept(keyword: string): boolean {
  const known = KEYWORDS.get(keyword);
  if (keyword === 'readOnly') return true;
  return known !== undefined && known.annotation !== true && !IDENTITY.has(keyword);
}

/** What an error says instead of a pattern that few can read. */
function namesPattern(keyword: string, schema: JsonObject): boolean {
  const names = ['contentEncoding', 'format', 'examples'].includes(keyword);
  return names && Object.hasOwn(schema, 'pattern');
}

/** What says more to a reader. A `discriminator` names definitions as its own file calls them. */
function isAnnotation(keyword: string): boolean {
  const annotates = KEYWORDS.get(keyword)?.annotation === true;
  return annotates && !keyword.startsWith('$') && keyword !== 'discriminator';
}

function copyValue(
  value: Json,
  form: 'one' | 'list' | 'map' | undefined,
  child: (...path: (string | number)[]) => Json,
): Json {
  if (form === 'one') return child();
  if (form === 'list' && isArray(value)) return value.map((_, index) => child(index));
  if (form !== 'map' || !isObject(value)) return value;
  const result: Record<string, Json> = {};
  for (const key of Object.keys(value)) setOwn(result, key, child(key));
  return result;
}

function chooseKey(target: SchemaAt, taken: ReadonlySet<string>): string {
  const last = splitPointer(target.pointer).at(-1);
  const document = documentTypeName(target.document);
  const own = last === undefined || !/^[\w.-]+$/.test(last) ? toTypeName(last ?? document) : last;
  const candidates = [
    own,
    `${document}${toTypeName(own)}`,
    `${target.document.uri}#${target.pointer}`,
  ];
  return candidates.find((candidate) => !taken.has(candidate)) ?? own;
}

/**
 * A document as it is published: itself, and when it refers to others these embedded under `$defs`
 * by their URI (a compound document, JSON Schema 2020-12 section 9.3), so that it stands alone.
 */
export function bundle(resolution: Resolution, root: SchemaAt): JsonObject {
  const embedded = new Map<string, Json>();
  const queue: SchemaAt[] = [];

  function copy(value: Json, at: SchemaAt): Json {
    if (isArray(value)) return value.map((item, index) => copy(item, resolution.child(at, index)));
    if (!isObject(value)) return value;
    const result: Record<string, Json> = {};
    for (const [key, item] of Object.entries(value)) {
      const reference =
        key === '$ref' && typeof item === 'string' ? canonical(at, item) : undefined;
      setOwn(result, key, reference ?? copy(item, resolution.child(at, key)));
    }
    return result;
  }

  /** References inside a document stay as written; others name the document by its own URI. */
  function canonical(at: SchemaAt, reference: string): string {
    const target = resolution.follow(at, reference);
    if (target === undefined || target.document === at.document) return reference;
    const document = resolution.at(target.document, '') ?? target;
    if (document !== root && !embedded.has(document.base)) {
      embedded.set(document.base, null);
      queue.push(document);
    }
    return target.pointer === '' ? document.base : `${document.base}#${encodeURI(target.pointer)}`;
  }

  const copied = copy(root.schema, root);
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    const resource = copy(at.schema, at);
    embedded.set(at.base, isObject(resource) ? { $id: at.base, ...resource } : resource);
  }
  if (!isObject(copied) || embedded.size === 0) return isObject(copied) ? copied : {};
  const definitions = getOwn(copied, '$defs');
  return {
    ...copied,
    $defs: { ...(isObject(definitions) ? definitions : {}), ...Object.fromEntries(embedded) },
  };
}
