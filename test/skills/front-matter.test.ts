/** What is said of the text of a SKILL.md: what is read of it, and every fault where it stands. */
import { describe, expect, it, test } from 'vitest';
import { readSkill } from '../../src/skills/skill-file.ts';

/** Reads lines as the SKILL.md of a directory `pdf`. */
function read(...lines: readonly string[]): ReturnType<typeof readSkill> {
  return readSkill(lines.join('\n'), 'pdf');
}

/** What is said of front matter that begins with a valid name and description; lines count from 4. */
function complain(...lines: readonly string[]): string {
  const reading = read('---', 'name: pdf', 'description: d', ...lines, '---', 'body');
  return 'reason' in reading ? reading.reason : '';
}

const D = { name: 'pdf', description: 'd' };

describe('what is read', () => {
  it('is the name, the description and the body', () => {
    const text = [
      '---',
      'name: pdf',
      'description: Fills in forms.',
      '---',
      '',
      '# Forms',
      '',
      'a',
    ];
    expect(read(...text, '', '')).toEqual({
      name: 'pdf',
      description: 'Fills in forms.',
      body: '# Forms\n\na',
    });
  });

  it('may have every field of the format', () => {
    const fields = [
      'license: Apache-2.0',
      'compatibility: none',
      'allowed-tools: Read Bash(git:*)',
    ];
    expect(complain(...fields, 'metadata:', '  author: me', '  version: 1.10', '  is: true')).toBe(
      '',
    );
  });

  it('has texts where YAML sees numbers and truth values', () => {
    expect(read('---', 'name: pdf', 'description: 2024', '---')).toEqual({
      ...D,
      description: '2024',
      body: '',
    });
  });

  it('is the same with CRLF, with spaces behind the dashes, and without a body', () => {
    const lines = ['--- ', 'name: pdf', 'description: d', '---\t', 'a', 'b'];
    expect(readSkill(lines.join('\r\n'), 'pdf')).toEqual({ ...D, body: 'a\nb' });
    expect(read('---', 'name: pdf', 'description: d', '---')).toEqual({ ...D, body: '' });
  });

  it('keeps lines of dashes in the body', () => {
    expect(read('---', 'name: pdf', 'description: d', '---', 'a', '---', 'b')).toEqual({
      ...D,
      body: 'a\n---\nb',
    });
  });

  it('has a description of one line, without what a terminal would follow', () => {
    const lines = ['---', 'name: pdf', 'description: |', '  one', '', '  two', '---'];
    expect(read(...lines)).toEqual({ ...D, description: 'one two', body: '' });
    expect(read('---', 'name: pdf', String.raw`description: "a\e[31m\0b"`, '---')).toEqual({
      ...D,
      description: 'a [31m b',
      body: '',
    });
  });

  it('counts characters, not UTF-16', () => {
    const description = '😀'.repeat(1024);
    expect(read('---', 'name: pdf', `description: ${description}`, '---')).toEqual({
      ...D,
      description,
      body: '',
    });
  });

  it('takes names of metadata that mean something to JavaScript', () => {
    expect(complain('metadata:', '  __proto__: a', '  constructor: b')).toBe('');
  });
});

describe('the lines of dashes', () => {
  const MISSING = [
    'pdf/SKILL.md:1:1: the front matter is missing: the first line must be three dashes',
    '    Begin with "---", "name: …", "description: …" and "---", a line each.',
  ].join('\n');
  const ENDLESS = [
    'pdf/SKILL.md:1:1: the front matter has no end: no second line is three dashes',
    '    Put a line of three dashes before the instructions.',
  ].join('\n');

  test.each([
    ['an empty file', '', MISSING],
    ['a body alone', '# Forms\n', MISSING],
    ['an empty line first', '\n---\nname: pdf\ndescription: d\n---\n', MISSING],
    ['four dashes', '----\nname: pdf\n', MISSING],
    ['nothing but the first', '---', ENDLESS],
    ['no second', '---\nname: pdf\ndescription: d\n', ENDLESS],
    ['an indented second', '---\nname: pdf\ndescription: d\n ---\n', ENDLESS],
  ])('%s', (_name, text, reason) => {
    expect(readSkill(text, 'pdf')).toEqual({ reason });
  });
});

