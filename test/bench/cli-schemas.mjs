// The contract's schemas as the command lines of others can read them: one file a schema, references by relative path.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { root } from './timing.mjs';

/**
 * @typedef {import('../../codegen/json.ts').JsonObject} JsonObject
 * @typedef {import('../../codegen/manifest.ts').ExtensionManifest} ExtensionManifest
 * @typedef {import('../../codegen/manifest.ts').PackageSource} PackageSource
 * @typedef {import('../../codegen/manifest.ts').ToolFile} ToolFile
 *
 * @typedef {{ path: string, uris: readonly string[], json: JsonObject }} Source a schema; its first URI is its base
 */

/**
 * A schema file that was written: its path, and those of the files that it refers to, directly or not.
 *
 * @typedef {{ path: string, references: readonly string[] }} SchemaFile
 */

/** Where schemas of our own are written, and where those of npm packages are. */
export const OWN = 'schemas';
export const PACKAGES = 'packages';

/**
 * Writes each schema of the contract into a folder: the extensions' own, the tools' inputs, and those that manifests
 * take from packages. Their `$id`s mirror the paths, since some tools follow the one and some the other.
 *
 * @param {string} folder
 * @returns {readonly SchemaFile[]}
 */
export function writeSchemas(folder) {
  const sources = [...readExtensions(), ...readTools()];
  const paths = new Map(sources.flatMap(({ path, uris }) => uris.map((uri) => [uri, path])));
  /** @type {Map<string, ReadonlySet<string>>} */
  const direct = new Map();
  for (const source of sources) {
    /** @type {Set<string>} */
    const references = new Set();
    const copy = rewrite(source.json, source, paths, references);
    const json = { ...copy, $id: `https://example.com/${source.path}` };
    mkdirSync(dirname(join(folder, source.path)), { recursive: true });
    writeFileSync(join(folder, source.path), JSON.stringify(json, null, 2));
    direct.set(source.path, references);
  }
  return [...direct.keys()].map((path) => ({ path, references: reach(path, direct) }));
}

/** @returns {readonly Source[]} the extensions' schemas, those of packages last */
function readExtensions() {
  const base = join(root, 'schemas', 'extensions');
  const files = readdirSync(base, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => ({ name: name.split('\\').join('/'), json: readJson(join(base, name)) }));
  const own = files.flatMap(({ name, json }) => {
    const { $id } = /** @type {JsonObject} */ (json);
    if (typeof $id !== 'string') return [];
    return [{ path: `${OWN}/ext/${name}`, uris: [$id], json: /** @type {JsonObject} */ (json) }];
  });
  const packages = files
    .filter(({ name }) => posix.basename(name) === 'extension.json')
    .flatMap(({ json }) => /** @type {ExtensionManifest} */ (json).packages ?? [])
    .flatMap(readPackage);
  return [...own, ...packages];
}

/**
 * @param {PackageSource} source
 * @returns {readonly Source[]} a source a file, under all its URIs
 */
function readPackage({ name, schemas }) {
  return [...new Set(Object.values(schemas))].map((file) => {
    const uris = Object.keys(schemas).filter((uri) => schemas[uri] === file);
    const json = /** @type {JsonObject} */ (readJson(join(root, 'node_modules', name, file)));
    return { path: `${PACKAGES}/${posix.basename(file)}`, uris, json };
  });
}

/** @returns {readonly Source[]} the tools' inputs */
function readTools() {
  const base = join(root, 'schemas', 'tools');
  return readdirSync(base)
    .sort()
    .map((name) => {
      const { input_schema: input } = /** @type {ToolFile} */ (readJson(join(base, name)));
      const json = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...input };
      return { path: `${OWN}/tools/${name}`, uris: [`tool:/${name}`], json };
    });
}

/**
 * @param {object} schema
 * @param {Source} source where it comes from
 * @param {ReadonlyMap<string, string>} paths of all schemas by URI
 * @param {Set<string>} references to be filled with the paths that the schema refers to
 * @returns {Record<string, unknown>} the schema with each reference to another as a relative path
 */
function rewrite(schema, source, paths, references) {
  const rewriteValue = (/** @type {unknown} */ value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? rewrite(value, source, paths, references)
      : value;
  /** @type {Record<string, unknown>} */
  const copy = {};
  for (const [key, member] of Object.entries(schema)) {
    if (key === '$ref' && typeof member === 'string' && !member.startsWith('#')) {
      copy[key] = relocate(member, source, paths, references);
    } else copy[key] = Array.isArray(member) ? member.map(rewriteValue) : rewriteValue(member);
  }
  return copy;
}

/**
 * @param {string} reference
 * @param {Source} source
 * @param {ReadonlyMap<string, string>} paths
 * @param {Set<string>} references
 * @returns {string}
 */
function relocate(reference, { path, uris: [base] }, paths, references) {
  const [target = '', fragment = ''] = new URL(reference, base).href.split('#');
  const other = paths.get(target);
  if (other === undefined) throw new Error(`${path} refers to ${target}, which no manifest names`);
  references.add(other);
  return `${posix.relative(posix.dirname(path), other)}#${fragment}`;
}

/**
 * @param {string} path
 * @param {ReadonlyMap<string, ReadonlySet<string>>} direct
 * @returns {readonly string[]} everything that a file refers to, itself left out
 */
function reach(path, direct) {
  const reached = new Set([path]);
  for (const each of reached) for (const next of direct.get(each) ?? []) reached.add(next);
  reached.delete(path);
  return [...reached];
}

/**
 * @param {string} file
 * @returns {unknown}
 */
function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
