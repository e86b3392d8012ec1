/** The guide: its example is served by a server, and what it shows is what happens. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../support/projects.ts';
import { startServer } from '../support/server.ts';
import { makeDirectory, openCatalog } from './skill-directory.ts';

const guide = readFileSync(join(repository, 'docs/guide/skills.md'), 'utf8');
const examples = join(repository, 'docs/guide/skills');

/** The block of code after a comment. */
function blockAfter(comment: string): string {
  const [, block = ''] = guide.split(`<!-- ${comment} -->\n`);
  return /^```\w+\n(.*?)^```$/ms.exec(block)?.[1] ?? '';
}

test('the example is a skill with its files', async () => {
  const { catalog } = openCatalog(examples);
  expect(await catalog.list()).toEqual([
    {
      name: 'expense-report',
      description:
        'Fills in an expense report from receipts. Use it when somebody wants the costs of a trip paid back.',
    },
  ]);
  const resources = await catalog.listResources('expense-report');
  expect(resources).toEqual([
    { kind: 'references', name: 'rates.md' },
    { kind: 'assets', name: 'form.csv' },
  ]);
  const skill = await catalog.load('expense-report');
  const body = 'body' in skill ? skill.body : '';
  expect(body).toMatch(/^# Expense report\n/);
  expect(body).toContain('`references/rates.md`');
  expect(body).toContain('`assets/form.csv`');
  expect(await catalog.loadResource('expense-report', 'assets', 'form.csv')).toBe(
    'day,what,euros,receipt\n',
  );
});

test('a server with skills says which there are', { timeout: 30_000 }, async () => {
  const server = await startServer({ SKILLS: 'docs/guide/skills' });
  const answer = await fetch(`${server.url}/readyz`);
  expect([answer.status, await answer.json()]).toEqual([
    200,
    JSON.parse(blockAfter('answer of /readyz')) as unknown,
  ]);
  expect(server.stderr).toBe('');
});

test(
  'a server whose skills are not valid is ready, and says why they are skipped',
  { timeout: 30_000 },
  async () => {
    const SKILLS = makeDirectory({
      'minutes/SKILL.md': blockAfter('file: meeting-minutes/SKILL.md'),
    });
    const server = await startServer({ SKILLS });
    const skipped = [{ directory: 'minutes', reason: blockAfter('fault').trimEnd() }];
    const answer = await fetch(`${server.url}/readyz`);
    expect([answer.status, await answer.json()]).toEqual([
      200,
      {
        status: 'ready',
        checks: { accepting: true, store: true },
        skills: { loaded: [], skipped },
      },
    ]);
    const logged = server.stderr.trimEnd().split('\n');
    expect(logged.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ ...skipped[0], msg: 'a skill is skipped' }),
    ]);
  },
);

test('a server without skills has none', { timeout: 30_000 }, async () => {
  const server = await startServer();
  expect(await (await fetch(`${server.url}/readyz`)).json()).toMatchObject({
    skills: { loaded: [], skipped: [] },
  });
});

test('the skill that the guide writes is one, every field is explained, every file is there', async () => {
  const path = 'meeting-minutes/SKILL.md';
  const { catalog } = openCatalog(makeDirectory({ [path]: blockAfter(`file: ${path}`) }));
  expect(await catalog.load('meeting-minutes')).toEqual({
    name: 'meeting-minutes',
    description:
      'Turns notes of a meeting into minutes. Use it when somebody asks for minutes or a summary.',
    body: 'Write what was decided, by whom, and until when. Leave out who said what.',
  });
  const { properties } = JSON.parse(
    readFileSync(join(repository, 'schemas/meta/skill.schema.json'), 'utf8'),
  ) as { readonly properties: object };
  const rows = Object.keys(properties).map((name) => `| \`${name}\``);
  expect(rows.filter((row) => !guide.includes(row))).toEqual([]);
  const links = [...guide.matchAll(/\]\(([^):]+)\)/g)].map(([, to = '']) => to);
  expect(links.filter((to) => !existsSync(join(repository, 'docs/guide', to)))).toEqual([]);
});
