/** The first page: what the contract is, and the way to every other page. */
import { posix } from 'node:path';
import { getOwn } from '../../json.ts';
import type { ContractModel } from '../../model/contract.ts';
import type { Templates } from '../../templates.ts';
import { cardPath } from './card-page.ts';
import { escapeText, printCode, printLink } from './escape.ts';
import { printPlace } from './places.ts';
import { printParagraphs, printProse } from './prose.ts';
import type { Site } from './site.ts';
import { linkTo } from './site.ts';
import { printTable } from './table.ts';
import { printToolTable } from './tool-page.ts';

/** Where the first page is. */
export function indexPath(site: Site): string {
  return `${site.folder}/index.md`;
}

/** Prints the first page. */
export function printIndexPage(model: ContractModel, site: Site, templates: Templates): string {
  const { config, card, project } = model;
  const path = indexPath(site);
  const name = card === undefined ? undefined : getOwn(card, 'name');
  const meta = project.meta.map(({ path: file }) => printMeta(posix.basename(file)));
  const tools = printToolTable(site, path);
  const title = typeof name === 'string' ? `The A2A contract of ${name}` : config.name;
  return templates.render('docs/index.md.hbs', {
    title: escapeText(title),
    description: printParagraphs(withoutTitle(config.description, title)),
    package: printCode(config.name),
    baseUrl: printCode(config.baseUrl),
    card: card === undefined ? [] : [linkTo(path, cardPath(site))],
    extensions: site.extensions.length === 0 ? [] : [printExtensions(site)],
    modules: site.sets.length === 0 ? [] : [printSets(site)],
    tools: tools === '' ? [] : [tools],
    schemas: meta.length === 0 ? [] : [meta.join('\n')],
  });
}

/** A description that begins with the title goes on after it. */
function withoutTitle(description: string, title: string): string {
  const text = description.trim();
  if (!text.startsWith(title)) return text;
  const rest = /^(?:[.:,;]\s*|\s+[–—-]\s+|$)(.*)$/s.exec(text.slice(title.length))?.[1];
  return rest === undefined ? text : rest.charAt(0).toUpperCase() + rest.slice(1);
}

function printMeta(file: string): string {
  return `- ${printLink(printCode(file), `meta/${file}`)}`;
}

function printSets(site: Site): string {
  return printTable(
    ['Module', 'What it holds'],
    site.sets.map(({ model: { set }, path }) => [
      printLink(escapeText(set.title), linkTo(indexPath(site), path)),
      printProse(set.description),
    ]),
  );
}

function printExtensions(site: Site): string {
  return printTable(
    ['Extension', 'Version', 'What it adds', 'Activation', 'Where its data lives'],
    site.extensions.map(({ extension, path }) => {
      const { manifest, version, entries } = extension;
      const places = new Set(entries.flatMap(({ entry }) => entry.in.map(printPlace)));
      return [
        printLink(escapeText(manifest.title), linkTo(indexPath(site), path)),
        escapeText(version),
        `${printProse(manifest.description)}<br>${printCode(manifest.uri)}`,
        manifest.activation === 'always' ? 'always on' : 'by the client',
        [...places].join('<br>'),
      ];
    }),
  );
}
