/**
 * The package in a browser whose page forbids code from strings: bundled as an application would,
 * served with a Content-Security-Policy, driven in headless Chromium.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Stage } from '../support/browser.ts';
import { hasBrowser, startStage } from '../support/browser.ts';

const APPLICATION = `
import { taskV1, channelV1, parseToolInput, createAgentCard } from '@tiny-harness/contract';
import { commandsOf, completeMessage, createHelpReply, helpRequestOf, subStateOf } from '@tiny-harness/contract';


const owner = { id: 'x', kind: 'human', role: 'owner' };
const answers = {
  filled: taskV1.parseTaskExtensionData({ name: 'a', goal: 'b' }),
  refused: taskV1.parseTaskExtensionData({ name: 'a', goal: 'b', participants: [owner] }),
  part: channelV1.createChannelMessagePart({ channel_id: 't', sender: 'alice', text: 'hi' }),
  tool: parseToolInput('complete_step', { step: 'collect', output: 'done' }),
  card: createAgentCard({ baseUrl: 'https://agent.example' }).supportedInterfaces.map(({ url }) => url),
};
const question = { channel_id: 'task-1', sender: 'agent', kind: 'help_request', text: 'Blue?' };
const update = {
  status: {
    state: 'TASK_STATE_INPUT_REQUIRED',
    message: { messageId: 'task-1:help:2', parts: [channelV1.createChannelMessagePart(question)] },
  },
  metadata: { 'io.github.madarauchiha-314.tiny-harness/status': { sub_state: 'awaiting-answer' } },
};
const request = helpRequestOf(update);
const client = {
  complete: completeMessage('task-1', { participantId: 'alice' }),
  reply: createHelpReply(request, 'yes', { participantId: 'alice', messageId: 'm-1' }),
  subState: subStateOf(update),
  commands: commandsOf(createAgentCard({ baseUrl: 'https://agent.example' })).length,
};
let evaluated = 'allowed';
try { new Function('return 1')(); } catch (error) { evaluated = error.name; }
document.body.textContent = JSON.stringify({ ...answers, client, evaluated });
`;

let stage: Stage;

beforeAll(async () => {
  if (!hasBrowser) return;
  const policy = "default-src 'none'; script-src 'self'";
  stage = await startStage(APPLICATION, { 'Content-Security-Policy': policy });
}, 60_000);

afterAll(async () => {
  if (hasBrowser) await stage.close();
});

test.skipIf(!hasBrowser)(
  'parses, refuses, builds parts and cards where eval is forbidden',
  async () => {
    const { page, faults } = await stage.open();
    await page.waitForFunction('document.body.textContent !== ""');
    const answers = JSON.parse((await page.textContent('body')) ?? '') as Record<string, unknown>;
    expect(faults).toEqual([]);
    expect(answers).toMatchObject({
      evaluated: 'EvalError',
      filled: { ok: true, value: { name: 'a', goal: 'b', participants: [], lifecycle: null } },
      refused: {
        ok: false,
        errors: [
          {
            path: '/participants/0/role',
            message:
              'participants/0/role must be one of assignee, reporter, watcher, admin; got "owner"',
          },
        ],
      },
      part: {
        data: { channel_id: 't', sender: 'alice', text: 'hi' },
        mediaType: 'application/vnd.tiny-harness.channel+json',
      },
      tool: { ok: true, value: { step: 'collect', output: 'done' } },
      card: ['https://agent.example/', 'https://agent.example/'],
      client: {
        complete: {
          messageId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
          taskId: 'task-1',
          parts: [{ data: { kind: 'control', action: 'complete' } }],
          metadata: { participant_id: 'alice' },
        },
        reply: {
          messageId: 'm-1',
          taskId: 'task-1',
          parts: [{ data: { kind: 'help_reply', text: 'yes', in_reply_to: 'task-1:help:2' } }],
        },
        subState: 'awaiting-answer',
        commands: 6,
      },
    });
  },
);
