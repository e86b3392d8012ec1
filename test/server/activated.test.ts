/** The agent is told which extensions the client activated with a message (rule E4). */
import { URI as A2UI } from '@tiny-harness/contract/a2ui/v0.9.1';
import { URI as TASK } from '@tiny-harness/contract/task/v1';
import { expect, test } from 'vitest';
import type { Agent } from '../../src/agents/port.ts';
import { BINDINGS, createClient } from '../support/a2a-client.ts';
import { startApp } from '../support/server.ts';

test.each(BINDINGS)('by header and by message, over %s', async (binding) => {
  const told: (readonly string[])[] = [];
  const agent: Agent = {
    lifecycle: 'conversation',
    run: ({ activated }) => {
      told.push(activated);
      return Promise.resolve({ end: 'input-required' });
    },
  };
  const { url } = await startApp({}, 'test-ends', { agent });
  const client = createClient(url, binding);
  await client.send('plain');
  await client.send('asked', {}, { headers: { 'a2a-extensions': `${A2UI}, ${TASK}` } });
  await client.send('said', { extensions: [A2UI] });
  expect(told).toEqual([[], [A2UI, TASK], [A2UI]]);
});
