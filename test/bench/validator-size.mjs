// What a web page pays for a validator: the bytes of a bundle that uses isTaskExtensionData and nothing else, gzipped.
//
// Goal: at most 4 KB (4,096 bytes) for the happy path, however the page is bundled; so as it stands and minified.
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { atMost, createFigure } from './figure.mjs';
import { root } from './timing.mjs';

const entry = "export { isTaskExtensionData } from '@tiny-harness/contract/task/v1/task';";

/** @type {import('./figure.mjs').Bench} */
export const bench = {
  names: ['validator-size', 'validator-size-minified'],
  measure: () => Promise.all([measureBundle(false), measureBundle(true)]),
};

/**
 * @param {boolean} minify
 * @returns {Promise<import('./figure.mjs').Figure>}
 */
async function measureBundle(minify) {
  const { outputFiles, metafile } = await build({
    stdin: { contents: entry, resolveDir: root },
    bundle: true,
    minify,
    format: 'esm',
    platform: 'browser',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const [file] = outputFiles;
  const [output] = Object.values(metafile.outputs);
  if (file === undefined || output === undefined) throw new Error('esbuild wrote no bundle');
  const kept = Object.values(output.inputs).filter(({ bytesInOutput }) => bytesInOutput > 0);
  return createFigure({
    bench: minify ? 'validator-size-minified' : 'validator-size',
    value: gzipSync(file.contents).length,
    unit: 'bytes',
    goal: atMost(4096),
    note: `gzip of ${file.contents.length} bytes that a bundler keeps of ${kept.length} modules, minify ${minify ? 'on' : 'off'}`,
  });
}
