// Modules that import the server's TypeScript, as Node can run them.
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from './timing.mjs';

/**
 * Bundles a module and imports it. Packages are not bundled.
 *
 * @param {string} path from this folder
 * @returns {Promise<unknown>} its exports
 */
export async function importBundled(path) {
  const outfile = join(root, 'node_modules', '.cache', `bench-${randomUUID()}.mjs`);
  await build({
    entryPoints: [join(import.meta.dirname, path)],
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    outfile,
    logLevel: 'error',
  });
  try {
    /** @type {unknown} */
    const exports = await import(pathToFileURL(outfile).href);
    return exports;
  } finally {
    rmSync(outfile);
  }
}
