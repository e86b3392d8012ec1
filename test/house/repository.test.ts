import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Every file that is committed or about to be, as a path from the root with forward slashes. */
const files = execFileSync(
  'git',
  ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
  {
    cwd: root,
    encoding: 'utf8',
  },
)
  .split('\0')
  .filter((file) => file !== '' && readText(file) !== undefined);

/** The text of a file; nothing when it is gone from the work tree or is no text. */
function readText(file: string): string | undefined {
  try {
    const text = readFileSync(join(root, file), 'utf8');
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Lists `file:line: text` for each line of the given files that the pattern matches. */
function findLines(among: readonly string[], pattern: RegExp): string[] {
  return among.flatMap((file) =>
    (readText(file) ?? '')
      .split('\n')
      .flatMap((line, at) => (pattern.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [])),
  );
}

const isSource = (file: string): boolean => /^(codegen|src)\/.*\.(ts|js|mjs)$/.test(file);
const isFixture = (file: string): boolean => /^test\/(golden|diagnostics)\/[^/]+\//.test(file);

describe('the top level', () => {
  const rooms = ['codegen', 'docs', 'generated', 'schemas', 'src', 'templates', 'test'];
  const papers = [
    'ARCHITECTURE.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'LICENSE',
    'README.md',
    'eslint.config.js',
    'knip.json',
    'package-lock.json',
    'package.json',
    'tsconfig.json',
    'vitest.config.ts',
  ];

  it('holds the agreed names and dotfiles, nothing else', () => {
    const names = new Set(files.map((file) => file.split('/', 1)[0] ?? file));
    const known = new Set([...rooms, ...papers]);
    expect([...names].filter((name) => !name.startsWith('.') && !known.has(name))).toEqual([]);
  });
});

describe('source files', () => {
  it('have at most 400 lines', () => {
    const long = files
      .filter(isSource)
      .map((file) => ({ file, lines: (readText(file) ?? '').trimEnd().split('\n').length }))
      .filter(({ lines }) => lines > 400);
    expect(long).toEqual([]);
  });

  it('have kebab-case names that say what is inside', () => {
    const named = files.filter(
      (file) => isSource(file) || (/^test\/.*\.(ts|mjs)$/.test(file) && !isFixture(file)),
    );
    const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9-]+)+$/;
    const vague = /\b(utils?|helpers?|common|managers?|misc)\b/;
    const odd = (file: string) => !kebab.test(basename(file)) || vague.test(file);
    expect(named.filter(odd)).toEqual([]);
  });
});

describe('every file', () => {
  // Put together from pieces, so that this file does not find itself.
  const hosts = ['registry.npmjs', 'registry.yarnpkg', 'pypi', 'crates', 'proxy.golang']
    .map((name) => name.replace('.', '\\.'))
    .join('|');
  const homes = ['work', 'home', 'root', 'Users'].join('|');

  it('names no package registry: a mirror works unchanged', () => {
    expect(findLines(files, new RegExp(`(?:${hosts})\\.(?:org|com|io)\\b`))).toEqual([]);
  });

  it("names no path of somebody's machine", () => {
    const path = new RegExp(`(?:^|[\\s"'\`(=:,])(?:file://)?/(?:${homes})/[\\w.@-]`);
    expect(findLines(files, path)).toEqual([]);
  });

  it('ends its lines with a line feed, the last one too', () => {
    const odd = (file: string) => {
      const text = readText(file) ?? '';
      return text.includes('\r') || (text !== '' && !text.endsWith('\n'));
    };
    expect(files.filter((file) => odd(file) && !isFixture(file))).toEqual([]);
  });
});
