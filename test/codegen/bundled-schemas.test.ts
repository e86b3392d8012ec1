/** The JSON Schemas that the package carries: each stands alone, and judges as the validators do. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { readProject } from '../../codegen/index.ts';
import type { Json, JsonObject } from '../../codegen/json.ts';
import type { ProjectFiles } from '../support/projects.ts';
import { renderAll, repository } from '../support/projects.ts';

interface Manifest {
  readonly data: readonly {
    readonly name: string;
    readonly schema: string;
    readonly examples: Readonly<Record<string, Json>>;
  }[];
}

const golden = join(repository, 'test', 'golden');
const roots: readonly (readonly [name: string, root: string])[] = [
  ['this contract', repository],
  ...readdirSync(golden, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => [name, join(golden, name, 'input')] as const),
];

/** Ajv's verdict by a schema that nothing else is known beside. */
function compile(schema: JsonObject, fragment = ''): (value: Json) => boolean {
  const ajv = new Ajv2020({ strict: false, ownProperties: true, validateFormats: false });
  ajv.addSchema(schema, 'bundled:');
  const validate = ajv.compile({ $ref: `bundled:${fragment}` });
  return (value) => validate(value);
}

function manifestsOf(input: ProjectFiles): readonly (readonly [folder: string, Manifest])[] {
  return [...input.files]
    .filter(([path]) => /^schemas\/extensions\/.*\/extension\.json$/.test(path))
    .map(([path, bytes]) => [
      path.replace(/^schemas\/extensions\/(.*)\/extension\.json$/, '$1'),
      JSON.parse(new TextDecoder().decode(bytes)) as Manifest,
    ]);
}

describe.each(roots)('the bundled schemas of %s', (_name, root) => {
  const input = readProject(root);
  const files = renderAll(input);
  const bundled = [...files].filter(([path]) => path.startsWith('generated/schemas/'));

  it('stand alone', { timeout: 60_000 }, () => {
    for (const [path, text] of bundled) {
      expect(() => compile(JSON.parse(text) as JsonObject), path).not.toThrow();
    }
  });

  it('accept the examples of the manifests', { timeout: 60_000 }, () => {
    for (const [folder, { data }] of manifestsOf(input)) {
      for (const { name, schema, examples } of data) {
        const [file = '', fragment = ''] = schema.split('#');
        const text = files.get(`generated/schemas/${folder}/${file}`);
        // Those of packages are known by their URIs, not by a file of the extension.
        if (text === undefined) continue;
        const accepts = compile(JSON.parse(text) as JsonObject, fragment && `#${fragment}`);
        for (const [which, value] of Object.entries(examples)) {
          expect(accepts(value), `${folder} ${name} ${which}`).toBe(true);
        }
      }
    }
  });

  it('keep what their authors wrote', () => {
    for (const [path, text] of bundled) {
      const source = path.replace('generated/schemas/', 'schemas/extensions/');
      const bytes = input.files.get(source);
      if (bytes === undefined) continue;
      const own = JSON.parse(new TextDecoder().decode(bytes)) as JsonObject;
      const { $defs = {}, ...rest } = JSON.parse(text) as JsonObject;
      const { $defs: ownDefs = {}, ...ownRest } = own;
      expect(Object.keys(rest), path).toEqual(Object.keys(ownRest));
      expect(Object.keys($defs as JsonObject), path).toEqual(
        expect.arrayContaining(Object.keys(ownDefs as JsonObject)) as string[],
      );
      expect([rest.title, rest.description, rest.$id], path).toEqual([
        own.title,
        own.description,
        own.$id,
      ]);
    }
  });
});

describe('published schemas', () => {
  it('are the files of the project, byte for byte', () => {
    const files = renderAll(readProject(repository));
    const published = [...files].filter(([path]) =>
      /^docs\/a2a\/ext\/.*\.schema\.json$/.test(path),
    );
    expect(published.length).toBeGreaterThan(5);
    for (const [path, text] of published) {
      const source = join(repository, path.replace('docs/a2a/ext/', 'schemas/extensions/'));
      expect(text, path).toBe(readFileSync(source, 'utf8'));
    }
  });
});