describe('the fields', () => {
  const NAMES = 'known: name, description, license, compatibility, metadata, allowed-tools';
  const OWN = '    What is your own stands under "metadata".';
  const PATTERN = 'name must match the pattern ^[a-z0-9]+(?:-[a-z0-9]+)*$; got';
  const LETTERS = '    Lower-case letters and digits, with single hyphens between them.';
  const TEXT = '    Each name under "metadata" has one text.';

  test.each([
    [
      'a field of no skill',
      ['version: 1'],
      `4:1: "version" is not a known property (${NAMES})`,
      '/version',
      OWN,
    ],
    [
      'a slip',
      ['licence: MIT'],
      '4:1: "licence" is not a known property; did you mean "license"?',
      '/licence',
      OWN,
    ],
    ['a merge key', ['<<: x'], `4:1: "<<" is not a known property (${NAMES})`, '/<<', OWN],
    [
      'a prototype',
      ['__proto__: x'],
      `4:1: "__proto__" is not a known property (${NAMES})`,
      '/__proto__',
      OWN,
    ],
    [
      'metadata of one text',
      ['metadata: x'],
      '4:11: metadata must be an object; got "x"',
      '/metadata',
      '    Indent what belongs under it, or leave it out.',
    ],
    [
      'metadata in metadata',
      ['metadata:', '  a:', '    b: c'],
      '6:5: metadata/a must be a string; got an object',
      '/metadata/a',
      TEXT,
    ],
    [
      'a list of tools',
      ['allowed-tools: [Read]'],
      '4:16: allowed-tools must be a string; got an array',
      '/allowed-tools',
      '    Write the names in one line, with spaces between them.',
    ],
    [
      'a blank compatibility',
      ['compatibility: " "'],
      '4:16: compatibility must not be blank; got " "',
      '/compatibility',
    ],
    [
      'a long compatibility',
      [`compatibility: ${'c'.repeat(501)}`],
      `4:16: compatibility must have at most 500 characters; got 501: "${'c'.repeat(57)}…"`,
      '/compatibility',
    ],
  ])('%s', (_name, lines, fault, path, ...hint) => {
    expect(complain(...lines)).toBe(
      [`pdf/SKILL.md:${fault}`, `    at ${path}`, ...hint].join('\n'),
    );
  });

  test.each([
    ['PDF'],
    ['-pdf'],
    ['pdf-'],
    ['pdf--forms'],
    ['pdf_forms'],
    ['../../etc'],
    ['/etc'],
    ['pdf forms'],
    ['ﬁle'],
  ])('no skill is called %s', (name) => {
    expect(read('---', `name: "${name}"`, 'description: d', '---')).toEqual({
      reason: [`pdf/SKILL.md:2:7: ${PATTERN} "${name}"`, '    at /name', LETTERS].join('\n'),
    });
  });

  test('a name has at most 64 characters, a description 1,024', () => {
    const [name, description] = ['a'.repeat(65), 'd'.repeat(1025)];
    expect(read('---', `name: ${name}`, `description: ${description}`, '---')).toEqual({
      reason: [
        `pdf/SKILL.md:2:7: name must have at most 64 characters; got 65: "${'a'.repeat(57)}…"`,
        '    at /name',
        `pdf/SKILL.md:3:14: description must have at most 1024 characters; got 1025: "${'d'.repeat(57)}…"`,
        '    at /description',
      ].join('\n'),
    });
    expect(readSkill(`---\nname: ${'a'.repeat(64)}\ndescription: d\n---`, 'a'.repeat(64))).toEqual({
      name: 'a'.repeat(64),
      description: 'd',
      body: '',
    });
  });

  test('a description is not blank, neither field may be missing', () => {
    expect(read('---', 'name: pdf', 'description:', '---')).toEqual({
      reason: 'pdf/SKILL.md:3:13: description must not be blank; got ""\n    at /description',
    });
    expect(read('---', 'license: MIT', '---')).toEqual({
      reason:
        'pdf/SKILL.md:2:1: name is missing (a string)\npdf/SKILL.md:2:1: description is missing (a string)',
    });
  });

  test.each([
    ['nothing', [], '1:1: the value must be an object; got null'],
    ['a text', ['hello'], '2:1: the value must be an object; got "hello"'],
    ['a list', ['- name'], '2:1: the value must be an object; got an array'],
  ])('they are a map, not %s', (_name, lines, fault) => {
    const hint = '    Write "name: …" and "description: …", a line each.';
    expect(read('---', ...lines, '---')).toEqual({ reason: `pdf/SKILL.md:${fault}\n${hint}` });
  });

  test('the name is that of the directory', () => {
    expect(read('---', 'name: pdfs', 'description: d', '---')).toEqual({
      reason: [
        'pdf/SKILL.md:2:7: name must be that of the skill\'s directory, "pdf"; got "pdfs"',
        '    at /name',
        '    Rename one of the two.',
      ].join('\n'),
    });
  });
});

