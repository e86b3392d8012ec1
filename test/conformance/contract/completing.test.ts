/** C1 to C7 and C9: completing a task, also under races. */
import { expect, test } from 'vitest';
import { BINDINGS, createClient, messageOf } from '../../support/a2a-client.ts';
import { createHold } from '../../support/conformance-agent.ts';
import type { Kit, Person } from '../../support/conformance.ts';
import {
  completion,
  dataOf,
  describeContract,
  envelope,
  envelopePart,
  expectRefusal,
  expectUnchanged,
  historyOf,
  member,
  partsMessage,
  startWith,
  stateOf,
  subStateOf,
  taskEnvelope,
  taskOf,
  wordsOf,
} from '../../support/conformance.ts';

const WAITS = 'INPUT_REQUIRED · awaiting-next-message';

/** A task of alice's whose agent is at a hold. */
async function startHeld(kit: Kit, alice: Person, stubborn = false) {
  const hold = createHold({ stubborn });
  const task = await alice.start();
  const text = kit.agent.cue(
    { hold },
    { say: 'too late' },
    { artifact: 'late', chunks: ['too late'] },
    { reply: 'too late' },
  );
  const following = await alice.subscribe(task.id);
  const turn = alice.say(task.id, text);
  await hold.reached;
  return { task, hold, turn, following };
}

async function addSubTask(alice: Person, taskId: string): Promise<string> {
  const reply = taskOf(await alice.say(taskId, '/sub-task first this'));
  return String(reply.status.message!.metadata!.task_ref);
}

/** A task in each terminal state, by the state's name. */
async function endedTasks(kit: Kit, alice: Person): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  ids.set('TASK_STATE_FAILED', (await alice.start(kit.agent.cue({ fail: 'no' }))).id);
  ids.set('TASK_STATE_REJECTED', (await alice.start(kit.agent.cue({ reject: 'no' }))).id);
  const [completed, canceled] = [await alice.start(), await alice.start()];
  await alice.complete(completed.id);
  await alice.cancel(canceled.id);
  return ids.set('TASK_STATE_COMPLETED', completed.id).set('TASK_STATE_CANCELED', canceled.id);
}

