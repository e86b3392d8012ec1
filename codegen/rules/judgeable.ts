/** Which schemas can be held against values: those that mean what their authors wanted to say. */
import type { SchemaAt, SchemaDocument } from '../resolution.ts';
import { metaSchema } from './meta-schema.ts';
import { requiredProperty } from './required-property.ts';
import type { RuleContext } from './rule.ts';
import { unknownKeyword } from './unknown-keyword.ts';
import { referencesOf, walkProject } from './walk.ts';

/** A fault that these find is the cause; that no value is valid any more follows from it. */
const CAUSES = [metaSchema, unknownKeyword, requiredProperty];

const known = new WeakMap<RuleContext, (document: SchemaDocument) => boolean>();

/**
 * Whether neither a schema's file nor any that it refers to has a fault that would make good values
 * bad: what is said about values then is worth reading.
 */
export function isJudgeable(context: RuleContext, { document }: SchemaAt): boolean {
  let judge = known.get(context);
  if (judge === undefined) known.set(context, (judge = createJudge(context)));
  return judge(document);
}

function createJudge(context: RuleContext): (document: SchemaDocument) => boolean {
  const faulty = new Set(
    CAUSES.flatMap((rule) => rule.check(context)).map((diagnostic) => diagnostic.file),
  );
  if (faulty.size === 0) return () => true;
  const referred = findReferred(context);
  return (document) => {
    const reached = new Set([document]);
    // The set grows while it is read.
    for (const each of reached) for (const next of referred.get(each) ?? []) reached.add(next);
    return ![...reached].some(({ file }) => faulty.has(file.path));
  };
}

/** The documents that each document refers to. */
function findReferred(
  context: RuleContext,
): ReadonlyMap<SchemaDocument, ReadonlySet<SchemaDocument>> {
  const referred = new Map<SchemaDocument, Set<SchemaDocument>>();
  for (const visit of walkProject(context)) {
    const { document } = visit.at;
    const targets = referred.get(document) ?? new Set();
    for (const target of referencesOf(visit)) targets.add(target.document);
    referred.set(document, targets);
  }
  return referred;
}
