#!/usr/bin/env node
// Starts the generator fast. The TypeScript beside this file is bundled once into a cache under
// node_modules and run from V8's code cache; when a hash of inputs, generator and outputs proves that
// nothing changed since the last clean run, not even the bundle is loaded. `--no-cache` switches the
// second off; where the cache cannot be written (a read-only checkout) everything still works.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import v8 from 'node:v8';
import vm from 'node:vm';

const home = dirname(dirname(fileURLToPath(import.meta.url)));
const cache = join(home, 'node_modules', '.cache', 'tiny-harness');

/** What the bundle is made of, and what its output depends on beside a project's own files. */
const GENERATOR = ['codegen', 'templates', 'schemas/meta', 'package-lock.json'];
/** A project's inputs and outputs. */
const PROJECT = ['schemas', 'generated', 'docs', 'LICENSE'];

/**
 * Loads the generator's library entry (codegen/index.ts).
 *
 * @returns {Promise<typeof import('./index.ts')>} the library
 */
export async function loadGenerator() {
  const { library } = await loadBundle();
  return library;
}

/**
 * @param {string[]} argv
 * @returns {Promise<number>} the exit code
 */
async function launch(argv) {
  const root = rootOf(argv);
  const stamp = join(cache, `clean-${digest([root]).slice(0, 16)}.json`);
  const words = argv.filter((word, index) => word !== '--root' && argv[index - 1] !== '--root');
  const plain = words.every((word) => word === '--check') && argv.at(-1) !== '--root';
  if (plain) {
    const clean = readClean(stamp);
    if (clean !== undefined && isUnchanged(root, clean)) {
      process.stdout.write(`${clean.summary}, nothing changed since the last run\n`);
      return 0;
    }
  }
  // A short process ends before optimised code pays for having been made: a third of its time.
  if (!argv.includes('--watch')) v8.setFlagsFromString('--interrupt-budget=500000');
  const given = hashInputs(root);
  const bundle = await loadBundle();
  const outcome = await bundle.main(argv, { home, root, templates: bundle.templates });
  // What was edited during the run was perhaps not read by it.
  if (outcome.clean !== undefined && hashInputs(root) === given) {
    const { inputs, summary } = outcome.clean;
    write(stamp, JSON.stringify({ hash: hashProject(root, inputs), inputs, summary }));
  }
  bundle.keepCode();
  return outcome.exitCode;
}

/** @param {string[]} argv */
function rootOf(argv) {
  const index = argv.findLastIndex((word) => /^--root(=|$)/.test(word));
  const [, inline] = /^--root=(.+)$/.exec(argv[index] ?? '') ?? [];
  const value = inline ?? (index === -1 ? undefined : argv[index + 1]);
  // npm runs scripts in the package's folder; the person stood in another.
  return value === undefined ? home : resolve(process.env.INIT_CWD ?? '', value);
}

/** @param {string} root */
function hashInputs(root) {
  return digest([
    ...GENERATOR.flatMap((path) => contents(home, path)),
    ...['schemas', 'LICENSE'].flatMap((path) => contents(root, path)),
  ]);
}

/**
 * @param {string} root
 * @param {Clean} clean
 */
function isUnchanged(root, { hash, inputs }) {
  return hash === hashProject(root, inputs);
}

/** @typedef {{ hash: string, inputs: readonly string[], summary: string }} Clean */

/**
 * @param {string} stamp
 * @returns {Clean | undefined} what the last clean run left
 */
function readClean(stamp) {
  try {
    const clean = /** @type {unknown} */ (JSON.parse(fs.readFileSync(stamp, 'utf8')));
    return /** @type {Clean} */ (clean);
  } catch {
    return undefined;
  }
}

/**
 * @param {string} root
 * @param {readonly string[]} inputs absolute paths of further input files (schemas of packages)
 */
function hashProject(root, inputs) {
  return digest([
    process.version,
    ...GENERATOR.flatMap((path) => contents(home, path)),
    ...PROJECT.flatMap((path) => contents(root, path)),
    ...inputs.flatMap((path) => contents('/', path)),
  ]);
}

