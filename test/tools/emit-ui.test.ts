/** `emit_ui`: surfaces on the stream, and what users do there (rule E8). */
import { createUiEventPart } from '@tiny-harness/contract/a2ui/v0.9.1';
import { describe, expect, test } from 'vitest';
import type { ToolResult } from '../../src/core/task.ts';
import { messageOf } from '../support/a2a-client.ts';
import { partsMessage, stateOf, wordsOf } from '../support/conformance.ts';
import { eventually } from '../support/eventually.ts';
import { BASIC, button, column, create, remove, text, update } from '../extensions/a2ui-fixture.ts';
import type { Stage } from './stage.ts';
import { callTool, describeEvent, done, expectRefused, startStage } from './stage.ts';

const FORM = [
  create('form'),
  update('form', column('root', 'ok'), button('ok', 'label'), text('label')),
];

const capabilitiesOf = (id: string) => ({
  a2uiClientCapabilities: { 'v0.9': { supportedCatalogIds: [id] } },
});

const press = (surfaceId: string, sourceComponentId = 'ok') =>
  createUiEventPart({
    version: 'v0.9.1',
    action: {
      name: 'go',
      surfaceId,
      sourceComponentId,
      timestamp: '2026-01-01T00:00:00Z',
      context: { a: 1 },
    },
  });

async function showForm(stage: Stage): Promise<string> {
  return (await callTool(stage, 'emit_ui', { messages: FORM })).task.id;
}

test('all messages of a call are one artifact, a part each', async () => {
  const stage = await startStage();
  const { result, events, task } = await callTool(stage, 'emit_ui', { messages: FORM });
  expect(result).toEqual(done('Shown.'));
  expect(events.slice(1).map(describeEvent)).toEqual([
    'WORKING',
    'artifact a2ui:2',
    'INPUT_REQUIRED · awaiting-next-message: done',
  ]);
  const parts = FORM.map((data) => ({ data, mediaType: 'application/a2ui+json' }));
  expect(events[2]?.artifactUpdate).toEqual({
    taskId: task.id,
    contextId: task.contextId,
    artifact: { artifactId: 'a2ui:2', name: 'a2ui', parts },
    lastChunk: true,
  });
  expect(task.artifacts).toEqual([{ artifactId: 'a2ui:2', name: 'a2ui', parts }]);
});

test('a surface can be changed in later turns, until it is deleted', async () => {
  const stage = await startStage();
  const taskId = await showForm(stage);
  const change = { messages: [update('form', text('label', { text: 'Now' }))] };
  expect((await callTool(stage, 'emit_ui', change, { taskId })).result).toEqual(done('Shown.'));
  const gone = { messages: [remove('form')] };
  expect((await callTool(stage, 'emit_ui', gone, { taskId })).result).toEqual(done('Shown.'));
  const { result } = await callTool(stage, 'emit_ui', change, { taskId });
  expect(result.text).toMatch(/^\[a2ui\.invalid\] .*form/);
  const again = await callTool(stage, 'emit_ui', { messages: FORM }, { taskId });
  expect(again.result).toEqual(done('Shown.'));
  expect(again.task.artifacts).toHaveLength(4);
});

test('an action reaches the agent as data; one on what is not shown is answered, and no turn runs', async () => {
  const stage = await startStage();
  const taskId = await showForm(stage);
  const send = (surfaceId: string, component?: string) =>
    stage.ann.call('SendMessage', {
      message: partsMessage([press(surfaceId, component)], { taskId }),
    });
  const first = await send('form');
  expect(stateOf(first.result.task!)).toBe('INPUT_REQUIRED · awaiting-next-message');
  expect(stage.turns.at(-1)).toBe(`${taskId}: [A2UI action] go on surface form from ok: {"a":1}`);
  const count = stage.turns.length;
  const unknown = await send('other');
  expect(wordsOf(unknown.result.task!)).toBe(
    'message not accepted: this task shows no surface "other"; it shows "form"',
  );
  const missing = await send('form', 'cancel');
  expect(wordsOf(missing.result.task!)).toBe(
    'message not accepted: surface "form" has no component "cancel"',
  );
  await callTool(stage, 'emit_ui', { messages: [remove('form')] }, { taskId });
  const deleted = await send('form');
  expect(wordsOf(deleted.result.task!)).toBe(
    'message not accepted: this task shows no surface "form"; it shows none',
  );
  expect(stage.turns.length).toBe(count + 1);
});

