/** Changes are seen by whoever asks next; what did not change is not read again. */
import { renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { readSkill } from '../../src/skills/skill-file.ts';
import { makeDirectory, openCatalog, skillText, writeInto } from './skill-directory.ts';

vi.mock(import('../../src/skills/skill-file.ts'), { spy: true });

/** A clock to which every file is an old one. */
const later = () => Date.now() + 3_600_000;

beforeEach(() => {
  vi.mocked(readSkill).mockClear();
});

describe('a change is picked up', () => {
  test('of a body, though size and times are the same', async () => {
    const directory = makeDirectory({ 'a/SKILL.md': skillText('a', 'one') });
    const { catalog } = openCatalog(directory);
    const file = join(directory, 'a/SKILL.md');
    for (const body of ['one', 'two', 'six']) {
      writeInto(directory, 'a/SKILL.md', skillText('a', body));
      utimesSync(file, 1, 1);
      expect(await catalog.load('a')).toMatchObject({ body });
    }
  });

  test('of a file that is put in the place of another', async () => {
    const directory = makeDirectory({ 'a/SKILL.md': skillText('a', 'one') });
    const { catalog } = openCatalog(directory, later);
    expect(await catalog.load('a')).toMatchObject({ body: 'one' });
    writeInto(directory, 'a/new.md', skillText('a', 'two'));
    renameSync(join(directory, 'a/new.md'), join(directory, 'a/SKILL.md'));
    expect(await catalog.load('a')).toMatchObject({ body: 'two' });
  });

  test('of a body alone, with the time of its file set back', async () => {
    const directory = makeDirectory();
    const { catalog } = openCatalog(directory, later);
    const file = join(directory, 'a/SKILL.md');
    const write = (body: string) => {
      writeInto(directory, 'a/SKILL.md', skillText('a', body));
      utimesSync(file, 1, 1);
      return statSync(file, { bigint: true }).ctimeNs;
    };
    const before = write('one');
    expect(await catalog.load('a')).toMatchObject({ body: 'one' });
    // The clock of a disk is coarse: until it ticks, nothing tells the one file from the other.
    for (let n = 0; write('two') === before && n < 10_000; n += 1);
    expect(await catalog.load('a')).toMatchObject({ body: 'two' });
  });

  test('of directories that come, go and are renamed', async () => {
    const directory = makeDirectory({ 'a/SKILL.md': skillText('a') });
    const { catalog } = openCatalog(directory, later);
    const names = async () => (await catalog.report()).loaded;
    expect(await names()).toEqual(['a']);
    writeInto(directory, 'b/SKILL.md', skillText('b'));
    expect(await names()).toEqual(['a', 'b']);
    rmSync(join(directory, 'a'), { recursive: true });
    expect(await names()).toEqual(['b']);
    expect(await catalog.load('a')).toMatchObject({ code: 'skill.unknown' });
    renameSync(join(directory, 'b'), join(directory, 'c'));
    expect(await names()).toEqual([]);
  });

  test('of resources', async () => {
    const directory = makeDirectory({ 'a/SKILL.md': skillText('a') });
    const { catalog } = openCatalog(directory, later);
    expect(await catalog.listResources('a')).toEqual([]);
    writeInto(directory, 'a/scripts/x.sh', 'one');
    expect(await catalog.loadResource('a', 'scripts', 'x.sh')).toBe('one');
    writeInto(directory, 'a/scripts/x.sh', 'two');
    expect(await catalog.loadResource('a', 'scripts', 'x.sh')).toBe('two');
  });
});

test('a skill that becomes invalid is skipped, which the log says once for each reason', async () => {
  const directory = makeDirectory({ 'a/SKILL.md': skillText('a'), 'b/SKILL.md': skillText('b') });
  const { catalog, lines } = openCatalog(directory);
  await catalog.list();
  lines.length = 0;
  writeInto(directory, 'a/SKILL.md', 'no skill');
  const reason =
    'a/SKILL.md:1:1: the front matter is missing: the first line must be three dashes\n    Begin with "---", "name: …", "description: …" and "---", a line each.';
  const skipped = { directory: 'a', reason };
  for (let time = 0; time < 3; time += 1) {
    expect(await catalog.report()).toEqual({ loaded: ['b'], skipped: [skipped] });
  }
  const message = 'a skill is skipped';
  expect(lines).toEqual([{ level: 'warn', details: skipped, message }]);
  rmSync(join(directory, 'a/SKILL.md'));
  await catalog.list();
  await catalog.load('a');
  const missing = 'a/SKILL.md is not there; put it there, in just this spelling';
  expect(lines.slice(1)).toEqual([
    { level: 'warn', details: { directory: 'a', reason: missing }, message },
  ]);
  writeInto(directory, 'a/SKILL.md', skillText('a'));
  expect(await catalog.report()).toEqual({ loaded: ['a', 'b'], skipped: [] });
  await catalog.list();
  expect(lines.slice(2)).toEqual([
    { level: 'info', details: { skill: 'a' }, message: 'a skill was read' },
  ]);
});

test('the log says what was read anew, and repeats nothing but of a skill that was gone', async () => {
  const directory = makeDirectory({ 'a/SKILL.md': skillText('a'), 'b/SKILL.md': 'no skill' });
  const { catalog, lines } = openCatalog(directory);
  const levels = async () => {
    lines.length = 0;
    await catalog.list();
    return lines.map(({ level, details }) => [level, Object.entries(details)[0]?.[1] as unknown]);
  };
  expect(await levels()).toEqual([
    ['info', 'a'],
    ['warn', 'b'],
  ]);
  expect(await levels()).toEqual([]);
  writeInto(directory, 'a/SKILL.md', skillText('a', 'anew'));
  expect(await levels()).toEqual([['info', 'a']]);
  rmSync(join(directory, 'b'), { recursive: true });
  expect(await levels()).toEqual([]);
  writeInto(directory, 'b/SKILL.md', 'no skill');
  expect(await levels()).toEqual([['warn', 'b']]);
});

describe('what did not change', () => {
  const files = { 'a/SKILL.md': skillText('a'), 'b/SKILL.md': 'no skill' };

  test('is not read again, valid or not', async () => {
    const { catalog } = openCatalog(makeDirectory(files), later);
    await catalog.list();
    expect(readSkill).toHaveBeenCalledTimes(2);
    await catalog.list();
    await catalog.load('a');
    await catalog.load('b');
    await catalog.report();
    expect(readSkill).toHaveBeenCalledTimes(2);
  });

  test('is not read when another skill changes', async () => {
    const directory = makeDirectory({ ...files, 'c/SKILL.md': skillText('c') });
    const { catalog } = openCatalog(directory, later);
    await catalog.list();
    vi.mocked(readSkill).mockClear();
    const text = skillText('c', 'longer than it was');
    writeInto(directory, 'c/SKILL.md', text);
    await catalog.list();
    expect(vi.mocked(readSkill).mock.calls).toEqual([[text, 'c']]);
  });

  test('is read again as long as a second change might have left the same stamp', async () => {
    const { catalog } = openCatalog(makeDirectory(files));
    await catalog.list();
    await catalog.list();
    expect(readSkill).toHaveBeenCalledTimes(4);
  });

  test('is not read by those who ask for another', async () => {
    const { catalog } = openCatalog(makeDirectory(files), later);
    await catalog.load('a');
    expect(readSkill).toHaveBeenCalledTimes(1);
  });
});

describe('many who ask at once', () => {
  test('share a look, which begins after they asked', async () => {
    const directory = makeDirectory({ 'a/SKILL.md': skillText('a', 'one') });
    const { catalog } = openCatalog(directory);
    const first = catalog.list();
    writeInto(directory, 'b/SKILL.md', skillText('b'));
    const others = Array.from({ length: 50 }, () => catalog.report());
    await first;
    for (const other of others) expect(await other).toEqual({ loaded: ['a', 'b'], skipped: [] });
    const reads = vi.mocked(readSkill).mock.calls.map(([, name]) => name);
    expect(reads.filter((name) => name === 'a')).toHaveLength(2);
    expect(await catalog.report()).toEqual({ loaded: ['a', 'b'], skipped: [] });
  });
});
