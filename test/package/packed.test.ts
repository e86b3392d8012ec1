/** The package as npm packs it, installed in an empty project: what a consumer gets. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const bin = resolve('node_modules/.bin');
let project = '';
let tarball = '';

function run(command: string, words: readonly string[], cwd = project): string {
  return execFileSync(command, words, { cwd, encoding: 'utf8' });
}

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'packed-'));
  run('npm', ['pack', '--silent', '--pack-destination', project], resolve('generated'));
  tarball = readdirSync(project).find((name) => name.endsWith('.tgz')) ?? '';
  writeFileSync(join(project, 'package.json'), '{ "name": "consumer", "private": true }');
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`]);
}, 60_000);

afterAll(() => {
  rmSync(project, { recursive: true, force: true });
});

const PROGRAM = `
const answer = taskV1.parseTaskExtensionData({ name: 'a', goal: 'b' });
const { errors } = taskV1.parseTaskExtensionData({ name: 'a' });
console.log(JSON.stringify([answer.value.participants, errors[0].message, TOOL_NAMES.length]));
`;
const ANSWER = '[[],"goal is missing (a string)",12]\n';

const CLIENT = `
const task = { status: { state: 'TASK_STATE_WORKING' }, metadata: {} };
const { messageId, ...message } = completeMessage('task-1', { participantId: 'alice' });
const names = commandsOf(createAgentCard({ baseUrl: 'https://agent.example' })).map(({ name }) => name);
console.log(JSON.stringify([message, typeof messageId, subStateOf(task), helpRequestOf(task), names[0]]));
`;
const MESSAGE =
  '{"role":"ROLE_USER","taskId":"task-1","parts":[{"data":{"kind":"control","action":"complete"},' +
  '"mediaType":"application/vnd.tiny-harness.event+json"}],"metadata":{"participant_id":"alice"}}';

test('is imported where code from strings is forbidden', () => {
  const text = `import { taskV1, TOOL_NAMES } from '@tiny-harness/contract';\n${PROGRAM}`;
  writeFileSync(join(project, 'module.mjs'), text);
  const forbid = '--disallow-code-generation-from-strings';
  expect(run(process.execPath, [forbid, 'module.mjs'])).toBe(ANSWER);
});

test('is required by CommonJS', () => {
  const text = `const { taskV1, TOOL_NAMES } = require('@tiny-harness/contract');\n${PROGRAM}`;
  writeFileSync(join(project, 'script.cjs'), text);
  expect(run(process.execPath, ['--no-warnings', 'script.cjs'])).toBe(ANSWER);
});

test('C9: makes messages, and reads for clients, from the index and from a module of its own', () => {
  const names = 'commandsOf, completeMessage, helpRequestOf, subStateOf';
  const answer = `[${MESSAGE},"string",null,null,"model"]\n`;
  const heads = {
    'index.mjs': `import { createAgentCard, ${names} } from '@tiny-harness/contract';`,
    'client.mjs': `import { createAgentCard } from '@tiny-harness/contract';\nimport { ${names} } from '@tiny-harness/contract/client';`,
    'client.cjs': `const { createAgentCard, ${names} } = require('@tiny-harness/contract');`,
  };
  for (const [file, head] of Object.entries(heads)) {
    writeFileSync(join(project, file), head + CLIENT);
    expect(run(process.execPath, ['--no-warnings', file])).toBe(answer);
  }
});

test('holds what its exports name, and nothing of the generator', () => {
  const listed = run('tar', ['-tzf', tarball]).trim().split('\n');
  expect(listed).toContain('package/agent-card.json');
  expect(listed).toContain('package/schemas/task/v1/schema.json');
  expect(listed).toContain('package/client.d.ts');
  expect(listed).toContain('package/LICENSE');
  expect(listed.filter((path) => /manifest\.json$|\.tgz$|node_modules/.test(path))).toEqual([]);
});

test('satisfies publint', () => {
  expect(run(join(bin, 'publint'), [tarball, '--strict'])).toContain('All good!');
});

test('has types that resolve everywhere', () => {
  // The package is ESM only: CommonJS loads it by require(esm), which this rule does not know.
  const words = [
    tarball,
    '--ignore-rules',
    'cjs-resolves-to-esm',
    '--format',
    'ascii',
    '--no-color',
  ];
  expect(run(join(bin, 'attw'), words)).toContain('No problems found');
}, 60_000);