/** @typedef {typeof import('./entry.ts') & { templates: import('./templates.ts').Precompiled }} Bundle */
/** @typedef {(exports: Bundle, require: NodeJS.Require, module: { exports: Bundle }) => void} Wrapper */

async function loadBundle() {
  const parts = GENERATOR.flatMap((path) => contents(home, path));
  const file = join(cache, `generator-${digest([process.version, ...parts]).slice(0, 16)}.cjs`);
  const code = readText(file) ?? (await bundle(file));
  const cached = readBytes(`${file}.v8`);
  const { script, exports } = run(code, file, cached);
  const keepCode = () => {
    // After a run the functions that it used are compiled, and so they are in the cache.
    if (cached === undefined || script.cachedDataRejected === true)
      write(`${file}.v8`, script.createCachedData());
  };
  return { ...exports, keepCode };
}

/**
 * @param {string} code a CommonJS module
 * @param {string} file its name in stack traces
 * @param {Buffer} [cachedData] what V8 kept of an earlier run
 * @returns {{ script: vm.Script, exports: Bundle }} the module, run
 */
function run(code, file, cachedData) {
  const script = new vm.Script(`(function (exports, require, module) {${code}\n})`, {
    filename: file,
    cachedData,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const module = { exports: /** @type {Bundle} */ ({}) };
  /** @type {unknown} */
  const wrapper = script.runInThisContext();
  /** @type {Wrapper} */ (wrapper)(
    module.exports,
    createRequire(join(home, 'package.json')),
    module,
  );
  return { script, exports: module.exports };
}

/**
 * @param {string} file where the bundle is kept
 * @returns {Promise<string>} its code
 */
async function bundle(file) {
  const { build } = await import('esbuild').catch(explainMissing);
  const result = await build({
    entryPoints: [join(home, 'codegen', 'entry.ts')],
    absWorkingDir: home,
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    // jsonc-parser's `main` is UMD, which no bundler can follow.
    mainFields: ['module', 'main'],
    logLevel: 'error',
  });
  const program = result.outputFiles[0]?.text ?? '';
  const templates = run(program, file).exports.library.precompileTemplates(join(home, 'templates'));
  const code = `${program}\nmodule.exports.templates = ${templates};`;
  removeOldBundles();
  write(file, code);
  return code;
}

function removeOldBundles() {
  try {
    for (const name of fs.readdirSync(cache)) {
      if (name.startsWith('generator-')) fs.rmSync(join(cache, name));
    }
  } catch {
    // No cache, nothing to remove.
  }
}

/**
 * @param {string} base
 * @param {string} path
 * @returns {(string | Buffer)[]} names and bytes of a file, or of all files below a folder, in a fixed order
 */
function contents(base, path) {
  const full = join(base, path);
  const stat = fs.statSync(full, { throwIfNoEntry: false });
  if (stat === undefined) return [];
  if (!stat.isDirectory()) return [path, fs.readFileSync(full)];
  return fs
    .readdirSync(full, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .flatMap((file) => [relative(base, file).split(sep).join('/'), fs.readFileSync(file)]);
}

/** @param {(string | Buffer)[]} parts */
function digest(parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(String(part.length)).update('\0').update(part);
  return hash.digest('hex');
}

/** @param {string} file */
function readText(file) {
  return readBytes(file)?.toString('utf8');
}

/** @param {string} file */
function readBytes(file) {
  try {
    return fs.readFileSync(file);
  } catch {
    return undefined;
  }
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
 * Writes whole or not at all: a process that dies here leaves no half of a bundle.
 *
 * @param {string} file
 * @param {string | Buffer} data
 */
function write(file, data) {
  try {
    fs.mkdirSync(dirname(file), { recursive: true });
    const part = `${file}.${String(process.pid)}`;
    fs.writeFileSync(part, data);
    fs.renameSync(part, file);
  } catch {
    // A cache that cannot be written costs time, nothing else.
  }
}

if (
  process.argv[1] !== undefined &&
  fs.realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)
) {
  process.exitCode = await launch(process.argv.slice(2));
}
