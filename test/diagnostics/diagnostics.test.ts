/**
 * What every diagnostic says and where. A folder per id: `bad/` is laid over `base/` and gives exactly
 * `expected.txt`; `good/` looks much like it and gives nothing. A further `bad-x/` has `expected-x.txt`.
 * In these folders `packages/` stands for `node_modules/`, and `absent.txt` lists files of the base to
 * leave out. `vitest -u` writes what is expected anew.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { formatDiagnostic } from '../../codegen/diagnostics.ts';
import { checkProject } from '../../codegen/pipeline.ts';
import { listFiles, readProject } from '../../codegen/read.ts';
import { RULES } from '../../codegen/rules/index.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const codegen = fileURLToPath(new URL('../../codegen', import.meta.url));

const folders = readdirSync(here).filter((name) => /^[A-Z_]+$/.test(name));

type Files = ReadonlyMap<string, Uint8Array>;

function readFolder(folder: string): Files {
  const paths = listFiles(join(here, folder), '.');
  const read = (path: string): Uint8Array => readFileSync(join(here, folder, path));
  return new Map(paths.map((path) => [path.replace(/^packages\//, 'node_modules/'), read(path)]));
}

function readFixture(folder: string): Files {
  const files = new Map([...readFolder('base'), ...readFolder(folder)]);
  const absent = files.get('absent.txt');
  files.delete('absent.txt');
  const paths = absent === undefined ? [] : new TextDecoder().decode(absent).trim().split('\n');
  for (const path of paths) expect(files.delete(path), `${path} is in the base`).toBe(true);
  return files;
}

function check(files: Files): string {
  const diagnostics = checkProject({ files, outside: [] });
  return diagnostics.map((each) => `${formatDiagnostic(each)}\n`).join('\n');
}

/** The same files as some editors save them: a byte-order mark, and CRLF at the end of each line. */
function saveOtherwise(files: Files): Files {
  const rewrite = (bytes: Uint8Array): Uint8Array => {
    const body = [...bytes].flatMap((byte) => (byte === 0x0a ? [0x0d, 0x0a] : [byte]));
    return Uint8Array.from([0xef, 0xbb, 0xbf, ...body]);
  };
  return new Map([...files].map(([path, bytes]) => [path, rewrite(bytes)]));
}

describe.each(folders)('%s', (id) => {
  const kinds = readdirSync(join(here, id));
  const bad = kinds.filter((kind) => kind.startsWith('bad'));

  it('has what it finds, and what it lets pass', () => {
    expect(kinds).toContain('bad');
    expect(kinds).toContain('good');
  });

  it.each(bad)('%s: says what, where, and what to do', async (kind) => {
    const text = check(readFixture(`${id}/${kind}`));
    await expect(text).toMatchFileSnapshot(
      join(here, id, `${kind.replace('bad', 'expected')}.txt`),
    );
    const ids = [...text.matchAll(/\[([A-Z_]+)\]$/gm)].map(([, rule]) => rule);
    expect(new Set(ids)).toEqual(new Set([id]));
  });

  it.each(bad)('%s: the same in another order, with CRLF and a byte-order mark', (kind) => {
    const files = readFixture(`${id}/${kind}`);
    expect(check(new Map([...files].reverse()))).toBe(check(files));
    expect(check(saveOtherwise(files))).toBe(check(files));
  });

  it('good: finds nothing', () => {
    const files = readFixture(`${id}/good`);
    expect(check(files)).toBe('');
    expect(check(saveOtherwise(files))).toBe('');
  });
});

describe('the contract of this repository', () => {
  it('is clean', () => {
    const root = fileURLToPath(new URL('../..', import.meta.url));
    expect(checkProject(readProject(root))).toEqual([]);
  });
});

describe('the ids', () => {
  it('have a folder each, and each folder has an id', () => {
    const stages = readdirSync(codegen)
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(codegen, name), 'utf8'))
      .filter((text) => text.includes('diagnostics.ts'))
      .flatMap((text) => [...text.matchAll(/'([A-Z]+(?:_[A-Z]+)+)'/g)])
      .map(([, id]) => id);
    const ids = new Set([...stages, ...RULES.map((rule) => rule.id)]);
    expect([...ids].sort()).toEqual([...folders].sort());
  });

  it('of the rules are unique, with a purpose of one paragraph each', () => {
    expect(new Set(RULES.map((rule) => rule.id)).size).toBe(RULES.length);
    for (const { purpose } of RULES) expect(purpose).toMatch(/^[A-Z`].{40,300}\.$/);
  });
});
