/** The docs: a page an extension version, a page a tool, the card, the index, and the schema files. */
import type { ContractModel } from '../../model/contract.ts';
import type { Templates } from '../../templates.ts';
import type { EmittedFile, Emitter } from '../emitter.ts';
import { cardPath, printCardPage } from './card-page.ts';
import { printExtensionPage } from './extension-page.ts';
import { indexPath, printIndexPage } from './index-page.ts';
import { publishFiles } from './published-files.ts';
import type { Site } from './site.ts';
import { createSite } from './site.ts';
import { printSetPage } from './set-page.ts';
import { printToolList, printToolPage, toolListPath } from './tool-page.ts';

/** Emits the folder below `docs/` that is published at the contract's base URL. */
export const docs: Emitter = {
  name: 'docs',
  emit: (model, { templates }) => {
    const site = createSite(model);
    const pages = printPages(model, site, templates).map(tidy);
    return [...pages, ...publishFiles(model, site.folder)];
  },
};

function printPages(
  model: ContractModel,
  site: Site,
  templates: Templates,
): readonly EmittedFile[] {
  const { card } = model;
  return [
    { path: indexPath(site), text: printIndexPage(model, site, templates) },
    ...site.extensions.map((page) => ({
      path: page.path,
      text: printExtensionPage(model, site, page, templates),
    })),
    ...site.sets.map((page) => ({
      path: page.path,
      text: printSetPage(model, site, page, templates),
    })),
    ...site.tools.map((page) => ({
      path: page.path,
      text: printToolPage(model, site, page, templates),
    })),
    ...(site.tools.length === 0
      ? []
      : [{ path: toolListPath(site), text: printToolList(site, templates) }]),
    ...(card === undefined
      ? []
      : [{ path: cardPath(site), text: printCardPage(model, card, site, templates) }]),
  ];
}

/** Templates leave a blank line around everything, so that a section may be absent. */
function tidy({ path, text }: EmittedFile): EmittedFile {
  return { path, text: text.replaceAll(/\n{3,}/g, '\n\n') };
}
