/** What an agent's tools are given of a directory of skills, and what they are refused. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeDirectory, openCatalog, skillText } from './skill-directory.ts';

const PDF = {
  'pdf/SKILL.md': skillText('pdf', '# Forms\n\nRead references/fields.md.'),
  'pdf/references/fields.md': 'Fields\r\nhave names.\n',
  'pdf/references/deep/er.md': 'too deep',
  'pdf/references/.hidden.md': 'hidden',
  'pdf/scripts/fill.py': 'print(1)\n',
  'pdf/assets/b.csv': 'a,b\n',
  'pdf/assets/a.csv': '',
  'pdf/other/c.md': 'in no folder of resources',
  'pdf/LICENSE': 'a file beside SKILL.md',
};

describe('a directory of skills', () => {
  const files = { ...PDF, 'b/SKILL.md': skillText('b'), 'README.md': 'x', '.git/config': 'y' };

  test('is listed by name; files and hidden directories are no skills', async () => {
    const { catalog, lines } = openCatalog(makeDirectory(files));
    expect(await catalog.list()).toEqual([
      { name: 'b', description: 'For b.' },
      { name: 'pdf', description: 'For pdf.' },
    ]);
    expect(await catalog.report()).toEqual({ loaded: ['b', 'pdf'], skipped: [] });
    expect(lines).toEqual([
      { level: 'info', details: { skill: 'b' }, message: 'a skill was read' },
      { level: 'info', details: { skill: 'pdf' }, message: 'a skill was read' },
    ]);
  });

  test('gives the instructions of a skill', async () => {
    const { catalog } = openCatalog(makeDirectory(files));
    expect(await catalog.load('pdf')).toEqual({
      name: 'pdf',
      description: 'For pdf.',
      body: '# Forms\n\nRead references/fields.md.',
    });
  });

  test('gives the files that come with a skill, one level deep', async () => {
    const { catalog } = openCatalog(makeDirectory(files));
    expect(await catalog.listResources('pdf')).toEqual([
      { kind: 'scripts', name: 'fill.py' },
      { kind: 'references', name: 'fields.md' },
      { kind: 'assets', name: 'a.csv' },
      { kind: 'assets', name: 'b.csv' },
    ]);
    expect(await catalog.listResources('b')).toEqual([]);
  });

  test('gives the text of such a file as it is', async () => {
    const { catalog } = openCatalog(makeDirectory(files));
    expect(await catalog.loadResource('pdf', 'references', 'fields.md')).toBe(
      'Fields\r\nhave names.\n',
    );
    expect(await catalog.loadResource('pdf', 'assets', 'a.csv')).toBe('');
  });
});

describe('no skills', () => {
  const refusal = {
    code: 'skill.unknown',
    message: 'there is no skill "x"; there are no skills at all',
  };

  test.each([
    ['no directory', () => undefined],
    ['an empty directory', () => makeDirectory()],
  ])('in %s', async (_name, make) => {
    const { catalog, lines } = openCatalog(make());
    expect(await catalog.list()).toEqual([]);
    expect(await catalog.report()).toEqual({ loaded: [], skipped: [] });
    expect(await catalog.load('x')).toEqual(refusal);
    expect(await catalog.listResources('x')).toEqual(refusal);
    expect(await catalog.loadResource('x', 'assets', 'y')).toEqual(refusal);
    expect(lines).toEqual([]);
  });

  test('in a directory that is not there, which is said once', async () => {
    const directory = join(makeDirectory(), 'nowhere');
    const { catalog, lines } = openCatalog(directory);
    const skipped = {
      directory,
      reason: 'it is not there; put it there, in just this spelling',
    };
    expect(await catalog.report()).toEqual({ loaded: [], skipped: [skipped] });
    expect(await catalog.load('x')).toEqual(refusal);
    expect(lines).toEqual([{ level: 'warn', details: skipped, message: 'skills are skipped' }]);
    mkdirSync(directory);
    expect(await catalog.report()).toEqual({ loaded: [], skipped: [] });
  });

  test('in a file', async () => {
    const directory = join(makeDirectory({ 'skills.md': skillText('x') }), 'skills.md');
    expect(await openCatalog(directory).catalog.report()).toEqual({
      loaded: [],
      skipped: [{ directory, reason: 'it is no directory; put a directory in its place' }],
    });
  });
});

describe('a skill that is not there', () => {
  test('is refused with those that are', async () => {
    const directory = makeDirectory({ ...PDF, 'b/SKILL.md': skillText('b') });
    const { catalog } = openCatalog(directory);
    const message = 'there is no skill "pfd"; there is b, pdf';
    expect(await catalog.load('pfd')).toEqual({ code: 'skill.unknown', message });
    expect(await catalog.listResources('pfd')).toEqual({ code: 'skill.unknown', message });
  });

  test('is refused with fifty of many, in the order of their names', async () => {
    const names = Array.from({ length: 60 }, (_, n) => `s${n + 10}`);
    const files = names.map((name) => [`${name}/SKILL.md`, skillText(name)] as const);
    const { catalog } = openCatalog(makeDirectory(Object.fromEntries(files)));
    expect(await catalog.load('x'.repeat(1000))).toEqual({
      code: 'skill.unknown',
      message: `there is no skill "${'x'.repeat(100)}…"; there is ${names.slice(0, 50).join(', ')} and 10 more`,
    });
  });

  test('is refused otherwise when it is there and not valid', async () => {
    const { catalog } = openCatalog(makeDirectory({ ...PDF, 'b/SKILL.md': 'no front matter' }));
    expect(await catalog.load('b')).toEqual({
      code: 'skill.invalid',
      message: 'the skill "b" cannot be loaded: what is in its directory is no valid skill',
    });
    expect(await catalog.list()).toEqual([{ name: 'pdf', description: 'For pdf.' }]);
  });
});

describe('a file that is not there', () => {
  test.each([
    ['references', 'field.md'],
    ['scripts', 'fields.md'],
    ['references', 'deep/er.md'],
    ['references', '.hidden.md'],
    ['references', ''],
    ['references', '.'],
    ['references', '..'],
    ['references', '../SKILL.md'],
    ['references', '../references/fields.md'],
    ['references', './fields.md'],
    ['references', '/etc/passwd'],
    ['references', 'fields.md\0'],
  ] as const)('%s, %s: is refused with those that are', async (kind, resource) => {
    const { catalog } = openCatalog(makeDirectory(PDF));
    expect(await catalog.loadResource('pdf', kind, resource)).toEqual({
      code: 'skill.unknown_resource',
      message: `the skill "pdf" has no file ${JSON.stringify(`${kind}/${resource}`)}; it has scripts/fill.py, references/fields.md, assets/a.csv, assets/b.csv`,
    });
  });

  test('is refused when there are none', async () => {
    const { catalog } = openCatalog(makeDirectory({ 'b/SKILL.md': skillText('b') }));
    expect(await catalog.loadResource('b', 'assets', 'x')).toEqual({
      code: 'skill.unknown_resource',
      message: 'the skill "b" has no file "assets/x"; it has no files',
    });
  });

  test('is refused in a folder that holds no resources, whatever the types say', async () => {
    const { catalog } = openCatalog(makeDirectory(PDF));
    for (const kind of ['other', '..', '.', '']) {
      expect(await catalog.loadResource('pdf', kind as 'assets', 'SKILL.md')).toMatchObject({
        code: 'skill.unknown_resource',
      });
    }
  });
});
