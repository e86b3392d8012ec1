/** Who may set what: `readOnly` is the server's, all else follows from the data that it is part of. */
import type { ExtensionModel } from '../../model/contract.ts';
import type { TypeModel } from '../../model/modules.ts';
import { forEachReference } from '../../model/type-node.ts';
import type { SchemaAt } from '../../resolution.ts';

/** Who writes a definition, in words; undefined when no data of the extension uses it. */
export type Writers = (at: SchemaAt) => string | undefined;

/** Who sets properties that are `readOnly`. */
export const SERVER = 'server';

/** Finds the writers of every definition that an extension's data leads to. */
export function findWriters(types: TypeModel, extension: ExtensionModel): Writers {
  const writers = new Map<SchemaAt, Set<'agent' | 'client'>>();
  for (const { entry, declaration } of extension.entries) {
    const { by = 'both' } = entry;
    const own = by === 'both' ? (['agent', 'client'] as const) : [by];
    for (const at of reachable(types, declaration.at)) {
      const known = writers.get(at) ?? new Set();
      for (const writer of own) known.add(writer);
      writers.set(at, known);
    }
  }
  return (at) => {
    const known = writers.get(at);
    return known && [...known].sort().join(', ');
  };
}

function reachable(types: TypeModel, start: SchemaAt): ReadonlySet<SchemaAt> {
  const seen = new Set<SchemaAt>([start]);
  // A set that grows while it is walked is walked to its end.
  for (const at of seen) {
    const declaration = types.declarationOf(at);
    if (declaration !== undefined) forEachReference(declaration.output, (to) => seen.add(to.at));
  }
  return seen;
}
