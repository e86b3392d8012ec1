/** The walk that the rules share: every schema of a project once, with what stands around it. */
import type { Diagnostic } from '../diagnostics.ts';
import { diagnose } from '../diagnostics.ts';
import type { JsonObject } from '../json.ts';
import { getOwn, isObject, joinPointer, splitPointer } from '../json.ts';
import type { Resolution, SchemaAt, SchemaDocument } from '../resolution.ts';
import { createResolution, filePointer } from '../resolution.ts';
import { publishedUri } from '../resolve.ts';
import type { RuleContext } from './rule.ts';

/** A schema as the walk meets it. */
export interface Visit {
  readonly resolution: Resolution;
  readonly at: SchemaAt;
  readonly schema: boolean | JsonObject;
  /** The schema it stands in; none for a document's root. */
  readonly parent: Visit | undefined;
  /** The parent's keyword it stands under, and its name or index there; '' where there is none. */
  readonly keyword: string;
  readonly key: string;
}

const walked = new WeakMap<RuleContext, readonly Visit[]>();

/**
 * Every schema of a project in the order of its files, those of packages and `schemas/meta/`
 * included. What stands in a schema's place but is none is left out: META_SCHEMA names it.
 */
export function walkProject(context: RuleContext): readonly Visit[] {
  let visits = walked.get(context);
  if (visits === undefined) {
    const meta = createResolution(metaDocuments(context));
    visits = [context.resolution, meta].flatMap((resolution) =>
      resolution.documents.flatMap((document) => walkDocument(resolution, document)),
    );
    walked.set(context, visits);
  }
  return visits;
}

/** The schemas that are the project's own to mend: all but those of packages. */
export function walkOwn(context: RuleContext): readonly Visit[] {
  return walkProject(context).filter(({ at }) => at.document.origin !== 'package');
}

/**
 * Every schema of a document, parents first, then those that only a reference reaches: a package may
 * keep schemas beside the keywords.
 */
export function walkDocument(resolution: Resolution, document: SchemaDocument): readonly Visit[] {
  const visits: Visit[] = [];
  const seen = new Set<SchemaAt>();
  const collect = (at: SchemaAt | undefined, parent?: Visit): void => {
    if (at?.document !== document || seen.has(at)) return;
    const { schema } = at;
    if (typeof schema !== 'boolean' && !isObject(schema)) return;
    seen.add(at);
    const [keyword = '', key = ''] = parent === undefined ? [] : stepsBetween(parent.at, at);
    const visit = { resolution, at, schema, parent, keyword, key };
    visits.push(visit);
    for (const subschema of resolution.subschemas(at)) collect(subschema, visit);
  };
  collect(resolution.at(document, ''));
  // The list grows while it is read: what a reference reaches may hold references.
  for (const visit of visits) {
    for (const target of referencesOf(visit)) collect(target);
  }
  return visits;
}

/** What a schema's `$ref` and `$dynamicRef` lead to. */
export function referencesOf({
  resolution,
  at,
  schema,
}: Pick<Visit, 'resolution' | 'at' | 'schema'>): readonly SchemaAt[] {
  if (!isObject(schema)) return [];
  return ['$ref', '$dynamicRef'].flatMap((keyword) => {
    const reference = getOwn(schema, keyword);
    return typeof reference === 'string' ? (resolution.follow(at, reference) ?? []) : [];
  });
}

/** A diagnostic at a schema, or at a member of it. */
export function report(
  rule: string,
  at: SchemaAt,
  path: readonly (string | number)[],
  message: string,
  options: { readonly key?: boolean; readonly hint?: string } = {},
): Diagnostic {
  return diagnose(rule, at.document.file, joinPointer(filePointer(at), ...path), message, options);
}

/** The keyword, and the name or index where it has one, that lead from a schema to one inside it. */
function stepsBetween(parent: SchemaAt, at: SchemaAt): readonly string[] {
  return splitPointer(at.pointer.slice(parent.pointer.length));
}

/**
 * The schemas of manifests, tools and card are published too, so they are held to the same rules. Those
 * that are modules as well the resolution has already.
 */
function metaDocuments({ project }: RuleContext): readonly SchemaDocument[] {
  const listed = new Set(project.sets.flatMap(({ files }) => files));
  const others = project.meta.filter((file) => !listed.has(file));
  return others.map((file) => {
    const uri = publishedUri(project.config.baseUrl, file.path);
    return { uri, aliases: [], file, root: file.json.value, prefix: '', origin: 'own' };
  });
}