test.each<[string, string[]]>([
  ['with options', ['red', 'blue']],
  ['without', []],
])(
  'what a client could not draw is no answer to a question %s, and is kept',
  async (_how, options) => {
    const stage = await startStage();
    const taskId = await showForm(stage);
    stage.on('ask', async (turn) => {
      const input = { participant_id: 'ann', question: 'Which?', options };
      await turn.call({ id: '1', name: 'ask_participant', input });
      return undefined;
    });
    let seen: unknown;
    stage.on('red', async (turn) => {
      seen = (await turn.history(2))[0]?.parts;
      return undefined;
    });
    await stage.say('ask', { taskId });
    const report = { code: 'RENDER_FAILED', surfaceId: 'form', message: 'no such font' };
    const part = createUiEventPart({ version: 'v0.9.1', error: report });
    const message = partsMessage([part], { taskId });
    const { result } = await stage.ann.call('SendMessage', { message });
    expect(stateOf(result.task!)).toBe('INPUT_REQUIRED · awaiting-answer');
    expect(wordsOf(result.task!)).toMatch(/^Which\?/);
    await stage.say('red', { taskId });
    expect(stage.turns.slice(-2)).toEqual([`${taskId}: ask`, `${taskId}: red`]);
    expect(seen).toEqual([part]);
    // Without a question the agent hears of it at once.
    await stage.ann.call('SendMessage', { message: partsMessage([part], { taskId }) });
    expect(stage.turns.at(-1)).toBe(
      `${taskId}: [A2UI error] RENDER_FAILED on surface form: "no such font"`,
    );
  },
);

describe('it is refused', () => {
  test.each([
    [
      'without messages',
      { messages: [] },
      '[tool.invalid_arguments] /messages: messages must not be empty',
    ],
    [
      'for a surface that there is not',
      { messages: [update('form', text('root'))] },
      /^\[a2ui\.invalid\] .*"form"/,
    ],
    [
      'whole, when a later message is wrong',
      { messages: [...FORM, update('form', { id: 'x', component: 'Nonsense' })] },
      /^\[a2ui\.invalid\] .*Nonsense/,
    ],
  ])('%s', async (_what, input, words) => {
    const stage = await startStage();
    const taskId = (await stage.say('begin')).task.id;
    const { result, task } = await callTool(stage, 'emit_ui', input, { taskId });
    expect(result.text).toMatch(words);
    expect(task.artifacts ?? []).toEqual([]);
    await expectRefused(stage, 'emit_ui', input, result.text, { taskId });
    // Nothing of it is remembered.
    const after = await callTool(stage, 'emit_ui', { messages: FORM }, { taskId });
    expect(after.result).toEqual(done('Shown.'));
  });

  test('for a client that said so before it was told of a sub-task', async () => {
    const stage = await startStage();
    const results: ToolResult[] = [];
    stage.on('hand it on', async (turn) => {
      const input = { name: 'n', goal: 'find out' };
      await turn.call({ id: '1', name: 'spawn_subtask', input });
      return undefined;
    });
    stage.on(/^\[sub-task/, async (turn) => {
      results.push(await turn.call({ id: '1', name: 'emit_ui', input: { messages: FORM } }));
      return undefined;
    });
    const metadata = capabilitiesOf('https://catalogs.example/other.json');
    await stage.ann.call('SendMessage', { message: messageOf('hand it on', { metadata }) });
    const [result] = await eventually('the result is told', () =>
      results.length > 0 ? results : undefined,
    );
    expect(result?.text).toMatch(/^\[a2ui\.not_supported\]/);
  });

  test('for a client that says that it draws other catalogs only', async () => {
    const stage = await startStage();
    const results: unknown[] = [];
    stage.on('draw', async (turn) => {
      results.push(await turn.call({ id: '1', name: 'emit_ui', input: { messages: FORM } }));
      return undefined;
    });
    for (const id of ['https://catalogs.example/other.json', BASIC]) {
      const message = messageOf('draw', { metadata: capabilitiesOf(id) });
      await stage.ann.call('SendMessage', { message });
    }
    const words = 'the client of this message does not draw the basic catalog; use words';
    expect(results).toEqual([
      { isError: true, text: `[a2ui.not_supported] ${words}`, endsTurn: false },
      done('Shown.'),
    ]);
  });

  test('with 10 MB of it', async () => {
    const stage = await startStage();
    const messages = [...FORM, update('form', text('label', { text: 'x'.repeat(10_000_000) }))];
    const words =
      '[tool.too_large] the arguments must be JSON of at most 1048576 characters; send less in one call';
    await expectRefused(stage, 'emit_ui', { messages }, words);
  });
});
