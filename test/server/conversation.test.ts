/** The conversation that the guide shows, as it is printed: a plan, a question, two sub-tasks, a skill and a surface. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Block } from '../support/printed-blocks.ts';
import { expectPrinted, readBlocks, runBlocks } from '../support/printed-blocks.ts';
import { repository } from '../support/projects.ts';
import { createFolder, startServer } from '../support/server.ts';

const guide = readFileSync(join(repository, 'docs/guide/conversation.md'), 'utf8');
const [elsewhere, planner, ...conversation] = readBlocks(guide);

/** The settings with which a block starts a server; the ports are the test's. */
function settingsOf({ text }: Block): Record<string, string> {
  expect(text).toMatch(/ npm start\n$/);
  const pairs = [...text.matchAll(/([A-Z_]+)=(\S+)/g)].map(([, name, value]) => [name!, value!]);
  return Object.fromEntries(pairs.filter(([name]) => name !== 'PORT')) as Record<string, string>;
}

it('the conversation works as it is printed', { timeout: 120_000 }, async () => {
  const remote = await startServer(settingsOf(elsewhere!));
  const folder = createFolder();
  const { REMOTE_AGENTS, ...settings } = settingsOf(planner!);
  const agents = readFileSync(join(repository, REMOTE_AGENTS!), 'utf8');
  expect(agents).toContain('http://127.0.0.1:4181/');
  const file = join(folder, 'remote-agents.yaml');
  writeFileSync(file, agents.replace('http://127.0.0.1:4181', remote.url));
  const server = await startServer({ ...settings, REMOTE_AGENTS: file });
  expectPrinted(runBlocks(conversation, { url: server.url, folder }), 6);
  expect([server.stderr, remote.stderr]).toEqual(['', '']);
});

it('every file that the guide names is there', () => {
  const links = [...guide.matchAll(/\]\(([^)]+)\)/g)].map(([, path = '']) => path);
  expect(links.length).toBeGreaterThan(5);
  expect(links.filter((path) => !existsSync(join(repository, 'docs/guide', path)))).toEqual([]);
});
