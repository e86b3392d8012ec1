/** What is generated from schemas, written to a folder and imported. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Json, JsonObject } from '../../codegen/json.ts';
import type { TemporaryFolder } from './projects.ts';
import { createProject, emitContext, makeFolder, renderAll, writeFiles } from './projects.ts';

/** The answer of a generated parser. */
type Result =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly errors: readonly { readonly message: string }[] };

/** One generated module. */
export interface SampleModule {
  readonly schema: JsonObject;
  readonly validate: (value: unknown) => boolean;
  readonly parse: (value: unknown) => Result;
  readonly parseInput: (value: unknown) => Result;
  /** The name of the root's type, and the text of the declarations. */
  readonly typeName: string;
  readonly types: string;
}

/** A rendered project: where its modules are, and what its files say. */
interface Rendered {
  readonly location: (name: string) => string;
  readonly text: (path: string) => string;
}

const FOLDER = 'extensions/sample/v1';

/** Renders schemas and imports their modules, into one folder with a place for each time. */
export class SampleImporter {
  private readonly folder: TemporaryFolder = makeFolder('samples');
  /** Under `node_modules`, so that Node imports it as it stands and the test runner keeps its hands off. */
  private readonly package: string = join(this.folder.path, 'node_modules', 'samples');
  private count = 0;

  constructor() {
    const texts = [...emitContext.runtime].map(
      ([name, text]) => [`runtime/${name}`, text] as const,
    );
    writeFiles(this.package, new Map([...texts, ['package.json', '{ "type": "module" }\n']]));
  }

  /** The modules of some documents, which are rendered as one project. */
  async import(schemas: readonly JsonObject[]): Promise<readonly SampleModule[]> {
    const named = schemas.map(
      (each, index) => [`root${String(index)}`, apart(each, index)] as const,
    );
    const files = this.write(Object.fromEntries(named));
    return Promise.all(
      schemas.map(async (schema, index) => {
        const name = `root${String(index)}`;
        const module = (await import(files.location(name))) as object;
        return toSample(schema, index, module, files.text(`generated/${FOLDER}/${name}.d.ts`));
      }),
    );
  }

  /** The same of one document whose definitions stand in another one. */
  async importSpread(schema: JsonObject): Promise<SampleModule & { readonly bundled: JsonObject }> {
    const { $defs = {}, ...root } = schema as { $defs?: JsonObject } & JsonObject;
    const reach = (node: JsonObject, file: string): JsonObject =>
      JSON.parse(JSON.stringify(node).replaceAll('"#/$defs/', `"${file}#/$defs/`)) as JsonObject;
    const files = this.write({
      root0: { ...reach(root, 'others.json'), title: 'Root0' },
      others: { title: 'Others', description: 'Definitions.', $defs },
    });
    const module = (await import(files.location('root0'))) as object;
    const bundled = JSON.parse(files.text('generated/schemas/sample/v1/root0.json')) as JsonObject;
    const types = files.text(`generated/${FOLDER}/root0.d.ts`);
    return { ...toSample(schema, 0, module, types), bundled };
  }

  /** Renders documents as one project, and writes the modules to a place of their own. */
  private write(documents: Readonly<Record<string, Json>>): Rendered {
    const place = join(this.package, `sample-${String(this.count++)}`);
    mkdirSync(place);
    symlinkSync(join(this.package, 'runtime'), join(place, 'runtime'));
    const files = renderAll(createProject(documents));
    const modules = [...files].flatMap(([path, text]): [string, string][] =>
      path.startsWith(`generated/${FOLDER}/`) && path.endsWith('.js')
        ? [[path.replace('generated/', ''), text]]
        : [],
    );
    writeFiles(place, new Map(modules));
    return {
      location: (name) => pathToFileURL(join(place, FOLDER, `${name}.js`)).href,
      text: (path) => files.get(path) ?? '',
    };
  }

  /** Removes everything that was written. */
  remove(): void {
    this.folder.remove();
  }
}

function toSample(schema: JsonObject, index: number, module: object, types: string): SampleModule {
  const typeName = `Root${String(index)}`;
  const functions = new Map(Object.entries(module) as [string, SampleModule['parse']][]);
  const parse = functions.get(`parse${typeName}`)!;
  const parseInput = functions.get(`parse${typeName}Input`) ?? parse;
  const validate = functions.get(`is${typeName}`) as unknown as SampleModule['validate'];
  return { schema, validate, parse, parseInput, typeName, types };
}

/** The definitions under names of their own: within an extension no two types share one. */
function apart(schema: JsonObject, index: number): JsonObject {
  const rename = (name: string): string => `${name}${String(index)}`;
  const text = JSON.stringify(schema).replaceAll(
    /"#\/\$defs\/(\w+)"/g,
    (_, name: string) => `"#/$defs/${rename(name)}"`,
  );
  const { $defs = {}, ...root } = JSON.parse(text) as { $defs?: JsonObject };
  const renamed = Object.entries($defs).map(([name, each]) => [rename(name), each]);
  return {
    ...root,
    title: `Root${String(index)}`,
    $defs: Object.fromEntries(renamed) as JsonObject,
  };
}
