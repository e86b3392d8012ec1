/** The guide on remote agents: what it prints works, and says what the code does. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createClient } from '../support/a2a-client.ts';
import { eventually } from '../support/eventually.ts';
import { createFolder, startApp } from '../support/server.ts';

const guide = readFileSync('docs/guide/remote-agents.md', 'utf8');
const file = readFileSync('docs/guide/remote-agents/agents.json', 'utf8');

test('the file that it prints is the one that it names', () => {
  const [, printed] =
    /<!-- file: remote-agents\/agents.json -->\n\n```json\n([^`]*)```/.exec(guide) ?? [];
  expect(printed).toBe(file);
});

test('two servers do what it says', async () => {
  const far = await startApp();
  const path = join(createFolder(), 'agents.json');
  writeFileSync(path, file.replace('http://127.0.0.1:4190', far.url));
  const scenario = 'docs/guide/remote-agents/errand.yaml';
  const near = await startApp({ remoteAgents: path, scenario });
  const client = createClient(near.url, 'rest');
  const { result } = await client.send('A poem');
  const { id } = result.task!;
  const answer = await eventually('the answer', async () => {
    const { status } = (await client.call('GetTask', { id })).result;
    const text = status.message?.parts[0].text ?? '';
    return text.startsWith('From the writer:') ? text : undefined;
  });
  expect(answer).toBe(
    `From the writer: [sub-task "Text" (${id}.1) COMPLETED] You said: [client:tiny-harness] A poem`,
  );
});

test('every member of the file is explained', () => {
  const schema = JSON.parse(readFileSync('schemas/meta/remote-agents.schema.json', 'utf8')) as {
    readonly $defs: { readonly RemoteAgent: { readonly properties: object } };
  };
  const members = Object.keys(schema.$defs.RemoteAgent.properties);
  expect(members.filter((name) => !guide.includes(`| \`${name}\``))).toEqual([]);
});
