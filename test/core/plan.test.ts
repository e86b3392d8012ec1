/** What is a plan, and what is none (rule T10). */
import type { Plan } from '@tiny-harness/contract/task/v1';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findPlanFault } from '../../src/core/plan.ts';
import { effort } from '../properties/effort.ts';

type Graph = readonly (readonly [id: string, dependsOn: readonly string[]])[];

function planOf(graph: Graph): Plan {
  return {
    steps: graph.map(([id, depends_on]) => ({
      id,
      name: id,
      depends_on: [...depends_on],
      description: '',
      state: 'pending',
      output: null,
      linked_tasks: [],
    })),
  };
}

/** Steps in a shuffled order, each of which depends on some of those before it. */
const dags: fc.Arbitrary<Graph> = fc
  .uniqueArray(fc.string({ minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 12 })
  .chain((ids) =>
    fc.tuple(...ids.map((id, at) => fc.tuple(fc.constant(id), fc.subarray(ids.slice(0, at))))),
  )
  .chain((steps) => fc.shuffledSubarray(steps, { minLength: steps.length }));

/** All that a step depends on, by whichever way. */
function ancestorsOf(graph: Graph, id: string): string[] {
  const direct = new Map(graph);
  const found = new Set<string>();
  const next = [id];
  for (let each = next.pop(); each !== undefined; each = next.pop()) {
    for (const other of direct.get(each) ?? []) {
      if (!found.has(other)) next.push(other);
      found.add(other);
    }
  }
  return [...found];
}

describe('a plan', () => {
  it('without cycles is accepted, in whichever order its steps stand', () => {
    fc.assert(
      fc.property(dags, (graph) => {
        expect(findPlanFault(planOf(graph))).toBeUndefined();
      }),
      { numRuns: 500 * effort },
    );
  });

  it('with a dependency that leads back is refused, by a cycle that is there', () => {
    const id = fc.stringMatching(/^[a-z]{1,2}$/);
    const graphs = fc
      .uniqueArray(id, { minLength: 1, maxLength: 12 })
      .chain((ids) =>
        fc.tuple(
          ...ids.map((each, at) => fc.tuple(fc.constant(each), fc.subarray(ids.slice(0, at)))),
        ),
      );
    fc.assert(
      fc.property(graphs, fc.nat(), fc.nat(), (graph, first, second) => {
        const [from] = graph[first % graph.length]!;
        // Some step that `from` depends on, or itself, comes to depend on it.
        const candidates = [from, ...ancestorsOf(graph, from)];
        const back = candidates[second % candidates.length]!;
        const looped = graph.map(([each, on]): Graph[number] => [
          each,
          each === back ? [...on, from] : on,
        ]);
        const fault = findPlanFault(planOf(looped)) ?? '';
        const [, path = ''] =
          /^steps must not depend on each other in a circle: (.*)$/.exec(fault) ?? [];
        const cycle = path.split(' -> ');
        const direct = new Map(looped);
        expect([fault, cycle.length > 1, cycle.at(-1)]).toStrictEqual([fault, true, cycle[0]]);
        expect(new Set(cycle).size).toBe(cycle.length - 1);
        for (const [at, step] of cycle.slice(0, -1).entries()) {
          expect(direct.get(step)).toContain(cycle[at + 1]);
        }
      }),
      { numRuns: 500 * effort },
    );
  });

  it.each([
    [[['a', ['a']]], 'steps must not depend on each other in a circle: a -> a'],
    [
      [
        ['a', ['c']],
        ['b', ['a']],
        ['c', ['b']],
        ['d', []],
      ],
      'steps must not depend on each other in a circle: a -> c -> b -> a',
    ],
    [
      [
        ['a', []],
        ['b', []],
        ['a', ['b']],
      ],
      'steps must have ids of their own; "a" is there twice',
    ],
    [
      [
        ['a', []],
        ['b', ['a', 'c']],
      ],
      'step "b" depends on "c", which is no step of the plan',
    ],
    [
      [['__proto__', ['constructor']]],
      'step "__proto__" depends on "constructor", which is no step of the plan',
    ],
    [[], undefined],
  ] as [Graph, string | undefined][])('%j: %s', (graph, fault) => {
    expect(findPlanFault(planOf(graph))).toBe(fault);
  });

  it('may be as long as a request, and is checked in no time', () => {
    const length = 40_000;
    const chain = Array.from({ length }, (_, at): Graph[number] => [
      `${at}`,
      at === 0 ? [] : [`${at - 1}`],
    ]);
    const before = performance.now();
    expect(findPlanFault(planOf(chain))).toBeUndefined();
    expect(performance.now() - before).toBeLessThan(2000);
  });
});
