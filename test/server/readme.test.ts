/** The conversations that the README shows, as they are printed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Block } from '../support/printed-blocks.ts';
import { expectPrinted, readBlocks, runBlocks } from '../support/printed-blocks.ts';
import { repository } from '../support/projects.ts';
import { createFolder, startServer } from '../support/server.ts';

/** A section's code blocks. */
function readSection(heading: string): Block[] {
  const readme = readFileSync(join(repository, 'README.md'), 'utf8');
  return readBlocks(new RegExp(`\n## ${heading}\n(.*?)\n## `, 's').exec(readme)![1]!);
}

it('the first conversation works as it is printed', { timeout: 60_000 }, async () => {
  const folder = createFolder();
  const server = await startServer({ DATABASE: join(folder, 'data', 'tiny-harness.db') });
  const [start, greeting, ...conversation] = readSection('Run the server');
  expect(start).toStrictEqual({ language: 'sh', text: 'npm ci && npm start\n' });
  expect(greeting!.text.split('\n')[0]).toBe('listening on http://127.0.0.1:4180/');
  expectPrinted(runBlocks(conversation, { url: server.url, folder }), 4);
});

it('the tour works as it is printed', { timeout: 60_000 }, async () => {
  const [start, ...tour] = readSection('A tour of the contract');
  const settings = [...start!.text.matchAll(/([A-Z]+)=(\S+) /g)].map(([, name, value]) => [
    name,
    value,
  ]);
  expect(start!.text).toMatch(/ npm start\n$/);
  const server = await startServer(Object.fromEntries(settings) as Record<string, string>);
  expectPrinted(runBlocks(tour, { url: server.url, folder: createFolder() }), 1);
});
