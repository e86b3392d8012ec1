/** The process as `npm start` starts it. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, expect, onTestFinished, test } from 'vitest';
import { createCard, readCardFile } from '../src/card-file.ts';
import { createJsonLog } from '../src/json-log.ts';
import { repository } from './support/projects.ts';

const scratch = mkdtempSync(join(tmpdir(), 'tiny-harness-main-'));
const children: Started[] = [];

/** A server's process, what it wrote so far, and how it ended. */
interface Started {
  readonly child: ChildProcessWithoutNullStreams;
  readonly output: { stdout: string; stderr: string };
  readonly ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
}

afterEach(async () => {
  for (const { child, ended } of children.splice(0)) {
    child.kill('SIGKILL');
    await ended;
  }
});

afterAll(() => {
  rmSync(scratch, { recursive: true });
});

/** Starts the server on any free port, in memory. */
function start(
  argv: readonly string[] = [],
  settings: Readonly<Record<string, string>> = {},
): Started {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, PORT: '0', DATABASE: ':memory:', ...settings };
  const child = spawn(process.execPath, ['src/launch.mjs', ...argv], { cwd: repository, env });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => (output[name] += text));
  }
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, ...output }));
  const started = { child, output, ended };
  children.push(started);
  return started;
}

/** Waits until the server has said where it is. */
async function listening({ child, output, ended }: Started): Promise<string> {
  while (!output.stdout.includes('try: ')) {
    await Promise.race([once(child.stdout, 'data'), ended]);
    if (child.exitCode !== null) throw new Error(output.stderr);
  }
  return output.stdout;
}

test('the first lines say where it listens, where its card is, and how to try it', async () => {
  const lines = (await listening(start())).split('\n');
  const [, base = ''] = /^listening on (http:\/\/127\.0\.0\.1:\d+)\/$/.exec(lines[0] ?? '') ?? [];
  expect(lines[1]).toBe(`agent card: ${base}/.well-known/agent-card.json`);
  const card = (await (await fetch(lines[1]!.replace('agent card: ', ''))).json()) as {
    supportedInterfaces: { url: string }[];
  };
  for (const { url } of card.supportedInterfaces) expect(url.startsWith(base)).toBe(true);

  const command = lines[2]!.replace(/^try: curl/, 'curl -s');
  const { stdout } = await promisify(execFile)('sh', ['-c', command]);
  expect(stdout).toContain('You said: hello');
});

test('settings that are wrong are named, one a line, and nothing starts', async () => {
  const { ended } = start(['--prot', '1'], { LEASE: 'long', SECRET_KEY: 'hunter2' });
  const { code, stdout, stderr } = await ended;
  expect(code).toBe(2);
  expect(stdout).toBe('');
  expect(stderr.split('\n').map((line) => line.split(' ')[0])).toEqual([
    '--prot',
    'LEASE',
    'SECRET_KEY',
    '',
  ]);
  expect(stderr).not.toContain('hunter2');
});

test('--help explains and ends', async () => {
  const { code, stdout } = await start(['--help']).ended;
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Usage: npm start/);
});

test('a clone without packages is told to install them', async () => {
  const folder = join(scratch, 'src');
  mkdirSync(folder);
  copyFileSync(join(repository, 'src', 'launch.mjs'), join(folder, 'launch.mjs'));
  const started = promisify(execFile)(process.execPath, [join(folder, 'launch.mjs')]);
  await expect(started).rejects.toMatchObject({
    code: 1,
    stderr: 'The packages that this needs are not installed; run npm ci first.\n',
  });
});

test('a port that is in use is explained in a sentence', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const { code, stdout, stderr } = await start(['--port', String(port)]).ended;
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toBe(
    `Port ${port} on 127.0.0.1 is in use. Stop what listens there, or set PORT to another; 0 takes any that is free.\n`,
  );
});

test.each([
  ['HOST', '192.0.2.1', 'HOST 192.0.2.1 is no address of this machine.'],
  ['CARD', join(scratch, 'none.json'), 'none.json'],
  ['SCENARIO', join(scratch, 'none.yaml'), 'none.yaml'],
])('%s=%s is explained', async (variable, value, words) => {
  const { code, stdout, stderr } = await start([], { AUTH: 'none', [variable]: value }).ended;
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain(words);
  expect(stderr).not.toMatch(/\n {4}at /);
});

