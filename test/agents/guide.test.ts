/** The guide on scenarios: what it prints is played and reported as it says. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createScriptedAgent } from '../../src/agents/scripted/agent.ts';
import { readScenario } from '../../src/agents/scripted/load-scenario.ts';
import { createTurn, summarise } from './recorded-turn.ts';

const guide = readFileSync('docs/guide/scenarios.md', 'utf8');
const [, printed = ''] = /<!-- file: trip.yaml -->\n\n```yaml\n([^`]*)```/.exec(guide) ?? [];

test('the scenario that the guide prints is played', async () => {
  const agent = createScriptedAgent(readScenario(printed, 'trip.yaml'));
  const asked = await agent.run(createTurn('A trip, please', { sender: 'alice' }).turn);
  const question = 'How would you like to travel, alice?\n- train\n- plane';
  expect(summarise(asked)).toEqual(['input-required', question]);
  const { turn } = createTurn('train', { number: 2, memory: asked.memory });
  expect(summarise(await agent.run(turn))).toEqual(['input-required', 'The train is booked.']);
  const hello = await agent.run(createTurn('hello there').turn);
  expect(summarise(hello)).toEqual(['input-required', 'Good day.']);
});

test('the faults that the guide prints are what is said', () => {
  const [, faults] = /<!-- faults -->\n\n```text\n([^`]*)\n```/.exec(guide) ?? [];
  const wrong = `rules:
  - when: { contains: trip }
    do:
      - artefact: { id: plan, chunks: [a] }
      - wait: soon
`;
  expect(() => readScenario(wrong, 'trip.yaml')).toThrow(
    expect.objectContaining({ message: faults }),
  );
});

test('every verb and every condition is explained, every file that is named is there', () => {
  const schema = JSON.parse(readFileSync('schemas/meta/scenario.schema.json', 'utf8')) as {
    readonly $defs: Readonly<Record<'Step' | 'Condition', { readonly properties: object }>>;
  };
  const { Step, Condition } = schema.$defs;
  const verbs = Object.keys(Step.properties).map((verb) => `| \`${verb}:`);
  const conditions = Object.keys(Condition.properties).map((name) => `| \`${name}\``);
  expect([...verbs, ...conditions].filter((row) => !guide.includes(row))).toEqual([]);
  const links = [...guide.matchAll(/\]\(([^)]+)\)/g)].map(([, path = '']) => path);
  expect(links.filter((path) => !existsSync(`docs/guide/${path}`))).toEqual([]);
});
