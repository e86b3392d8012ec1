/** Any scenario loads, however it is written down; one whose member is misspelt never does. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { Condition, ScenarioInput, Step, Steps } from '@tiny-harness/contract/scenario';
import { ScenarioError, readScenario } from '../../src/agents/scripted/load-scenario.ts';
import { effort } from './effort.ts';

// A dollar sign may begin a placeholder, which means something.
const text = fc.string({ unit: 'grapheme' }).map((each) => each.replaceAll('$', ''));
const someText = text.map((each) => `a${each}`);
const duration = fc.oneof(
  fc.nat(9999).map((each) => `${each}ms`),
  fc.nat(9999).map((each) => `${each / 100}s`),
);
const named = fc.record({ name: someText, description: someText }, { requiredKeys: [] });
const part = fc.oneof(
  fc.record({ text }),
  fc.record({ data: fc.jsonValue({ maxDepth: 2 }), mediaType: someText }),
  fc.record({ url: someText, filename: someText }),
  fc.record({ raw: fc.base64String() }),
);
const artifact = fc
  .tuple(
    named,
    fc.oneof(
      fc.record({ chunks: fc.array(text, { minLength: 1 }), every: duration }),
      fc.record({ parts: fc.array(part, { minLength: 1, maxLength: 3 }) }),
    ),
  )
  .map(([about, content]) => ({ id: 'a', ...about, ...content }));

function askingTool(then: fc.Arbitrary<Step[]>) {
  const input = fc.record({ participant_id: someText, question: someText });
  return fc.record(
    { name: fc.constant('ask_participant'), input, then },
    { requiredKeys: ['name', 'input'] },
  );
}

const { step, steps } = fc.letrec<{ steps: Step[]; step: Step; ending: Step }>((tie) => ({
  step: fc.oneof(
    fc.record({ say: text }),
    fc.record({ wait: duration }),
    fc.record({ artifact }),
    fc.record({ 'require-auth': fc.record({ text: someText, for: duration }) }),
    fc.record({
      ui: fc.array(fc.dictionary(someText, fc.jsonValue({ maxDepth: 1 })), { minLength: 1 }),
    }),
    fc.record({ tool: fc.record({ name: fc.constant('list_skills') }) }),
    fc.record({
      tool: fc.record({ name: fc.constant('load_skill'), input: fc.record({ name: text }) }),
    }),
    fc.record({ tool: askingTool(tie('steps')) }),
  ) as fc.Arbitrary<Step>,
  ending: fc.oneof(
    { depthSize: 'small' },
    fc.record({ fail: text }),
    fc.record({ reply: text }),
    fc.record({ reject: text }),
    fc.record({ complete: fc.option(text) }),
    fc.record({ throw: fc.oneof(text, fc.record({ text })) }),
    fc.record({
      ask: fc.record(
        {
          question: someText,
          options: fc.uniqueArray(someText, { minLength: 1, maxLength: 3 }),
          then: tie('steps'),
        },
        { requiredKeys: ['question'] },
      ),
    }),
  ) as fc.Arbitrary<Step>,
  steps: fc
    .tuple(fc.array(tie('step'), { maxLength: 3 }), tie('ending'))
    .map(([before, ending]) => [...before, ending]),
}));

const condition: fc.Arbitrary<Condition> = fc
  .record(
    {
      equals: text,
      contains: someText,
      matches: fc.constantFrom('^a+$', '\\p{L}', '(?<x>y)'),
      turn: fc.constant('first' as const),
      participant: someText.map((each) => each.slice(0, 50)),
    },
    { requiredKeys: [] },
  )
  .filter((each) => Object.keys(each).length > 0);
const opening = fc.oneof(
  fc.record({ message: text }),
  fc.record({ throw: fc.record({ text, before: fc.constant('task' as const) }) }),
);
const rule = fc.record({
  when: condition,
  do: fc.oneof(steps, fc.tuple(opening), fc.tuple(step)) as unknown as fc.Arbitrary<Steps>,
});
const scenario = fc.record({
  lifecycle: fc.constant('delegated' as const),
  rules: fc.array(rule, { minLength: 1, maxLength: 4 }),
}) as unknown as fc.Arbitrary<ScenarioInput>;

/** The same scenario in block style, in flow style, and as JSON, which is YAML as well. */
const writers: readonly ((value: unknown) => string)[] = [
  (value) => stringify(value),
  (value) => stringify(value, { collectionStyle: 'flow', lineWidth: 40 }),
  (value) => JSON.stringify(value, null, 1),
];

test('a scenario loads, and is the same in every style', () => {
  fc.assert(
    fc.property(scenario, (value) => {
      const versions = writers.map((write) => readScenario(write(value), 's.yaml').version);
      expect(new Set(versions).size).toBe(1);
    }),
    { numRuns: 200 * effort },
  );
});

test('a misspelt member is reported where it stands', () => {
  fc.assert(
    fc.property(scenario, fc.nat(), fc.constantFrom(...writers), (value, pick, write) => {
      const members = listMembers(value);
      const { owner, name } = members[pick % members.length]!;
      const misspelt = `${name}-x`;
      const entries = Object.entries(owner);
      for (const key of Object.keys(owner)) Reflect.deleteProperty(owner, key);
      for (const [key, member] of entries) owner[key === name ? misspelt : key] = member;
      const written = write(value);
      const lines = written.split('\n');
      const faults = [...complain(written).matchAll(/^s\.yaml:(\d+):(\d+): .*\n {4}at (\S+)$/gm)];
      const found = faults.some(([, line, column, pointer]) => {
        const rest = lines[Number(line) - 1]!.slice(Number(column) - 1);
        return pointer!.endsWith(`/${misspelt}`) && rest.replace(/^"/, '').startsWith(misspelt);
      });
      expect(found).toBe(true);
    }),
    { numRuns: 300 * effort },
  );
});

function complain(written: string): string {
  try {
    readScenario(written, 's.yaml');
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(ScenarioError);
    return (error as Error).message;
  }
}

interface Member {
  readonly owner: Record<string, unknown>;
  readonly name: string;
}

/** Every member of every map, but for those of data and surfaces, which may be called anything. */
function listMembers(value: unknown): readonly Member[] {
  if (Array.isArray(value)) return value.flatMap(listMembers);
  if (typeof value !== 'object' || value === null) return [];
  const owner = value as Record<string, unknown>;
  return Object.entries(owner).flatMap(([name, member]) => [
    { owner, name },
    ...(name === 'data' || name === 'ui' ? [] : listMembers(member)),
  ]);
}
