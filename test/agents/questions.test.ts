/** Questions that an agent ends its turn with: a task never waits for somebody who cannot answer. */
import { describe, expect, test } from 'vitest';
import { member, subStateOf, taskEnvelope } from '../support/conformance.ts';
import { messageOf } from '../support/a2a-client.ts';
import type { Stage } from '../tools/stage.ts';
import { startShared, startStage } from '../tools/stage.ts';

/** What the next message of ann's does in a task that has just asked. */
async function goOn(stage: Stage, taskId: string) {
  const before = subStateOf(await stage.read(taskId));
  await stage.say('and now?', { taskId });
  return { before, last: stage.turns.at(-1) };
}

describe('a question for somebody who cannot answer is open to whoever speaks next', () => {
  test.each(['zoe', 'tiny-harness'])('%s', async (asked) => {
    const stage = await startStage();
    stage.on('ask', () =>
      Promise.resolve({ end: 'input-required', question: { text: 'Which?', asked } }),
    );
    const { id } = (await stage.say('ask')).task;
    const { before, last } = await goOn(stage, id);
    expect(before).toBe(asked === 'zoe' ? 'awaiting-next-message' : 'awaiting-answer');
    expect(last).toBe(`${id}: and now?`);
  });

  test('one who was taken off the task while the agent worked', async () => {
    const stage = await startStage();
    const taskId = await startShared(stage);
    stage.on('ask', async () => {
      const participants = [
        member('ann', 'reporter', 'human'),
        member('ada', 'admin', 'human'),
        member('tiny-harness', 'assignee', 'agent'),
      ];
      const message = { ...taskEnvelope({ participants }), taskId };
      await stage.ann.call(
        'SendMessage',
        { message, configuration: { returnImmediately: true } },
        { as: 'ada' },
      );
      return { end: 'input-required', question: { text: 'Which?' } };
    });
    const message = messageOf('ask', { taskId });
    // Wim does not see the end of what he began.
    await stage.ann.call('SendMessage', { message }, { as: 'wim' }).catch(() => undefined);
    const { before, last } = await goOn(stage, taskId);
    expect(before).toBe('awaiting-next-message');
    expect(last).toBe(`${taskId}: and now?`);
  });
});

test('a question counts as what the agent writes', async () => {
  const stage = await startStage({ turnOutput: 1024 });
  const text = 'x'.repeat(1024);
  stage.on('ask', () => Promise.resolve({ end: 'input-required', question: { text } }));
  expect((await stage.say('ask')).task.status).toMatchObject({
    state: 'TASK_STATE_FAILED',
    message: {
      parts: [
        {
          text: 'The agent was stopped: it wrote more than 1024 bytes in one turn (TURN_OUTPUT).',
        },
      ],
    },
  });
});
