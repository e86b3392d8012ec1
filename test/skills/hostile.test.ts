/** Directories that somebody else filled: nothing outside is read, nothing blocks, nothing is too much. */
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readText } from '../../src/skills/read-text.ts';
import { makeDirectory, makePipe, openCatalog, skillText, writeInto } from './skill-directory.ts';

/** The reason why the one directory `x` is skipped. */
async function reasonFor(directory: string): Promise<string> {
  const { loaded, skipped } = await openCatalog(directory).catalog.report();
  expect(loaded).toEqual([]);
  expect(skipped).toHaveLength(1);
  expect(skipped[0]?.directory).toBe('x');
  return skipped[0]?.reason ?? '';
}

/** What loading a reference of the skill `x` gives, and what is listed. */
async function loadReference(directory: string, name: string): Promise<[unknown, unknown]> {
  const { catalog } = openCatalog(directory);
  return [await catalog.loadResource('x', 'references', name), await catalog.listResources('x')];
}

const OUT = 'is a link that leads out of its directory; put what it leads to in its place';

describe('names', () => {
  test.each([
    '../../etc',
    '..',
    '.',
    '',
    '/etc',
    'x/../x',
    'x/',
    './x',
    'x\0',
    'X',
    'x\n',
    '__proto__',
    'constructor',
  ])('%j is no skill', async (name) => {
    const directory = makeDirectory({ 'skills/x/SKILL.md': skillText('x'), 'SKILL.md': 'y' });
    const { catalog } = openCatalog(join(directory, 'skills'));
    const refusal = {
      code: 'skill.unknown',
      message: `there is no skill ${JSON.stringify(name)}; there is x`,
    };
    expect(await catalog.load(name)).toEqual(refusal);
    expect(await catalog.listResources(name)).toEqual(refusal);
    expect(await catalog.loadResource(name, 'assets', 'a')).toEqual(refusal);
  });

  test('that would break a line of a list are not listed', async () => {
    const files = {
      'x/SKILL.md': skillText('x'),
      'x/assets/a\nscripts evil': '',
      'x/assets/ä': '',
    };
    const { catalog } = openCatalog(makeDirectory(files));
    expect(await catalog.listResources('x')).toEqual([{ kind: 'assets', name: 'ä' }]);
  });

  test('of a directory are not believed: the file says what the skill is called', async () => {
    const directory = makeDirectory({ 'X y/SKILL.md': skillText('x') });
    const { skipped } = await openCatalog(directory).catalog.report();
    expect(skipped).toEqual([
      {
        directory: 'X y',
        reason:
          'X y/SKILL.md:2:7: name must be that of the skill\'s directory, "X y"; got "x"\n    at /name\n    Rename one of the two.',
      },
    ]);
  });
});

describe('a SKILL.md', () => {
  test('that is missing, or spelt otherwise', async () => {
    const reason = 'x/SKILL.md is not there; put it there, in just this spelling';
    expect(await reasonFor(makeDirectory({ 'x/skill.md': skillText('x') }))).toBe(reason);
    expect(await reasonFor(makeDirectory({ 'x/y/SKILL.md': skillText('y') }))).toBe(reason);
  });

  test('that is a link out of the directory', async () => {
    const directory = makeDirectory({ 'skill.md': skillText('x'), 'skills/x/a.md': '' });
    symlinkSync('../../skill.md', join(directory, 'skills/x/SKILL.md'));
    expect(await reasonFor(join(directory, 'skills'))).toBe(`x/SKILL.md ${OUT}`);
  });

  test('that is a link to a device, to itself, or to nothing', async () => {
    const directory = makeDirectory({ 'x/a.md': '' });
    const file = join(directory, 'x/SKILL.md');
    symlinkSync('/dev/zero', file);
    expect(await reasonFor(directory)).toBe(`x/SKILL.md ${OUT}`);
    rmSync(file);
    symlinkSync('SKILL.md', file);
    expect(await reasonFor(directory)).toBe(
      'x/SKILL.md is a link that leads back to itself; put a plain file in its place',
    );
    rmSync(file);
    symlinkSync('nowhere.md', file);
    expect(await reasonFor(directory)).toBe(
      'x/SKILL.md is not there; put it there, in just this spelling',
    );
  });

  test('that is a directory, or a pipe nobody writes to', async () => {
    const reason = 'x/SKILL.md is no plain file; put a plain file in its place';
    expect(await reasonFor(makeDirectory({ 'x/SKILL.md/a.md': '' }))).toBe(reason);
    const directory = makeDirectory({ 'x/a.md': '' });
    makePipe(join(directory, 'x/SKILL.md'));
    expect(await reasonFor(directory)).toBe(reason);
  });

  test('of more than 256 KiB', async () => {
    const head = skillText('x', '');
    const most = head + 'a'.repeat(256 * 1024 - head.length);
    const directory = makeDirectory({ 'x/SKILL.md': most });
    expect((await openCatalog(directory).catalog.report()).loaded).toEqual(['x']);
    writeInto(directory, 'x/SKILL.md', `${most}a`);
    expect(await reasonFor(directory)).toBe(
      'x/SKILL.md is larger than 256 KiB; split it up into files that are read one by one',
    );
  });

  test.each([
    ['UTF-16', Buffer.from(`\ufeff${skillText('x')}`, 'utf16le')],
    ['Latin 1', Buffer.from(skillText('x', 'naïve'), 'latin1')],
    ['with a NUL', skillText('x', 'a\0b')],
    ['an image', Buffer.from('89504e470d0a1a0a', 'hex')],
  ])('that is no text in UTF-8: %s', async (_name, content) => {
    expect(await reasonFor(makeDirectory({ 'x/SKILL.md': content }))).toBe(
      'x/SKILL.md is not text in UTF-8; save it as UTF-8',
    );
  });

  test('with a byte order mark is a skill', async () => {
    const { catalog } = openCatalog(makeDirectory({ 'x/SKILL.md': `\ufeff${skillText('x')}` }));
    expect(await catalog.load('x')).toEqual({
      name: 'x',
      description: 'For x.',
      body: 'How to x.',
    });
  });
});

