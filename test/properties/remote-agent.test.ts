/** Whatever a remote agent answers, a turn ends as it may, and what is passed on is sound. */
import { isMessage, isTask } from '@tiny-harness/contract/a2a';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTurn } from '../agents/recorded-turn.ts';
import { createFarAgent, openDouble, reply, taskOf, write } from '../agents/remote-world.ts';
import { effort } from './effort.ts';

const oddly = <T>(usual: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 12, arbitrary: usual }, fc.jsonValue());

const id = oddly(fc.constantFrom('theirs', 'theirs', 'theirs', 'other', ''));
const context = oddly(fc.constantFrom('talk', 'talk', 'talk', 'other', undefined));
const text = fc.string({ maxLength: 20 });

const part = oddly(
  fc.oneof(
    fc.record({ text }),
    fc.record({ data: fc.jsonValue(), mediaType: fc.constantFrom('a/b', 'application/a2ui+json') }),
    fc.record({ url: fc.constantFrom('https://a.example/', 'javascript:0', 'x') }),
    fc.record({ raw: fc.constantFrom('AAAA', '!') }),
  ),
);
const parts = oddly(fc.array(part, { minLength: 1, maxLength: 3 }));

const message = oddly(
  fc.record({
    messageId: oddly(text),
    role: oddly(fc.constantFrom('ROLE_AGENT', 'ROLE_USER')),
    parts,
    taskId: id,
    metadata: fc.option(fc.object(), { nil: undefined }),
  }),
);
const status = oddly(
  fc.record({
    state: oddly(
      fc.constantFrom(
        'TASK_STATE_SUBMITTED',
        'TASK_STATE_WORKING',
        'TASK_STATE_WORKING',
        'TASK_STATE_WORKING',
        'TASK_STATE_AUTH_REQUIRED',
        'TASK_STATE_INPUT_REQUIRED',
        'TASK_STATE_COMPLETED',
        'TASK_STATE_CANCELED',
        'TASK_STATE_UNHEARD_OF',
      ),
    ),
    message: fc.option(message, { nil: undefined }),
    timestamp: fc.option(fc.constantFrom('2026-01-01T00:00:00Z', 'now'), { nil: undefined }),
  }),
);
const artifact = oddly(
  fc.record({ artifactId: oddly(fc.constantFrom('a', 'b')), parts, name: oddly(text) }),
);
const metadata = fc.option(
  fc.dictionary(
    fc.constantFrom(
      'io.github.madarauchiha-314.tiny-harness/status',
      'io.github.madarauchiha-314.tiny-harness/task',
    ),
    fc.oneof(fc.jsonValue(), fc.constant({ sub_state: 'awaiting-next-message' })),
  ),
  { nil: undefined },
);
const event = oddly(
  fc.oneof(
    fc.record({
      task: oddly(
        fc.record({ id, contextId: context, status, artifacts: fc.array(artifact), metadata }),
      ),
    }),
    fc.record({
      statusUpdate: oddly(fc.record({ taskId: id, contextId: context, status, metadata })),
    }),
    fc.record({
      artifactUpdate: oddly(
        fc.record({
          taskId: id,
          contextId: context,
          artifact,
          append: fc.boolean(),
          lastChunk: fc.boolean(),
        }),
      ),
    }),
    fc.record({ message }),
  ),
);

const ENDS = ['completed', 'failed', 'input-required'];

test('a turn ends as it may', { timeout: 300_000 }, async () => {
  let events: readonly unknown[] = [];
  const double = await openDouble((asked, response, n) => {
    if (asked.rpc.method === 'SendStreamingMessage' && events.length > 0) {
      write(response, asked, ...(events as object[]));
      response.end();
      events = [];
    } else if (asked.rpc.method === 'GetTask') {
      reply(response, asked, taskOf('FAILED', 'Enough.').task);
    } else {
      write(response, asked, taskOf('FAILED', `Enough of it: ${n}.`));
    }
  });
  const { agent, known } = createFarAgent(double.url);
  const property = fc.asyncProperty(
    fc.array(event, { minLength: 1, maxLength: 8 }),
    async (some) => {
      events = some;
      known.clear();
      const { turn, acts } = createTurn('Do it.');
      const outcome = await agent.run(turn);
      expect(ENDS).toContain(outcome.end);
      if (outcome.parts !== undefined) {
        const said = { messageId: 'm', role: 'ROLE_AGENT', parts: outcome.parts };
        expect(isMessage(said), JSON.stringify(said)).toBe(true);
      }
      const artifacts = acts.flatMap((act) => ('artifact' in act ? [act.artifact] : []));
      const kept = artifacts.map(({ append: _a, lastChunk: _l, ...each }) => each);
      const task = { id: 't', status: { state: 'TASK_STATE_WORKING' }, artifacts: kept };
      expect(isTask(task), JSON.stringify(task)).toBe(true);
    },
  );
  await fc.assert(property, { numRuns: 150 * effort });
});
