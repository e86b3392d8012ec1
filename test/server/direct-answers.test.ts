/** Answers without a task: for plain words alone, and only where nothing is to be decided before the agent is asked. */
import type { Message } from '@tiny-harness/contract/a2a';
import { createChannelMessagePart } from '@tiny-harness/contract/channel/v1';
import { createEventEnvelopePart } from '@tiny-harness/contract/task/v1';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../support/a2a-client.ts';
import { BINDINGS, createClient, messageOf } from '../support/a2a-client.ts';
import { startApp } from '../support/server.ts';

const text = { text: 'words' };
const payload = { name: 'n', goal: 'g' } as never;

describe.each(BINDINGS)('an agent that answers without a task, over %s', (binding) => {
  let client: Client;

  beforeAll(async () => {
    const app = await startApp({ scenario: 'test/server/scenarios/direct.yaml' }, 'stopped');
    client = createClient(app.url, binding, 'ann');
    return () => app.stop();
  });

  const send = (...parts: Message['parts']) =>
    client.call('SendMessage', { message: { ...messageOf('x'), parts } });

  test('answers words', async () => {
    const { result } = await send(text);
    expect(result).toMatchObject({ message: { parts: [{ text: 'No task for: words' }] } });
  });

  test('is not asked about a command, which starts a task that waits (rule E7)', async () => {
    const { result } = await send({ text: '/model' });
    expect(result.task?.status).toMatchObject({
      state: 'TASK_STATE_INPUT_REQUIRED',
      message: { metadata: { command: 'model' } },
    });
  });

  test('is not asked about an envelope that starts a task, with words or without', async () => {
    const envelope = createEventEnvelopePart({ kind: 'task', payload });
    for (const parts of [[envelope], [envelope, text]] as const) {
      const { result } = await send(...(parts as unknown as Message['parts']));
      expect(result.task).toBeDefined();
    }
  });

  test.each<[string, Message['parts'], string]>([
    [
      'an order without a task (contract-facts, "Sending", 5)',
      [createEventEnvelopePart({ kind: 'control', action: 'complete' })],
      'UNSUPPORTED_OPERATION',
    ],
    [
      'an envelope that is not valid (rule A7)',
      [{ ...createEventEnvelopePart({ kind: 'dance' } as never) }, text],
      'INVALID_PARAMS',
    ],
    [
      'a message for a channel that there is not (rule E6)',
      [createChannelMessagePart({ channel_id: 'x', sender: 'ann' }), text],
      'TASK_NOT_FOUND',
    ],
  ])('is not asked about %s', async (_, parts, reason) => {
    expect((await send(...parts)).reason).toBe(reason);
  });
});
