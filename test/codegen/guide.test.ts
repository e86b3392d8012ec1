/** The guide for authors of other extensions does what it says, on the files that it prints. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const guide = readFileSync('docs/guide/your-own-extension.md', 'utf8');
const launcher = resolve('codegen/launch.mjs');
let project = '';

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'guide-'));
  for (const [, path = '', text = ''] of guide.matchAll(
    /<!-- file: (\S+) -->\n\n```json\n([^`]*)```/g,
  )) {
    mkdirSync(join(project, dirname(path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
});

afterAll(() => {
  rmSync(project, { recursive: true, force: true });
});

function codegen(...words: string[]): string {
  return execFileSync(process.execPath, [launcher, ...words, '--root', project], {
    encoding: 'utf8',
  });
}

test('the files that the guide prints are a project that generates', () => {
  expect(codegen()).toMatch(/^\+ docs\/agents\//);
  expect(codegen('--check')).toMatch(/^up to date: \d+ files/);
});

test('the code that the guide prints runs and answers as it says', () => {
  const [, code = ''] = /<!-- run -->\n\n```js\n([^`]*)```/.exec(guide) ?? [];
  mkdirSync(join(project, 'node_modules/@acme'), { recursive: true });
  symlinkSync(join(project, 'generated'), join(project, 'node_modules/@acme/agent-trace'));
  const shown = code.replace(/^(readTrace\(.*\)); .*$/gm, 'console.log(JSON.stringify($1));');
  writeFileSync(join(project, 'try.mjs'), shown);
  const answers = execFileSync(process.execPath, ['try.mjs'], { cwd: project, encoding: 'utf8' });
  expect(answers.trimEnd().split('\n')).toEqual([
    '{"ok":true,"value":{"traceId":"4bf92f3577b34da6","sampled":true}}',
    'undefined',
  ]);
});
