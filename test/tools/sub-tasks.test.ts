/** `spawn_subtask`: children with turns of their own on this server. */
import { describe, expect, test } from 'vitest';
import { dataOf, historyOf, stateOf, taskEnvelope, wordsOf } from '../support/conformance.ts';
import { eventually } from '../support/eventually.ts';
import {
  AGENT,
  callTool,
  dataIn,
  describeEvent,
  done,
  expectRefused,
  startShared,
  startStage,
} from './stage.ts';
import { child, createBarrier, ended, nest, spawn, when } from './sub-task-stage.ts';

describe('a sub-task', () => {
  test("has the parent's participants, model and effort, and a brief; its result opens a turn of the parent", async () => {
    const stage = await startStage({ models: ['large', 'small'] });
    const id = await startShared(stage);
    await stage.say('/model small', { taskId: id });
    await stage.say('/effort low', { taskId: id });
    const plan = { steps: [{ name: 'Look', description: '', depends_on: [] }] };
    await callTool(stage, 'create_plan', plan, { taskId: id });
    const gate = createBarrier();
    stage.on(/^Find out/, async (turn) => {
      await gate.wait(turn);
      return { end: 'completed', parts: [{ text: '42' }] };
    });
    const following = await stage.ann.stream('SubscribeToTask', { id });
    const { result, data, task } = await spawn(stage, id, { step: 'Look' });
    expect(result).toEqual(done(`Sub-task ${id}.1 was started; its result comes as a message.`));
    const link = { task_id: `${id}.1`, agent: null, state: null, sub_state: null };
    expect(data.plan?.steps[0]?.linked_tasks).toEqual([link]);

    const begun = await when(stage, `${id}.1`, ({ status }) => status.state.endsWith('WORKING'));
    expect(begun.contextId).toBe(task.contextId);
    expect(dataOf(begun)).toEqual({
      ...data,
      name: 'Research',
      goal: 'Find out.',
      description: 'All about it.',
      acceptance_criteria: [{ text: 'It is true', met: false }],
      lifecycle: 'delegated',
      parent_tasks: [{ ...link, task_id: id }],
      sub_tasks: [],
      plan: null,
      model: 'small',
      reasoning_effort: 'low',
    });
    const brief = 'Find out.\n\nAll about it.\n\nAcceptance criteria:\n- It is true';
    const payload = {
      name: 'Research',
      goal: 'Find out.',
      description: 'All about it.',
      acceptance_criteria: [{ text: 'It is true' }],
    };
    expect(historyOf(begun)).toEqual([
      `${AGENT}: ${brief} | ${JSON.stringify({ kind: 'task', payload })}`,
    ]);
    expect(gate.inside[0]).toMatchObject({ sender: AGENT, number: 1, delegated: true });
    gate.open();
    const over = await ended(stage, `${id}.1`);
    expect([stateOf(over), wordsOf(over)]).toEqual(['COMPLETED', '42']);

    const text = `[sub-task "Research" (${id}.1) COMPLETED] 42`;
    await following.until(
      ({ body }) =>
        describeEvent(body).endsWith('awaiting-next-message: done') &&
        stage.turns.at(-1) === `${id}: ${text}`,
    );
    following.close();
    const rows = following.heard.flatMap(({ body }) => {
      const rowsThen = dataIn(body)?.sub_tasks ?? [];
      return rowsThen.map(({ state, sub_state }) => [state, sub_state]);
    });
    expect(rows).toEqual([
      ['SUBMITTED', null],
      ['WORKING', null],
      ['COMPLETED', null],
    ]);
    const parent = await stage.read(id);
    expect(historyOf(parent).slice(-2)).toEqual([`${AGENT}: ${text}`, 'agent: done']);
    expect(stage.server.complaints).toEqual([]);
  });

  test('without description and criteria it is told the goal alone', async () => {
    const stage = await startStage();
    const id = await startShared(stage);
    await spawn(stage, id, { description: '', acceptance_criteria: [] });
    const over = await ended(stage, `${id}.1`);
    expect(historyOf(over)[0]).toMatch(`${AGENT}: Find out. | {"kind":"task"`);
  });

  test.each([
    ['FAILED', { end: 'failed', parts: [{ text: 'no idea' }] }, 'no idea'],
    ['COMPLETED', { end: 'completed' }, ''],
    ['COMPLETED', { end: 'completed', parts: [{ text: 'x'.repeat(4001) }] }, 'x'.repeat(4000)],
    ['COMPLETED', { end: 'completed', parts: [{ text: '🦀'.repeat(4001) }] }, '🦀'.repeat(4000)],
  ] as const)('its end is told: %s, %j', async (state, outcome, words) => {
    const stage = await startStage();
    const id = await startShared(stage);
    stage.on(/^Find out/, () => Promise.resolve(outcome as never));
    await spawn(stage, id);
    const text = `${id}: [sub-task "Research" (${id}.1) ${state}] ${words}`.trim();
    await eventually('the turn', () => (stage.turns.includes(text) ? true : undefined));
  });

  test('what its agent throws fails it, and tells no participant the text', async () => {
    const stage = await startStage();
    const id = await startShared(stage);
    stage.on(/^Find out/, () => Promise.reject(new Error('secret')));
    await spawn(stage, id);
    const told = 'The agent failed while it worked on this message. The server has logged why.';
    const text = `${id}: [sub-task "Research" (${id}.1) FAILED] ${told}`;
    await eventually('the turn', () => (stage.turns.includes(text) ? true : undefined));
    expect(stage.server.complaints.join()).toContain('secret');
  });

  test('holds the end of a delegated task, which then ends with it', async () => {
    const stage = await startStage();
    const id = await startShared(stage);
    const gate = createBarrier();
    nest(stage, gate, () =>
      Promise.resolve({ end: 'completed', parts: [{ text: 'waiting for the inner one' }] }),
    );
    await spawn(stage, id, { goal: 'outer', description: '', acceptance_criteria: [] });
    const held = await when(stage, `${id}.1`, ({ status }) =>
      status.state.endsWith('INPUT_REQUIRED'),
    );
    expect(wordsOf(held)).toBe('waiting for the inner one');
    gate.open();
    const over = await ended(stage, `${id}.1`);
    expect(wordsOf(over)).toBe('done');
    expect(historyOf(over).at(-2)).toBe(`${AGENT}: [sub-task "Inner" (${id}.1.1) COMPLETED] done`);
    const text = `${id}: [sub-task "Research" (${id}.1) COMPLETED] done`;
    await eventually('the turn', () => (stage.turns.includes(text) ? true : undefined));
  });

  test('is cancelled with its parent, and so are its own', async () => {
    const stage = await startStage();
    const id = await startShared(stage);
    const gate = createBarrier();
    nest(stage, gate, async (turn) => {
      await gate.wait(turn);
      return undefined;
    });
    await spawn(stage, id, { goal: 'outer', description: '', acceptance_criteria: [] });
    await eventually('both', () => (gate.inside.length === 2 ? true : undefined));
    const turns = stage.turns.length;
    await stage.ann.call('CancelTask', { id });
    for (const [each, words] of [
      [id, 'cancelled by ann'],
      [`${id}.1`, `cancelled with ${id}, which it belongs to`],
      [`${id}.1.1`, `cancelled with ${id}.1, which it belongs to`],
    ] as const) {
      const task = await stage.read(each);
      expect([stateOf(task), wordsOf(task)]).toEqual(['CANCELED', words]);
    }
    expect(dataOf(await stage.read(id)).sub_tasks[0]?.state).toBe('CANCELED');
    await eventually('the agents', () =>
      gate.inside.every(({ signal }) => signal.aborted) ? true : undefined,
    );
    await expect(gate.inside[0]!.say([{ text: 'late' }])).rejects.toThrow();
    expect(stage.turns.length).toBe(turns);
    expect(stage.server.complaints).toEqual([]);
  });

  test('a result waits behind an open question, and runs after its answer', async () => {
    const stage = await startStage();
    const id = await startShared(stage);
    const gate = createBarrier();
    stage.on(/^Find out/, async (turn) => {
      await gate.wait(turn);
      return undefined;
    });
    stage.on('go', async (turn) => {
      await turn.call({ id: '1', name: 'spawn_subtask', input: child() });
      await turn.call({
        id: '2',
        name: 'ask_participant',
        input: { participant_id: 'ann', question: '?', options: [] },
      });
      return undefined;
    });
    await stage.say('go', { taskId: id });
    gate.open();
    await when(stage, id, (task) => dataOf(task).sub_tasks[0]?.state === 'COMPLETED');
    const asked = await stage.read(id);
    expect([stateOf(asked), wordsOf(asked)]).toEqual(['INPUT_REQUIRED · awaiting-answer', '?']);
    await stage.say('answer', { taskId: id });
    await eventually('the turn', () =>
      stage.turns.at(-1)?.includes('[sub-task') === true ? true : undefined,
    );
    expect(stage.turns.slice(-2)).toEqual([
      `${id}: answer`,
      `${id}: [sub-task "Research" (${id}.1) COMPLETED] done`,
    ]);
  });

  test('a task of two parents tells both', async () => {
    const stage = await startStage();
    const parents = [await startShared(stage), await startShared(stage)];
    const payload = {
      name: 'Shared',
      goal: 'help both',
      parent_tasks: parents.map((task_id) => ({ task_id })),
    };
    const { result } = await stage.ann.call('SendMessage', { message: taskEnvelope(payload) });
    const { id } = result.task!;
    const cancelled = await stage.ann.call('CancelTask', { id });
    expect([cancelled.reason, cancelled.message]).toEqual([undefined, undefined]);
    for (const parent of parents) {
      const text = `${parent}: [sub-task "Shared" (${id}) CANCELED] cancelled by ann`;
      await eventually('the turn', () => (stage.turns.includes(text) ? true : undefined));
    }
  });
});

