/** The pages of the repository's own contract: links lead somewhere, examples are valid, code exists. */
import { posix } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import type { ExtensionPage } from '../../codegen/emitters/docs/site.ts';
import { createSite, exampleHeading } from '../../codegen/emitters/docs/site.ts';
import { slugOf } from '../../codegen/emitters/docs/headings.ts';
import { flatten } from '../../codegen/flatten.ts';
import { readProject, renderProject } from '../../codegen/index.ts';
import type { Json, JsonObject } from '../../codegen/json.ts';
import { isObject } from '../../codegen/json.ts';
import type { SchemaAt } from '../../codegen/resolution.ts';
import { emitContext, repository } from '../support/projects.ts';

const project = readProject(repository);
const rendered = renderProject(project, emitContext);
if (rendered.files === undefined) throw new Error('the schemas of the repository are broken');
const { files, model } = rendered;
const site = createSite(model);
const docs = [...files].filter(([path]) => path.startsWith('docs/'));
const pages = docs.filter(([path]) => path.endsWith('.md'));

/** A page without its fenced blocks. */
function withoutCode(text: string): string {
  return text.replaceAll(/^```[^]*?^```$/gm, '');
}

/** The anchors that a renderer gives the headings of a page. */
function anchorsOf(text: string): readonly string[] {
  const headings = withoutCode(text).matchAll(/^#{1,6} (.+)$/gm);
  return [...headings].map(([, heading = '']) => slugOf(heading.replaceAll('\\', '')));
}

/** The JSON blocks beneath a heading, up to the next heading. */
function examplesBeneath(text: string, heading: string): readonly Json[] {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => /^#+ /.test(line) && line.endsWith(` ${heading}`));
  expect(start, heading).toBeGreaterThan(-1);
  const length = lines.slice(start + 1).findIndex((line) => /^#+ /.test(line));
  const section = lines.slice(start + 1, length === -1 ? undefined : start + 1 + length).join('\n');
  return [...section.matchAll(/^```json\n([^]*?)\n```$/gm)].map(
    ([, json = '']) => JSON.parse(json) as Json,
  );
}

const ajv = new Ajv2020({ strict: false });
const validators = new Map<SchemaAt, ReturnType<typeof ajv.compile>>();

/** What is wrong with a value; undefined when it is valid. */
function faultOf(at: SchemaAt, value: Json): string | undefined {
  const validate = validators.get(at) ?? ajv.compile(flatten(model.types.resolution, at));
  validators.set(at, validate);
  return validate(value) ? undefined : ajv.errorsText(validate.errors);
}

describe.each(pages)('%s', (path, text) => {
  test('links only to files and headings that are there', () => {
    const links = [...withoutCode(text).matchAll(/\]\(([^)]+)\)/g)].map(([, href = '']) => href);
    const dead = links.filter((href) => {
      if (/^https?:/.test(href)) return false;
      const [file = '', anchor] = decodeURIComponent(href).split('#');
      const target = file === '' ? path : posix.join(posix.dirname(path), file);
      const found = files.get(target);
      if (found === undefined) return true;
      return anchor !== undefined && !anchorsOf(found).includes(anchor);
    });
    expect(dead).toEqual([]);
  });

  test('has headings that differ', () => {
    const anchors = anchorsOf(text);
    expect(anchors).toEqual([...new Set(anchors)]);
  });

  test('has tables whose rows are as long as their heads', () => {
    const rows = withoutCode(text).matchAll(/^\|.*\|$(?:\n^\|.*\|$)*/gm);
    for (const [table] of rows) {
      const lengths = table.split('\n').map((row) => row.match(/(?<!\\)\|/g)?.length);
      expect(new Set(lengths).size, table).toBe(1);
    }
  });

  test('holds nothing that Liquid would run, and no HTML but line breaks and code', () => {
    expect(text).not.toMatch(/\{[{%]/);
    const markup = withoutCode(text)
      .replaceAll(/(`+)(?!`).*?(?<!`)\1(?!`)/g, '')
      .match(/<[^>]*>/g);
    const foreign = (markup ?? []).filter((tag) => !['<br>', '<code>', '</code>'].includes(tag));
    expect(foreign).toEqual([]);
  });
});

describe.each(site.extensions)('the page of $extension.id', (page: ExtensionPage) => {
  const text = files.get(page.path) ?? '';

  test('shows valid data where it travels', () => {
    for (const { entry, at } of page.extension.entries) {
      const examples = examplesBeneath(text, exampleHeading(entry.name));
      expect(examples.length, entry.name).toBeGreaterThan(0);
      for (const example of examples) {
        expect(faultOf(at, unwrap(example, entry.key)), entry.name).toBeUndefined();
      }
    }
  });

  test('shows valid examples of definitions', () => {
    for (const { declaration, heading } of page.parts.flatMap(({ sections }) => sections)) {
      for (const example of examplesBeneath(text, heading)) {
        expect(faultOf(declaration.at, example), heading).toBeUndefined();
      }
    }
  });

  test('names functions that the package has', () => {
    const types = files.get(`generated/${page.extension.folder}/index.d.ts`) ?? '';
    const data = text.slice(text.indexOf('## Where the data lives'), text.indexOf('## Examples'));
    const names = [...data.matchAll(/`((?:read|write|is|create)[A-Z]\w*)`/g)];
    expect(names.length).toBeGreaterThan(0);
    const missing = names.filter(
      ([, name = '']) => !new RegExp(`export declare function ${name}\\b`).test(types),
    );
    expect(missing).toEqual([]);
  });

  test('names every property of its schemas', () => {
    const names = page.parts.flatMap(({ module }) => propertyNames(module.document.root));
    const missing = names.filter((name) => {
      const inRow = new RegExp(`[\`.]${name.replaceAll('.', '\\.')}\``);
      return !inRow.test(text) && !text.includes(` ${name}: `);
    });
    expect(missing).toEqual([]);
  });
});

describe.each(site.tools)('the page of $tool.name', ({ tool, path }) => {
  const text = files.get(path) ?? '';

  test('shows valid calls', () => {
    const calls = examplesBeneath(text, 'Example calls');
    expect(calls.length).toBeGreaterThan(0);
    for (const call of calls) expect(faultOf(tool.input.at, call)).toBeUndefined();
  });

  test('names every error code of its description', () => {
    const errors = text.slice(text.indexOf('## Errors'));
    for (const [, code = ''] of tool.source.tool.description.matchAll(
      /\[([a-z0-9_]+\.[a-z_]+)\]/g,
    )) {
      expect(errors).toContain(`\`${code}\``);
    }
  });
});

describe('what is published', () => {
  test('every schema is at the path that its $id names, as it is in the project', () => {
    const { baseUrl } = model.config;
    const schemas = docs.filter(([path]) => path.endsWith('schema.json'));
    expect(schemas.length).toBeGreaterThan(10);
    for (const [path, text] of schemas) {
      const { $id } = JSON.parse(text) as { $id: string };
      expect($id).toBe(baseUrl + path.slice(site.folder.length));
      const source = `schemas${path.slice(site.folder.length)}`
        .replace('/ext/', '/extensions/')
        .replace('/protocol/', '/a2a/');
      expect(text).toBe(new TextDecoder().decode(project.files.get(source)));
    }
  });

  test('no schema of a package is among it', () => {
    const texts = docs.filter(([path]) => path.endsWith('.json')).map(([, text]) => text);
    expect(texts.filter((text) => text.includes('"$id": "https://a2ui.org'))).toEqual([]);
  });

  test('the card is the one of the package, but for addresses', () => {
    const [card] = examplesBeneath(files.get('docs/a2a/agent-card.md') ?? '', 'JSON');
    const pinned = JSON.parse(files.get('generated/agent-card.json') ?? '') as JsonObject;
    const interfaces = pinned.supportedInterfaces as readonly JsonObject[];
    const withoutUrls = interfaces.map(({ url: _url, ...others }) => others);
    expect(card).toEqual({ ...pinned, supportedInterfaces: withoutUrls });
  });

  test('the order in which files are read does not matter', () => {
    const reversed = { ...project, files: new Map([...project.files].reverse()) };
    const again = renderProject(reversed, emitContext).files;
    expect(docs.filter(([path, text]) => again?.get(path) !== text).map(([path]) => path)).toEqual(
      [],
    );
  });
});

/** The data inside what carries it. */
function unwrap(example: Json, key: string | undefined): Json {
  if (!isObject(example)) throw new Error('an example is not an object');
  const { metadata, data, params } = example;
  const found = key !== undefined && isObject(metadata) ? metadata[key] : (data ?? params);
  if (found === undefined) throw new Error(`no data in ${JSON.stringify(example)}`);
  return found;
}

/** The names of all properties that a schema document declares. */
function propertyNames(schema: Json | undefined): readonly string[] {
  if (Array.isArray(schema)) return (schema as readonly Json[]).flatMap(propertyNames);
  if (!isObject(schema)) return [];
  const { properties, ...others } = schema;
  delete (others as Record<string, Json>).examples;
  const own = isObject(properties) ? Object.keys(properties) : [];
  const inner = [
    ...(isObject(properties) ? Object.values(properties) : []),
    ...Object.values(others),
  ];
  return [...own, ...inner.flatMap(propertyNames)];
}
