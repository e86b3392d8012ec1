/** Pages that show a conversation: what is typed, and under it what is printed. */
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { repository } from './projects.ts';

/** A code block. */
export interface Block {
  readonly language: string;
  readonly text: string;
}

/** The code blocks of a text in Markdown, in order. */
export function readBlocks(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\w+)\n(.*?)^```/gms)].map(([, language, text]) => ({
    language: language!,
    text: text!,
  }));
}

/** What a block printed, and what the page says it prints. */
export interface Printed {
  readonly printed: string;
  readonly expected: string;
}

/** Where blocks are run. */
export interface Place {
  /** The server that they talk to, in the place of the one on the default port. */
  readonly url: string;
  /** Where they are run, and what they write lies; files of the guide are found as from the repository. */
  readonly folder: string;
}

/** Runs `sh` and `js` blocks in one shell, as one terminal would be; each is followed by a `text` block, its output. */
export function runBlocks(blocks: readonly Block[], { url, folder }: Place): Printed[] {
  const here = (text: string) =>
    text
      .replaceAll('http://127.0.0.1:4180', url)
      .replaceAll(' docs/guide/', ` ${repository}/docs/guide/`);
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
    const file = join(repository, 'node_modules', '.cache', `blocks-${process.pid}-${at}.mjs`);
    writeFileSync(file, here(text));
    onTestFinished(() => {
      rmSync(file, { force: true });
    });
    script.push(`'${process.execPath}' '${file}' > ${output}`);
  }
  const env = { ...process.env, AGENT_URL: url };
  execFileSync('bash', ['-c', script.join('\n')], { cwd: folder, env, stdio: 'pipe' });
  return expected.map((text, at) => ({
    printed: readFileSync(join(folder, `${at}.out`), 'utf8').trim(),
    expected: text,
  }));
}

/** What was printed is what the page says, where `…` stands for anything. */
export function expectPrinted(ran: readonly Printed[], count: number): void {
  expect(ran).toHaveLength(count);
  for (const { printed, expected } of ran) expect(printed).toMatch(pattern(expected));
}

function pattern(text: string): RegExp {
  const escape = (part: string) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${text.trim().split('…').map(escape).join('[^]*?')}$`);
}
