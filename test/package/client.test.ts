/** What clients of the contract send and show: rules T4, T6, E5, E6, E7, C2 and C9. */
import fc from 'fast-check';
import {
  AGENT_CARD,
  changeTaskMessage,
  channelV1,
  commandsOf,
  commandsV1,
  completeMessage,
  createChannelMessage,
  createHelpReply,
  createMessage,
  createTaskMessage,
  createTextMessage,
  helpRequestOf,
  statusV1,
  subStateOf,
  taskV1,
  unwrap,
} from '@tiny-harness/contract';
import { isMessage } from '@tiny-harness/contract/a2a';
import type { Message } from '@tiny-harness/contract/a2a';
import { describe, expect, it } from 'vitest';

const alice = { participantId: 'alice', messageId: 'm-1' };
const envelopeType = taskV1.EVENT_ENVELOPE_MEDIA_TYPE;

/** The message, after the checks that a server makes of it. */
function checked(message: Message): Message {
  expect(isMessage(message)).toBe(true);
  for (const part of message.parts) {
    expect(taskV1.readEventEnvelope(part)?.ok).not.toBe(false);
    expect(channelV1.readChannelMessage(part)?.ok).not.toBe(false);
  }
  expect(taskV1.readSender(message)?.ok).not.toBe(false);
  // On the wire nothing is undefined.
  expect(JSON.parse(JSON.stringify(message))).toStrictEqual(message);
  return message;
}

describe('messages', () => {
  it('C9: completes a task with the control envelope alone', () => {
    expect(checked(completeMessage('task-1', alice))).toStrictEqual({
      role: 'ROLE_USER',
      messageId: 'm-1',
      taskId: 'task-1',
      parts: [{ data: { kind: 'control', action: 'complete' }, mediaType: envelopeType }],
      metadata: { participant_id: 'alice' },
    });
  });

  it('C3: adds nothing to the envelope, whatever else comes with the options', () => {
    const more = { ...alice, text: 'Done!', interrupt: true, taskId: 'task-2' };
    expect(checked(completeMessage('task-1', more))).toStrictEqual(
      completeMessage('task-1', alice),
    );
  });

  it('T4: names no sender where none is given', () => {
    expect(checked(completeMessage('task-1'))).not.toHaveProperty('metadata');
  });

  it('A5: have an id of their own unless one is given', () => {
    const [one, other] = [createTextMessage('Hello'), createTextMessage('Hello')];
    expect(one.messageId).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(other.messageId).not.toBe(one.messageId);
  });

  it('say all that the options say', () => {
    const options = { ...alice, contextId: 'c-1', taskId: 'task-1', interrupt: true };
    expect(checked(createTextMessage('Stop', options))).toStrictEqual({
      role: 'ROLE_USER',
      messageId: 'm-1',
      contextId: 'c-1',
      taskId: 'task-1',
      parts: [{ text: 'Stop' }],
      metadata: { participant_id: 'alice', interrupt: true },
    });
  });

  it('take parts of any kind, and keep no list that they were given', () => {
    const parts: [{ text: string }, { url: string }] = [
      { text: 'a' },
      { url: 'https://a.example' },
    ];
    const message = checked(createMessage(parts));
    parts[0].text = 'a';
    expect(message.parts).toStrictEqual(parts);
    expect(message.parts).not.toBe(parts);
  });

  it('create a task with data, and with text beside it', () => {
    const data = { name: 'Report', goal: 'Write it' };
    const part = { data: { kind: 'task', payload: data }, mediaType: envelopeType };
    expect(checked(createTaskMessage(data, alice)).parts).toStrictEqual([part]);
    const spoken = checked(createTaskMessage(data, { ...alice, text: 'Please.' }));
    expect(spoken.parts).toStrictEqual([part, { text: 'Please.' }]);
    expect(spoken).not.toHaveProperty('taskId');
    expect(taskV1.parseEventEnvelopeInput(part.data).ok).toBe(true);
  });

  it('change a task', () => {
    const message = checked(changeTaskMessage('task-1', { description: 'Shorter.' }, alice));
    expect(message.taskId).toBe('task-1');
    expect(message.parts[0].data).toStrictEqual({
      kind: 'task',
      payload: { description: 'Shorter.' },
    });
  });

  it('E6: speak in the channel of a task as the participant who sends them', () => {
    const message = checked(createChannelMessage('task-1', 'Lunch?', alice));
    expect(message).toMatchObject({ taskId: 'task-1', metadata: { participant_id: 'alice' } });
    expect(message.parts).toStrictEqual([
      {
        data: { channel_id: 'task-1', sender: 'alice', kind: 'message', text: 'Lunch?' },
        mediaType: channelV1.MEDIA_TYPE,
      },
    ]);
  });

  it('E6: refer to another message, with content of any kind', () => {
    const parts = [{ kind: 'data' as const, data: { when: 'noon' } }];
    const options = { ...alice, parts, inReplyTo: 'm-0' };
    const message = checked(createChannelMessage('task-1', 'At noon', options));
    expect(message.parts[0].data).toMatchObject({ parts, in_reply_to: 'm-0' });
  });
});