describeContract('completing a task', (kit) => {
  test('C1: a conversation waits after each reply, however often', async () => {
    const alice = kit.person('alice');
    const task = await alice.start();
    expect([stateOf(task), dataOf(task).lifecycle]).toEqual([WAITS, 'conversation']);
    for (const text of ['done', 'complete', 'that is all']) {
      expect(stateOf(taskOf(await alice.say(task.id, text)))).toBe(WAITS);
    }
  });

  test('C2, C6: a participant completes it, for every subscriber', async () => {
    const [alice, bob, wanda] = [kit.person('alice'), kit.person('bob'), kit.person('wanda')];
    const task = await startWith(kit, alice, [
      member(bob.id, 'reporter'),
      member(wanda.id, 'watcher'),
    ]);
    const streams = await Promise.all([alice, bob, wanda].map((each) => each.subscribe(task.id)));
    const done = taskOf(await bob.complete(task.id));
    expect([stateOf(done), wordsOf(done)]).toEqual(['COMPLETED', `completed by ${bob.id}`]);
    for (const stream of streams) {
      expect(await stream.over).toBe(true);
      const last = stream.heard.at(-1)!.body.statusUpdate!;
      expect([stateOf(last), wordsOf(last)]).toEqual(['COMPLETED', `completed by ${bob.id}`]);
    }
    // An order is no part of the conversation.
    expect(historyOf((await alice.get(task.id)).result).join()).not.toContain('control');
  });

  test('C2: the stream of a completion is the task, then its end', async () => {
    const alice = kit.person('alice');
    const task = await alice.start();
    const stream = await alice.stream(completion(task.id));
    expect(await stream.over).toBe(true);
    expect(stream.heard.map(({ body }) => stateOf(body.task ?? body.statusUpdate!))).toEqual([
      WAITS,
      'COMPLETED',
    ]);
  });

  test.each<[string, unknown]>([
    ['an unknown action', { kind: 'control', action: 'pause' }],
    ['no action', { kind: 'control' }],
    ['an action that is null', { kind: 'control', action: null }],
    ['a payload', { kind: 'control', action: 'complete', payload: {} }],
    ['a payload that is null', { kind: 'control', action: 'complete', payload: null }],
    ['another field', { kind: 'control', action: 'complete', reason: 'tired' }],
    ['a list', [{ kind: 'control', action: 'complete' }]],
    ['a list of actions', { kind: 'control', action: ['complete'] }],
  ])('C3: an order with %s is refused', async (_, data) => {
    const alice = kit.person('alice');
    const { task, hold, turn, following } = await startHeld(kit, alice);
    const act = () => alice.send(envelope(data, { taskId: task.id }));
    expectRefusal(await expectUnchanged(alice, task.id, act), 'INVALID_PARAMS');
    hold.release();
    expect(wordsOf(taskOf(await turn))).toBe('too late');
    following.close();
  });

  test('C3: an order with a second part is refused, whatever and wherever it is', async () => {
    const alice = kit.person('alice');
    const task = await alice.start();
    const order = envelopePart({ kind: 'control', action: 'complete' });
    for (const parts of [
      [order, { text: 'thanks' }],
      [{ text: 'thanks' }, order],
      [order, order],
      [order, envelopePart({ kind: 'task', payload: { name: 'x' } })],
    ] as const) {
      const act = () => alice.send(partsMessage([...parts], { taskId: task.id }));
      expectRefusal(await expectUnchanged(alice, task.id, act), 'INVALID_PARAMS');
    }
  });

  test('C4: nobody, a stranger and a watcher complete nothing and interrupt nothing', async () => {
    const [alice, wanda, sam] = [kit.person('alice'), kit.person('wanda'), kit.person('sam')];
    const task = await startWith(kit, alice, [member(wanda.id, 'watcher')]);
    const hold = createHold();
    const turn = alice.say(task.id, kit.agent.cue({ hold }, { reply: 'finished' }));
    await hold.reached;
    const named = { metadata: { participant_id: sam.id } };
    const refuse = async (
      reason: string,
      act: () => Promise<{ reason: string | undefined; message: string | undefined }>,
    ) => {
      expectRefusal(await expectUnchanged(alice, task.id, act), reason);
    };
    await refuse('INVALID_PARAMS', () => kit.nobody.complete(task.id));
    await refuse('TASK_NOT_FOUND', () => sam.complete(task.id));
    await refuse('TASK_NOT_FOUND', () => kit.nobody.send(completion(task.id, named)));
    await refuse('UNSUPPORTED_OPERATION', () => wanda.complete(task.id));
    hold.release();
    expect(wordsOf(taskOf(await turn))).toBe('finished');
  });

  test('C4: an order without a task is refused', async () => {
    const alice = kit.person('alice');
    const order = envelope({ kind: 'control', action: 'complete' });
    expectRefusal(await alice.send(order), 'UNSUPPORTED_OPERATION');
    expectRefusal(await kit.nobody.send(order), 'INVALID_PARAMS');
    expect((await alice.client.call('ListTasks', {})).result.totalSize).toBe(0);
  });

  test.each([false, true])(
    'C5: a turn in progress is cut, and nothing of it is written afterwards (agent ignores it: %s)',
    async (stubborn) => {
      const alice = kit.person('alice');
      const { task, hold, turn, following } = await startHeld(kit, alice, stubborn);
      const done = taskOf(await alice.complete(task.id));
      expect(stateOf(done)).toBe('COMPLETED');
      await hold.cut;
      // Whoever waited for the turn is answered with the task as it ended.
      expect(wordsOf(taskOf(await turn))).toBe(`completed by ${alice.id}`);
      hold.release();
      await kit.agent.idle();
      expect((await alice.get(task.id)).result).toEqual(done);
      expect(await following.over).toBe(true);
      expect(JSON.stringify([following.heard, done])).not.toContain('too late');
    },
  );

  test('C6: an open sub-task refuses it by name, and the task waits for the next message', async () => {
    const alice = kit.person('alice');
    const { task, hold, turn, following } = await startHeld(kit, alice);
    const childId = await addSubTask(alice, task.id);
    const refused = taskOf(await alice.complete(task.id));
    expect([stateOf(refused), wordsOf(refused)]).toEqual([WAITS, expect.stringContaining(childId)]);
    await hold.cut;
    expect(stateOf(taskOf(await turn))).toBe(WAITS);
    expect(stateOf((await alice.get(task.id)).result)).toBe(WAITS);
    expect(wordsOf(taskOf(await alice.say(task.id, 'go on')))).toBe(kit.agent.echo('go on'));
    // A second time, in a state that stays as it is.
    const again = await expectUnchanged(alice, task.id, () => alice.complete(task.id));
    expect([stateOf(taskOf(again)), wordsOf(taskOf(again))]).toEqual([
      WAITS,
      expect.stringContaining(childId),
    ]);
    await alice.complete(childId);
    expect(stateOf(taskOf(await alice.complete(task.id)))).toBe('COMPLETED');
    following.close();
  });

  test('C6: a task that waits for an answer goes on waiting for it', async () => {
    const alice = kit.person('alice');
    const task = await alice.start(kit.agent.cue({ ask: 'Sure?', options: ['yes', 'no'] }));
    const childId = await addSubTask(alice, task.id);
    const before = (await alice.get(task.id)).result;
    const refused = taskOf(await expectUnchanged(alice, task.id, () => alice.complete(task.id)));
    expect([stateOf(refused), wordsOf(refused)]).toEqual([
      'INPUT_REQUIRED · awaiting-answer',
      expect.stringContaining(childId),
    ]);
    expect(wordsOf(before)).toMatch(/Sure\?/);
    expect(wordsOf(taskOf(await alice.say(task.id, 'yes')))).toBe(kit.agent.echo('yes'));
  });

  test('C6, E5: a task that waits for another assignee goes on waiting for that', async () => {
    const [alice, bob] = [kit.person('alice'), kit.person('bob')];
    const payload = { name: 'n', goal: 'g', participants: [member(bob.id, 'assignee')] };
    const task = taskOf(await alice.send(taskEnvelope(payload)));
    await addSubTask(alice, task.id);
    const stream = await expectUnchanged(alice, task.id, async () => {
      const answer = await alice.stream(completion(task.id));
      await answer.over;
      return answer;
    });
    expect(stateOf(stream.heard.at(-1)!.body.statusUpdate!)).toBe('INPUT_REQUIRED');
  });

  test('C6: an assignee whose words would complete the task is refused while a sub-task is open', async () => {
    const [alice, bob] = [kit.person('alice'), kit.person('bob')];
    const participants = [member(bob.id, 'assignee')];
    const { id } = taskOf(
      await alice.send(taskEnvelope({ name: 'n', goal: 'count the chairs', participants })),
    );
    const [row] = dataOf(taskOf(await bob.say(id, '/sub-task Ask the caretaker'))).sub_tasks;
    const refused = taskOf(await expectUnchanged(alice, id, () => bob.say(id, 'eleven')));
    expect([stateOf(refused), wordsOf(refused)]).toEqual([
      'INPUT_REQUIRED',
      expect.stringContaining(row!.task_id),
    ]);
    await bob.complete(row!.task_id);
    expect(stateOf(taskOf(await bob.say(id, 'eleven')))).toBe('COMPLETED');
  });

  test('C6: every open sub-task is named; those that have ended are not', async () => {
    const alice = kit.person('alice');
    const task = await alice.start();
    const ids: string[] = [];
    while (ids.length < 3) ids.push(await addSubTask(alice, task.id));
    await alice.cancel(ids[1]!);
    const words = wordsOf(taskOf(await alice.complete(task.id)));
    expect(ids.map((id) => words.includes(id))).toEqual([true, false, true]);
  });

  test('C6: messages that waited for the turn that is cut are worked on all the same', async () => {
    const alice = kit.person('alice');
    const { task, hold, following } = await startHeld(kit, alice);
    await addSubTask(alice, task.id);
    const waiting = alice.say(task.id, 'and this?');
    await following.until(({ body }) => body.statusUpdate !== undefined);
    await alice.complete(task.id);
    await hold.cut;
    expect(stateOf(taskOf(await waiting))).toBe(WAITS);
    following.close();
  });

  test('C7: what has ended takes no message, completion or cancellation; each refusal names the state', async () => {
    const alice = kit.person('alice');
    for (const [state, id] of await endedTasks(kit, alice)) {
      const before = await alice.get(id);
      for (const message of [
        messageOf('hello', { taskId: id }),
        messageOf('/status', { taskId: id }),
        envelope({ kind: 'task', payload: { name: 'x' } }, { taskId: id }),
        completion(id),
      ]) {
        expectRefusal(await alice.send(message), 'UNSUPPORTED_OPERATION', state);
        const stream = await alice.stream(message);
        expect(stream.reason).toBe('UNSUPPORTED_OPERATION');
      }
      expectRefusal(await alice.cancel(id), 'TASK_NOT_CANCELABLE', state);
      const subscription = await alice.subscribe(id);
      expect(subscription.reason).toBe('UNSUPPORTED_OPERATION');
      expect((await alice.get(id)).result).toEqual(before.result);
    }
  });

  test('C7: of two completions at once one completes the task, and the other is told so', async () => {
    const [alice, bob] = [kit.person('alice'), kit.person('bob')];
    const task = await startWith(kit, alice, [member(bob.id, 'admin')]);
    const following = await alice.subscribe(task.id);
    const answers = await Promise.all([alice.complete(task.id), bob.complete(task.id)]);
    const won = answers.filter(({ reason }) => reason === undefined);
    const lost = answers.filter(({ reason }) => reason !== undefined);
    expect([won.length, lost.length]).toEqual([1, 1]);
    expectRefusal(lost[0]!, 'UNSUPPORTED_OPERATION', 'TASK_STATE_COMPLETED');
    expect(await following.over).toBe(true);
    const ends = following.heard.filter(({ body }) => JSON.stringify(body).includes('COMPLETED'));
    expect(ends).toHaveLength(1);
    const { result } = await alice.get(task.id);
    expect([wordsOf(result), subStateOf(result)]).toEqual([wordsOf(taskOf(won[0]!)), undefined]);
  });

  test('A5, C7: a completion that comes again is the same one, also when both come at once', async () => {
    const alice = kit.person('alice');
    const task = await alice.start();
    const order = completion(task.id);
    const [first, second] = await Promise.all([alice.send(order), alice.send(order)]);
    expect(taskOf(second)).toEqual(taskOf(first));
    expect(taskOf(await alice.send(order))).toEqual(taskOf(first));
    expectRefusal(await alice.complete(task.id), 'UNSUPPORTED_OPERATION', 'TASK_STATE_COMPLETED');
  });

  test('C7, C8: of a completion and a cancellation at once one wins, and the other is told which', async () => {
    const alice = kit.person('alice');
    for (const order of [0, 1, 0, 1]) {
      const { task, hold, turn, following } = await startHeld(kit, alice, true);
      const acts = [() => alice.complete(task.id), () => alice.cancel(task.id)];
      if (order === 1) acts.reverse();
      const answers = await Promise.all(acts.map((act) => act()));
      const [completed, canceled] = order === 0 ? answers : answers.reverse();
      const end = stateOf((await alice.get(task.id)).result);
      if (end === 'COMPLETED') {
        expect(completed!.reason).toBeUndefined();
        expectRefusal(canceled!, 'TASK_NOT_CANCELABLE', 'TASK_STATE_COMPLETED');
      } else {
        expect([end, canceled!.reason]).toEqual(['CANCELED', undefined]);
        expectRefusal(completed!, 'UNSUPPORTED_OPERATION', 'TASK_STATE_CANCELED');
      }
      expect(stateOf(taskOf(await turn))).toBe(end);
      hold.release();
      await kit.agent.idle();
      expect(await following.over).toBe(true);
      expect(JSON.stringify(following.heard)).not.toContain('too late');
      expect(stateOf((await alice.get(task.id)).result)).toBe(end);
    }
  });

  test('C7: a message at the same time as a completion is answered by the end, or refused', async () => {
    const alice = kit.person('alice');
    for (const order of [0, 1, 0, 1]) {
      const task = await alice.start();
      const hold = createHold();
      const acts = [
        () => alice.complete(task.id),
        () => alice.say(task.id, kit.agent.cue({ hold })),
      ];
      if (order === 1) acts.reverse();
      const answers = await Promise.all(acts.map((act) => act()));
      const [completed, said] = order === 0 ? answers : answers.reverse();
      expect(stateOf(taskOf(completed!))).toBe('COMPLETED');
      if (said!.reason === undefined) expect(stateOf(taskOf(said!))).toBe('COMPLETED');
      else expectRefusal(said!, 'UNSUPPORTED_OPERATION', 'TASK_STATE_COMPLETED');
    }
  });

  test('C5: a turn that waits for authorisation returns to who blocks, keeps streams open, and is cut', async () => {
    const alice = kit.person('alice');
    const authorise = createHold();
    const cue = kit.agent.cue({ authorise }, { reply: 'too late' });
    const task = await alice.start();
    const stream = await alice.stream(messageOf(cue, { taskId: task.id }));
    await authorise.reached;
    expect(stateOf((await alice.get(task.id)).result)).toBe('AUTH_REQUIRED');
    const childId = await addSubTask(alice, task.id);
    const refused = taskOf(await alice.complete(task.id));
    expect([stateOf(refused), wordsOf(refused)]).toEqual([WAITS, expect.stringContaining(childId)]);
    await authorise.cut;
    expect(await stream.over).toBe(true);
    expect(stream.heard.map(({ body }) => stateOf(body.task ?? body.statusUpdate!))).toEqual([
      WAITS,
      'WORKING',
      'AUTH_REQUIRED',
      // What was said by the command meanwhile.
      'AUTH_REQUIRED',
      WAITS,
    ]);
    const again = createHold();
    const blocked = await alice.say(
      task.id,
      kit.agent.cue({ authorise: again }, { reply: 'fine' }),
    );
    expect(stateOf(taskOf(blocked))).toBe('AUTH_REQUIRED');
    const following = await alice.subscribe(task.id);
    again.release();
    await following.until(({ body }) => wordsOf(body.statusUpdate ?? task) === 'fine');
    following.close();
  });

  test('C5: interrupt cuts the running turn and goes next; the cut message is answered with it', async () => {
    const alice = kit.person('alice');
    const { task, hold, turn, following } = await startHeld(kit, alice, true);
    const waiting = alice.say(task.id, 'later');
    const interrupt = { metadata: { interrupt: true } };
    const answer = taskOf(await alice.say(task.id, 'stop, do this', interrupt));
    expect(wordsOf(answer)).toBe(kit.agent.echo('stop, do this'));
    await hold.cut;
    expect(wordsOf(taskOf(await turn))).toBe(kit.agent.echo('stop, do this'));
    expect(wordsOf(taskOf(await waiting))).toBe(kit.agent.echo('later'));
    hold.release();
    await kit.agent.idle();
    const { result } = await alice.get(task.id);
    expect(JSON.stringify(result)).not.toContain('too late');
    following.close();
  });

  test.each(['its reply', 'a refused completion', 'a completion'])(
    'C5: of messages that cut one another each is answered with the end of the last: %s',
    async (how) => {
      const alice = kit.person('alice');
      const { task, turn, following } = await startHeld(kit, alice);
      const interrupt = { metadata: { interrupt: true } };
      const turns = [turn];
      const holds = [createHold(), createHold(), createHold()];
      for (const hold of holds) {
        const cue = kit.agent.cue({ hold }, { reply: 'at last' });
        turns.push(alice.say(task.id, cue, interrupt));
        await hold.reached;
      }
      const childId = how === 'a refused completion' ? await addSubTask(alice, task.id) : '';
      if (how === 'its reply') holds.at(-1)!.release();
      else await alice.complete(task.id);
      const words = { 'its reply': 'at last', 'a completion': `completed by ${alice.id}` }[how];
      for (const answer of await Promise.all(turns)) {
        const answered = taskOf(answer);
        expect(stateOf(answered)).toBe(how === 'a completion' ? 'COMPLETED' : WAITS);
        expect(wordsOf(answered)).toContain(words ?? childId);
      }
      following.close();
    },
  );

  test('C5: a watcher does not interrupt, and an odd interrupt is refused', async () => {
    const [alice, wanda] = [kit.person('alice'), kit.person('wanda')];
    const task = await startWith(kit, alice, [member(wanda.id, 'watcher')]);
    const hold = createHold();
    const turn = alice.say(task.id, kit.agent.cue({ hold }, { reply: 'finished' }));
    await hold.reached;
    const cut = () => wanda.say(task.id, 'stop', { metadata: { interrupt: true } });
    const refused = taskOf(await expectUnchanged(alice, task.id, cut));
    expect([stateOf(refused), wordsOf(refused)]).toEqual([
      'WORKING',
      expect.stringMatching(/watcher/),
    ]);
    for (const odd of ['true', 1, null, {}]) {
      const act = () => alice.say(task.id, 'stop', { metadata: { interrupt: odd } });
      expectRefusal(await expectUnchanged(alice, task.id, act), 'INVALID_PARAMS', /interrupt/);
    }
    hold.release();
    expect(wordsOf(taskOf(await turn))).toBe('finished');
  });

  test('C2: what one binding completes is completed for the other', async () => {
    const alice = kit.person('alice');
    const task = await alice.start();
    await alice.complete(task.id);
    for (const binding of BINDINGS) {
      const { result } = await createClient(kit.subject.url, binding, alice.id).call('GetTask', {
        id: task.id,
      });
      expect(stateOf(result)).toBe('COMPLETED');
    }
  });
});

