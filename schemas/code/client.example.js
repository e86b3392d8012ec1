import {
  AGENT_CARD,
  commandsOf,
  completeMessage,
  createHelpReply,
  createTaskMessage,
  helpRequestOf,
  subStateOf,
} from '@tiny-harness/contract';

// The requests of a conversation: each of these is the `message` of a SendMessage.
const start = createTaskMessage(
  { name: 'Report', goal: 'Write the quarterly report' },
  { participantId: 'alice', text: 'Please start with the figures.' },
);

// A task as it came back: it waits, because the agent has asked something.
const question = {
  channel_id: 'task-1',
  sender: 'tiny-harness',
  kind: 'help_request',
  text: 'Blue?',
};
const task = {
  id: 'task-1',
  status: {
    state: 'TASK_STATE_INPUT_REQUIRED',
    message: {
      role: 'ROLE_AGENT',
      messageId: 'task-1:help:2',
      parts: [
        { text: 'Blue?\nOptions: yes, no' },
        { data: question, mediaType: 'application/vnd.tiny-harness.channel+json' },
      ],
    },
  },
  metadata: { 'io.github.madarauchiha-314.tiny-harness/status': { sub_state: 'awaiting-answer' } },
};
const asked = helpRequestOf(task);
console.log(subStateOf(task), asked?.text);
if (asked) console.log(createHelpReply(asked, 'yes', { participantId: 'alice' }));

// What can be typed after a slash, from the agent's card.
console.log(commandsOf(AGENT_CARD).map(({ name, argument_hint }) => `/${name} ${argument_hint}`));

console.log(start, completeMessage('task-1', { participantId: 'alice' }));