const question = {
  channel_id: 'task-1',
  sender: 'tiny-harness',
  kind: 'help_request' as const,
  text: 'Blue or green?',
};
const asking = {
  role: 'ROLE_AGENT' as const,
  messageId: 'task-1:help:2',
  contextId: 'c-1',
  taskId: 'task-1',
  parts: [
    { text: 'Blue or green?\nOptions: blue, green' },
    channelV1.createChannelMessagePart(question),
  ] as Message['parts'],
};
const status = { state: 'TASK_STATE_INPUT_REQUIRED' as const, message: asking };
const waiting = { id: 'task-1', status, metadata: { other: 1 } };

describe('helpRequestOf', () => {
  it('T6: finds the question on a task, a status update and a message', () => {
    const request = {
      taskId: 'task-1',
      contextId: 'c-1',
      messageId: 'task-1:help:2',
      sender: 'tiny-harness',
      question: 'Blue or green?',
      text: 'Blue or green?\nOptions: blue, green',
      channelMessage: unwrap(channelV1.parseChannelMessage(question)),
    };
    expect(helpRequestOf(waiting)).toStrictEqual(request);
    const update = { taskId: 'task-1', contextId: 'c-1', status };
    expect(helpRequestOf(update)).toStrictEqual(request);
    expect(helpRequestOf(asking)).toStrictEqual(request);
  });

  it('finds none where the task does not wait, and where the message asks nothing', () => {
    const reply = { ...question, kind: 'help_reply' as const };
    const other = { ...asking, parts: [channelV1.createChannelMessagePart(reply)] };
    const broken = { ...asking, parts: [{ ...asking.parts[1], data: { kind: 'help_request' } }] };
    expect(helpRequestOf({ status: { ...status, state: 'TASK_STATE_WORKING' } })).toBeUndefined();
    expect(helpRequestOf({ status: { state: 'TASK_STATE_INPUT_REQUIRED' } })).toBeUndefined();
    for (const message of [other, broken, { ...asking, parts: [] }]) {
      expect(helpRequestOf(message)).toBeUndefined();
    }
  });

  it('shows the question where the message has no text of its own', () => {
    const message = { messageId: 'm-2', parts: asking.parts.slice(1) };
    expect(helpRequestOf(message)).toMatchObject({ text: 'Blue or green?' });
    expect(helpRequestOf(message)).not.toHaveProperty('contextId');
  });

  it('E6: is answered by a reply that refers to it', () => {
    const request = helpRequestOf(waiting)!;
    expect(checked(createHelpReply(request, 'blue', alice))).toStrictEqual({
      role: 'ROLE_USER',
      messageId: 'm-1',
      contextId: 'c-1',
      taskId: 'task-1',
      parts: [
        channelV1.createChannelMessagePart({
          channel_id: 'task-1',
          sender: 'alice',
          kind: 'help_reply',
          text: 'blue',
          in_reply_to: 'task-1:help:2',
        }),
      ],
      metadata: { participant_id: 'alice' },
    });
  });
});

describe('subStateOf', () => {
  it('E5: tells why a task waits, also in words that are not known', () => {
    for (const state of ['awaiting-answer', 'awaiting-the-moon']) {
      const written = statusV1.writeSubState(waiting, { sub_state: state });
      expect(subStateOf(written)).toBe(state);
    }
  });

  it('is undefined where nothing, or nothing valid, is said', () => {
    const values = [
      undefined,
      null,
      3,
      'awaiting-answer',
      { sub_state: 3 },
      { sub_state: 'a', b: 1 },
    ];
    for (const value of values) {
      expect(subStateOf({ metadata: { [statusV1.SUB_STATE_KEY]: value } })).toBeUndefined();
    }
    for (const carrier of [undefined, null, {}, { metadata: null }]) {
      expect(subStateOf(carrier)).toBeUndefined();
    }
  });
});

describe('commandsOf', () => {
  it('E7: lists the commands of a card, with their defaults', () => {
    const listed = commandsOf(AGENT_CARD);
    expect(listed.map(({ name }) => name)).toEqual(
      commandsV1.PARAMS.commands.map(({ name }) => name),
    );
    expect(listed.find(({ name }) => name === 'status')).toMatchObject({
      argument_hint: '',
      runsOn: 'agent',
    });
  });

  it('is empty for a card that lists none, or none that is valid', () => {
    const card = (params?: Record<string, unknown>): Parameters<typeof commandsOf>[0] => ({
      capabilities: { extensions: [{ uri: commandsV1.URI, ...(params && { params }) }] },
    });
    for (const each of [undefined, null, {}, { capabilities: {} }, card(), card({ commands: 3 })]) {
      expect(commandsOf(each)).toEqual([]);
    }
  });
});

it('no reader throws, whatever came over the wire', () => {
  const nearly = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(null, undefined, 3, '', 'TASK_STATE_INPUT_REQUIRED', question),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(
        fc.constantFrom(
          ...['status', 'state', 'message', 'messageId', 'parts', 'data', 'mediaType', 'text'],
          ...['metadata', 'capabilities', 'extensions', 'uri', 'params', statusV1.SUB_STATE_KEY],
        ),
        fc.oneof(
          tie('value'),
          fc.constantFrom('TASK_STATE_INPUT_REQUIRED', channelV1.MEDIA_TYPE, commandsV1.URI),
        ),
      ),
    ),
  })).value as fc.Arbitrary<object>;
  fc.assert(
    fc.property(nearly, (value) => {
      subStateOf(value);
      helpRequestOf(value);
      expect(Array.isArray(commandsOf(value))).toBe(true);
    }),
    { numRuns: 3_000 },
  );
});
