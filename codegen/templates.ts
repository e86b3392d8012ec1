/** What the generator's own folders hold: Handlebars templates, and the runtime that is shipped. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import Handlebars from 'handlebars';
import { listFiles } from './read.ts';

/** Renders templates by file name (`docs/extension.md.hbs`). */
export interface Templates {
  render(name: string, data: unknown): string;
}

/** Templates as `precompileTemplates` made code of them, by file name. */
export type Precompiled = Readonly<Record<string, TemplateSpecification>>;

/** Values arrive escaped for their format; a value that is missing is a fault of an emitter. */
const OPTIONS = { noEscape: true, strict: true };

/** The templates below a folder. They hold no logic. Those that are precompiled are not read. */
export function createTemplates(folder: string, precompiled: Precompiled = {}): Templates {
  const handlebars = Handlebars.create();
  const ready = new Map<string, HandlebarsTemplateDelegate>();
  return {
    render(name, data) {
      let template = ready.get(name);
      if (template === undefined) {
        const known = precompiled[name];
        template = known
          ? handlebars.template(known)
          : handlebars.compile(readSource(folder, name), OPTIONS);
        ready.set(name, template);
      }
      return template(data);
    },
  };
}

/** The templates below a folder as JavaScript: an object of specifications by file name. */
export function precompileTemplates(folder: string): string {
  const members = listFiles(folder, '.').map((name) => {
    // The declaration promises an object; it is the object's source.
    const code: unknown = Handlebars.precompile(readSource(folder, name), OPTIONS);
    return `${JSON.stringify(name)}: ${code as string}`;
  });
  return `{${members.join(',\n')}}`;
}

/** A file of the generator, whatever line ends its checkout has. */
function readSource(folder: string, name: string): string {
  return readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n');
}

/** The texts of the runtime's modules, by file name. */
export function readRuntime(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(folder).filter((name) => /\.(js|d\.ts)$/.test(name));
  return new Map(names.sort().map((name) => [name, readSource(folder, name)]));
}