test.each([
  ['[]', ['must hold a JSON object']],
  ['{', ['is not JSON: ']],
  [
    '{"name":5,"iconURL":"x","capabilities":{"streaming":"yes","toString":true},"supportedInterfaces":[]}',
    [
      ': name must be a string',
      ': iconURL is no member of an agent card; did you mean iconUrl?',
      ': capabilities.streaming must be true or false',
      ': capabilities.toString is no member of an agent card; known: streaming,',
      ': supportedInterfaces must not be empty',
    ],
  ],
])('a card file with %s is refused', async (text, faults) => {
  const path = join(scratch, 'card.json');
  writeFileSync(path, text);
  const error = await readCardFile(path).catch((thrown: unknown) => thrown);
  const lines = (error as Error).message.split('\n');
  expect(lines).toHaveLength(faults.length);
  for (const [at, words] of faults.entries()) expect(lines[at]).toContain(words);
  for (const line of lines) expect(line.startsWith(`CARD: ${path}`)).toBe(true);
});

test('a card file takes the place of members', async () => {
  const path = join(scratch, 'card.json');
  const overrides = { name: 'Mine', skills: [], capabilities: { streaming: false } };
  writeFileSync(path, JSON.stringify(overrides));
  const card = createCard('http://127.0.0.1/', await readCardFile(path));
  expect(card).toMatchObject({ name: 'Mine', skills: [], capabilities: { streaming: false } });
  expect(card.capabilities.pushNotifications).toBe(true);
});

test.each(['SIGTERM', 'SIGINT'] as const)('%s ends it in order', async (signal) => {
  const server = start();
  await listening(server);
  server.child.kill(signal);
  const { code, stderr } = await server.ended;
  expect(code).toBe(0);
  expect(
    stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toMatchObject([
    { msg: 'started', database: ':memory:', auth: 'none' },
    { msg: 'stopping', signal },
    { msg: 'stopped' },
  ]);
});

test('one that others reach is told when its card does not say where', async () => {
  const said = 'BASE_URL is unset';
  const open = { HOST: '0.0.0.0', AUTH: 'none' };
  const server = start([], open);
  await listening(server);
  while (!server.output.stderr.includes(said)) await once(server.child.stderr, 'data');
  const named = start([], { ...open, BASE_URL: 'https://agent.example.com' });
  await listening(named);
  named.child.kill();
  expect((await named.ended).stderr).not.toContain(said);
});

test('a second signal ends it at once', async () => {
  const scenario = join(scratch, 'slow.yaml');
  writeFileSync(scenario, 'rules: [{ when: { equals: slow }, do: [{ wait: 60s }] }]\n');
  const server = start([], { SCENARIO: scenario, DRAIN_TIMEOUT: '60s' });
  const [, base = ''] = /^listening on (\S+)\/\n/.exec(await listening(server)) ?? [];
  const message = { messageId: 'm1', role: 'ROLE_USER', parts: [{ text: 'slow' }] };
  await fetch(`${base}/message:send`, {
    method: 'POST',
    headers: { 'a2a-version': '1.0', 'content-type': 'application/json' },
    body: JSON.stringify({ message, configuration: { returnImmediately: true } }),
  });
  server.child.kill('SIGTERM');
  while (!server.output.stderr.includes('stopping')) await once(server.child.stderr, 'data');
  server.child.kill('SIGTERM');
  expect((await server.ended).code).toBe(130);
});

test('the log keeps secrets to itself, wherever they are', () => {
  let written = '';
  const log = createJsonLog('info', { write: (line) => (written += line) });
  const names = ['authorization', 'token', 'credentials', 'modelApiKey'];
  const secrets = Object.fromEntries(names.map((name) => [name, 'hunter2']));
  log.info(
    { ...secrets, headers: secrets, config: { push: secrets }, a: { b: { c: secrets } } },
    'm',
  );
  expect(written).not.toContain('hunter2');
  expect(written.split('[redacted]')).toHaveLength(17);
});
