/** Projects for tests: built in memory, rendered in memory, written to a folder to be imported. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTemplates, readRuntime, renderProject } from '../../codegen/index.ts';
import type { Json } from '../../codegen/json.ts';

/** The repository. */
export const repository = fileURLToPath(new URL('../..', import.meta.url));

/** A project's files by path, as the generator takes them. */
export type ProjectFiles = Parameters<typeof renderProject>[0];

/** What the generator brings along. */
export const emitContext = {
  templates: createTemplates(join(repository, 'templates')),
  runtime: readRuntime(join(repository, 'codegen', 'runtime')),
};

/** Where the schemas of `createProject` are published. */
export const baseUrl = 'https://acme.example/a2a';

/** A project of one extension, `sample` v1, that holds the given schema files. */
export function createProject(schemas: Readonly<Record<string, Json>>): ProjectFiles {
  const folder = 'schemas/extensions/sample/v1';
  const files: Record<string, Json> = {
    'schemas/contract.json': {
      name: '@acme/contract',
      description: 'A contract for tests',
      license: 'MIT',
      baseUrl,
    },
    [`${folder}/extension.json`]: sampleManifest,
    [`${folder}/schema.json`]: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: `${baseUrl}/ext/sample/v1/schema.json`,
      title: 'Sample',
      description: 'A sample.',
      type: 'string',
    },
  };
  for (const [name, schema] of Object.entries(schemas)) {
    const $id = `${baseUrl}/ext/sample/v1/${name}.json`;
    const $schema = 'https://json-schema.org/draft/2020-12/schema';
    files[`${folder}/${name}.json`] = { $schema, $id, ...(schema as object) };
  }
  return toFiles(files);
}

const sampleManifest = {
  title: 'Sample',
  uri: 'https://acme.example/a2a/ext/sample/v1',
  description: 'A sample',
  purpose: 'For tests.',
  order: 1,
  required: false,
  activation: 'always',
  data: [
    {
      name: 'sample',
      in: ['task.metadata'],
      key: 'acme.example/sample',
      by: 'both',
      schema: 'schema.json',
      description: 'A sample.',
      examples: { minimal: 'a', full: 'b' },
    },
  ],
  rules: [],
};

/** JSON values as the bytes of files. */
export function toFiles(values: Readonly<Record<string, Json>>): ProjectFiles {
  const encoder = new TextEncoder();
  const entries = Object.entries(values).map(
    ([path, value]) => [path, encoder.encode(`${JSON.stringify(value, null, 2)}\n`)] as const,
  );
  return { files: new Map(entries), outside: [] };
}

/** Everything that a project generates; what is wrong with it is an error of the test. */
export function renderAll(input: ProjectFiles): ReadonlyMap<string, string> {
  const rendered = renderProject(input, emitContext);
  if (rendered.files !== undefined) return rendered.files;
  const list = rendered.diagnostics.map(
    ({ file, pointer, message, rule }) => `${file}#${pointer}: ${message} [${rule}]`,
  );
  throw new Error(`the project is broken:\n${list.join('\n')}`);
}

/** A folder that is gone when `remove` is called. */
export interface TemporaryFolder {
  readonly path: string;
  readonly remove: () => void;
}

/** Makes a folder outside the repository. */
export function makeFolder(prefix: string): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), `${prefix}-`));
  const remove = (): void => {
    rmSync(path, { recursive: true, force: true });
  };
  return { path, remove };
}

/** Writes files below a folder. */
export function writeFiles(folder: string, files: ReadonlyMap<string, string | Uint8Array>): void {
  for (const [path, data] of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, data);
  }
}
