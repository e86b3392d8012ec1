/** Schemas that stay in npm packages: where they come from, what was changed, what they define. */
import { posix } from 'node:path';
import { getOwn, isArray, isObject } from '../../json.ts';
import type { JsonObject } from '../../json.ts';
import type { PackageSource } from '../../manifest.ts';
import type { Declaration } from '../../model/modules.ts';
import type { DefinitionContext } from './definition.ts';
import { escapeText, printCode } from './escape.ts';
import { printFlat } from './json-block.ts';
import { printNotation } from './notation.ts';
import { descriptionOf } from './properties.ts';
import { printProse } from './prose.ts';
import type { DefinitionGroup, ExtensionPage } from './site.ts';
import { printTable } from './table.ts';

/** What the tables of a package's definitions are printed with. */
type GroupContext = Pick<DefinitionContext, 'types' | 'references'>;

/** The blocks of each package that an extension takes schemas from. */
export function printPackages({ extension }: ExtensionPage): readonly (readonly string[])[] {
  return (extension.manifest.packages ?? []).map((source) => [
    `From the npm package ${printCode(source.name)}, version ${printCode(source.version)}. ` +
      'The schemas are used as published and under the licence of that package; none is copied to this site.',
    printTable(
      ['URI', 'File in the package'],
      Object.entries(source.schemas).map(([uri, path]) => [printCode(uri), printCode(path)]),
    ),
    ...printAmendments(source),
  ]);
}

function printAmendments({ amend = [] }: PackageSource): readonly string[] {
  if (amend.length === 0) return [];
  const table = printTable(
    ['Schema', 'Place', 'Value here', 'Reason'],
    amend.map(({ schema, pointer, to, because }) => [
      printCode(posix.basename(schema)),
      printCode(pointer),
      printCode(printFlat(to)),
      printProse(because),
    ]),
  );
  return ['Where the contract differs from what is published:', table];
}

/** A group as the template takes it. */
interface PrintedGroup {
  readonly heading: string;
  readonly blocks: readonly string[];
}

/** A table for each group of definitions that have no section of their own. */
export function printGroups(
  { groups }: ExtensionPage,
  context: GroupContext,
): readonly PrintedGroup[] {
  return groups.map((group) => ({
    heading: escapeText(group.heading),
    blocks: [
      'In short; the types in the package have the rest. An asterisk marks what is required.',
      printGroup(group, context),
    ],
  }));
}

function printGroup({ declarations }: DefinitionGroup, context: GroupContext): string {
  return printTable(
    ['Name', 'Own properties, or type', 'Also those of', 'Description'],
    declarations.map((declaration) => {
      const { at, name } = declaration;
      return [
        printCode(name),
        printOwn(declaration, context),
        printBases(declaration, context),
        printProse(descriptionOf(at)),
      ];
    }),
  );
}

/** The names of the properties that a definition adds; for other than objects the type. */
function printOwn({ at, output }: Declaration, { references }: GroupContext): string {
  const names = isObject(at.schema) ? printNames(at.schema) : '';
  return names === '' ? printNotation(output, references, at) : names;
}

/** Names, with those inside an object behind it; a fixed value only repeats the definition's name. */
function printNames(schema: JsonObject): string {
  const properties = getOwn(schema, 'properties');
  const required = getOwn(schema, 'required');
  const own = Object.entries(isObject(properties) ? properties : {}).flatMap(([name, property]) => {
    if (!isObject(property) || getOwn(property, 'const') !== undefined) return [];
    const mark = isArray(required) && required.includes(name) ? '\\*' : '';
    const inner = printNames(property);
    return [`${printCode(name)}${mark}${inner === '' ? '' : ` (${inner})`}`];
  });
  const all = getOwn(schema, 'allOf');
  const inline = (isArray(all) ? all : []).filter(isObject).map(printNames);
  return [...own, ...inline.filter((names) => names !== '')].join(', ');
}

/** The definitions whose properties a definition takes over whole. */
function printBases({ at }: Declaration, { types, references }: GroupContext): string {
  const all = isObject(at.schema) ? getOwn(at.schema, 'allOf') : undefined;
  const bases = (isArray(all) ? all : []).flatMap((part) => {
    const reference = isObject(part) ? getOwn(part, '$ref') : undefined;
    const target =
      typeof reference === 'string' ? types.resolution.follow(at, reference) : undefined;
    return target === undefined
      ? []
      : [printNotation({ kind: 'ref', at: target, mode: 'output' }, references, target)];
  });
  return bases.join(', ');
}
