/** A2UI messages of any size and shape: they are judged, in bounded time and words, and never break anything. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyUiMessages, UI_LIMITS } from '../../src/extensions/a2ui/index.ts';
import { effort } from '../properties/effort.ts';
import {
  apply,
  button,
  column,
  create,
  faultsOf,
  remove,
  setData,
  surface,
  text,
  update,
} from './a2ui-fixture.ts';

const id = fc.constantFrom('root', 'a', 'b', 'c', '__proto__');
const surfaceId = fc.constantFrom('s', 't', '__proto__');
const junk = fc.jsonValue({ maxDepth: 3 });
const component = fc.oneof(
  { weight: 3, arbitrary: id.map((each) => text(each)) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(id, fc.array(id, { maxLength: 3 }))
      .map(([each, children]) => column(each, ...children)),
  },
  fc.tuple(id, id).map(([each, child]) => button(each, child)),
  fc.tuple(id, junk).map(([each, value]) => text(each, { text: value })),
  junk,
);
const components = fc.array(component, { minLength: 1, maxLength: 5 });
const message = fc.oneof(
  { weight: 3, arbitrary: surfaceId.map((each) => create(each)) },
  {
    weight: 4,
    arbitrary: fc.tuple(surfaceId, components).map(([each, list]) => update(each, ...list)),
  },
  surfaceId.map(remove),
  fc.tuple(surfaceId, junk).map(([each, value]) => setData(each, { value })),
  fc.tuple(surfaceId, fc.string()).map(([each, path]) => setData(each, { path })),
);
/** Lists that mean something: surfaces with a root and what it names. */
const call = fc
  .tuple(fc.constantFrom('s', 't'), fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }))
  .map(([name, ids]) => [
    update(name, column('root', ...ids), ...[...new Set(ids)].map((each) => text(each))),
  ]);

describe('any messages', () => {
  it('are accepted, or refused in at most as many lines as are told', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(junk, message), { maxLength: 6 }), (messages) => {
        const applied = applyUiMessages([], messages);
        if (applied.ok) return;
        expect(applied.faults.length).toBeGreaterThan(0);
        expect(applied.faults.length).toBeLessThanOrEqual(UI_LIMITS.faults + 1);
        expect(applied.faults.every((line) => !/[\n\r]/.test(line))).toBe(true);
      }),
      { numRuns: 300 * effort },
    );
  });

  it('that show a tree are accepted, and no others', () => {
    const ids = ['root', 'a', 'b', 'c', '__proto__'];
    const children = fc.array(fc.constantFrom(...ids), { maxLength: 2 });
    const graph = fc.array(children, { minLength: ids.length, maxLength: ids.length });
    /** Whether a way of as many steps as there are components leads on from here. */
    const isEndless = (lists: readonly (readonly string[])[], name: string, steps = 0): boolean =>
      steps > ids.length ||
      (lists[ids.indexOf(name)] ?? []).some((child) => isEndless(lists, child, steps + 1));
    fc.assert(
      fc.property(graph, (lists) => {
        const components = lists.map((list, index) => column(ids[index] ?? '', ...list));
        const isTree = !ids.some((name) => isEndless(lists, name));
        const applied = applyUiMessages([], [create('s'), update('s', ...components)]);
        expect(applied.ok).toBe(isTree);
        if (!applied.ok) return;
        expect(applied.changed).toStrictEqual([
          { surfaceId: 's', surface: surface('s', components) },
        ]);
      }),
      { numRuns: 300 * effort },
    );
  });

  it('make the same surfaces in one call as in many', () => {
    const opened = [create('s'), create('t')];
    fc.assert(
      fc.property(fc.array(call, { maxLength: 6 }), fc.nat(6), (calls, cut) => {
        const once = apply([], [...opened, ...calls.flat()]);
        const twice = apply(
          apply([], [...opened, ...calls.slice(0, cut).flat()]),
          calls.slice(cut).flat(),
        );
        const each = calls.reduce(apply, apply([], opened));
        expect(twice).toStrictEqual(once);
        expect(each).toStrictEqual(once);
      }),
      { numRuns: 100 * effort },
    );
  });
});

