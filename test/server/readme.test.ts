/** The first conversation that the README shows, as it is printed. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repository } from '../support/projects.ts';
import { createFolder, startServer } from '../support/server.ts';

interface Block {
  readonly language: string;
  readonly text: string;
}

/** The section's code blocks: what is typed, and under it what is printed. */
function readBlocks(): Block[] {
  const readme = readFileSync(join(repository, 'README.md'), 'utf8');
  const section = /\n## Run the server\n(.*?)\n## /s.exec(readme)![1]!;
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

it('works as it is printed', { timeout: 60_000 }, async () => {
  const folder = createFolder();
  const server = await startServer({ DATABASE: join(folder, 'data', 'tiny-harness.db') });
  const here = (text: string) => text.replaceAll('http://127.0.0.1:4180', server.url);

  // One shell for all, as one terminal would be; each answer goes to a file of its own.
  const [start, greeting, ...conversation] = readBlocks();
  expect(start).toStrictEqual({ language: 'sh', text: 'npm ci && npm start\n' });
  expect(greeting!.text.split('\n')[0]).toBe('listening on http://127.0.0.1:4180/');

  const script: string[] = ['set -e'];
  const expected: string[] = [];
  for (const [at, { language, text }] of conversation.entries()) {
    if (language === 'text') continue;
    const next = conversation[at + 1];
    expect(next?.language).toBe('text');
    expected.push(next!.text);
    const output = `${expected.length}.out`;
    if (language === 'sh') script.push(`{ ${here(text)} } > ${output}`);
    else {
      const file = join(repository, 'node_modules', '.cache', `readme-${process.pid}.mjs`);
      writeFileSync(file, here(text));
      script.push(`'${process.execPath}' '${file}' > ${output}`, `rm '${file}'`);
    }
  }
  execFileSync('bash', ['-c', script.join('\n')], { cwd: folder, stdio: 'pipe' });

  const printed = expected.map((_, at) =>
    readFileSync(join(folder, `${at + 1}.out`), 'utf8').trim(),
  );
  expect(expected).toHaveLength(4);
  for (const [at, text] of expected.entries()) expect(printed[at]).toMatch(pattern(text));
});
