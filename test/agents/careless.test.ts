/** An agent that breaks down where nobody waits for it must not end the server for everybody. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createClient } from '../support/a2a-client.ts';
import { stateOf } from '../support/conformance.ts';
import { eventually } from '../support/eventually.ts';
import { repository } from '../support/projects.ts';
import { createFolder, startServer } from '../support/server.ts';

/** A server whose agent runs this code with its `turn`. */
async function startWith(code: string) {
  const file = join(createFolder(), 'careless.mjs');
  const address = new URL('src/agents/defined/define-agent.mjs', `file://${repository}/`).href;
  writeFileSync(
    file,
    `import { defineAgent } from '${address}';\nexport default defineAgent({ run(turn) { ${code} } });`,
  );
  const server = await startServer({ AGENT: file });
  const ann = createClient(server.url, 'jsonrpc', 'ann');
  const readLogged = (fault: string) =>
    eventually('the fault in the log', () =>
      server.stderr
        .split('\n')
        .find((line) => line.includes(fault) && line.includes('that nobody waits for')),
    );
  const isReady = async () => (await fetch(`${server.url}/readyz`)).status === 200;
  return { ann, readLogged, isReady };
}

test.each([
  ['said', `setInterval(() => turn.say('late'), 20).unref();`],
  ['said in a callback', `setInterval(async () => { await turn.say('late'); }, 20).unref();`],
])('what is %s after the turn is over, and not waited for', async (_what, code) => {
  const { ann, readLogged, isReady } = await startWith(`${code} return 'done';`);
  const { result } = await ann.send('go');
  await readLogged('is over');
  const { result: after } = await ann.call('GetTask', { id: result.task!.id, historyLength: 10 });
  expect(stateOf(after)).toBe('INPUT_REQUIRED · awaiting-next-message');
  expect(JSON.stringify(after)).not.toContain('late');
  expect(await isReady()).toBe(true);
});

test('what is thrown in a timer', async () => {
  const code = `setTimeout(() => { throw new Error('thrown late'); }, 1); return 'done';`;
  const { ann, readLogged, isReady } = await startWith(code);
  await ann.send('go');
  await readLogged('thrown late');
  expect(await isReady()).toBe(true);
});

test('what is thrown when the signal fires: whoever cancels is answered', async () => {
  const code = `turn.signal.addEventListener('abort', () => { throw new Error('thrown late'); });
    return new Promise(() => undefined);`;
  const { ann, readLogged, isReady } = await startWith(code);
  const { result } = await ann.send('go', {}, { atOnce: true });
  const cancelled = await ann.call('CancelTask', { id: result.task!.id });
  expect(stateOf(cancelled.result)).toBe('CANCELED');
  await readLogged('thrown late');
  expect(await isReady()).toBe(true);
});
