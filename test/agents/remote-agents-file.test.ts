/** The file that names remote agents. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRemoteAgents } from '../../src/remote-agents-file.ts';
import { createFolder } from '../support/server.ts';

function read(text: string, env: Record<string, string> = {}) {
  const path = join(createFolder(), 'agents.json');
  writeFileSync(path, text);
  return readRemoteAgents(path, { agentId: 'tiny-harness', env });
}

/** The message without the folder's name. */
async function faultOf(text: string, env?: Record<string, string>): Promise<string> {
  const error: unknown = await read(text, env).catch((reason: unknown) => reason);
  return (error as Error).message.replaceAll(/\S*\/agents\.json/g, 'agents.json');
}

test('agents are read from JSON, tokens from the environment', async () => {
  const text = JSON.stringify({
    $schema: './remote-agents.schema.json',
    agents: {
      near: { url: 'http://10.0.0.7:4180', description: 'Translates.' },
      far: {
        url: 'https://far.example/card.json',
        description: 'Draws.',
        tokenVariable: 'FAR_TOKEN',
        participant: 'house',
      },
    },
  });
  expect(await read(text, { FAR_TOKEN: 'secret' })).toEqual([
    {
      id: 'near',
      url: 'http://10.0.0.7:4180',
      description: 'Translates.',
      token: undefined,
      participant: 'client:tiny-harness',
    },
    {
      id: 'far',
      url: 'https://far.example/card.json',
      description: 'Draws.',
      token: 'secret',
      participant: 'house',
    },
  ]);
});

test('agents are read from YAML as well', async () => {
  const text = 'agents:\n  near:\n    url: http://10.0.0.7:4180\n    description: Translates.\n';
  expect((await read(text)).map(({ id, url }) => [id, url])).toEqual([
    ['near', 'http://10.0.0.7:4180'],
  ]);
});

test.each([
  [
    '{\n  "agents": {\n    "Far Away": { "url": "ftp://x", "description": "Draws." }\n  }\n}',
    [
      'REMOTE_AGENTS: agents.json:2:13: agents: the property name "Far Away" must match the pattern ^[a-z0-9]+(-[a-z0-9]+)*$',
      'agents.json:3:26: this is not a URL that can be used\n    at /agents/Far Away/url',
      '    Call it by small letters, digits and hyphens, such as "translator".',
    ],
  ],
  ['[]', ['REMOTE_AGENTS: agents.json:1:1:']],
  [
    '{"agents": {"far": {"url": "https://user:pw@far.example", "description": "D"}}}',
    ['REMOTE_AGENTS: agents.json:1:28:', 'without a user name, query or fragment'],
  ],
  [
    '{"agents": {"far": {"url": "https://", "description": "D"}}}',
    ['REMOTE_AGENTS: agents.json:1:28:'],
  ],
  [
    '{"agents": {"far": {"url": "https://far.example", "description": "D", "token": "x"}}}',
    ['REMOTE_AGENTS: agents.json:1:71:', 'at /agents/far/token'],
  ],
  [
    '{"agents": {}, "agents": {}}',
    ['REMOTE_AGENTS: agents.json:1:16: this name stands here twice'],
  ],
])('%j is refused with its place', async (text, expected) => {
  const fault = await faultOf(text);
  for (const each of expected) expect(fault).toContain(each);
});

test('a token that is missing or unusable is named by its variable alone', async () => {
  const agent = { url: 'https://far.example', description: 'D', tokenVariable: 'FAR_TOKEN' };
  const text = JSON.stringify({ agents: { far: agent } });
  expect(await faultOf(text)).toBe(
    'REMOTE_AGENTS: agents.json:1:81: the environment variable FAR_TOKEN is not set\n' +
      '    at /agents/far/tokenVariable\n' +
      '    Set it to the token, or leave "tokenVariable" out.',
  );
  const fault = await faultOf(text, { FAR_TOKEN: 'secret\n' });
  expect(fault).toContain('agents.json:1:81: what FAR_TOKEN holds is no bearer token');
  expect(fault).not.toContain('secret');
});

test.each([
  { url: 'https://user:hunter2@far.example', description: 'D' },
  { url: 'https://far.example', description: 'D', tokenVariable: 'hunter2-hunter2' },
  { url: 'https://far.example', description: 'D', token: 'hunter2' },
])('what may be a secret is not repeated: %j', async (agent) => {
  const fault = await faultOf(JSON.stringify({ agents: { far: agent } }));
  expect(fault).toContain('agents.json:1:');
  expect(fault).not.toContain('hunter2');
});

test('a file that is not there is told of with its setting', async () => {
  const surroundings = { agentId: 'tiny-harness', env: {} };
  await expect(readRemoteAgents('/nowhere/agents.json', surroundings)).rejects.toThrow(
    'REMOTE_AGENTS: /nowhere/agents.json cannot be read: there is no such file',
  );
});
