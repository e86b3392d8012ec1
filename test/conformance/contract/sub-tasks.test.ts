/** C1, C5, C6 and C8 where an agent hands work over: its sub-tasks, and those that it gives to participants. */
import { expect, test } from 'vitest';
import { messageOf } from '../../support/a2a-client.ts';
import { createHold } from '../../support/conformance-agent.ts';
import type { Hold } from '../../support/conformance-agent.ts';
import type { Kit, Person } from '../../support/conformance.ts';
import {
  dataOf,
  describeContract,
  expectRefusal,
  expectUnchanged,
  historyOf,
  member,
  startWith,
  stateOf,
  taskOf,
  wordsOf,
} from '../../support/conformance.ts';

const WAITS = 'INPUT_REQUIRED · awaiting-next-message';

/** A call that starts a sub-task whose agent does this. */
function spawn(goal: string) {
  return { tool: 'spawn_subtask', input: { name: 'Part', goal } };
}

/** Resolves when the task has these words in this state. */
async function until(person: Person, taskId: string, state: string, words: string): Promise<void> {
  const stream = await person.subscribe(taskId, 0);
  await stream.until(({ body }) => {
    const seen = body.statusUpdate ?? body.task;
    return seen !== undefined && stateOf(seen) === state && wordsOf(seen).includes(words);
  });
  stream.close();
}

/** A task with a sub-task of the agent's that is at a hold and then does the rest. */
async function startParent(
  kit: Kit,
  alice: Person,
  end: { reply: string } | { complete: string },
  { hold = createHold(), result = 'the part is done' } = {},
) {
  const part = kit.agent.cue({ hold }, { complete: result });
  const task = await alice.start(kit.agent.cue(spawn(part), end));
  await hold.reached;
  return { id: task.id, child: dataOf(task).sub_tasks[0]!.task_id, hold, task };
}

describeContract('sub-tasks of an agent', (kit) => {
  test("C6: an agent's sub-task that is open refuses the completion by name; its end allows it", async () => {
    const alice = kit.person('alice');
    const { id, child, hold, task } = await startParent(kit, alice, { reply: 'handed over' });
    expect([stateOf(task), dataOf(task).lifecycle]).toEqual([WAITS, 'conversation']);
    const refused = taskOf(await expectUnchanged(alice, id, () => alice.complete(id)));
    expect([stateOf(refused), wordsOf(refused)]).toEqual([WAITS, expect.stringContaining(child)]);
    hold.release();
    await until(alice, child, 'COMPLETED', 'the part is done');
    await until(alice, id, WAITS, 'the part is done');
    const { result } = await alice.get(id);
    expect(dataOf(result).sub_tasks).toMatchObject([{ task_id: child, state: 'COMPLETED' }]);
    expect(stateOf(taskOf(await alice.complete(id)))).toBe('COMPLETED');
  });

  test('C1, T9: the sub-task is delegated and completes with its agent; its parent, a conversation, does not', async () => {
    const alice = kit.person('alice');
    const { id, child, hold } = await startParent(kit, alice, { reply: 'handed over' });
    expect(dataOf((await alice.get(child)).result)).toMatchObject({
      lifecycle: 'delegated',
      parent_tasks: [{ task_id: id }],
      participants: dataOf((await alice.get(id)).result).participants,
    });
    hold.release();
    await until(alice, id, WAITS, 'the part is done');
    expect(stateOf((await alice.get(child)).result)).toBe('COMPLETED');
  });

  test('C1: a sub-task that fails tells its parent so, and the parent goes on', async () => {
    const alice = kit.person('alice');
    const part = kit.agent.cue({ fail: 'no such hotel' });
    const { id } = await alice.start(kit.agent.cue(spawn(part), { reply: 'handed over' }));
    await until(alice, id, WAITS, 'no such hotel');
    const { result } = await alice.get(id);
    expect(dataOf(result).sub_tasks).toMatchObject([{ state: 'FAILED' }]);
    expect(historyOf(result).at(-1)).toContain('FAILED');
  });

  test("C6: a participant's task that is open refuses it, too; what the participant says comes to the agent", async () => {
    const [alice, bob] = [kit.person('alice'), kit.person('bob')];
    const input = { participant_id: bob.id, name: 'Count', goal: 'Count the chairs.' };
    const call = { tool: 'create_task_for_participant', input };
    const task = await startWith(kit, alice, [member(bob.id, 'reporter')], call, { reply: 'wait' });
    const child = dataOf(task).sub_tasks[0]!.task_id;
    const asked = (await bob.get(child)).result;
    expect([stateOf(asked), wordsOf(asked), dataOf(asked).lifecycle]).toEqual([
      'INPUT_REQUIRED',
      'Count the chairs.',
      null,
    ]);
    const refused = taskOf(await expectUnchanged(alice, task.id, () => alice.complete(task.id)));
    expect(wordsOf(refused)).toContain(child);
    const counted = taskOf(await bob.say(child, 'eleven'));
    expect([stateOf(counted), wordsOf(counted)]).toEqual(['COMPLETED', `completed by ${bob.id}`]);
    await until(alice, task.id, WAITS, 'eleven');
    expect(stateOf(taskOf(await alice.complete(task.id)))).toBe('COMPLETED');
  });

  test('C8, C5: a cancellation takes the sub-tasks along, and theirs; nothing of their turns is written any more', async () => {
    const alice = kit.person('alice');
    const holds: Hold[] = [0, 1].map(() => createHold({ stubborn: true }));
    const late = { tool: 'spawn_subtask', input: { name: 'late', goal: 'late' } };
    const inner = kit.agent.cue({ hold: holds[1]! }, late, { complete: 'too late' });
    const part = kit.agent.cue(spawn(inner), { hold: holds[0]! }, late, { complete: 'too late' });
    const { id } = await alice.start(kit.agent.cue(spawn(part), { reply: 'handed over' }));
    await Promise.all(holds.map(({ reached }) => reached));
    expect(dataOf((await alice.cancel(id)).result).sub_tasks).toMatchObject([
      { state: 'CANCELED' },
    ]);
    await Promise.all(holds.map(({ cut }) => cut));
    const { sub_tasks: rows } = dataOf((await alice.get(`${id}.1`)).result);
    const ids = [id, `${id}.1`, rows[0]!.task_id];
    const look = () => Promise.all(ids.map(async (each) => (await alice.get(each)).result));
    const before = await look();
    expect(before.map(stateOf)).toEqual(['CANCELED', 'CANCELED', 'CANCELED']);
    for (const hold of holds) hold.release();
    await kit.agent.idle();
    expect(await look()).toEqual(before);
    for (const each of ids) expectRefusal(await alice.cancel(each), 'TASK_NOT_CANCELABLE');
  });

  test('C7: what becomes of a sub-task is no news for a parent that has ended', async () => {
    const alice = kit.person('alice');
    const { id } = await alice.start();
    const reply = taskOf(await alice.say(id, '/sub-task mine'));
    const child = String(reply.status.message!.metadata!.task_ref);
    await alice.cancel(id);
    const before = (await alice.get(id)).result;
    await alice.complete(child);
    await kit.agent.idle();
    expect((await alice.get(id)).result).toEqual(before);
  });
});

