/** The page of a schema set: its types, and the schema files that they come from. */
import { posix } from 'node:path';
import type { ContractModel, ModuleModel } from '../../model/contract.ts';
import { publishedPath } from '../../resolve.ts';
import type { Templates } from '../../templates.ts';
import { escapeText, printCode, printLink } from './escape.ts';
import { descriptionOf } from './properties.ts';
import { printParagraphs, printProse } from './prose.ts';
import type { SetPage, Site } from './site.ts';
import { linkTo } from './site.ts';
import { printTable } from './table.ts';

/** Prints the page of a schema set. */
export function printSetPage(
  { config }: ContractModel,
  site: Site,
  { model, path }: SetPage,
  templates: Templates,
): string {
  const { set, folder, modules } = model;
  return templates.render('docs/set.md.hbs', {
    title: escapeText(set.title),
    home: linkTo(path, `${site.folder}/index.md`),
    description: printParagraphs(set.description),
    module: printCode(`${config.name}/${folder}`),
    table: printTypes(modules, site, path),
  });
}

/** A row a type: the root of a file first, with a link to the file, then what is defined in it. */
function printTypes(modules: readonly ModuleModel[], site: Site, path: string): string {
  const rows = modules.flatMap((module) => {
    const { file } = module.document;
    const href = linkTo(path, `${site.folder}/${publishedPath(file.path)}`);
    const link = printLink(printCode(posix.basename(file.path)), href);
    return module.declarations.map((declaration) => [
      printCode(declaration.name),
      declaration === module.root ? link : '',
      printProse(descriptionOf(declaration.at)),
    ]);
  });
  return printTable(['Type', 'Schema', 'What it is'], rows);
}
