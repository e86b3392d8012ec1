/** C8: cancelling a task. */
import { expect, test } from 'vitest';
import { messageOf } from '../../support/a2a-client.ts';
import { createHold } from '../../support/conformance-agent.ts';
import {
  dataOf,
  describeContract,
  envelopePart,
  expectRefusal,
  expectUnchanged,
  member,
  partsMessage,
  startWith,
  stateOf,
  subStateOf,
  taskOf,
  wordsOf,
} from '../../support/conformance.ts';

describeContract('cancelling a task', (kit) => {
  test('C8: anybody on the task but a watcher cancels it, for every subscriber', async () => {
    for (const role of ['reporter', 'admin', 'assignee'] as const) {
      const [alice, bob] = [kit.person('alice'), kit.person('bob')];
      const task = await startWith(kit, alice, [member(bob.id, role)]);
      const following = await alice.subscribe(task.id);
      const { result } = await bob.cancel(task.id);
      expect([stateOf(result), subStateOf(result)]).toEqual(['CANCELED', undefined]);
      expect(await following.over).toBe(true);
      expect(stateOf(following.heard.at(-1)!.body.statusUpdate!)).toBe('CANCELED');
    }
  });

  test('C8: a watcher is refused, a stranger and nobody find no task; nothing is interrupted', async () => {
    const [alice, wanda, sam] = [kit.person('alice'), kit.person('wanda'), kit.person('sam')];
    const task = await startWith(kit, alice, [member(wanda.id, 'watcher')]);
    const hold = createHold();
    const turn = alice.say(task.id, kit.agent.cue({ hold }, { reply: 'finished' }));
    await hold.reached;
    for (const [person, reason] of [
      [wanda, 'UNSUPPORTED_OPERATION'],
      [sam, 'TASK_NOT_FOUND'],
      [kit.nobody, 'TASK_NOT_FOUND'],
    ] as const) {
      expectRefusal(await expectUnchanged(alice, task.id, () => person.cancel(task.id)), reason);
    }
    hold.release();
    expect(wordsOf(taskOf(await turn))).toBe('finished');
  });

  test('C8, C7: what has ended cannot be cancelled, and a watcher is told that first', async () => {
    const [alice, wanda] = [kit.person('alice'), kit.person('wanda')];
    const task = await startWith(kit, alice, [member(wanda.id, 'watcher')]);
    await alice.complete(task.id);
    for (const person of [alice, wanda]) {
      expectRefusal(await person.cancel(task.id), 'TASK_NOT_CANCELABLE', 'TASK_STATE_COMPLETED');
    }
  });

  test('C8: two cancellations at once: one is refused', async () => {
    const alice = kit.person('alice');
    const task = await alice.start();
    const answers = await Promise.all([alice.cancel(task.id), alice.cancel(task.id)]);
    expect(answers.map(({ reason }) => reason).sort()).toEqual(['TASK_NOT_CANCELABLE', undefined]);
  });

  test.each([false, true])(
    'C8, C5: a cancellation cuts a turn and drops what waits (agent ignores it: %s)',
    async (stubborn) => {
      const alice = kit.person('alice');
      const hold = createHold({ stubborn });
      const task = await alice.start();
      const cue = kit.agent.cue({ hold }, { say: 'too late' }, { reply: 'too late' });
      const turn = alice.say(task.id, cue);
      await hold.reached;
      const waiting = await alice.stream(messageOf('next', { taskId: task.id }));
      await waiting.until(() => true);
      await alice.cancel(task.id);
      await hold.cut;
      expect(stateOf(taskOf(await turn))).toBe('CANCELED');
      expect(await waiting.over).toBe(true);
      expect(stateOf(waiting.heard.at(-1)!.body.statusUpdate!)).toBe('CANCELED');
      hold.release();
      await kit.agent.idle();
      expect(JSON.stringify((await alice.get(task.id)).result)).not.toContain('too late');
    },
  );

  test('C8: an open question ends with the task', async () => {
    const alice = kit.person('alice');
    const task = await alice.start(kit.agent.cue({ ask: 'Sure?' }));
    const { result } = await alice.cancel(task.id);
    expect([stateOf(result), subStateOf(result)]).toEqual(['CANCELED', undefined]);
    expectRefusal(await alice.say(task.id, 'yes'), 'UNSUPPORTED_OPERATION', 'TASK_STATE_CANCELED');
  });

  test("C8: a participant's sub-task outlives its parent's cancellation", async () => {
    const alice = kit.person('alice');
    const task = await alice.start();
    const reply = taskOf(await alice.say(task.id, '/sub-task mine'));
    const childId = String(reply.status.message!.metadata!.task_ref);
    await alice.cancel(task.id);
    const child = (await alice.get(childId)).result;
    expect(stateOf(child)).toBe('INPUT_REQUIRED · awaiting-next-message');
    expect(wordsOf(taskOf(await alice.say(childId, 'still there?')))).toBe(
      kit.agent.echo('still there?'),
    );
    // Nothing follows the end of the parent, whatever becomes of the child.
    const ended = (await alice.get(task.id)).result;
    expect(dataOf(ended).sub_tasks).toHaveLength(1);
    await alice.complete(childId);
    expect((await alice.get(task.id)).result).toEqual(ended);
    const log = await alice.subscribe(task.id, 0);
    await log.over;
    expect(stateOf(log.heard.at(-1)!.body.statusUpdate!)).toBe('CANCELED');
  });
});

describeContract(
  'cancelling a task with children',
  (kit) => {
    test('C8, C5: a cancellation takes the children that agents work on with it', async () => {
      const alice = kit.person('alice');
      const [holds, ids] = [[createHold(), createHold(), createHold()], [] as string[]];
      for (const hold of holds) {
        const parent_tasks = ids.slice(-1).map((task_id) => ({ task_id }));
        const goal = kit.agent.cue({ hold }, { complete: 'too late' });
        const part = envelopePart({ kind: 'task', payload: { name: 'n', goal, parent_tasks } });
        const answer = await alice.sendAtOnce(partsMessage([part, { text: goal }]));
        ids.push(taskOf(answer).id);
        await hold.reached;
      }
      const following = await alice.subscribe(ids[2]!);
      await following.until(() => true);
      await alice.cancel(ids[0]!);
      for (const hold of holds) await hold.cut;
      expect(await following.over).toBe(true);
      for (const id of ids) expect(stateOf((await alice.get(id)).result)).toBe('CANCELED');
      expectRefusal(await alice.cancel(ids[1]!), 'TASK_NOT_CANCELABLE');
    });
  },
  { delegated: true },
);
