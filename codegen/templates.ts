/** What the generator's own folders hold: Handlebars templates, and the runtime that is shipped. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import Handlebars from 'handlebars';

/** Renders templates by file name (`docs/extension.md.hbs`). */
export interface Templates {
  render(name: string, data: unknown): string;
}

/** The templates below a folder. They hold no logic: values arrive escaped for their format. */
export function createTemplates(folder: string): Templates {
  const handlebars = Handlebars.create();
  const compiled = new Map<string, HandlebarsTemplateDelegate>();
  return {
    render(name, data) {
      let template = compiled.get(name);
      if (template === undefined) {
        const text = readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n');
        template = handlebars.compile(text, { noEscape: true, strict: true });
        compiled.set(name, template);
      }
      return template(data);
    },
  };
}

/** The texts of the runtime's modules, by file name. */
export function readRuntime(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(folder).filter((name) => /\.(js|d\.ts)$/.test(name));
  return new Map(names.sort().map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}
