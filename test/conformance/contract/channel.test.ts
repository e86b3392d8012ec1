/** E6 and T6: what participants say to each other, and the agent's questions. */
import { expect, test } from 'vitest';
import { messageOf } from '../../support/a2a-client.ts';
import type { Person } from '../../support/conformance.ts';
import { createHold } from '../../support/conformance-agent.ts';
import {
  channelMessage,
  dataOf,
  describeContract,
  expectRefusal,
  expectUnchanged,
  historyOf,
  member,
  partsMessage,
  startWith,
  stateOf,
  taskEnvelope,
  taskOf,
  wordsOf,
} from '../../support/conformance.ts';

const MEDIA_TYPE = 'application/vnd.tiny-harness.channel+json';

describeContract('the channel extension', (kit) => {
  const pair = () => [kit.person('alice'), kit.person('bob')] as [Person, Person];
  const shared = (alice: Person, bob: Person, ...steps: Parameters<typeof startWith>[3][]) =>
    startWith(kit, alice, [member(bob.id, 'reporter')], ...steps);

  test('E6: what is said in the channel reaches those who follow the task, in order, and starts no turn', async () => {
    const [alice, bob] = pair();
    const task = await shared(alice, bob);
    const streams = await Promise.all([alice.subscribe(task.id), bob.subscribe(task.id)]);
    for (const stream of streams) await stream.until(() => true);
    const said = ['one', 'two', 'three'].map((text, at) => {
      const sender = [alice, bob][at % 2]!;
      return { sender, data: { channel_id: task.id, sender: sender.id, text } };
    });
    for (const { sender, data } of said) {
      const answer = taskOf(await sender.send(channelMessage(task.id, data)));
      expect(stateOf(answer)).toBe('INPUT_REQUIRED · awaiting-next-message');
      expect(answer.status.message!.parts).toEqual([
        { data: expect.objectContaining(data) as object, mediaType: MEDIA_TYPE },
      ]);
    }
    for (const stream of streams) {
      await stream.until(() => stream.heard.length === 4);
      const updates = stream.heard.slice(1).map(({ body }) => body.statusUpdate!);
      expect(updates.map(stateOf)).toEqual(
        Array.from({ length: 3 }, () => 'INPUT_REQUIRED · awaiting-next-message'),
      );
      expect(updates.map(({ status }) => status.message!.parts[0].data)).toEqual(
        said.map(({ data }) => expect.objectContaining(data) as object),
      );
      stream.close();
    }
    // The task's own status stays, and each message is in the history once.
    const after = (await bob.get(task.id)).result;
    expect(after.status).toEqual(task.status);
    const words = historyOf(after).filter((line) => line.includes('channel_id'));
    expect(words.map((line) => JSON.parse(line.slice(line.indexOf('{'))) as object)).toEqual(
      said.map(({ data }) => data),
    );
  });

  test('E6: a channel message with a text beside it is for the agent as well', async () => {
    const [alice, bob] = pair();
    const task = await shared(alice, bob);
    const data = { channel_id: task.id, sender: alice.id, text: 'psst' };
    const answer = taskOf(await alice.send(channelMessage(task.id, data, 'do it')));
    expect(wordsOf(answer)).toBe(kit.agent.echo('do it'));
  });

  test('E6: a channel message beside a text or an envelope reaches those who follow the task as well', async () => {
    const [alice, bob] = pair();
    const task = await shared(alice, bob);
    const stream = await bob.subscribe(task.id);
    await stream.until(() => true);
    const data = { channel_id: task.id, sender: alice.id, text: 'psst' };
    const [part] = channelMessage(task.id, data).parts;
    const isPart = { data: expect.objectContaining(data) as object, mediaType: MEDIA_TYPE };
    const seen = (from: number) =>
      stream.heard
        .slice(from)
        .flatMap(({ body }) => body.statusUpdate?.status.message?.parts ?? []);
    await alice.send(channelMessage(task.id, data, 'do it'));
    await stream.until(({ body }) => JSON.stringify(body).includes(kit.agent.echo('do it')));
    expect(seen(0)).toEqual([isPart, { text: kit.agent.echo('do it') }]);
    const before = stream.heard.length;
    const change = taskEnvelope({ name: 'Renamed' }).parts[0];
    await alice.send(partsMessage([part, change], { taskId: task.id }));
    await stream.until(({ body }) => body.statusUpdate !== undefined && seen(before).length === 2);
    expect(seen(before)[0]).toEqual(isPart);
    expect(dataOf((await bob.get(task.id)).result).name).toBe('Renamed');
    const said = historyOf((await bob.get(task.id)).result).filter((line) => line.includes('psst'));
    expect(said.filter((line) => !line.startsWith('agent'))).toHaveLength(2);
    stream.close();
  });

  test('E6: a channel message is passed on while the agent works, and does not disturb it', async () => {
    const [alice, bob] = pair();
    const hold = createHold();
    const task = await shared(alice, bob);
    const turn = alice.say(task.id, kit.agent.cue({ hold }, { reply: 'finished' }));
    await hold.reached;
    const data = { channel_id: task.id, sender: bob.id, text: 'how is it going?' };
    expect(stateOf(taskOf(await bob.send(channelMessage(task.id, data))))).toBe('WORKING');
    hold.release();
    expect(wordsOf(taskOf(await turn))).toBe('finished');
  });

  test("E6: a channel that is not the caller's is refused like one that does not exist", async () => {
    const [alice, bob] = pair();
    const sam = kit.person('sam');
    const [mine, hers] = [await sam.start(), await shared(alice, bob)];
    const send = (taskId: string, channel_id: string) =>
      sam.send(channelMessage(taskId, { channel_id, sender: sam.id, text: 'x' }));
    const pairs = [
      [await send(hers.id, hers.id), await send('nowhere', 'nowhere')],
      [await send(mine.id, hers.id), await send(mine.id, 'nowhere')],
      [await send('', hers.id), await send('', 'nowhere')],
    ] as const;
    for (const [existing, missing] of pairs) {
      expectRefusal(existing, 'TASK_NOT_FOUND');
      expect([existing.status, existing.message]).toEqual([missing.status, missing.message]);
    }
    expect((await sam.client.call('ListTasks', {})).result.totalSize).toBe(1);
    expect(historyOf((await alice.get(hers.id)).result)).toEqual(historyOf(hers));
  });

  test('E6, A3: nobody speaks in the channel for somebody else', async () => {
    const [alice, bob] = pair();
    const task = await shared(alice, bob);
    const data = { channel_id: task.id, sender: bob.id, text: 'I am bob' };
    const answer = await expectUnchanged(alice, task.id, () =>
      alice.send(channelMessage(task.id, data)),
    );
    expectRefusal(answer, 'INVALID_PARAMS', /sender/);
  });

  test.each<[string, object]>([
    ['an unknown kind', { kind: 'shout' }],
    ['no sender', { sender: undefined }],
    ['a text that is none', { text: 7 }],
    ['a field that there is not', { loud: true }],
    ['a part of unknown kind', { parts: [{ kind: 'smell' }] }],
    ['null for a text', { text: null }],
  ])('E6: a channel message that is not valid changes nothing: %s', async (_, odd) => {
    const [alice, bob] = pair();
    const task = await shared(alice, bob);
    const data = { channel_id: task.id, sender: alice.id, text: 'x', ...odd };
    const message = partsMessage([{ data, mediaType: MEDIA_TYPE }], { taskId: task.id });
    const answer = await expectUnchanged(alice, task.id, () => alice.send(message));
    expectRefusal(answer, 'INVALID_PARAMS');
    expect(answer.fields[0]).toMatch(/^message\.parts\[0\]\.data/);
  });

  test('E6: a message holds one channel message', async () => {
    const [alice, bob] = pair();
    const task = await shared(alice, bob);
    const data = { channel_id: task.id, sender: alice.id, text: 'x' };
    const part = { data, mediaType: MEDIA_TYPE };
    expectRefusal(
      await alice.send(partsMessage([part, part], { taskId: task.id })),
      'INVALID_PARAMS',
    );
  });

  test('E6, T6: the agent asks with a help request and its options, in words and as data', async () => {
    const [alice, bob] = pair();
    const task = await shared(alice, bob, { ask: 'Which way?', options: ['left', 'right'] });
    const [words, request] = task.status.message!.parts as [{ text: string }, { data: unknown }];
    expect(words.text).toMatch(/^Which way\?[^]*left[^]*right/);
    expect(request.data).toMatchObject({
      channel_id: task.id,
      sender: kit.subject.agentId,
      kind: 'help_request',
      text: 'Which way?',
    });
  });

  test.each(['text', 'part', 'part and text'] as const)(
    'E6: a help request is answered by %s of whoever was asked, and the task goes on',
    async (how) => {
      const [alice, bob] = pair();
      const task = await shared(alice, bob, { ask: 'Which way?', options: ['left', 'right'] });
      const data = {
        channel_id: task.id,
        sender: alice.id,
        kind: 'help_reply',
        text: 'left',
      } as const;
      const reply = {
        ...data,
        in_reply_to: task.status.message!.messageId,
      };
      const message = {
        text: messageOf('left', { taskId: task.id }),
        part: channelMessage(task.id, reply),
        'part and text': channelMessage(task.id, reply, 'left'),
      }[how];
      const answer = taskOf(await alice.send(message));
      expect([stateOf(answer), wordsOf(answer)]).toEqual([
        'INPUT_REQUIRED · awaiting-next-message',
        kit.agent.echo('left'),
      ]);
    },
  );

  test('E6: an answer outside the options is not accepted; the question stays open', async () => {
    const [alice, bob] = pair();
    const task = await shared(alice, bob, { ask: 'Which way?', options: ['left', 'right'] });
    const reply = { channel_id: task.id, sender: alice.id, kind: 'help_reply' as const };
    for (const message of [
      messageOf('up', { taskId: task.id }),
      messageOf('', { taskId: task.id }),
      channelMessage(task.id, { ...reply, text: 'up' }),
    ]) {
      const answer = await expectUnchanged(alice, task.id, () => alice.send(message));
      expect(stateOf(taskOf(answer))).toBe('INPUT_REQUIRED · awaiting-answer');
      expect(wordsOf(taskOf(answer))).toMatch(/not accepted[^]*left[^]*right/);
    }
    expect(wordsOf(taskOf(await alice.say(task.id, 'right')))).toBe(kit.agent.echo('right'));
  });

  test("E6: another's message joins the history and answers nothing", async () => {
    const [alice, bob] = pair();
    const task = await shared(alice, bob, { ask: 'Which way?', options: ['left', 'right'] });
    for (const message of [
      messageOf('left', { taskId: task.id }),
      messageOf('left', { taskId: task.id, metadata: { interrupt: true } }),
      channelMessage(task.id, {
        channel_id: task.id,
        sender: bob.id,
        kind: 'help_reply',
        text: 'left',
      }),
    ]) {
      const answer = taskOf(await bob.send(message));
      expect([stateOf(answer), answer.status]).toEqual([
        'INPUT_REQUIRED · awaiting-answer',
        task.status,
      ]);
    }
    const { result } = await alice.get(task.id);
    expect(historyOf(result).filter((line) => line.startsWith(bob.id))).toHaveLength(3);
    expect(wordsOf(taskOf(await alice.say(task.id, 'right')))).toBe(kit.agent.echo('right'));
  });

  test('E6: a watcher answers when it was asked', async () => {
    const [alice, bob] = pair();
    const wanda = kit.person('wanda');
    const task = await startWith(kit, alice, [
      member(wanda.id, 'watcher'),
      member(bob.id, 'admin'),
    ]);
    const asked = taskOf(await wanda.say(task.id, kit.agent.cue({ ask: 'And you?' })));
    expect(stateOf(asked)).toBe('INPUT_REQUIRED · awaiting-answer');
    expect(wordsOf(taskOf(await bob.say(task.id, 'me?')))).toBe(wordsOf(asked));
    expect(wordsOf(taskOf(await wanda.say(task.id, 'fine')))).toBe(kit.agent.echo('fine'));
  });

  test('E6: a reply where nothing was asked is not accepted', async () => {
    const [alice, bob] = pair();
    const task = await shared(alice, bob);
    const data = {
      channel_id: task.id,
      sender: alice.id,
      kind: 'help_reply' as const,
      text: 'yes',
    };
    const answer = await expectUnchanged(alice, task.id, () =>
      alice.send(channelMessage(task.id, data)),
    );
    expect(wordsOf(taskOf(answer))).toMatch(/not accepted/);
  });

  test('E6, T6: a change of the task by whoever is asked is no answer', async () => {
    const [alice, bob] = pair();
    const task = await shared(alice, bob, { ask: 'Which way?', options: ['left', 'right'] });
    const change = taskEnvelope({ name: 'The way' }, { taskId: task.id });
    const changed = taskOf(await alice.send(change));
    expect([stateOf(changed), dataOf(changed).name]).toEqual([
      'INPUT_REQUIRED · awaiting-answer',
      'The way',
    ]);
    expect((await alice.get(task.id)).result.status).toEqual(task.status);
    expect(wordsOf(taskOf(await alice.say(task.id, 'left')))).toBe(kit.agent.echo('left'));
  });

  test('E6, T3: a question to somebody who is taken off the task is open no more', async () => {
    const [alice, bob] = pair();
    const ada = kit.person('ada');
    const task = await startWith(kit, alice, [member(bob.id, 'reporter'), member(ada.id, 'admin')]);
    await bob.say(task.id, kit.agent.cue({ ask: 'Which way?', options: ['left', 'right'] }));
    expect(stateOf((await ada.get(task.id)).result)).toBe('INPUT_REQUIRED · awaiting-answer');
    const participants = dataOf(task).participants.filter(({ id }) => id !== bob.id);
    await ada.send(taskEnvelope({ participants }, { taskId: task.id }));
    expect(stateOf((await ada.get(task.id)).result)).toBe('INPUT_REQUIRED · awaiting-next-message');
    expect(wordsOf(taskOf(await alice.say(task.id, 'hello')))).toBe(kit.agent.echo('hello'));
  });

  test('E6: what waited when the question was asked is worked on after the answer', async () => {
    const [alice, bob] = pair();
    const hold = createHold();
    const task = await shared(alice, bob);
    const asking = alice.say(task.id, kit.agent.cue({ hold }, { ask: 'Which way?' }));
    await hold.reached;
    await bob.sendAtOnce(messageOf('and then?', { taskId: task.id }));
    hold.release();
    expect(stateOf(taskOf(await asking))).toBe('INPUT_REQUIRED · awaiting-answer');
    const following = await alice.subscribe(task.id);
    await following.until(() => true);
    await alice.say(task.id, 'left');
    await following.until(
      ({ body }) => wordsOf(body.statusUpdate ?? task) === kit.agent.echo('and then?'),
    );
    const said = following.heard.flatMap(({ body }) => body.statusUpdate ?? []).map(wordsOf);
    expect(said.filter((text) => text !== '')).toEqual([
      kit.agent.echo('left'),
      kit.agent.echo('and then?'),
    ]);
    following.close();
  });

  test('T6: whoever waits for a message that has to wait behind a question is told the question', async () => {
    const [alice, bob] = pair();
    const hold = createHold();
    const task = await shared(alice, bob);
    const asking = alice.say(task.id, kit.agent.cue({ hold }, { ask: 'Which way?' }));
    await hold.reached;
    const message = messageOf('and then?', { taskId: task.id });
    await bob.sendAtOnce(message);
    const waiting = bob.send(message);
    hold.release();
    const told = taskOf(await waiting);
    expect([stateOf(told), wordsOf(told)]).toEqual([
      'INPUT_REQUIRED · awaiting-answer',
      'Which way?',
    ]);
    await asking;
  });
});
