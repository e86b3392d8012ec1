/** `ask_participant`, `set_participant_role` and `create_task_for_participant`. */
import type { ChannelMessage } from '@tiny-harness/contract/channel/v1';
import { readChannelMessage } from '@tiny-harness/contract/channel/v1';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { dataOf, historyOf, stateOf, wordsOf } from '../support/conformance.ts';
import { createFolder } from '../support/server.ts';
import type { Stage } from './stage.ts';
import {
  AGENT,
  callTool,
  dataIn,
  describeEvent,
  done,
  expectRefused,
  SHARED,
  startShared,
  startStage,
} from './stage.ts';

const ask = (participant_id: string, options: string[] = [], question = 'Which?') => ({
  participant_id,
  question,
  options,
});

describe('ask_participant', () => {
  /** A task of four in which wim, a watcher, was asked. */
  async function askWim(stage: Stage, options: string[] = []): Promise<string> {
    const taskId = await startShared(stage);
    stage.on('ask', async (turn) => {
      await turn.call(
        { id: '1', name: 'ask_participant', input: ask('wim', options) },
        { left: 1 },
      );
      return undefined;
    });
    await stage.say('ask', { taskId });
    return taskId;
  }

  test('ends the turn with the question, for that participant', async () => {
    const stage = await startStage();
    const taskId = await startShared(stage);
    const seen = await callTool(stage, 'ask_participant', ask('wim', ['red', 'blue']), { taskId });
    const { result, events, task } = seen;
    expect(result).toEqual({
      isError: false,
      text: 'wim was asked; the answer comes as the next message.',
      endsTurn: true,
    });
    expect(events.slice(1).map(describeEvent)).toEqual([
      'WORKING',
      'INPUT_REQUIRED · awaiting-answer: Which?\nOptions: red, blue',
    ]);
    const [, part] = task.status.message!.parts;
    const request: ChannelMessage = {
      channel_id: taskId,
      sender: AGENT,
      kind: 'help_request',
      text: 'Which?',
      parts: [],
      in_reply_to: null,
    };
    expect(readChannelMessage(part)).toMatchObject({ ok: true, value: request });
    expect(historyOf(task).at(-1)).toMatch(/^agent: Which\?\nOptions: red, blue \| \{/);
    expect(stage.server.complaints).toEqual([]);
  });

  test("what others say joins the history; the asked one's words open the turn, with the memory", async () => {
    const stage = await startStage();
    const taskId = await askWim(stage);
    const memories: unknown[] = [];
    stage.on('red', (turn) => {
      memories.push([turn.sender, turn.memory]);
      return Promise.resolve(undefined);
    });
    const { events } = await stage.say('I would say blue', { taskId });
    expect(events.slice(1)).toEqual([]);
    const before = await stage.read(taskId);
    expect(stateOf(before)).toBe('INPUT_REQUIRED · awaiting-answer');
    expect(wordsOf(before)).toBe('Which?');
    expect(historyOf(before).at(-1)).toBe('ann: I would say blue');
    const { task } = await stage.say('red', { taskId }, 'wim');
    expect(memories).toEqual([['wim', { left: 1 }]]);
    expect(stateOf(task)).toBe('INPUT_REQUIRED · awaiting-next-message');
    expect(historyOf(task).slice(-3)).toEqual(['ann: I would say blue', 'wim: red', 'agent: done']);
  });

  test('an answer outside the options is not accepted', async () => {
    const stage = await startStage();
    const taskId = await askWim(stage, ['red', 'blue']);
    const { events, task } = await stage.say('green', { taskId }, 'wim');
    expect(events.slice(1).map(describeEvent)).toEqual([
      'INPUT_REQUIRED · awaiting-answer: message not accepted: the answer must be one of red, blue',
    ]);
    expect(wordsOf(task)).toBe('Which?\nOptions: red, blue');
    expect(stage.turns).toHaveLength(2);
    await stage.say('blue', { taskId }, 'wim');
    expect(stage.turns.at(-1)).toBe(`${taskId}: blue`);
  });

  test('the question outlives the process', async () => {
    const database = join(createFolder(), 'tasks.db');
    const first = await startStage({ database }, 'stopped');
    const taskId = await askWim(first, ['red', 'blue']);
    await first.server.stop();
    const second = await startStage({ database });
    const before = await second.read(taskId);
    expect(stateOf(before)).toBe('INPUT_REQUIRED · awaiting-answer');
    let memory: unknown;
    second.on('blue', (turn) => {
      ({ memory } = turn);
      return Promise.resolve(undefined);
    });
    await second.say('no', { taskId }, 'wim');
    await second.say('blue', { taskId }, 'wim');
    expect(memory).toEqual({ left: 1 });
    expect(second.turns).toEqual([`${taskId}: blue`]);
  });

  test.each([
    ['somebody else', 'eve', '"eve" is not on this task; there are ann, ada, wim'],
    ['itself', AGENT, 'that is you; there are ann, ada, wim'],
    [
      'a very long name',
      'x'.repeat(1000),
      `"${'x'.repeat(256)}" is not on this task; there are ann, ada, wim`,
    ],
  ])('asking %s is refused', async (_who, asked, words) => {
    const stage = await startStage();
    const taskId = await startShared(stage);
    const text = `[channel.not_a_member] ${words}`;
    await expectRefused(stage, 'ask_participant', ask(asked), text, { taskId });
  });

  test('an empty question is refused', async () => {
    const text = '[tool.invalid_arguments] /question: question must not be empty';
    await expectRefused(await startStage(), 'ask_participant', ask('ann', [], ''), text);
  });

  test('whoever is silent holds nothing: other turns run, and none of them is the answer', async () => {
    const stage = await startStage();
    const taskId = await askWim(stage);
    const other = await stage.say('another task');
    expect(stateOf(other.task)).toBe('INPUT_REQUIRED · awaiting-next-message');
    expect(stateOf(await stage.read(taskId))).toBe('INPUT_REQUIRED · awaiting-answer');
    const metrics = await (await fetch(`${stage.server.url}/metrics`)).text();
    expect(metrics).toMatch(/^tiny_harness_running_turns 0$/m);
  });
});

describe('set_participant_role', () => {
  const set = (participant_id: string, role: string) => ({ participant_id, role });
  const rolesOf = (data: { participants: readonly { id: string; role: string }[] }) =>
    data.participants.map(({ id, role }) => `${role} ${id}`);

  test('an admin has the role changed', async () => {
    const stage = await startStage();
    const taskId = await startShared(stage);
    const as = 'ada';
    const change = set('wim', 'admin');
    const { result, data, events } = await callTool(stage, 'set_participant_role', change, {
      taskId,
      as,
    });
    expect(result).toEqual(done('wim is admin now.'));
    const roles = ['reporter ann', 'admin ada', 'admin wim', 'assignee tiny-harness'];
    expect(rolesOf(data)).toEqual(roles);
    expect(events.slice(1).map(describeEvent)).toEqual([
      'WORKING',
      'WORKING +data',
      'INPUT_REQUIRED · awaiting-next-message: done',
    ]);
    expect(dataIn(events[2]!)).toEqual(data);
    const again = await callTool(stage, 'set_participant_role', change, { taskId, as });
    expect(again.result).toEqual(done('wim is admin already.'));
    expect(again.events).toHaveLength(3);
    // Now that there are two, one may go.
    const down = await callTool(stage, 'set_participant_role', set('ada', 'watcher'), {
      taskId,
      as,
    });
    expect(rolesOf(down.data)[1]).toBe('watcher ada');
  });

  test.each([
    [
      'a reporter',
      'ann',
      set('wim', 'reporter'),
      "[channel.not_a_member] only an admin's message may change roles, and ann is none",
    ],
    [
      'a watcher',
      'wim',
      set('wim', 'admin'),
      "[channel.not_a_member] only an admin's message may change roles, and wim is none",
    ],
    [
      'an admin, of a stranger',
      'ada',
      set('eve', 'admin'),
      '[channel.not_a_member] "eve" is not on this task; there are ann, ada, wim',
    ],
    [
      'an admin, of the last admin',
      'ada',
      set('ada', 'reporter'),
      '[channel.role_required] ada is the last admin; make somebody else an admin first',
    ],
    [
      'an admin, of the agent',
      'ada',
      set(AGENT, 'watcher'),
      '[channel.role_required] you work on this task and stay its assignee',
    ],
    [
      'an admin, to a role that there is not',
      'ada',
      set('wim', 'owner'),
      '[tool.invalid_arguments] /role: role must be one of assignee, reporter, watcher, admin; got "owner"',
    ],
  ])('for %s it is refused', async (_whom, as, input, text) => {
    const stage = await startStage();
    const taskId = await startShared(stage);
    await expectRefused(stage, 'set_participant_role', input, text, { taskId, as });
  });
});

describe('create_task_for_participant', () => {
  const task = (participant_id: string, more: object = {}) => ({
    participant_id,
    name: 'Sign',
    goal: 'Please sign.',
    acceptance_criteria: ['It is signed', 'and dated'],
    step: null,
    ...more,
  });

  test('makes a task that the participant works on and the agent watches', async () => {
    const stage = await startStage();
    const id = await startShared(stage);
    await stage.say('/effort high', { taskId: id });
    const seen = await callTool(stage, 'create_task_for_participant', task('wim'), { taskId: id });
    const { result, data, events } = seen;
    expect(result).toEqual(
      done(`Task ${id}.1 waits for wim; what comes of it comes as a message.`),
    );
    const row = { task_id: `${id}.1`, agent: null, state: 'INPUT_REQUIRED', sub_state: null };
    expect(data.sub_tasks).toEqual([row]);
    expect(events.slice(1).map(describeEvent)).toEqual([
      'WORKING',
      'WORKING +data',
      'INPUT_REQUIRED · awaiting-next-message: done',
    ]);
    const child = await stage.read(`${id}.1`, 'wim');
    expect(child.contextId).toBe(seen.task.contextId);
    expect([stateOf(child), wordsOf(child)]).toEqual(['INPUT_REQUIRED', 'Please sign.']);
    const childData = dataOf(child);
    expect(childData).toEqual({
      ...data,
      name: 'Sign',
      goal: 'Please sign.',
      description: '',
      acceptance_criteria: [
        { text: 'It is signed', met: false },
        { text: 'and dated', met: false },
      ],
      participants: data.participants.map((each) => ({
        ...each,
        role: { wim: 'assignee', [AGENT]: 'watcher' }[each.id] ?? each.role,
      })),
      lifecycle: null,
      parent_tasks: [{ task_id: id, state: null, sub_state: null, agent: null }],
      sub_tasks: [],
      reasoning_effort: 'high',
    });
    const brief = 'Please sign.\n\nAcceptance criteria:\n- It is signed\n- and dated';
    expect(historyOf(child)[0]).toMatch(new RegExp(`^${AGENT}: ${brief} \\| \\{"kind":"task"`));
    expect(historyOf(child)[1]).toBe('agent: Please sign.');
  });

  test("the participant's message completes it, and the agent is told what came of it", async () => {
    const stage = await startStage();
    const id = await startShared(stage);
    await callTool(stage, 'create_task_for_participant', task('wim'), { taskId: id });
    const results: unknown[] = [];
    stage.on(/^\[sub-task/, (turn) => {
      results.push([turn.taskId, turn.sender, turn.text]);
      return Promise.resolve({ end: 'input-required', parts: [{ text: 'thanks' }] });
    });
    const { task: child } = await stage.say('Signed, 1 May.', { taskId: `${id}.1` }, 'wim');
    expect([stateOf(child), wordsOf(child)]).toEqual(['COMPLETED', 'completed by wim']);
    const text = `[sub-task "Sign" (${id}.1) COMPLETED] Signed, 1 May.`;
    const parent = await eventually('the answer', async () => {
      const found = await stage.read(id);
      return wordsOf(found) === 'thanks' ? found : undefined;
    });
    expect(results).toEqual([[id, AGENT, text]]);
    expect(historyOf(parent).slice(-2)).toEqual([`${AGENT}: ${text}`, 'agent: thanks']);
    expect(dataOf(parent).sub_tasks[0]?.state).toBe('COMPLETED');
  });

  test('others who speak in it do not complete it; its cancellation is told, too', async () => {
    const stage = await startStage();
    const id = await startShared(stage);
    await callTool(stage, 'create_task_for_participant', task('wim'), { taskId: id });
    const { task: child } = await stage.say('Hurry', { taskId: `${id}.1` });
    expect(stateOf(child)).toBe('INPUT_REQUIRED');
    await stage.ann.call('CancelTask', { id: `${id}.1` });
    const text = `${id}: [sub-task "Sign" (${id}.1) CANCELED] cancelled by ann`;
    await eventually('the turn', () => (stage.turns.at(-1) === text ? true : undefined));
  });

  test('it stays when its parent is cancelled, and tells nobody then', async () => {
    const stage = await startStage();
    const id = await startShared(stage);
    await callTool(stage, 'create_task_for_participant', task('wim'), { taskId: id });
    await stage.ann.call('CancelTask', { id });
    const { task: child } = await stage.say('Signed', { taskId: `${id}.1` }, 'wim');
    expect(stateOf(child)).toBe('COMPLETED');
    const parent = await stage.read(id);
    expect([stateOf(parent), dataOf(parent).sub_tasks[0]?.state]).toEqual([
      'CANCELED',
      'INPUT_REQUIRED',
    ]);
    expect(stage.server.complaints).toEqual([]);
  });

  test.each([
    [
      'a stranger',
      task('eve'),
      '[channel.not_a_member] "eve" is not on this task; there are ann, ada, wim',
    ],
    ['itself', task(AGENT), '[channel.not_a_member] that is you; there are ann, ada, wim'],
    [
      'a step of no plan',
      task('wim', { step: 'sign' }),
      '[plan.missing] the task has no plan; make one with create_plan',
    ],
    [
      'an extra argument',
      task('wim', { agent: 'x' }),
      '[tool.invalid_arguments] /agent: "agent" is not a known property (known: participant_id, name, goal, acceptance_criteria, step)',
    ],
  ])('for %s it is refused', async (_what, input, text) => {
    const stage = await startStage();
    const taskId = await startShared(stage, SHARED);
    await expectRefused(stage, 'create_task_for_participant', input, text, { taskId });
    expect((await stage.ann.call('GetTask', { id: `${taskId}.1` })).reason).toBe('TASK_NOT_FOUND');
  });
});
