/** E8: user interfaces that an agent shows, and what users do there. */
import type { UiEvent } from '@tiny-harness/contract/a2ui/v0.9.1';
import { expect, test } from 'vitest';
import { messageOf } from '../../support/a2a-client.ts';
import type { UserMessage } from '../../support/a2a-client.ts';
import type { ToolAnswer } from '../../support/conformance-agent.ts';
import type { Kit, Person } from '../../support/conformance.ts';
import {
  describeContract,
  expectRefusal,
  expectUnchanged,
  historyOf,
  partsMessage,
  stateOf,
  taskOf,
  wordsOf,
} from '../../support/conformance.ts';

const WAITS = 'INPUT_REQUIRED · awaiting-next-message';
const MEDIA_TYPE = 'application/a2ui+json';
const CATALOG = 'https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json';

const create = (surfaceId: string, catalogId = CATALOG) => ({
  version: 'v0.9.1',
  createSurface: { surfaceId, catalogId },
});

const update = (surfaceId: string, ...components: object[]) => ({
  version: 'v0.9.1',
  updateComponents: { surfaceId, components },
});

const action = { event: { name: 'go' } };
const BUTTON = [
  { id: 'root', component: 'Button', child: 'words', action },
  { id: 'words', component: 'Text', text: 'Go' },
];

/** The agent shows this in a new task, or in a turn of one that there is. */
async function show(kit: Kit, person: Person, messages: unknown[], taskId?: string) {
  let answer: ToolAnswer | undefined;
  const told = (given: ToolAnswer) => (answer = given);
  const cue = kit.agent.cue({ tool: 'emit_ui', input: { messages }, told }, { reply: 'shown' });
  const stream = await person.stream(messageOf(cue, taskId === undefined ? {} : { taskId }));
  expect(await stream.over).toBe(true);
  const id = stream.heard[0]!.body.task!.id;
  return {
    ...answer!,
    id,
    artifacts: stream.heard.flatMap(({ body }) => body.artifactUpdate ?? []),
  };
}

/** A button was pressed. */
function press(taskId: string, change: Partial<UiEvent['action']> = {}): UserMessage {
  const pressed = { name: 'go', surfaceId: 's', sourceComponentId: 'root', context: { x: 1 } };
  const timestamp = '2026-01-01T00:00:00Z';
  const data = { version: 'v0.9.1', action: { ...pressed, timestamp, ...change } };
  return partsMessage([{ data, mediaType: MEDIA_TYPE }], { taskId });
}

describeContract('user interfaces', (kit) => {
  test('E8: what the agent shows is an artifact, a part a message, for streams and for those who come later', async () => {
    const alice = kit.person('alice');
    const messages = [create('s'), update('s', ...BUTTON)];
    const { isError, id, artifacts } = await show(kit, alice, messages);
    expect(isError).toBe(false);
    const parts = messages.map((data) => ({ data, mediaType: MEDIA_TYPE }));
    expect(artifacts.map(({ artifact }) => artifact.parts)).toEqual([parts]);
    expect((await alice.get(id)).result.artifacts?.map((each) => each.parts)).toEqual([parts]);
  });

  test('E8: an action opens a turn, in which the agent hears of it', async () => {
    const alice = kit.person('alice');
    const { id } = await show(kit, alice, [create('s'), update('s', ...BUTTON)]);
    const task = taskOf(await alice.send(press(id)));
    expect(stateOf(task)).toBe(WAITS);
    expect(wordsOf(task)).toMatch(/go.*"x":1/);
    expect(historyOf((await alice.get(id)).result).at(-2)).toContain('"sourceComponentId":"root"');
  });

  test.each([
    ['a surface', { surfaceId: 'other' }, /other/],
    ['a component', { sourceComponentId: 'gone' }, /gone/],
  ])(
    'E8: an action on %s that was not shown is discarded and reported',
    async (_, change, words) => {
      const alice = kit.person('alice');
      const { id } = await show(kit, alice, [create('s'), update('s', ...BUTTON)]);
      const act = () => alice.send(press(id, change));
      const reported = taskOf(await expectUnchanged(alice, id, act));
      expect([stateOf(reported), wordsOf(reported)]).toEqual([WAITS, expect.stringMatching(words)]);
      // A surface is its task's: of another one it is none.
      const other = await alice.start();
      const elsewhere = () => alice.send(press(other.id));
      expect(wordsOf(taskOf(await expectUnchanged(alice, other.id, elsewhere)))).toMatch(/"s"/);
    },
  );

  test('E8: an action on a surface that was deleted is discarded', async () => {
    const alice = kit.person('alice');
    const { id } = await show(kit, alice, [create('s'), update('s', ...BUTTON)]);
    await show(kit, alice, [{ version: 'v0.9.1', deleteSurface: { surfaceId: 's' } }], id);
    const act = () => alice.send(press(id));
    expect(wordsOf(taskOf(await expectUnchanged(alice, id, act)))).toMatch(/"s"/);
  });

  test('E8, A7: what is no event of a user interface is refused, and a stranger finds no task', async () => {
    const [alice, sam] = [kit.person('alice'), kit.person('sam')];
    const { id } = await show(kit, alice, [create('s'), update('s', ...BUTTON)]);
    for (const data of [{ foo: 1 }, {}, [], null, 'go', { version: 'v0.9.1' }, create('s')]) {
      const bad = partsMessage([{ data, mediaType: MEDIA_TYPE }], { taskId: id });
      const act = () => alice.send(bad);
      expectRefusal(await expectUnchanged(alice, id, act), 'INVALID_PARAMS');
    }
    const act = () => sam.send(press(id));
    expectRefusal(await expectUnchanged(alice, id, act), 'TASK_NOT_FOUND');
  });

  test.each<[string, object[], RegExp]>([
    ['an unknown component', [create('s'), update('s', { id: 'root', component: 'Map' })], /Map/],
    ['another catalog', [create('s', 'https://example.com/catalog.json')], /example\.com/],
    ['an inline catalog', [{ ...create('s'), catalog: {} }], /catalog/],
    ['a child that is not there', [create('s'), update('s', BUTTON[0]!)], /words/],
    ['a surface that was not created', [update('s', ...BUTTON)], /"s"/],
    ['a link that runs', [create('s'), update('s', ...linkTo('javascript:alert(1)'))], /url/i],
  ])(
    'E8: the agent cannot show %s: it is told why, and nothing is shown',
    async (_, bad, words) => {
      const alice = kit.person('alice');
      const messages = [create('good'), update('good', ...BUTTON), ...bad];
      const { isError, text, id, artifacts } = await show(kit, alice, messages);
      expect([isError, text]).toEqual([true, expect.stringMatching(/^\[a2ui\.invalid\] /)]);
      expect(text).toMatch(words);
      expect(artifacts).toEqual([]);
      const act = () => alice.send(press(id, { surfaceId: 'good' }));
      await expectUnchanged(alice, id, act);
    },
  );
});

function linkTo(url: string): object[] {
  const opens = { functionCall: { call: 'openUrl', args: { url } } };
  return [{ ...BUTTON[0], action: opens }, BUTTON[1]!];
}