describe('YAML', () => {
  test.each<[name: string, lines: string[], fault: string, hint?: string]>([
    [
      'a name that stands twice',
      ['description: e'],
      '4:1: this name stands here twice',
      'Keep one of the two.',
    ],
    [
      'a colon in a text',
      ['license: see: below'],
      '4:10: this is no YAML: Nested mappings are not allowed in compact mappings',
      'A text with a colon and a space in it stands in quotes.',
    ],
    [
      'a tab',
      ['metadata:', '\ta: b'],
      '5:1: a tab stands where YAML indents',
      'Indent with spaces.',
    ],
    [
      'an alias',
      ['license: &a x', 'compatibility: *a'],
      '5:16: the alias *a is not followed',
      'Write out what it stands for.',
    ],
    [
      'a name that is a list',
      ['[a, b]: c'],
      '4:1: a name is a text, not a list or map',
      'Write a text.',
    ],
    [
      'a second document',
      ['...', 'license: x'],
      '5:1: a second document begins here',
      'A file holds one: remove what follows.',
    ],
    [
      'bytes',
      ['license: !!binary aGk='],
      '4:19: JSON has nothing for the tag !!binary',
      'Leave it out.',
    ],
    [
      'a set',
      ['metadata: !!set {a, b}'],
      '4:17: JSON has nothing for the tag !!set',
      'Leave it out.',
    ],
    ['a tag of nobody', ['license: !x y'], '4:10: this is no YAML: Unresolved tag: !x'],
  ])('%s', (_name, lines, fault, hint) => {
    const advice = hint === undefined ? '' : `\n    ${hint}`;
    expect(complain(...lines)).toBe(`pdf/SKILL.md:${fault}${advice}`);
  });
});

describe('bombs', () => {
  test('more than 16 KiB', () => {
    expect(complain('metadata:', ...Array.from({ length: 2000 }, (_, n) => `  a${n}: b`))).toBe(
      'pdf/SKILL.md:1:1: the front matter is longer than 16384 characters\n    What an agent is to read belongs below it.',
    );
  });

  test('aliases of aliases are not followed', () => {
    const rows = 'bcdefghi'.split('').map((name, at) => {
      const alias = `*${'abcdefgh'.charAt(at)}`;
      return `${name}: &${name} [${Array.from({ length: 9 }, () => alias).join(', ')}]`;
    });
    const lines = complain('a: &a [x, x]', ...rows).split('\n');
    expect(lines).toHaveLength(21);
    expect(lines[0]).toBe('pdf/SKILL.md:5:8: the alias *a is not followed');
    expect(lines.at(-1)).toBe('… and 62 more');
  });

  test.each([
    ['lists', '['.repeat(16_000)],
    ['closed lists', '['.repeat(8000) + ']'.repeat(8000)],
    ['maps', '{a: '.repeat(4000)],
  ])('%s in each other', (_name, value) => {
    expect(complain(`metadata: ${value}`)).toMatch(/^pdf\/SKILL\.md:4:\d+: this is no YAML: /);
  });

  test('as many unknown fields as there is room for', () => {
    const lines = complain(...Array.from({ length: 1000 }, (_, n) => `k${n}: x`)).split('\n');
    expect(lines.filter((line) => line.startsWith('pdf/SKILL.md:'))).toHaveLength(10);
    expect(lines.at(-1)).toMatch(/^… and \d+ more$/);
  });
});
