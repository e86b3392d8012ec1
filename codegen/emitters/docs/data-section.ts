/** What an extension's data is: the table of where it lives, and the examples. */
import type { DataEntry } from '../../manifest.ts';
import type { ContractModel, EntryModel, ExtensionModel } from '../../model/contract.ts';
import { printCode, printLink } from './escape.ts';
import { printJsonBlock } from './json-block.ts';
import type { References } from './notation.ts';
import { accessorsOf, mediaTypeOf, printPlace, printWriter, wrapExample } from './places.ts';
import { printParagraphs, printProse } from './prose.ts';
import { exampleHeading } from './site.ts';
import { printTable } from './table.ts';

/** The path from which the generated package exports an extension version. */
export function importPath({ config }: ContractModel, extension: ExtensionModel): string {
  return `${config.name}/${extension.name}/${extension.version}`;
}

/** The table of an extension's data: name and schema, place, key, writer, functions. */
export function printDataTable(extension: ExtensionModel, references: References): string {
  return printTable(
    ['Data and its schema', 'Place', 'Key or media type', 'Written by', 'In code'],
    extension.entries.map(({ entry, declaration }) => {
      const key = entry.key ?? mediaTypeOf(extension, entry);
      const href = references.hrefOf(declaration.at);
      const label = printCode(declaration.name);
      const schema = href === undefined ? label : printLink(label, href);
      const functions = accessorsOf(entry).map((name) => printCode(name));
      return [
        `${printCode(entry.name)}<br>${schema}`,
        entry.in.map(printPlace).join('<br>'),
        key === undefined ? '' : printCode(key),
        printWriter(entry),
        functions.join('<br>'),
      ];
    }),
  );
}

/** An example of how the functions are imported; '' for an extension without data. */
export function printUsage(model: ContractModel, extension: ExtensionModel): string {
  const [first] = extension.entries;
  if (first === undefined) return '';
  const names = accessorsOf(first.entry).join(', ');
  return `\`\`\`ts\nimport { ${names} } from '${importPath(model, extension)}';\n\`\`\``;
}

/** What cannot be said beside an example: a line for each piece of data that states none. */
export function printWithoutExamples({ entries }: ExtensionModel): string {
  const others = entries.filter(({ entry }) => !hasExamples(entry));
  return others
    .map(({ entry }) => `- ${printCode(entry.name)}: ${printProse(entry.description)}`)
    .join('\n');
}

/** Whether an entry states an example. */
export function hasExamples({ examples }: DataEntry): boolean {
  return examples?.minimal !== undefined || examples?.full !== undefined;
}

/** How an example is introduced. */
function printCarrier(entry: DataEntry): string {
  if (entry.in.includes('card.params')) return 'On the agent card';
  const places = entry.in.map(printPlace).join(' or ');
  return entry.in.includes('part') ? `As a ${places}` : `In ${places}`;
}

/** The section of a piece of data: what it is, and what it looks like where it travels. */
export function printExamples(extension: ExtensionModel, { entry }: EntryModel): object {
  const { minimal, full } = entry.examples ?? {};
  const shown = [minimal, full].flatMap((value) =>
    value === undefined ? [] : [printJsonBlock(wrapExample(extension, entry, value))],
  );
  const [first, second] = new Set(shown);
  const at = printCarrier(entry);
  return {
    heading: exampleHeading(entry.name),
    description: printParagraphs(entry.description),
    blocks: [
      ...(first === undefined ? [] : [`${at}${second === undefined ? '' : ', minimal'}:`, first]),
      ...(second === undefined ? [] : [`${at}, full:`, second]),
    ],
  };
}
