/** E5: why a task waits. */
import { SUB_STATE_KEY } from '@tiny-harness/contract/status/v1';
import { expect, test } from 'vitest';
import { messageOf } from '../../support/a2a-client.ts';
import { createHold } from '../../support/conformance-agent.ts';
import {
  describeContract,
  envelope,
  expectRefusal,
  expectUnchanged,
  historyOf,
  member,
  stateOf,
  subStateOf,
  taskEnvelope,
  taskOf,
  wordsOf,
} from '../../support/conformance.ts';

describeContract('the status extension', (kit) => {
  test('E5: a reply leaves the task awaiting its next message, in the task and in the update', async () => {
    const alice = kit.person('alice');
    const stream = await alice.stream(messageOf('hello'));
    expect(await stream.over).toBe(true);
    const updates = stream.heard.flatMap(({ body }) => body.statusUpdate ?? []);
    expect(updates.map(stateOf)).toEqual(['WORKING', 'INPUT_REQUIRED · awaiting-next-message']);
    const task = await alice.get(updates[0]!.taskId);
    expect(stateOf(task.result)).toBe('INPUT_REQUIRED · awaiting-next-message');
  });

  test('E5: a question leaves it awaiting an answer', async () => {
    const alice = kit.person('alice');
    const stream = await alice.stream(messageOf(kit.agent.cue({ ask: 'Where to?' })));
    await stream.over;
    const last = stream.heard.at(-1)!.body.statusUpdate!;
    expect(stateOf(last)).toBe('INPUT_REQUIRED · awaiting-answer');
    expect(stateOf((await alice.get(last.taskId)).result)).toBe('INPUT_REQUIRED · awaiting-answer');
  });

  test('E5: who leaves INPUT_REQUIRED leaves the sub-state behind', async () => {
    const alice = kit.person('alice');
    const task = await alice.start();
    const hold = createHold();
    const message = messageOf(kit.agent.cue({ hold }, { say: 'still at it' }), { taskId: task.id });
    const stream = await alice.stream(message);
    await hold.reached;
    const working = (await alice.get(task.id)).result;
    expect([stateOf(working), Object.keys(working.metadata!)]).toEqual([
      'WORKING',
      [expect.stringMatching(/\/task$/)],
    ]);
    hold.release();
    await stream.over;
    expect(stream.heard.map(({ body }) => subStateOf(body.task ?? body.statusUpdate!))).toEqual([
      'awaiting-next-message',
      undefined,
      undefined,
      'awaiting-next-message',
    ]);
    expect(stateOf((await alice.complete(task.id)).result.task!)).toBe('COMPLETED');
    expect(subStateOf((await alice.get(task.id)).result)).toBeUndefined();
  });

  test('E5: no state is added: what waits is in INPUT_REQUIRED', async () => {
    const alice = kit.person('alice');
    const task = await alice.start(kit.agent.cue({ ask: 'Where to?' }));
    expect(task.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    const listed = await alice.client.call('ListTasks', { status: 'TASK_STATE_INPUT_REQUIRED' });
    expect(listed.result.tasks.map(({ id }) => id)).toEqual([task.id]);
    expect(listed.result.tasks.map(stateOf)).toEqual(['INPUT_REQUIRED · awaiting-answer']);
  });

  test('E5: a task that waits for another assignee has no sub-state', async () => {
    const [alice, bob] = [kit.person('alice'), kit.person('bob')];
    const payload = { name: 'n', goal: 'count', participants: [member(bob.id, 'assignee')] };
    const task = taskOf(await alice.send(taskEnvelope(payload)));
    expect([stateOf(task), wordsOf(task)]).toEqual(['INPUT_REQUIRED', 'count']);
    expect(stateOf((await bob.get(task.id)).result)).toBe('INPUT_REQUIRED');
    // Nor does anything that is said meanwhile give it one.
    const reply = taskOf(await alice.say(task.id, '/status'));
    expect(stateOf(reply)).toBe('INPUT_REQUIRED');
  });

  test('E5, T6: replies and refusals leave the sub-state alone', async () => {
    const alice = kit.person('alice');
    const task = await alice.start(kit.agent.cue({ ask: 'Which?', options: ['a', 'b'] }));
    for (const text of ['/status', '/model nonsense', 'c']) {
      const answer = taskOf(await alice.say(task.id, text));
      expect(stateOf(answer)).toBe('INPUT_REQUIRED · awaiting-answer');
      expect((await alice.get(task.id)).result.status).toEqual(task.status);
    }
  });

  test('T2: nothing that is sent about a state changes the state; a report joins the history', async () => {
    const alice = kit.person('alice');
    const task = await alice.start();
    const status = { state: 'TASK_STATE_COMPLETED' };
    const reports = [
      { kind: 'status_update', payload: { taskId: task.id, status } },
      { kind: 'artifact_update', payload: { artifact: { artifactId: 'a', parts: [] } } },
    ];
    for (const report of reports) {
      const answer = taskOf(await alice.send(envelope(report, { taskId: task.id })));
      expect(stateOf(answer)).toBe('INPUT_REQUIRED · awaiting-next-message');
      expect(answer.artifacts ?? []).toEqual([]);
      expect(wordsOf(answer)).toContain(alice.id);
      expect(historyOf(answer)).toContain(`${alice.id}: ${JSON.stringify(report)}`);
    }
    const metadata = { [SUB_STATE_KEY]: { sub_state: 'awaiting-answer' }, status };
    const odd = await alice.say(task.id, 'hello', { metadata });
    expect(stateOf(taskOf(odd))).toBe('INPUT_REQUIRED · awaiting-next-message');
    const act = () => alice.send(taskEnvelope({ name: 'n', status }, { taskId: task.id }));
    expectRefusal(await expectUnchanged(alice, task.id, act), 'INVALID_PARAMS', /status/);
  });
});