describe('a directory of a skill', () => {
  test('that is a link out of the directory of all', async () => {
    const directory = makeDirectory({ 'x/SKILL.md': skillText('x') });
    mkdirSync(join(directory, 'skills'));
    symlinkSync('../x', join(directory, 'skills/x'));
    expect(await reasonFor(join(directory, 'skills'))).toBe(`x ${OUT}`);
  });

  test('that is a link to a file, or to nothing', async () => {
    const directory = makeDirectory({ 'README.md': '' });
    symlinkSync('README.md', join(directory, 'y'));
    expect(await openCatalog(directory).catalog.report()).toEqual({ loaded: [], skipped: [] });
    symlinkSync('nowhere', join(directory, 'x'));
    expect(await reasonFor(directory)).toBe('x is not there; put it there, in just this spelling');
  });

  test('that is a link beside it is the skill that it leads to, under its own name only', async () => {
    const directory = makeDirectory({ 'y/SKILL.md': skillText('y') });
    symlinkSync('y', join(directory, 'x'));
    const { loaded, skipped } = await openCatalog(directory).catalog.report();
    expect([loaded, skipped.map(({ directory: name }) => name)]).toEqual([['y'], ['x']]);
  });

  test('whose files are links within it is a skill, as a mounted config map is', async () => {
    const directory = makeDirectory({
      'x/..2026_01/SKILL.md': skillText('x'),
      'x/..2026_01/rates.md': 'rates',
    });
    mkdirSync(join(directory, 'x/references'));
    symlinkSync('..2026_01', join(directory, 'x/..data'));
    symlinkSync('..data/SKILL.md', join(directory, 'x/SKILL.md'));
    symlinkSync('../..data/rates.md', join(directory, 'x/references/rates.md'));
    expect(await loadReference(directory, 'rates.md')).toEqual([
      'rates',
      [{ kind: 'references', name: 'rates.md' }],
    ]);
  });
});

