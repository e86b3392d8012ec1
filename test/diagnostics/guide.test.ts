/** The page that explains the diagnostics has every one of them, and shows what is really printed. */
import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { RULES } from '../../codegen/rules/index.ts';

const page = readFileSync('docs/guide/diagnostics.md', 'utf8');
const sections = new Map(
  page
    .split('\n## ')
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')), section]),
);
const folders = readdirSync('test/diagnostics').filter((name) => /^[A-Z_]+$/.test(name));

test('there is one section for each diagnostic, and none beside', () => {
  expect([...sections.keys()].sort()).toEqual([...folders].sort());
});

test.each(folders)('%s shows the first finding of its bad project', (id) => {
  const [, shown = ''] = /```text\n([\s\S]*?)\n```/.exec(sections.get(id) ?? '') ?? [];
  const printed = readFileSync(`test/diagnostics/${id}/expected.txt`, 'utf8');
  expect(shown.trim()).not.toBe('');
  expect(printed.startsWith(shown.trim())).toBe(true);
});

test.each(RULES.map(({ id, purpose }) => [id, purpose]))('%s is explained', (id, purpose) => {
  expect(sections.get(id)).toContain(purpose);
});
