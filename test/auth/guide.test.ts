/** docs/guide/authorisation.md: what it says to type works. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createClient } from '../support/a2a-client.ts';
import { repository } from '../support/projects.ts';
import { createFolder, startApp } from '../support/server.ts';
import { bearer } from './token-file.ts';

const guide = readFileSync(join(repository, 'docs', 'guide', 'authorisation.md'), 'utf8');

test('a token is made, and taken', async () => {
  const [, commands = ''] = /```sh\n(TOKEN=[^]*?)AUTH=tokens [^\n]*\n```/.exec(guide) ?? [];
  const folder = createFolder();
  const script = `set -e\n${commands}\nprintf %s "$TOKEN"`;
  const token = execFileSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8' });
  expect(token).toMatch(/^[\da-f]{64}$/);
  const { url } = await startApp({ auth: 'tokens', authTokens: join(folder, 'tokens.json') });
  const client = createClient(url, 'rest');
  const { result } = await client.send('hello', {}, bearer(token));
  expect(result.task?.history?.[0]?.metadata).toMatchObject({ participant_id: 'alice' });
});