describe('a resource', () => {
  const SKILL = { 'x/SKILL.md': skillText('x'), 'x/references/a.md': 'a' };
  const A = [{ kind: 'references', name: 'a.md' }];

  test.each([
    ['to the skill beside', '../../y/SKILL.md'],
    ['to a device', '/dev/zero'],
    ['to the root', '/'],
  ])('that is a link %s is not listed, and refused', async (_name, target) => {
    const directory = makeDirectory({ ...SKILL, 'y/SKILL.md': skillText('y') });
    symlinkSync(target, join(directory, 'x/references/b.md'));
    expect(await loadReference(directory, 'b.md')).toEqual([
      {
        code: 'skill.outside',
        message: 'references/b.md of the skill "x" is a link that leads out of its directory',
      },
      A,
    ]);
  });

  test('that is a pipe, a directory, or a link to a pipe or to nothing is not listed, and refused', async () => {
    const directory = makeDirectory({ ...SKILL, 'x/references/sub/b.md': '' });
    makePipe(join(directory, 'x/references/pipe'));
    symlinkSync('nowhere', join(directory, 'x/references/dead'));
    symlinkSync('pipe', join(directory, 'x/references/link'));
    for (const [name, what] of [
      ['link', 'is no plain file'],
      ['pipe', 'is no plain file'],
      ['sub', 'is no plain file'],
      ['dead', 'is not there'],
    ] as const) {
      expect(await loadReference(directory, name)).toEqual([
        { code: 'skill.unreadable', message: `references/${name} of the skill "x" ${what}` },
        A,
      ]);
    }
  });

  test('in a folder that is a link out of the skill is refused', async () => {
    const directory = makeDirectory({ ...SKILL, 'y/SKILL.md': skillText('y'), 'y/b.md': 'b' });
    symlinkSync('../y', join(directory, 'x/assets'));
    const { catalog } = openCatalog(directory);
    expect(await catalog.listResources('x')).toEqual(A);
    expect(await catalog.loadResource('x', 'assets', 'b.md')).toEqual({
      code: 'skill.outside',
      message: 'assets/ of the skill "x" is a link that leads out of its directory',
    });
  });

  test('in a folder that is a file is not there', async () => {
    const { catalog } = openCatalog(makeDirectory({ ...SKILL, 'x/assets': 'a file' }));
    expect(await catalog.listResources('x')).toEqual(A);
    expect(await catalog.loadResource('x', 'assets', 'b')).toEqual({
      code: 'skill.unknown_resource',
      message: 'the skill "x" has no file "assets/b"; it has references/a.md',
    });
  });

  test('of more than 1 MiB, or that is no text, is listed and refused', async () => {
    const directory = makeDirectory({
      ...SKILL,
      'x/references/b.md': 'b'.repeat(1024 * 1024),
      'x/references/c.md': 'c'.repeat(1024 * 1024 + 1),
      'x/references/d.png': Buffer.from('89504e470d0a1a0a', 'hex'),
    });
    const { catalog } = openCatalog(directory);
    expect(await catalog.listResources('x')).toHaveLength(4);
    expect(await catalog.loadResource('x', 'references', 'b.md')).toHaveLength(1024 * 1024);
    expect(await catalog.loadResource('x', 'references', 'c.md')).toEqual({
      code: 'skill.too_large',
      message: 'references/c.md of the skill "x" is larger than 1 MiB',
    });
    expect(await catalog.loadResource('x', 'references', 'd.png')).toEqual({
      code: 'skill.binary',
      message: 'references/d.png of the skill "x" is not text in UTF-8',
    });
  });

  test('that is swapped for a pipe or a link once it was found is not opened', async () => {
    const directory = makeDirectory({ a: 'secret' });
    const found = { path: join(directory, 'b'), stamp: '', changedAt: 0 };
    makePipe(found.path);
    expect(await readText(found, 1)).toMatchObject({ what: 'is no plain file' });
    rmSync(found.path);
    symlinkSync('a', found.path);
    expect(await readText(found, 1)).toMatchObject({ code: 'skill.unreadable' });
    renameSync(join(directory, 'a'), found.path);
    expect(await readText(found, 1)).toBe('secret');
  });
});

test.runIf(existsSync('/proc/self/maps'))(
  'a file that tells no size is read up to the limit',
  async () => {
    const found = { path: '/proc/self/maps', stamp: '', changedAt: 0 };
    expect(await readText(found, 1)).toMatchObject({ what: 'is larger than 1 KiB' });
  },
);

describe('of more than 1,000 entries the rest is not looked at', () => {
  const fill = (folder: string, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`${folder}f${n}`, ''] as const));

  test('in the directory of all, which is said once', async () => {
    const directory = makeDirectory(fill('', 1000));
    const { catalog, lines } = openCatalog(directory);
    expect(await catalog.report()).toEqual({ loaded: [], skipped: [] });
    writeInto(directory, 'one-more', '');
    const skipped = {
      directory,
      reason: 'it has more than 1000 entries; the rest was not looked at',
    };
    expect(await catalog.report()).toEqual({ loaded: [], skipped: [skipped] });
    await catalog.report();
    expect(lines).toEqual([{ level: 'warn', details: skipped, message: 'skills are skipped' }]);
  });

  test('in a folder of resources', async () => {
    const files = { ...fill('x/assets/', 1100), 'x/SKILL.md': skillText('x') };
    const { catalog } = openCatalog(makeDirectory(files));
    expect(await catalog.listResources('x')).toHaveLength(1000);
  });
});
