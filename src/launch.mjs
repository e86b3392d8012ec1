#!/usr/bin/env node
// Starts the server fast. The TypeScript beside this file and the packages that it uses are bundled once into a
// cache under node_modules and run from V8's code cache. The bundle is used as long as none of the files that it
// was made of has changed; where the cache cannot be written (a read-only checkout) everything still works.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';

const home = dirname(dirname(fileURLToPath(import.meta.url)));
const cache = join(home, 'node_modules', '.cache', 'tiny-harness');
const file = join(cache, 'server.cjs');
const manifest = join(cache, 'server.json');

/** @typedef {typeof import('./main.ts')} Main */
/** @typedef {{ hash: string, inputs: string[] }} Manifest what a bundle was made of */

/** @returns {Promise<Main>} the bundle's exports */
async function load() {
  const made = readManifest();
  const fresh = made?.hash === hashOf(made?.inputs ?? []);
  const code = (fresh ? read(file)?.toString('utf8') : undefined) ?? (await bundle());
  const kept = fresh ? read(`${file}.v8`) : undefined;
  const script = new vm.Script(
    `(function (exports, require, module, __filename, __dirname) {${code}\n})`,
    {
      filename: file,
      ...(kept === undefined ? {} : { cachedData: kept }),
      importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    },
  );
  const module = { exports: /** @type {Main} */ ({}) };
  /** @type {unknown} */
  const wrapper = script.runInThisContext();
  const require = createRequire(join(home, 'package.json'));
  /** @type {(...names: unknown[]) => void} */ (wrapper)(
    module.exports,
    require,
    module,
    file,
    cache,
  );
  if (kept === undefined || script.cachedDataRejected === true) {
    // When the server has started, the functions that it takes to start are compiled and kept with the rest.
    setTimeout(() => {
      write(`${file}.v8`, script.createCachedData());
    }, 2000).unref();
  }
  return module.exports;
}

/** @returns {Promise<string>} the code of the server as one CommonJS module */
async function bundle() {
  const { build } = await import('esbuild');
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
    logLevel: 'error',
  });
  const code = result.outputFiles[0]?.text ?? '';
  // Packages change with the lock file only.
  const inputs = Object.keys(result.metafile.inputs).filter(
    (path) => !/^node_modules\//.test(path),
  );
  inputs.push('package-lock.json', 'src/launch.mjs');
  fs.rmSync(`${file}.v8`, { force: true });
  write(file, code);
  write(manifest, JSON.stringify({ hash: hashOf(inputs), inputs }));
  return code;
}

/** @returns {Manifest | undefined} what the cached bundle was made of */
function readManifest() {
  try {
    /** @type {unknown} */
    const made = JSON.parse(fs.readFileSync(manifest, 'utf8'));
    return /** @type {Manifest} */ (made);
  } catch {
    return undefined;
  }
}

/** @param {string[]} inputs paths from the project's root */
function hashOf(inputs) {
  const hash = createHash('sha256').update(process.version);
  for (const path of inputs) hash.update(`\0${path}\0`).update(read(join(home, path)) ?? '');
  return hash.digest('hex');
}

/** @param {string} path */
function read(path) {
  try {
    return fs.readFileSync(path);
  } catch {
    return undefined;
  }
}

/**
 * Writes whole or not at all: a process that dies here leaves no half of a bundle.
 *
 * @param {string} path
 * @param {string | Buffer} data
 */
function write(path, data) {
  try {
    fs.mkdirSync(dirname(path), { recursive: true });
    const part = `${path}.${String(process.pid)}`;
    fs.writeFileSync(part, data);
    fs.renameSync(part, path);
  } catch {
    // A cache that cannot be written costs time, nothing else.
  }
}

const { main } = await load();
await main(process.argv.slice(2), process.env);
