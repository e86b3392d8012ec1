/** The docs: a page an extension version, a page a tool, the card, the index, and the schema files. */
import type { EmittedFile, Emitter } from '../emitter.ts';
import { cardPath, printCardPage } from './card-page.ts';
import { printExtensionPage } from './extension-page.ts';
import { indexPath, printIndexPage } from './index-page.ts';
import { publishFiles } from './published-files.ts';
import { createSite } from './site.ts';
import { printToolPage, printToolTable } from './tool-page.ts';

/** Emits the folder below `docs/` that is published at the contract's base URL. */
export const docs: Emitter = {
  name: 'docs',
  emit: (model, { templates }) => {
    const site = createSite(model);
    const files: EmittedFile[] = [
      { path: indexPath(site), text: printIndexPage(model, site, templates) },
      ...site.extensions.map((page) => ({
        path: page.path,
        text: printExtensionPage(model, site, page, templates),
      })),
      ...site.tools.map((page) => ({
        path: page.path,
        text: printToolPage(model, site, page, templates),
      })),
      ...publishFiles(model, site.folder),
    ];
    if (model.card !== undefined) {
      const text = printCardPage(model, model.card, site, templates);
      files.push({ path: cardPath(site), text });
    }
    if (site.tools.length > 0) {
      const path = `${site.folder}/tools/index.md`;
      const table = printToolTable(site, path);
      files.push({
        path,
        text: templates.render('docs/tools.md.hbs', { home: '../index.md', table }),
      });
    }
    return files;
  },
};