describeContract(
  'sub-tasks of a delegated task',
  (kit) => {
    test('C1, C6: the parent waits while they are open, and completes by itself with the last', async () => {
      const alice = kit.person('alice');
      const [one, two] = [createHold(), createHold()];
      const last = kit.agent.cue({ complete: 'all is done' });
      const parts = [
        kit.agent.cue({ hold: one }, { complete: last }),
        kit.agent.cue({ hold: two }, { complete: last }),
      ];
      const task = await alice.start(
        kit.agent.cue(...parts.map((part) => spawn(part)), { complete: 'handed over' }),
      );
      expect([stateOf(task), wordsOf(task)]).toEqual([WAITS, 'handed over']);
      const [first, second] = dataOf(task).sub_tasks.map(({ task_id }) => task_id);
      await Promise.all([one.reached, two.reached]);
      one.release();
      await until(alice, task.id, WAITS, 'all is done');
      const refused = taskOf(await alice.complete(task.id));
      expect([wordsOf(refused).includes(first!), wordsOf(refused).includes(second!)]).toEqual([
        false,
        true,
      ]);
      two.release();
      await until(alice, task.id, 'COMPLETED', 'all is done');
    });

    test('C1: a sub-task that ends before the turn that started it has its turn all the same', async () => {
      const alice = kit.person('alice');
      const hold = createHold();
      const last = kit.agent.cue({ complete: 'I know now' });
      const part = kit.agent.cue({ complete: last });
      const { id } = await alice.startAtOnce(
        kit.agent.cue(spawn(part), { hold }, { complete: 'not yet' }),
      );
      await hold.reached;
      await until(alice, `${id}.1`, 'COMPLETED', last);
      hold.release();
      await until(alice, id, 'COMPLETED', 'I know now');
      expect(historyOf((await alice.get(id)).result)).toEqual(
        expect.arrayContaining(['agent: not yet', 'agent: I know now']),
      );
    });

    test('C1: a message that waits when the agent is done has its turn, and the task completes with that', async () => {
      const alice = kit.person('alice');
      const hold = createHold();
      const { id } = await alice.startAtOnce(kit.agent.cue({ hold }, { complete: 'first' }));
      await hold.reached;
      const second = messageOf(kit.agent.cue({ complete: 'second' }), { taskId: id });
      await alice.sendAtOnce(second);
      hold.release();
      await until(alice, id, 'COMPLETED', 'second');
      const history = historyOf((await alice.get(id)).result);
      expect(history.slice(-2)).toEqual(['agent: first', 'agent: second']);
    });

    test('C6: a sub-task of a sub-task holds both', async () => {
      const alice = kit.person('alice');
      const hold = createHold();
      const top = kit.agent.cue({ complete: 'the top' });
      const middle = kit.agent.cue({ complete: top });
      const inner = kit.agent.cue({ hold }, { complete: middle });
      const part = kit.agent.cue(spawn(inner), { complete: 'nearly' });
      const { id } = await alice.start(kit.agent.cue(spawn(part), { complete: 'almost' }));
      await hold.reached;
      await until(alice, `${id}.1`, WAITS, 'nearly');
      expect(dataOf((await alice.get(id)).result).sub_tasks).toMatchObject([
        { state: 'INPUT_REQUIRED', sub_state: 'awaiting-next-message' },
      ]);
      hold.release();
      await until(alice, id, 'COMPLETED', 'the top');
      expect(stateOf((await alice.get(`${id}.1`)).result)).toBe('COMPLETED');
    });
  },
  { delegated: true },
);
