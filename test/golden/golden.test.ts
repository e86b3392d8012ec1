/**
 * Whole projects: a folder each, with `input/` and everything that is made of it in `expected/`, as the
 * command line leaves it. UPDATE_GOLDEN=1 rewrites `expected/`: review what git says has changed.
 */
import { createHash } from 'node:crypto';
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { readTree, runCodegen } from '../support/command-line.ts';
import { makeFolder, writeFiles } from '../support/projects.ts';

const here = dirname(fileURLToPath(import.meta.url));
const cases = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

const RUNTIME = 'generated/runtime/';
const MANIFEST = 'generated/manifest.json';

describe.each(cases)('the project %s', (name) => {
  const input = join(here, name, 'input');
  const expected = join(here, name, 'expected');
  const folder = makeFolder('golden');
  afterAll(folder.remove);
  cpSync(input, folder.path, { recursive: true });
  const first = runCodegen(['--no-cache', '--root', folder.path]);
  const tree = readTree(folder.path);
  const made = new Map([...tree].filter(([path]) => !path.startsWith('schemas/')));
  const own = new Map([...made].filter(([path]) => !path.startsWith(RUNTIME) && path !== MANIFEST));

  if (process.env.UPDATE_GOLDEN === '1') {
    rmSync(expected, { recursive: true, force: true });
    writeFiles(expected, own);
  }

  it('is generated without complaint', () => {
    expect(first).toMatchObject({ code: 0, err: '' });
    expect(first.out.split('\n').filter((line) => line.startsWith('+ '))).toHaveLength(made.size);
  });

  it('gives what is expected, file by file', () => {
    const wanted = readTree(expected);
    expect([...own.keys()]).toEqual([...wanted.keys()]);
    for (const [path, text] of wanted) expect(own.get(path), path).toBe(text);
  });

  it('brings all that its modules import', () => {
    const modules = [...made].filter(([path]) => /\.(js|d\.ts)$/.test(path));
    const missing = modules.flatMap(([path, text]) =>
      [...text.matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)]
        .map(([, specifier = '']) => posix.join(posix.dirname(path), specifier))
        .filter((target) => !made.has(target)),
    );
    expect(modules.some(([path]) => path.startsWith(RUNTIME))).toBe(true);
    expect(missing).toEqual([]);
  });

  it('lists what was generated, with a hash of each file', () => {
    const { files } = JSON.parse(made.get(MANIFEST)!) as { files: Record<string, string> };
    const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
    const listed = [...made].filter(([path]) => path !== MANIFEST);
    expect(files).toEqual(Object.fromEntries(listed.map(([path, text]) => [path, hash(text)])));
  });

  it('leaves its schemas alone', () => {
    const schemas = [...tree].filter(([path]) => path.startsWith('schemas/'));
    expect(new Map(schemas)).toEqual(readTree(input));
  });

  it('is up to date afterwards', () => {
    expect(runCodegen(['--check', '--no-cache', '--root', folder.path])).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/^up to date: \d+ files \(\d+ ms\)\n$/) as string,
    });
    expect(readTree(folder.path)).toEqual(tree);
  });
});
