/** The conversations that the README shows, as they are printed. */
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { repository } from '../support/projects.ts';
import { createFolder, startServer } from '../support/server.ts';

interface Block {
  readonly language: string;
  readonly text: string;
}

/** A section's code blocks: what is typed, and under it what is printed. */
function readBlocks(heading: string): Block[] {
  const readme = readFileSync(join(repository, 'README.md'), 'utf8');
  const section = new RegExp(`\n## ${heading}\n(.*?)\n## `, 's').exec(readme)![1]!;
  return [...section.matchAll(/```(\w+)\n(.*?)```/gs)].map(([, language, text]) => ({
    language: language!,
    text: text!,
  }));
}

/** A text in which `…` stands for anything. */
function pattern(text: string): RegExp {
  const escape = (part: string) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${text.trim().split('…').map(escape).join('[^]*?')}$`);
}

/** Runs the blocks in one shell, as one terminal would be; gives what each printed, and what the README says it prints. */
function runBlocks(
  blocks: readonly Block[],
  url: string,
  folder: string,
): { printed: string; expected: string }[] {
  const here = (text: string) => text.replaceAll('http://127.0.0.1:4180', url);
  const script: string[] = ['set -e'];
  const expected: string[] = [];
  for (const [at, { language, text }] of blocks.entries()) {
    if (language === 'text') continue;
    const next = blocks[at + 1];
    expect(next?.language).toBe('text');
    const output = `${expected.length}.out`;
    expected.push(next!.text);
    if (language === 'sh') {
      script.push(`{ ${here(text)} } > ${output}`);
      continue;
    }
    // Where the packages are found that it imports.
    const file = join(repository, 'node_modules', '.cache', `readme-${process.pid}-${at}.mjs`);
    writeFileSync(file, here(text));
    onTestFinished(() => {
      rmSync(file, { force: true });
    });
    script.push(`'${process.execPath}' '${file}' > ${output}`);
  }
  execFileSync('bash', ['-c', script.join('\n')], { cwd: folder, stdio: 'pipe' });
  return expected.map((text, at) => ({
    printed: readFileSync(join(folder, `${at}.out`), 'utf8').trim(),
    expected: text,
  }));
}

it('the first conversation works as it is printed', { timeout: 60_000 }, async () => {
  const folder = createFolder();
  const server = await startServer({ DATABASE: join(folder, 'data', 'tiny-harness.db') });
  const [start, greeting, ...conversation] = readBlocks('Run the server');
  expect(start).toStrictEqual({ language: 'sh', text: 'npm ci && npm start\n' });
  expect(greeting!.text.split('\n')[0]).toBe('listening on http://127.0.0.1:4180/');
  const ran = runBlocks(conversation, server.url, folder);
  expect(ran).toHaveLength(4);
  for (const { printed, expected } of ran) expect(printed).toMatch(pattern(expected));
});

it('the tour works as it is printed', { timeout: 60_000 }, async () => {
  const [start, ...tour] = readBlocks('A tour of the contract');
  const settings = [...start!.text.matchAll(/([A-Z]+)=(\S+) /g)].map(([, name, value]) => [
    name,
    value,
  ]);
  expect(start!.text).toMatch(/ npm start\n$/);
  const server = await startServer(Object.fromEntries(settings) as Record<string, string>);
  const ran = runBlocks(tour, server.url, createFolder());
  expect(ran).toHaveLength(1);
  for (const { printed, expected } of ran) expect(printed).toMatch(pattern(expected));
});
