/** Modules: every schema document as one TypeScript module of named types. */
import type { Resolution, SchemaAt, SchemaDocument } from '../resolution.ts';
import type { TypeBuilder } from './build-type.ts';
import { createTypeBuilder } from './build-type.ts';
import { groupByDocument, nameDeclarations, referenceTargets } from './declarations.ts';
import type { Expander } from './expand.ts';
import { createExpander } from './expand.ts';
import type { FillPlan } from './fill.ts';
import { createFillPlan } from './fill.ts';
import type { Mode, TypeNode } from './type-node.ts';
import { UNKNOWN, forEachReference, keyOf, unionNode } from './type-node.ts';

/** One named type, in its two forms. */
export interface Declaration {
  readonly at: SchemaAt;
  readonly name: string;
  readonly output: TypeNode;
  readonly input: TypeNode;
  /** Whether the two forms differ; only then has the input a name of its own. */
  readonly differs: boolean;
  /** Whether defaults are filled in anywhere inside; then only the input may lack them. */
  readonly fills: boolean;
}

/** A document's named types. */
export interface SchemaModule {
  readonly document: SchemaDocument;
  readonly declarations: readonly Declaration[];
  /** The declaration of the document's root. */
  readonly root: Declaration | undefined;
  /** The declarations whose values are checked: the root, and what manifests name inside. */
  readonly doors: readonly Declaration[];
}

/** All modules of a project, and what they were built with. */
export interface TypeModel {
  readonly modules: readonly SchemaModule[];
  readonly resolution: Resolution;
  readonly expander: Expander;
  readonly fillPlan: FillPlan;
  /** The declaration of a schema, when it has one. */
  declarationOf(at: SchemaAt): Declaration | undefined;
}

/** The name of a declaration in a mode. */
export function typeName({ name, differs, fills }: Declaration, mode: Mode): string {
  const sent = mode === 'input' || (mode === 'unfilled' && fills);
  return sent && differs ? `${name}Input` : name;
}

/**
 * Builds the types of all documents. `rootNames` overrides what documents call themselves; `doors` are
 * schemas that get a name, and a verdict, whatever they hold.
 */
export function buildTypeModel(
  resolution: Resolution,
  rootNames: ReadonlyMap<SchemaDocument, string> = new Map(),
  doors: ReadonlySet<SchemaAt> = new Set(),
): TypeModel {
  const targets = groupByDocument(referenceTargets(resolution));
  const places = { targets, doors: groupByDocument(doors) };
  const named = resolution.documents.map((document) => ({
    document,
    names: nameDeclarations(resolution, document, rootNames.get(document), places),
  }));
  const declared = new Set(named.flatMap(({ names }) => names.map(({ at }) => at)));
  const isDeclared = (at: SchemaAt): boolean => declared.has(at);
  const expander = createExpander(resolution, isDeclared);
  const fillPlan = createFillPlan(resolution, expander);
  const builder = createTypeBuilder({ resolution, expander, fillPlan, isDeclared });
  const drafts = named.flatMap(({ names }) =>
    names.map(({ at, name }) => ({ at, name, ...definitions(builder, at) })),
  );
  const filling = findFilling(drafts);
  const differing = findDiffering(drafts, filling);
  const declarations = new Map(
    cutCircles(drafts).map(({ at, name, output, input }) => [
      at,
      { at, name, output, input, differs: differing.has(at), fills: filling.has(at) },
    ]),
  );
  const modules = named.map(({ document, names }) => {
    const list = names.flatMap(({ at }) => declarations.get(at) ?? []);
    const at = resolution.at(document, '');
    const root = at && declarations.get(at);
    const checked = list.filter((each) => each === root || doors.has(each.at));
    return { document, declarations: list, root, doors: checked };
  });
  return { modules, resolution, expander, fillPlan, declarationOf: (at) => declarations.get(at) };
}

type Draft = Omit<Declaration, 'differs' | 'fills'> & { readonly unfilled: TypeNode };

function definitions(
  builder: TypeBuilder,
  at: SchemaAt,
): Pick<Draft, 'input' | 'output' | 'unfilled'> {
  const define = (mode: Mode): TypeNode => builder.definitionOf(at, mode);
  return { output: define('output'), input: define('input'), unfilled: define('unfilled') };
}

/** Types that defaults are filled into, their own or those of what they refer to. */
function findFilling(drafts: readonly Draft[]): ReadonlySet<SchemaAt> {
  return spread(
    drafts,
    ({ output, unfilled }) => withoutModes(output) !== withoutModes(unfilled),
    ({ mode }) => mode === 'output',
  );
}

/** Types whose two forms differ, themselves or through what they refer to. */
function findDiffering(
  drafts: readonly Draft[],
  filling: ReadonlySet<SchemaAt>,
): ReadonlySet<SchemaAt> {
  return spread(
    drafts,
    ({ output, input }) => withoutModes(output) !== withoutModes(input),
    // What refers to an input form in both of its forms differs by it in neither.
    ({ at, mode }) => mode === 'output' || !filling.has(at),
  );
}

/** The types that something is true of, and those that refer to one of them in a way that counts. */
function spread(
  drafts: readonly Draft[],
  isSo: (draft: Draft) => boolean,
  counts: (reference: Extract<TypeNode, { kind: 'ref' }>) => boolean,
): ReadonlySet<SchemaAt> {
  const found = new Set<SchemaAt>();
  const users = new Map<SchemaAt, SchemaAt[]>();
  for (const { at, output } of drafts) {
    forEachReference(output, (reference) => {
      if (counts(reference)) users.set(reference.at, [...(users.get(reference.at) ?? []), at]);
    });
  }
  const queue = drafts.filter(isSo).map(({ at }) => at);
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    if (found.has(at)) continue;
    found.add(at);
    queue.push(...(users.get(at) ?? []));
  }
  return found;
}

function withoutModes(node: TypeNode): string {
  return keyOf(node).replaceAll(/!(?:output|input|unfilled)/g, '');
}

/** An alias that leads back to itself with no object or array between is `unknown` there. */
function cutCircles(drafts: readonly Draft[]): readonly Draft[] {
  const byPlace = new Map(drafts.map((draft) => [draft.at, draft]));
  const leadsTo = (node: TypeNode, target: SchemaAt, seen: Set<SchemaAt>): boolean => {
    let found = false;
    forEachReference(
      node,
      ({ at }) => {
        if (at === target) found = true;
        if (found || seen.has(at)) return;
        seen.add(at);
        const next = byPlace.get(at);
        if (next !== undefined && leadsTo(next.output, target, seen)) found = true;
      },
      true,
    );
    return found;
  };
  return drafts.map((draft) => {
    const cut = (node: TypeNode): TypeNode => {
      if (node.kind === 'union') return unionNode(node.members.map(cut));
      const circular =
        node.kind === 'ref' && (node.at === draft.at || leadsTo(node, draft.at, new Set()));
      return circular ? UNKNOWN : node;
    };
    return leadsTo(draft.output, draft.at, new Set())
      ? { ...draft, output: cut(draft.output), input: cut(draft.input) }
      : draft;
  });
}
