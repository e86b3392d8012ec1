#!/usr/bin/env node
// Starts the server fast. The TypeScript beside this file and the packages that it uses are bundled once into a
// cache under node_modules. The bundle is used as long as none of the files that it was made of has changed; where
// the cache cannot be written (a read-only checkout) everything still works.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';

const home = dirname(dirname(fileURLToPath(import.meta.url)));
const file = join(home, 'node_modules', '.cache', 'tiny-harness', 'server.cjs');

/** @typedef {typeof import('./main.ts')} Main */
/** @typedef {{ hash: string, inputs: string[] }} Origin what a bundle was made of; its first line, as a comment */
/** @typedef {(exports: Main, require: NodeJS.Require, module: { exports: Main }, ...names: string[]) => void} Module */

/**
 * Packages that only a server with a model loads: in the bundle they would cost every start. They come by `require`, as
 * Node 20 warns of an `import()` in code like this; so does the module that imports what operators name.
 *
 * @type {import('esbuild').Plugin}
 */
const LATER = {
  name: 'later',
  setup(build) {
    build.onResolve({ filter: /^(openai|handlebars)$/ }, ({ path, namespace }) =>
      namespace === 'later' ? { path, external: true } : { path, namespace: 'later' },
    );
    build.onLoad({ filter: /./, namespace: 'later' }, ({ path }) => ({
      contents: `module.exports = require('${path}');`,
    }));
    build.onResolve({ filter: /\/import-module\.mjs$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path),
      external: true,
    }));
  },
};

/** @returns {Promise<Main>} the bundle's exports */
async function load() {
  const code = readFresh() ?? (await bundle());
  // Compiled from memory, since perhaps it could not be written; packages that are not in it are found from home.
  const names = ['exports', 'require', 'module', '__filename', '__dirname'];
  const importModuleDynamically = vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  const options = { filename: file, importModuleDynamically };
  const run = /** @type {Module} */ (vm.compileFunction(code, names, options));
  const module = { exports: /** @type {Main} */ ({}) };
  run(module.exports, createRequire(join(home, 'package.json')), module, file, dirname(file));
  return module.exports;
}

/** @returns {string | undefined} the bundle in the cache, unless something that it was made of has changed */
function readFresh() {
  try {
    const code = fs.readFileSync(file, 'utf8');
    /** @type {unknown} */
    const parsed = JSON.parse(code.slice('//'.length, code.indexOf('\n')));
    const { hash, inputs } = /** @type {Origin} */ (parsed);
    return hash === hashOf(inputs) ? code : undefined;
  } catch {
    return undefined;
  }
}

/** @returns {Promise<string>} the code of the server as one CommonJS module */
async function bundle() {
  const { build, stop } = await import('esbuild').catch(explainMissing);
  const started = Date.now();
  const result = await build({
    entryPoints: [join(home, 'src', 'main.ts')],
    absWorkingDir: home,
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    // Native code cannot be bundled.
    external: ['better-sqlite3'],
    plugins: [LATER],
    // A CommonJS module has no import.meta; what is found by it, is found from src/.
    define: { 'import.meta.url': 'sourceUrl' },
    banner: {
      js: "const sourceUrl = require('node:url').pathToFileURL(__dirname + '/../../../src/main.ts').href;",
    },
    logLevel: 'error',
  });
  // Otherwise the bundler's process would stay for as long as the server runs.
  await stop();
  // Packages change with the lock file only.
  const sources = Object.keys(result.metafile.inputs).filter(
    (path) => !/^(node_modules\/|later:)/.test(path),
  );
  const inputs = [...sources, 'package-lock.json', 'src/launch.mjs'];
  const code = `//${JSON.stringify({ hash: hashOf(inputs), inputs })}\n${result.outputFiles[0]?.text ?? ''}`;
  // What was edited meanwhile was perhaps not read as it is now.
  if (inputs.every((path) => fs.statSync(join(home, path)).mtimeMs < started)) keep(code);
  return code;
}

/**
 * The first thing that goes wrong on a fresh clone.
 *
 * @param {unknown} error why a package could not be loaded
 * @returns {never}
 */
function explainMissing(error) {
  if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'))
    throw error;
  process.stderr.write('The packages that this needs are not installed; run npm ci first.\n');
  process.exit(1);
}

/**
 * @param {string[]} inputs paths from the project's root
 * @returns {string} a hash of the files' contents and of what else a bundle depends on
 */
function hashOf(inputs) {
  const hash = createHash('sha256').update(process.version);
  for (const path of inputs) hash.update(`\0${path}\0`).update(fs.readFileSync(join(home, path)));
  return hash.digest('hex');
}

/**
 * Writes the bundle whole or not at all: a process that dies here leaves no half of it.
 *
 * @param {string} code
 */
function keep(code) {
  try {
    fs.mkdirSync(dirname(file), { recursive: true });
    const part = `${file}.${String(process.pid)}`;
    fs.writeFileSync(part, code);
    fs.renameSync(part, file);
  } catch {
    // A cache that cannot be written costs time, nothing else.
  }
}

const { main } = await load();
await main(process.argv.slice(2), process.env);
