/** The page of an extension version. */
import { posix } from 'node:path';
import type { ContractModel, ExtensionModel } from '../../model/contract.ts';
import { cardEntry } from '../extension-modules.ts';
import type { Templates } from '../../templates.ts';
import {
  hasExamples,
  printDataTable,
  printExamples,
  printUsage,
  printWithoutExamples,
} from './data-section.ts';
import type { DefinitionContext } from './definition.ts';
import { printDefinition, referencesFrom } from './definition.ts';
import { escapeText, printCode, printLink } from './escape.ts';
import { printFacts } from './facts.ts';
import { printJsonBlock } from './json-block.ts';
import { printGroups, printPackages } from './package-section.ts';
import { printParagraphs, printProse } from './prose.ts';
import { printSharedTypes } from './shared-types.ts';
import type { ExtensionPage, SchemaPart, Site } from './site.ts';
import { linkTo } from './site.ts';
import { SERVER, findWriters } from './writers.ts';

/** Prints the page of an extension version. A section that would be empty is left out. */
export function printExtensionPage(
  model: ContractModel,
  site: Site,
  page: ExtensionPage,
  templates: Templates,
): string {
  const { extension, path } = page;
  const { manifest, entries } = extension;
  const context = { types: model.types, references: referencesFrom(site, model.types, path) };
  const sections = [...printParts(model, page, context), ...printGroups(page, context)];
  const rules = printRules(extension);
  const shown = entries.filter(({ entry }) => hasExamples(entry));
  const examples = shown.map((entry) => printExamples(extension, entry));
  const data = {
    table: printDataTable(extension, context.references),
    notes: [printWithoutExamples(extension), printSharedTypes(extension)],
    usage: printUsage(model, extension),
    examples: examples.length === 0 ? [] : [examples],
  };
  return templates.render('docs/extension.md.hbs', {
    title: escapeText(`${manifest.title} extension, ${extension.version}`),
    home: linkTo(path, `${site.folder}/index.md`),
    purpose: printParagraphs(manifest.purpose),
    facts: printFacts(model, page),
    data: entries.length === 0 ? [] : [data],
    definitions:
      sections.length === 0
        ? []
        : [{ legend: legendOf(sections), index: printIndex(page), sections }],
    packages: printPackages(page),
    rules: rules === '' ? [] : [rules],
    card: printJsonBlock(cardEntry(extension)),
  });
}

/** A section as the template takes it. */
interface PrintedSection {
  readonly heading: string;
  readonly blocks: readonly string[];
}

function printParts(
  model: ContractModel,
  { extension, parts }: ExtensionPage,
  context: Pick<DefinitionContext, 'types' | 'references'>,
): readonly PrintedSection[] {
  const writers = findWriters(model.types, extension);
  return parts.flatMap(({ sections, module }) =>
    sections.map(({ heading, declaration }) => ({
      heading: escapeText(heading),
      blocks: printDefinition(declaration, {
        ...context,
        writer: writers(declaration.at),
        // The examples of the data show a root already, where it travels.
        examples: declaration !== module.root,
      }),
    })),
  );
}

/** What "set by" says, on a page that says it. */
function legendOf(sections: readonly PrintedSection[]): string {
  const text = sections.flatMap(({ blocks }) => blocks).join('\n');
  if (!/^(?:Set by the|\|.* Set by \|)/m.test(text)) return '';
  return `"Set by" says who gives a property its value.${text.includes(`| ${SERVER} |`) ? READ_ONLY : ''}`;
}

const READ_ONLY =
  ' A client finds the properties of the server in what it reads; what it sends is refused with them.';

/** The definitions of the page, by the file that they stand in. */
function printIndex({ parts, groups }: ExtensionPage): string {
  const lines = parts.map((part) => {
    const links = part.sections.map(({ declaration, anchor }) =>
      printLink(printCode(declaration.name), `#${anchor}`),
    );
    return `- ${printFile(part)}: ${links.join(', ')}`;
  });
  const others = groups.map(
    ({ heading, anchor }) => `- ${printLink(escapeText(heading), `#${anchor}`)}`,
  );
  return [...lines, ...others].join('\n');
}

function printFile({ module: { document } }: SchemaPart): string {
  const file = posix.basename(document.file.path);
  return document.origin === 'package' ? printCode(file) : printLink(printCode(file), file);
}

function printRules({ manifest }: ExtensionModel): string {
  const lines = (manifest.rules ?? []).map(
    ({ id, text }) => `- **${escapeText(id)}**: ${printProse(text)}`,
  );
  return lines.join('\n');
}
