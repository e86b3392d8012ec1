/** An agent that waits for nothing that it begins: what is refused to it must not end the server for everybody. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createClient } from '../support/a2a-client.ts';
import { stateOf } from '../support/conformance.ts';
import { eventually } from '../support/eventually.ts';
import { repository } from '../support/projects.ts';
import { createFolder, startServer } from '../support/server.ts';

test('writes that nobody waits for, after the turn is over, are logged and that is all', async () => {
  const file = join(createFolder(), 'careless.mjs');
  const address = new URL('src/agents/defined/define-agent.mjs', `file://${repository}/`).href;
  writeFileSync(
    file,
    `import { defineAgent } from '${address}';
export default defineAgent({
  run(turn) {
    setInterval(() => turn.say('direct'), 20).unref();
    setInterval(async () => { await turn.say('further'); }, 20).unref();
    return 'done';
  },
});`,
  );
  const server = await startServer({ AGENT: file });
  const ann = createClient(server.url, 'jsonrpc', 'ann');
  const { result } = await ann.send('go');
  const { id } = result.task!;
  const logged = await eventually(
    'a refusal that is logged',
    () => /"msg":"[^"]*nobody waits[^"]*"/.exec(server.stderr)?.[0],
  );
  expect(logged).toBe('"msg":"something failed that nobody waits for"');
  const { result: after } = await ann.call('GetTask', { id, historyLength: 10 });
  expect(stateOf(after)).toBe('INPUT_REQUIRED · awaiting-next-message');
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
});
