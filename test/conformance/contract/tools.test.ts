/** T10 and T11: the tools through which an agent works on a task; C1 and C5 as far as they are about tools. */
import { expect, test } from 'vitest';
import { messageOf } from '../../support/a2a-client.ts';
import type { ToolAnswer } from '../../support/conformance-agent.ts';
import { createHold } from '../../support/conformance-agent.ts';
import type { Kit, Person } from '../../support/conformance.ts';
import {
  dataOf,
  describeContract,
  historyOf,
  member,
  startWith,
  stateOf,
  taskOf,
  wordsOf,
} from '../../support/conformance.ts';

const WAITS = 'INPUT_REQUIRED · awaiting-next-message';
const GOAL = { name: 'n', goal: 'g' };

const step = (name: string, ...depends_on: string[]) => ({ name, description: '', depends_on });

/** Has the agent call a tool in a turn of its own; the states on the turn's stream, and what the agent was told. */
async function callTool(kit: Kit, person: Person, taskId: string, tool: string, input: unknown) {
  let answer: ToolAnswer | undefined;
  const told = (given: ToolAnswer) => (answer = given);
  const cue = kit.agent.cue({ tool, input, told }, { reply: 'tried' });
  const stream = await person.stream(messageOf(cue, { taskId }));
  expect(await stream.over).toBe(true);
  const states = stream.heard.map(({ body }) =>
    body.artifactUpdate === undefined
      ? stateOf(body.task ?? body.statusUpdate!)
      : body.artifactUpdate.artifact.name,
  );
  return { ...answer!, states };
}

