/** Declarations: which schemas get a name in TypeScript, and what it is. */
import { getOwn, isObject, joinPointer, splitPointer } from '../json.ts';
import { documentTypeName, toTypeName } from '../names.ts';
import type { Resolution, SchemaAt, SchemaDocument } from '../resolution.ts';

/** One named schema. */
export interface DeclaredName {
  readonly at: SchemaAt;
  readonly name: string;
}

/** Schemas that have a name beside roots and definitions. */
export interface NamedPlaces {
  /** What references name, by document: a name unless it says no more than a scalar's type. */
  readonly targets: ReadonlyMap<SchemaDocument, ReadonlySet<SchemaAt>>;
  /** What manifests name, likewise: always a name. */
  readonly doors: ReadonlyMap<SchemaDocument, ReadonlySet<SchemaAt>>;
}

/** Places by the document they are in. */
export function groupByDocument(
  places: Iterable<SchemaAt>,
): ReadonlyMap<SchemaDocument, ReadonlySet<SchemaAt>> {
  const groups = new Map<SchemaDocument, Set<SchemaAt>>();
  for (const at of places) {
    const group = groups.get(at.document);
    if (group === undefined) groups.set(at.document, new Set([at]));
    else group.add(at);
  }
  return groups;
}

/** The names of a document, root first, then its definitions in their order. */
export function nameDeclarations(
  resolution: Resolution,
  document: SchemaDocument,
  rootName: string | undefined,
  named: NamedPlaces,
): readonly DeclaredName[] {
  const taken = new Set<string>();
  const declared: DeclaredName[] = [];
  const root = resolution.at(document, '');
  const rootTypeName = rootName ?? documentTypeName(document);
  for (const at of declarable(resolution, document, named)) {
    const last = splitPointer(at.pointer).at(-1) ?? '';
    const wanted = at === root ? rootTypeName : toTypeName(last);
    declared.push({ at, name: claim(wanted, at, rootTypeName, taken) });
  }
  return declared;
}

/** Every schema that some `$ref` of a project names. */
export function referenceTargets(resolution: Resolution): ReadonlySet<SchemaAt> {
  const targets = new Set<SchemaAt>();
  const queue = resolution.documents.flatMap((document) => resolution.at(document, '') ?? []);
  const seen = new Set<SchemaAt>();
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    if (seen.has(at) || !isObject(at.schema)) continue;
    seen.add(at);
    queue.push(...resolution.subschemas(at));
    const reference = getOwn(at.schema, '$ref');
    const target = typeof reference === 'string' ? resolution.follow(at, reference) : undefined;
    if (target === undefined) continue;
    targets.add(target);
    queue.push(target);
  }
  return targets;
}

/** The root (unless it only holds definitions), all of `$defs`, and other targets of references. */
function declarable(
  resolution: Resolution,
  document: SchemaDocument,
  { targets, doors }: NamedPlaces,
): readonly SchemaAt[] {
  const root = resolution.at(document, '');
  const definitions = isObject(document.root) ? getOwn(document.root, '$defs') : undefined;
  const names = isObject(definitions) ? Object.keys(definitions) : [];
  const places = new Set([
    root,
    ...names.map((name) => resolution.at(document, joinPointer('/$defs', name))),
    ...(targets.get(document) ?? []),
    ...(doors.get(document) ?? []),
  ]);
  return [...places]
    .filter((at) => at !== undefined)
    .filter((at) => {
      if (doors.get(document)?.has(at) === true) return true;
      // A package's file that only holds definitions is no type itself.
      return at === root && document.origin !== 'package' ? true : !isBare(at);
    });
}

/** A plain scalar, or anything at all: a name for it would only hide what it is. */
function isBare({ schema }: SchemaAt): boolean {
  if (!isObject(schema)) return true;
  const type = getOwn(schema, 'type');
  if (typeof type === 'string' && ['array', 'object'].includes(type)) return false;
  return !Object.keys(schema).some((keyword) => STRUCTURAL.has(keyword));
}

/** Keywords that give a type something to say beyond `type` itself. */
const STRUCTURAL = new Set([
  '$ref',
  '$dynamicRef',
  'const',
  'enum',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'properties',
  'patternProperties',
  'additionalProperties',
  'propertyNames',
  'required',
  'dependentRequired',
  'dependentSchemas',
  'unevaluatedProperties',
  'prefixItems',
  'items',
  'contains',
  'unevaluatedItems',
  'minItems',
  'maxItems',
]);

/** Within one document a name that is taken is told apart by where it stands, never by a number. */
function claim(wanted: string, at: SchemaAt, rootName: string, taken: Set<string>): string {
  const segments = splitPointer(at.pointer).filter((segment) => segment !== '$defs');
  const candidates = [wanted, rootName + wanted, toTypeName([rootName, ...segments].join('-'))];
  let name = candidates.find((candidate) => !taken.has(candidate)) ?? wanted;
  while (taken.has(name)) name = `${name}_`;
  taken.add(name);
  return name;
}