/** A chain of components under the root, this many levels deep with it. */
const chain = (levels: number) => [
  ...Array.from({ length: levels - 1 }, (_, level) =>
    column(level === 0 ? 'root' : `c${level}`, `c${level + 1}`),
  ),
  text(levels === 1 ? 'root' : `c${levels - 1}`),
];
const shown = (...list: readonly object[]) => [create('s'), update('s', ...list)];
const nested = (levels: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
};
const calls = (levels: number): unknown => {
  let value: unknown = true;
  for (let level = 0; level < levels; level += 1) value = { call: 'not', args: { value } };
  return value;
};

describe('bad input', () => {
  it.each<[string, () => readonly unknown[], readonly string[]]>([
    [
      '10 MB of text',
      () => shown(text('root', { text: 'x'.repeat(10_000_000) })),
      ['messages: they are more than 1048576 bytes of JSON, which is too much for one call'],
    ],
    [
      '10 million numbers',
      () => [setData('s', { value: new Array(10_000_000).fill(1) })],
      ['messages: they are more than 1048576 bytes of JSON, which is too much for one call'],
    ],
    [
      '5,000 components in each other',
      () => shown(...chain(5_000)),
      ['messages[1] (surface "s"): it has 5000 components, and a surface may have at most 1000'],
    ],
    [
      'a level too many',
      () => shown(...chain(51)),
      ['surface "s": it nests components 51 levels deep, and may at most 50'],
    ],
    ['as many levels as there may be', () => shown(...chain(50)), []],
    [
      'few components that are drawn 2^40 times',
      () =>
        shown(
          ...chain(41).map((each) =>
            'children' in each ? column(each.id, ...each.children, ...each.children) : each,
          ),
        ),
      ['surface "s": it draws more than 1000 components, since some have several parents'],
    ],
    [
      'a cycle of 500 components',
      () => shown(...chain(500).slice(0, -1), column('c499', 'root')),
      [
        'messages[1].updateComponents.components[0] (Column "root" of surface "s"): it contains itself: "root" → "c1" → "c2" → "c3" → "c4" → "c5" → "c6" → "c7" → … → "root"',
      ],
    ],
    [
      '100,000 levels of arrays',
      () => [setData('s', { value: nested(100_000) })],
      ['messages: they are nested more than 100 levels deep, which is too much for one call'],
    ],
    [
      'calls in calls, each of which doubled the work',
      () => shown({ id: 'root', component: 'CheckBox', label: 'x', value: calls(45) }),
      [],
    ],
    [
      'more surfaces than a task may show',
      () => Array.from({ length: 51 }, (_, index) => create(`s${index}`)),
      ['messages[50] (surface "s50"): the task shows 50 surfaces already, and may show no more'],
    ],
    [
      'own members called __proto__',
      () => [JSON.parse('{"version":"v0.9","__proto__":{"createSurface":{}}}') as unknown],
      [
        'messages[0]: createSurface, updateComponents, updateDataModel or deleteSurface is missing',
        'messages[0]: "__proto__" is not a known property (known: version, createSurface, updateComponents, updateDataModel, deleteSurface)',
      ],
    ],
  ])('%s', (_, messages, faults) => {
    expect(faultsOf(messages())).toStrictEqual(faults);
  });

  it('a value that contains itself', () => {
    const value: Record<string, unknown> = {};
    value.value = value;
    expect(faultsOf([setData('s', value)])).toStrictEqual([
      'messages: they are nested more than 100 levels deep, which is too much for one call',
    ]);
  });

  it('a surface that grows call by call', () => {
    const full = apply([], shown(column('root'), text('a', { text: 'x'.repeat(1_000_000) })));
    expect(faultsOf([update('s', text('b', { text: 'x'.repeat(100_000) }))], full)).toStrictEqual([
      'surface "s": it is more than 1048576 bytes of JSON, which is too much for one surface',
    ]);
  });

  it('1,000 faults: as many as help', () => {
    const list = Array.from({ length: 1_000 }, (_, index) => ({ id: `c${index}` }));
    const faults = faultsOf(shown(...list));
    expect(faults.length).toBe(21);
    expect(faults[19]).toMatch(/^messages\[1\]\.updateComponents\.components\[19\] /);
    expect(faults[20]).toBe('and more: mend these first');
  });
});
