/** Entries of one extension whose parts have the same media type, which then tells nothing apart. */
import type { EntryModel, ExtensionModel } from '../../model/contract.ts';
import { toTypeName } from '../../names.ts';
import { printCode } from './escape.ts';
import { mediaTypeOf } from './places.ts';

/** A sentence or two for each media type that several entries share, as one line; '' without any. */
export function printSharedTypes(extension: ExtensionModel): string {
  const byType = new Map<string, EntryModel[]>();
  for (const each of extension.entries) {
    const type = mediaTypeOf(extension, each.entry);
    if (type !== undefined) byType.set(type, [...(byType.get(type) ?? []), each]);
  }
  const shared = [...byType].filter(([, entries]) => entries.length > 1);
  return shared.map(([type, entries]) => printShared(type, entries)).join(' ');
}

function printShared(type: string, entries: readonly EntryModel[]): string {
  const list = (words: readonly string[]): string =>
    `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
  const names = entries.map(({ entry }) => printCode(entry.name));
  const guards = entries.map(({ entry }) => printCode(`is${toTypeName(entry.name)}Part`));
  const writers = entries.map(({ entry }) => entry.by ?? 'both');
  const byDirection = !writers.includes('both') && new Set(writers).size === writers.length;
  const sides = entries.map(
    ({ entry }, index) => `${printCode(entry.name)} comes from the ${writers[index] ?? ''}`,
  );
  const apart = byDirection ? `the direction does: ${list(sides)}` : 'what they hold does';
  return (
    `Parts of ${list(names)} share the media type ${printCode(type)}, so ${list(guards)} say the same ` +
    `of a part. The media type does not tell them apart; ${apart}.`
  );
}