describeContract(
  'a delegated task',
  (kit) => {
    test('C1: a delegated task completes when its agent is done', async () => {
      const alice = kit.person('alice');
      const task = await alice.start(kit.agent.cue({ complete: 'forty-two' }));
      expect([stateOf(task), wordsOf(task), dataOf(task).lifecycle]).toEqual([
        'COMPLETED',
        'forty-two',
        'delegated',
      ]);
    });

    test('C1, C6: a delegated task whose agent is done waits while a sub-task is open', async () => {
      const alice = kit.person('alice');
      const hold = createHold();
      const { id } = await alice.startAtOnce(kit.agent.cue({ hold }, { complete: 'forty-two' }));
      await hold.reached;
      const [row] = dataOf(taskOf(await alice.say(id, '/sub-task Find a hotel'))).sub_tasks;
      const stream = await alice.subscribe(id);
      await stream.until(() => true);
      hold.release();
      const told = await stream.until(({ body }) => JSON.stringify(body).includes('forty-two'));
      expect(stateOf(told.body.statusUpdate!)).toBe('INPUT_REQUIRED · awaiting-next-message');
      stream.close();
      await alice.complete(row!.task_id);
      const done = taskOf(await alice.say(id, kit.agent.cue({ complete: 'forty-three' })));
      expect([stateOf(done), wordsOf(done)]).toEqual(['COMPLETED', 'forty-three']);
    });
  },
  { delegated: true },
);

describeContract(
  'an agent that would end a conversation',
  (kit) => {
    test('C1: an agent that would complete a conversation cannot', async () => {
      const alice = kit.person('alice');
      const task = await alice.start(kit.agent.cue({ complete: 'I am done' }));
      expect(stateOf(task)).not.toBe('COMPLETED');
    });
  },
  { breaks: true },
);
