/** A1, A4, A5 and C9: operations, delivery, and messages that come again. */
import { randomUUID } from 'node:crypto';
import type { AgentCard } from '@tiny-harness/contract/agent-card';
import { completeMessage } from '@tiny-harness/contract/client';
import { expect, test } from 'vitest';
import type { Heard } from '../../support/a2a-client.ts';
import { messageOf } from '../../support/a2a-client.ts';
import { createHold } from '../../support/conformance-agent.ts';
import {
  channelMessage,
  dataOf,
  describeContract,
  expectRefusal,
  expectUnchanged,
  historyOf,
  member,
  startWith,
  stateOf,
  taskEnvelope,
  taskOf,
  wordsOf,
} from '../../support/conformance.ts';

const endsIn =
  (state: string) =>
  ({ body }: Heard) =>
    body.statusUpdate?.status.state === `TASK_STATE_${state}`;

describeContract('operations and delivery', (kit) => {
  test('A1: every operation is there, and the card says where', async () => {
    const alice = kit.person('alice');
    const response = await fetch(`${kit.subject.url}/.well-known/agent-card.json`);
    const card = (await response.json()) as AgentCard;
    expect(
      card.supportedInterfaces.map(({ protocolBinding, protocolVersion }) => [
        protocolBinding,
        protocolVersion,
      ]),
    ).toEqual([
      ['JSONRPC', '1.0'],
      ['HTTP+JSON', '1.0'],
    ]);
    const task = await alice.start();
    const stream = await alice.stream(messageOf('again', { taskId: task.id }));
    expect(await stream.over).toBe(true);
    expect(stateOf((await alice.get(task.id)).result)).toBe(
      'INPUT_REQUIRED · awaiting-next-message',
    );
    expect((await alice.client.call('ListTasks', {})).result.tasks.map(({ id }) => id)).toEqual([
      task.id,
    ]);
    const following = await alice.subscribe(task.id);
    expect((await following.until(() => true)).body.task!.id).toBe(task.id);
    const config = { taskId: task.id, id: 'mine', url: 'https://1.1.1.1/' };
    const { client } = alice;
    expect((await client.call('CreateTaskPushNotificationConfig', config)).result).toMatchObject(
      config,
    );
    const named = { taskId: task.id, id: 'mine' };
    expect((await client.call('GetTaskPushNotificationConfig', named)).result).toMatchObject(
      config,
    );
    const listed = await client.call('ListTaskPushNotificationConfigs', { taskId: task.id });
    expect(listed.result.configs).toHaveLength(1);
    expect((await client.call('DeleteTaskPushNotificationConfig', named)).reason).toBeUndefined();
    expect(stateOf((await alice.cancel(task.id)).result)).toBe('CANCELED');
    expect(await following.over).toBe(true);
    const extended = await client.call('GetExtendedAgentCard', {});
    if (card.capabilities.extendedAgentCard !== true)
      expectRefusal(extended, 'UNSUPPORTED_OPERATION');
  });

  test('A4: every stream has the same events in the same order, none lost and none twice', async () => {
    const [alice, bob] = [kit.person('alice'), kit.person('bob')];
    const task = await startWith(kit, alice, [member(bob.id, 'reporter')]);
    const streams = await Promise.all(
      [alice, bob, alice, bob].map((each) => each.subscribe(task.id)),
    );
    for (const stream of streams) await stream.until(() => true);
    const artifact = { artifact: 'a', chunks: ['1', '2', '3'] };
    await Promise.all([
      alice.say(task.id, kit.agent.cue({ say: 'one' }, artifact, { say: 'two' })),
      bob.send(channelMessage(task.id, { channel_id: task.id, sender: bob.id, text: 'hi' })),
      alice.say(task.id, '/effort high'),
      bob.send(taskEnvelope({ name: 'other' }, { taskId: task.id })),
      bob.say(task.id, 'and this'),
    ]);
    await alice.complete(task.id);
    for (const stream of streams) expect(await stream.over).toBe(true);
    const [first, ...others] = streams.map(({ heard }) => heard);
    const ids = first!.map(({ id }) => id!);
    expect(ids).toEqual(ids.map((_, at) => ids[0]! + at));
    for (const other of others) expect(other).toEqual(first);
    expect(endsIn('COMPLETED')(first!.at(-1)!)).toBe(true);
  });

  test('A4: a stream goes on after any event it has had, also when the task has ended since', async () => {
    const alice = kit.person('alice');
    const task = await alice.start(
      kit.agent.cue({ say: 'one' }, { artifact: 'a', chunks: ['1', '2'] }),
    );
    await alice.say(task.id, 'more');
    const whole = await alice.subscribe(task.id, 0);
    await alice.complete(task.id);
    expect(await whole.over).toBe(true);
    const all = whole.heard.slice(1);
    expect(all.map(({ id }) => id)).toEqual(all.map((_, at) => at + 1));
    for (const cursor of [0, 1, 3, all.length - 1, all.length]) {
      const stream = await alice.subscribe(task.id, cursor);
      expect(await stream.over).toBe(true);
      const [first, ...rest] = stream.heard;
      expect([first!.id, Object.keys(first!.body)]).toEqual([cursor, ['task']]);
      expect(first!.body.task).not.toHaveProperty('history');
      expect(rest).toEqual(all.slice(cursor));
    }
    const beyond = await alice.subscribe(task.id, all.length + 1);
    expect(beyond.reason).toBe('INVALID_PARAMS');
  });

  test('A4: an answer, the stream and the stored task agree', async () => {
    const alice = kit.person('alice');
    const task = await alice.start();
    const message = messageOf(kit.agent.cue({ say: 'one' }, { reply: 'two' }), { taskId: task.id });
    const stream = await alice.stream(message);
    await stream.over;
    const answer = taskOf(await alice.send(message));
    const last = stream.heard.at(-1)!.body.statusUpdate!;
    expect(answer.status).toEqual(last.status);
    expect((await alice.get(task.id)).result).toEqual(answer);
    expect(historyOf(answer).slice(-3)).toEqual([
      `${alice.id}: ${message.parts[0].text!}`,
      'agent: one',
      'agent: two',
    ]);
  });

  test('A4: what was acknowledged is there after a restart, and streams go on where they were', async () => {
    const alice = kit.person('alice');
    const task = await alice.start(kit.agent.cue({ ask: 'Where to?', options: ['Rome', 'Oslo'] }));
    await alice.say(task.id, '/effort low');
    const before = (await alice.get(task.id)).result;
    const stream = await alice.subscribe(task.id, 0);
    await stream.until(({ body }) => JSON.stringify(body).includes('Effort'));
    const heard = [...stream.heard];
    await kit.restart();
    await stream.over;
    expect((await alice.get(task.id)).result).toEqual(before);
    const again = await alice.subscribe(task.id, 0);
    await again.until(() => again.heard.length === heard.length);
    expect(again.heard.slice(1)).toEqual(heard.slice(1));
    again.close();
    expectRefusal(await kit.person('sam').get(task.id), 'TASK_NOT_FOUND');
    const odd = await expectUnchanged(alice, task.id, () => alice.say(task.id, 'Paris'));
    expect(wordsOf(taskOf(odd))).toMatch(/Rome, Oslo/);
    const rome = messageOf('Rome', { taskId: task.id });
    const answer = taskOf(await alice.send(rome));
    expect([wordsOf(answer), dataOf(answer).reasoning_effort]).toEqual([
      kit.agent.echo('Rome'),
      'low',
    ]);
    await kit.restart();
    expect(taskOf(await alice.send(rome)).status).toEqual(answer.status);
  });

  test('A5: a message that comes again has one turn, and the first answer again', async () => {
    const alice = kit.person('alice');
    const task = await alice.start();
    const message = messageOf('once', { taskId: task.id });
    const [first, again] = [taskOf(await alice.send(message)), taskOf(await alice.send(message))];
    expect(again).toEqual(first);
    await alice.say(task.id, 'something else');
    expect(taskOf(await alice.send(message)).status).toEqual(first.status);
    const { result } = await alice.get(task.id);
    expect(historyOf(result).filter((line) => line === `${alice.id}: once`)).toHaveLength(1);
    await alice.complete(task.id);
    expect(taskOf(await alice.send(message)).status).toEqual(first.status);
    const stream = await alice.stream(message);
    await stream.over;
    expect(stream.heard.at(-1)!.body.statusUpdate!.status).toEqual(first.status);
  });

  test('A5: a message that comes again while it is being answered has a share of the answer', async () => {
    const alice = kit.person('alice');
    const hold = createHold();
    const message = messageOf(kit.agent.cue({ hold }, { reply: 'here it is' }));
    const first = alice.send(message);
    await hold.reached;
    const second = alice.send(message);
    const stream = await alice.stream(message);
    await stream.until(() => true);
    hold.release();
    const answers = [taskOf(await first), taskOf(await second)];
    expect(answers[1]).toEqual(answers[0]);
    expect(await stream.over).toBe(true);
    expect(stream.heard.at(-1)!.body.statusUpdate!.status).toEqual(answers[0]!.status);
    expect((await alice.client.call('ListTasks', {})).result.totalSize).toBe(1);
  });

  test('A5: a message that starts a task starts one, however often and at once it comes', async () => {
    const alice = kit.person('alice');
    const message = messageOf('begin');
    const answers = await Promise.all([1, 2, 3, 4].map(() => alice.send(message)));
    const ids = new Set(answers.map((answer) => taskOf(answer).id));
    expect([ids.size, (await alice.client.call('ListTasks', {})).result.totalSize]).toEqual([1, 1]);
  });

  test("A5: the same id with other content is refused; another sender's is another message", async () => {
    const [alice, bob] = [kit.person('alice'), kit.person('bob')];
    const task = await startWith(kit, alice, [member(bob.id, 'reporter')]);
    const message = messageOf('one', { taskId: task.id });
    await alice.send(message);
    for (const other of [
      { ...message, parts: [{ text: 'two' }] as const },
      { ...message, metadata: { more: 1 } },
      { messageId: message.messageId, role: message.role, parts: message.parts },
    ]) {
      const act = () => alice.send(other as typeof message);
      expectRefusal(await expectUnchanged(alice, task.id, act), 'INVALID_PARAMS', /messageId/);
    }
    expect(wordsOf(taskOf(await bob.send(message)))).toBe(kit.agent.echo('one'));
    const { messageId } = message;
    expect(taskOf(await kit.person('sam').send(messageOf('new', { messageId }))).id).not.toBe(
      task.id,
    );
  });

  test('A5: replies, refusals, and messages that only join the history come again as they were', async () => {
    const [alice, bob] = [kit.person('alice'), kit.person('bob')];
    const task = await startWith(kit, alice, [member(bob.id, 'reporter')], {
      ask: 'Sure?',
      options: ['yes'],
    });
    const channel = { channel_id: task.id, sender: bob.id, text: 'hm' };
    for (const [person, message] of [
      [alice, messageOf('/status', { taskId: task.id })],
      [alice, messageOf('no', { taskId: task.id })],
      [bob, messageOf('I think so', { taskId: task.id })],
      [bob, channelMessage(task.id, channel)],
      [bob, taskEnvelope({ goal: 'x' }, { taskId: task.id })],
      [bob, taskEnvelope({ name: randomUUID() }, { taskId: task.id })],
    ] as const) {
      const first = taskOf(await person.send(message));
      const again = await expectUnchanged(alice, task.id, () => person.send(message));
      expect(taskOf(again)).toEqual(first);
    }
  });

  test("C9: the published helper's message completes the task", async () => {
    const [alice, bob] = [kit.person('alice'), kit.person('bob')];
    const tasks = [await alice.start(), await alice.start()] as const;
    const named = completeMessage(tasks[0].id, { participantId: alice.id });
    const plain = completeMessage(tasks[1].id);
    expectRefusal(await bob.send(named), 'INVALID_PARAMS');
    expect(wordsOf(taskOf(await kit.nobody.send(named)))).toBe(`completed by ${alice.id}`);
    expectRefusal(await kit.nobody.send(plain), 'INVALID_PARAMS');
    expect(stateOf(taskOf(await alice.send(plain)))).toBe('COMPLETED');
  });
});
