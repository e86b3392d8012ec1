/** The guide on models: it names what there is, and its settings are read as it says. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadSystemPrompt } from '../../src/agents/model/system-prompt.ts';
import { readConfig } from '../../src/config.ts';
import { SETTINGS } from '../../src/config/settings.ts';
import { makeDirectory } from '../skills/skill-directory.ts';

const guide = readFileSync('docs/guide/model.md', 'utf8');
const template = readFileSync('templates/agent/system-prompt.md.hbs', 'utf8');

test('every setting of a model is explained, with its default', () => {
  const settings = Object.values(SETTINGS).filter(({ variable }) => variable.startsWith('MODEL'));
  for (const { variable, fallback } of settings) {
    const row = guide.split('\n').find((line) => line.startsWith(`| \`${variable}\``));
    expect(row, variable).toContain(fallback === undefined ? '' : `\`${fallback}\``);
  }
});

test('the command lines that it prints start a server', () => {
  const lines = [...guide.matchAll(/^(MODEL=.*) npm start$/gm)].map(([, line = '']) => line);
  expect(lines).toHaveLength(4);
  for (const line of lines) {
    const env = Object.fromEntries(
      line
        .split(' ')
        .map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]),
    );
    expect(readConfig(env, [])).toMatchObject({ kind: 'config', config: { models: [env.MODEL] } });
  }
});

test('every value of the template is explained, and nothing else', () => {
  const values = [...template.matchAll(/\{\{#?(?:if |each )?(\w+)\}\}/g)].map(
    ([, name = '']) => name,
  );
  const own = new Set(
    values.filter((name) => !['else', 'this', 'id', 'description'].includes(name)),
  );
  const [, table = ''] = guide.split('### The system prompt');
  const rows = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, name = '']) => name);
  expect([...own].sort()).toEqual([...new Set(rows)].sort());
});

test('what it links to is there', () => {
  const links = [...guide.matchAll(/\]\(([^)#]+)\)/g)].map(([, path = '']) => path);
  const own = links.filter((path) => !path.startsWith('https:'));
  expect(own.filter((path) => !existsSync(`docs/guide/${path}`))).toEqual([]);
});

test.each([
  ['asks for what there is not', 'Hello {{name}}', /"name" not defined/],
  [
    'asks for it in a branch that is rarely taken',
    '{{#if delegated}}{{name}}{{/if}}',
    /"name" not defined/,
  ],
  ['is no template', 'Hello {{#if', /Parse error/],
  ['has a helper of its own', '{{shout key}}', /shout/],
])('a template that %s is named at start', async (_name, text, words) => {
  const path = `${makeDirectory({ 'prompt.hbs': text })}/prompt.hbs`;
  const failing = loadSystemPrompt(path);
  await expect(failing).rejects.toThrow(`The system prompt ${path} cannot be used: `);
  await expect(failing).rejects.toThrow(words);
});

test('a template that is not there is named, too', async () => {
  await expect(loadSystemPrompt('nowhere.hbs')).rejects.toThrow(
    'The system prompt nowhere.hbs cannot be used: ENOENT',
  );
});
