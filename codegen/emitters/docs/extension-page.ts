/** The page of an extension version. */
import { posix } from 'node:path';
import type { ContractModel, EntryModel, ExtensionModel } from '../../model/contract.ts';
import { cardEntry } from '../extension-modules.ts';
import type { Templates } from '../../templates.ts';
import type { DefinitionContext } from './definition.ts';
import { printDefinition, referencesFrom } from './definition.ts';
import { escapeText, printCode, printLink } from './escape.ts';
import { printJsonBlock } from './json-block.ts';
import { printGroups, printPackages } from './package-section.ts';
import { accessorsOf, mediaTypeOf, printPlace, printWriter, wrapExample } from './places.ts';
import { printParagraphs, printProse } from './prose.ts';
import type { ExtensionPage, SchemaPart, Site } from './site.ts';
import { exampleHeading, linkTo } from './site.ts';
import { printTable } from './table.ts';
import { findWriters } from './writers.ts';

/** Prints the page of an extension version. */
export function printExtensionPage(
  model: ContractModel,
  site: Site,
  page: ExtensionPage,
  templates: Templates,
): string {
  const { extension, parts, path } = page;
  const { manifest, entries } = extension;
  const references = referencesFrom(site, model.types, path);
  const context = { types: model.types, references };
  const sections = [...printParts(model, page, context), ...printGroups(page, context)];
  return templates.render('docs/extension.md.hbs', {
    title: escapeText(`${manifest.title} extension, ${extension.version}`),
    home: linkTo(path, `${site.folder}/index.md`),
    purpose: printParagraphs(manifest.purpose),
    facts: printFacts(model, page),
    data:
      entries.length === 0
        ? []
        : [{ table: printData(page, references), usage: printImport(model, extension) }],
    examples: entries.length === 0 ? [] : [entries.map((entry) => printExamples(extension, entry))],
    definitions: sections.length === 0 ? [] : [{ index: printIndex(page), sections }],
    packages: printPackages(page).map((blocks) => ({ blocks })),
    rules: (manifest.rules ?? []).length === 0 ? [] : [printRules(extension)],
    card: printJsonBlock(cardEntry(extension)),
    schemas: parts.length,
  });
}

function printFacts(model: ContractModel, { extension }: ExtensionPage): string {
  const { manifest } = extension;
  const types = extension.entries.flatMap(({ entry }) => mediaTypeOf(extension, entry) ?? []);
  const mediaTypes = [
    ...new Set([...(manifest.mediaType === undefined ? [] : [manifest.mediaType]), ...types]),
  ];
  const files = extension.source.files.map(({ path }) => posix.basename(path));
  const links = [...files, 'extension.json'].map((file) => printLink(printCode(file), file));
  return printTable(
    ['', ''],
    [
      ['**Adds**', printProse(manifest.description)],
      ['**URI**', printCode(manifest.uri)],
      [
        mediaTypes.length === 1 ? '**Media type**' : '**Media types**',
        mediaTypes.map((type) => printCode(type)).join('<br>') || 'none',
      ],
      ['**Activation**', ACTIVATION[manifest.activation]],
      ['**Required**', manifest.required === true ? REQUIRED : OPTIONAL],
      ['**In code**', printCode(importPath(model, extension))],
      ['**Files**', links.join(', ')],
    ],
  );
}

const ACTIVATION = {
  always:
    'Always on. Its data is read and written on every request, whether or not the client names the URI in `A2A-Extensions`.',
  negotiated:
    'By the client, which names the URI in `A2A-Extensions`. Requests that do not are answered as if the extension did not exist.',
} as const;

const REQUIRED = 'Yes. The agent refuses clients that do not follow it.';
const OPTIONAL = 'No. Clients that do not know it are served all the same.';

function importPath({ config }: ContractModel, { name, version }: ExtensionModel): string {
  return `${config.name}/${name}/${version}`;
}

function printData(
  { extension }: ExtensionPage,
  references: DefinitionContext['references'],
): string {
  return printTable(
    ['Data', 'Place', 'Key or media type', 'Written by', 'Schema', 'In code'],
    extension.entries.map((model) => {
      const { entry, declaration } = model;
      const key = entry.key ?? mediaTypeOf(extension, entry);
      const href = references.hrefOf(declaration.at);
      const label = printCode(declaration.name);
      return [
        printCode(entry.name),
        entry.in.map(printPlace).join('<br>'),
        key === undefined ? '' : printCode(key),
        printWriter(entry),
        href === undefined ? label : printLink(label, href),
        accessorsOf(entry)
          .map((name) => printCode(name))
          .join('<br>'),
      ];
    }),
  );
}

function printImport(model: ContractModel, extension: ExtensionModel): string {
  const names = extension.entries.flatMap(({ entry }) => accessorsOf(entry));
  const path = importPath(model, extension);
  const line = `import { ${names.join(', ')} } from '${path}';`;
  const lines = names.map((name) => `  ${name},\n`).join('');
  const code = line.length <= 88 ? line : `import {\n${lines}} from '${path}';`;
  return `\`\`\`ts\n${code}\n\`\`\``;
}

function printExamples(extension: ExtensionModel, { entry }: EntryModel): object {
  const { minimal, full } = entry.examples ?? {};
  const shown = [minimal, full].flatMap((value) =>
    value === undefined ? [] : [printJsonBlock(wrapExample(extension, entry, value))],
  );
  const [first = '', second] = shown;
  const blocks =
    second === undefined || second === first
      ? [first]
      : ['At the least:', first, 'In full:', second];
  return {
    heading: exampleHeading(entry.name),
    description: printParagraphs(entry.description),
    blocks: blocks.filter((block) => block !== ''),
  };
}

function printParts(
  model: ContractModel,
  { extension, parts }: ExtensionPage,
  context: Pick<DefinitionContext, 'types' | 'references'>,
): readonly object[] {
  const writers = findWriters(model.types, extension);
  return parts.flatMap(({ sections, module }) =>
    sections.map(({ heading, declaration }) => ({
      heading: escapeText(heading),
      blocks: printDefinition(declaration, {
        ...context,
        writer: writers(declaration.at),
        examples: declaration !== module.root,
      }),
    })),
  );
}

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