describeContract('the tools of an agent', (kit) => {
  test.each<[string, unknown, RegExp]>([
    ['create_plan', { steps: [] }, /\/steps/],
    ['create_plan', { steps: [{ name: 'a' }] }, /description/],
    ['complete_step', { step: 'a' }, /output/],
    ['spawn_subtask', { name: 'n' }, /goal/],
    ['spawn_subtask', { ...GOAL, lifecycle: 'conversation' }, /lifecycle/],
    ['ask_participant', { participant_id: 'x', question: '' }, /\/question/],
    ['create_task_for_participant', GOAL, /participant_id/],
    ['set_participant_role', { participant_id: 'x', role: 'king' }, /\/role/],
    ['list_skills', { all: true }, /all/],
    ['load_skill', {}, /name/],
    ['unload_skill', { name: 1 }, /\/name/],
    ['list_skill_resources', null, /./],
    ['load_skill_resource', { name: 'x', kind: 'secrets', resource: 'y' }, /\/kind/],
    ['emit_ui', { messages: ['hello'] }, /\/messages\/0/],
  ])('T11: %s with %j is a tool error, and changes nothing', async (tool, input, words) => {
    const alice = kit.person('alice');
    const before = await alice.start();
    const { isError, text, states } = await callTool(kit, alice, before.id, tool, input);
    expect([isError, text]).toEqual([true, expect.stringMatching(/^\[tool\.invalid_arguments\] /)]);
    expect(text).toMatch(words);
    expect(states).toEqual([WAITS, 'WORKING', WAITS]);
    const { result } = await alice.get(before.id);
    expect([dataOf(result), result.artifacts]).toEqual([dataOf(before), undefined]);
    expect(historyOf(result).slice(-1)).toEqual(['agent: tried']);
  });

  test('T11: a tool that there is not is a tool error', async () => {
    const alice = kit.person('alice');
    const { id } = await alice.start();
    for (const tool of ['complete_task', 'toString', '__proto__', '']) {
      const { isError, text } = await callTool(kit, alice, id, tool, {});
      expect([isError, text]).toEqual([true, expect.stringMatching(/^\[tool\.unknown\] /)]);
    }
  });

  test('T11: what a tool answers is told to the agent alone', async () => {
    const alice = kit.person('alice');
    const { id } = await alice.start();
    const { isError, text } = await callTool(kit, alice, id, 'list_skills', {});
    expect([isError, text === '']).toEqual([false, false]);
    const events = await alice.subscribe(id, 0);
    await events.until(({ body }) => wordsOf(body.statusUpdate ?? body.task!) === 'tried');
    events.close();
    expect(JSON.stringify(events.heard)).not.toContain(text);
  });

  test.each([
    ['a cycle', [step('A', 'C'), step('B', 'A'), step('C', 'B')], /a -> c -> b -> a|a → c → b → a/],
    ['a step that waits for itself', [step('A', 'A')], /a -> a|a → a/],
    ['an unknown dependency', [step('A', 'Nowhere')], /nowhere/],
    ['two steps of one id', [step('Go there'), step('go-there')], /go-there/],
  ])('T10: a tool makes no plan with %s, and the old plan stays', async (_, steps, words) => {
    const alice = kit.person('alice');
    const { id } = await alice.start();
    await callTool(kit, alice, id, 'create_plan', { steps: [step('Old')] });
    const { isError, text } = await callTool(kit, alice, id, 'create_plan', { steps });
    expect([isError, text]).toEqual([true, expect.stringMatching(words)]);
    const { plan } = dataOf((await alice.get(id)).result);
    expect(plan?.steps.map(({ name }) => name)).toEqual(['Old']);
  });

  test('T10: a plan of a tool is an event with the whole new data', async () => {
    const alice = kit.person('alice');
    const { id } = await alice.start();
    const steps = [step('Draft it'), step('Review it', 'Draft it')];
    const { states } = await callTool(kit, alice, id, 'create_plan', { steps });
    expect(states).toEqual([WAITS, 'WORKING', 'WORKING', WAITS]);
    await callTool(kit, alice, id, 'complete_step', { step: 'Draft it', output: 'a draft' });
    const { plan } = dataOf((await alice.get(id)).result);
    expect(
      plan?.steps.map((each) => [each.id, each.state, each.output, ...each.depends_on]),
    ).toEqual([
      ['draft-it', 'done', 'a draft'],
      ['review-it', 'pending', null, 'draft-it'],
    ]);
  });

  test('C1, T2: no tool ends a conversation: with every step done it waits as before', async () => {
    const alice = kit.person('alice');
    const { id } = await alice.start();
    await callTool(kit, alice, id, 'create_plan', { steps: [step('All')] });
    await callTool(kit, alice, id, 'complete_step', { step: 'all', output: 'done' });
    expect(stateOf((await alice.get(id)).result)).toBe(WAITS);
  });

  test.each(['a completion', 'an interruption', 'a cancellation'])(
    'C5: after %s no tool of the turn that was cut changes anything',
    async (how) => {
      const alice = kit.person('alice');
      const hold = createHold({ stubborn: true });
      const answers: ToolAnswer[] = [];
      const told = (answer: ToolAnswer) => answers.push(answer);
      const { id } = await alice.start();
      const messages = [{ version: 'v0.9.1', deleteSurface: { surfaceId: 'none' } }];
      const late = kit.agent.cue(
        { hold },
        { tool: 'create_plan', input: { steps: [step('late')] }, told },
        { tool: 'spawn_subtask', input: GOAL, told },
        { tool: 'emit_ui', input: { messages }, told },
      );
      const turn = alice.say(id, late);
      await hold.reached;
      if (how === 'a completion') await alice.complete(id);
      else if (how === 'a cancellation') await alice.cancel(id);
      else await alice.say(id, 'stop', { metadata: { interrupt: true } });
      await turn;
      const before = (await alice.get(id)).result;
      hold.release();
      await kit.agent.idle();
      expect(answers).toEqual([]);
      expect((await alice.get(id)).result).toEqual(before);
      expect(dataOf(before)).toMatchObject({ plan: null, sub_tasks: [] });
    },
  );

  test('T6, E5, E6: a tool asks whomever it names, and nobody else answers', async () => {
    const [alice, bob] = [kit.person('alice'), kit.person('bob')];
    const input = { participant_id: bob.id, question: 'Blue or green?', options: ['blue'] };
    const never = { reply: 'too late' };
    const task = await startWith(
      kit,
      alice,
      [member(bob.id, 'watcher')],
      { tool: 'ask_participant', input },
      never,
    );
    const asked = ['INPUT_REQUIRED · awaiting-answer', expect.stringMatching(/^Blue or green\?/)];
    expect([stateOf(task), wordsOf(task)]).toEqual(asked);
    await alice.sendAtOnce(messageOf('blue', { taskId: task.id }));
    const { result } = await alice.get(task.id);
    expect([stateOf(result), wordsOf(result)]).toEqual(asked);
    const answered = taskOf(await bob.say(task.id, 'blue'));
    expect([stateOf(answered), wordsOf(answered)]).toEqual([WAITS, kit.agent.echo('blue')]);
  });

  test('T3: a tool gives roles only in a turn that answers an admin, and never takes the last one', async () => {
    const [alice, ada] = [kit.person('alice'), kit.person('ada')];
    const { id } = await startWith(kit, alice, [member(ada.id, 'admin')]);
    const roleOf = async (who: Person) =>
      dataOf((await ada.get(id)).result).participants.find((each) => each.id === who.id)!.role;
    const give = (by: Person, to: Person, role: string) =>
      callTool(kit, by, id, 'set_participant_role', { participant_id: to.id, role });
    for (const { isError, text } of [
      await give(alice, alice, 'admin'),
      await give(ada, ada, 'watcher'),
    ]) {
      expect([isError, text]).toEqual([true, expect.stringMatching(/^\[channel\./)]);
    }
    expect([await roleOf(alice), await roleOf(ada)]).toEqual(['reporter', 'admin']);
    expect(await give(ada, alice, 'watcher')).toMatchObject({ isError: false });
    expect(await roleOf(alice)).toBe('watcher');
    const stranger = kit.person('sam');
    const sams = await give(ada, stranger, 'admin');
    expect(sams.text).toMatch(/^\[channel\.not_a_member\] /);
  });
});