describe('spawn_subtask is refused', () => {
  test.each([
    [
      'an agent elsewhere that nobody configured',
      child({ agent: 'x'.repeat(100) }),
      `[agent.unknown] there is no remote agent "${'x'.repeat(64)}"; there are none. Leave agent out for one of this server`,
    ],
    [
      'a step of no plan',
      child({ step: 'look' }),
      '[plan.missing] the task has no plan; make one with create_plan',
    ],
    [
      'a name that is no text',
      child({ name: 1 }),
      '[tool.invalid_arguments] /name: name must be a string; got 1',
    ],
  ])('for %s', async (_what, input, text) => {
    const stage = await startStage();
    const taskId = await startShared(stage);
    await expectRefused(stage, 'spawn_subtask', input, text, { taskId });
    expect((await stage.ann.call('GetTask', { id: `${taskId}.1` })).reason).toBe('TASK_NOT_FOUND');
  });

  test('for a step that the plan has not', async () => {
    const stage = await startStage();
    const taskId = await startShared(stage);
    const plan = { steps: [{ name: 'Look', description: '', depends_on: [] }] };
    await callTool(stage, 'create_plan', plan, { taskId });
    const text = '[plan.unknown_step] the plan has no step "read"; its steps are look';
    await expectRefused(stage, 'spawn_subtask', child({ step: 'read' }), text, { taskId });
  });

  test('below the deepest that is configured', async () => {
    const stage = await startStage({ subTaskDepth: 2 });
    const id = await startShared(stage);
    const results: unknown[] = [];
    stage.on('deeper', async (turn) => {
      const input = child({ goal: 'deeper', description: '', acceptance_criteria: [] });
      const { text, isError } = await turn.call({ id: '1', name: 'spawn_subtask', input });
      results.push([turn.taskId, isError, text]);
      return undefined;
    });
    await stage.say('deeper', { taskId: id });
    await when(stage, id, (task) => dataOf(task).sub_tasks[0]?.state === 'COMPLETED');
    const words =
      '[agent.too_deep] sub-tasks are nested 2 deep at most, and this is one of the last; do the work here';
    expect(results).toEqual([
      [id, false, expect.any(String)],
      [`${id}.1`, false, expect.any(String)],
      [`${id}.1.1`, true, words],
    ]);
  });

  test('with a depth of none, everywhere', async () => {
    const stage = await startStage({ subTaskDepth: 0 });
    const taskId = await startShared(stage);
    const text =
      '[agent.too_deep] sub-tasks are nested 0 deep at most, and this is one of the last; do the work here';
    await expectRefused(stage, 'spawn_subtask', child(), text, { taskId });
  });
});
