/** What clients of any implementation rely on, to the letter (rule E10, contract facts). */
import { readFileSync } from 'node:fs';
import { a2uiV0_9_1, channelV1, commandsV1, statusV1, taskV1 } from '@tiny-harness/contract';
import { expect, test } from 'vitest';

const ROOT = 'https://madarauchiha-314.github.io/tiny-harness/a2a/ext';
const NAMESPACE = 'io.github.madarauchiha-314.tiny-harness';

test('URIs, keys and media types are those of the contract', () => {
  expect([taskV1.URI, channelV1.URI, statusV1.URI, commandsV1.URI, a2uiV0_9_1.URI]).toEqual([
    `${ROOT}/task/v1`,
    `${ROOT}/channel/v1`,
    `${ROOT}/status/v1`,
    `${ROOT}/commands/v1`,
    'https://a2ui.org/a2a-extension/a2ui/v0.9.1',
  ]);
  expect({
    task: taskV1.TASK_EXTENSION_KEY,
    status: statusV1.SUB_STATE_KEY,
    sender: taskV1.SENDER_KEY,
    interrupt: taskV1.INTERRUPT_KEY,
  }).toEqual({
    task: `${NAMESPACE}/task`,
    status: `${NAMESPACE}/status`,
    sender: 'participant_id',
    interrupt: 'interrupt',
  });
  expect([
    taskV1.MEDIA_TYPE,
    taskV1.EVENT_ENVELOPE_MEDIA_TYPE,
    channelV1.MEDIA_TYPE,
    a2uiV0_9_1.MEDIA_TYPE,
  ]).toEqual([
    'application/vnd.tiny-harness.task+json',
    'application/vnd.tiny-harness.event+json',
    'application/vnd.tiny-harness.channel+json',
    'application/a2ui+json',
  ]);
});

test('the agent card is pinned', async () => {
  const card = readFileSync('generated/agent-card.json', 'utf8');
  await expect(card).toMatchFileSnapshot('agent-card.json');
});
