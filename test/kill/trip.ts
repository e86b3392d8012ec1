/** A conversation of the scenario conversations.yaml, held whatever becomes of the server meanwhile; and its outcome. */
import { randomUUID } from 'node:crypto';
import type { Message, Task } from '@tiny-harness/contract/a2a';
import { createUiEventPart } from '@tiny-harness/contract/a2ui/v0.9.1';
import type { Client, Outcome, UserMessage } from '../support/a2a-client.ts';
import { BINDINGS, createClient, messageOf } from '../support/a2a-client.ts';
import { completion, dataOf, envelopePart, member, stateOf } from '../support/conformance.ts';
import { eventually } from '../support/eventually.ts';
import { pause } from './mortal-server.ts';

/** Where a server is; waits while there is none. */
export interface Place {
  url(): Promise<string>;
}

/** No step of a conversation takes so long, however often the server is killed. */
const PATIENCE = 60_000;

/** Holds the conversation from its first message to its end. Resolves with the id of its task. */
export async function holdTrip(place: Place, chance: () => number): Promise<string> {
  const [alice, bob] = ['alice', 'bob'].map((id) => createSpeaker(place, chance, id));
  const { id } = await alice!.send({ parts: openingParts() });
  const say = (text: string) => alice!.send({ taskId: id, parts: [{ text }] });
  await alice!.waitFor(id, 'INPUT_REQUIRED · awaiting-answer', ['By train or by ship?']);
  await say('train');
  const noted = ['Two are at work.', 'The hotel is noted.', 'Bob packs.'];
  const task = await alice!.waitFor(id, WAITS, noted);
  const bags = dataOf(task).sub_tasks.at(-1)!;
  await bob!.send({ taskId: bags.task_id, parts: [{ text: 'Two bags.' }] });
  await alice!.waitFor(id, 'INPUT_REQUIRED · awaiting-answer', ['All is packed.']);
  await say('yes');
  await alice!.waitFor(id, WAITS, ['Here it is.']);
  await alice!.send({ taskId: id, parts: [createUiEventPart(pressGo())] });
  await alice!.waitFor(id, WAITS, ['Gone: ']);
  await alice!.send(completion(id));
  return id;
}

const WAITS = 'INPUT_REQUIRED · awaiting-next-message';

function openingParts(): UserMessage['parts'] {
  const participants = [
    member('alice', 'admin'),
    member('bob', 'reporter'),
    member('tiny-harness', 'assignee', 'agent'),
  ];
  const payload = { name: 'Trip', goal: 'plan a trip', participants };
  return [envelopePart({ kind: 'task', payload }), { text: 'plan a trip' }];
}

function pressGo(): Parameters<typeof createUiEventPart>[0] {
  const timestamp = '2026-01-01T00:00:00Z';
  const action = { name: 'go', surfaceId: 'trip', sourceComponentId: 'go', timestamp, context: {} };
  return { version: 'v0.9.1', action };
}

/** A participant who says everything again until there is an answer. */
function createSpeaker(place: Place, chance: () => number, as: string) {
  const insist = async <T>(act: (client: Client) => Promise<Outcome<T>>): Promise<T> => {
    for (;;) {
      const binding = BINDINGS[Math.floor(chance() * BINDINGS.length)]!;
      try {
        const answer = await act(createClient(await place.url(), binding, as));
        if (answer.reason === undefined) return answer.result;
        // What a server says that stops.
        if (answer.status !== 503) throw new Error(`${answer.reason}: ${answer.message ?? ''}`);
      } catch (error) {
        expectDeath(error);
      }
    }
  };
  const get = (id: string) =>
    insist((client) => client.call('GetTask', { id, historyLength: 1000 }));
  return {
    get,
    /** Sends a message, always with the same id (rule A5). */
    send: async (about: Partial<UserMessage>): Promise<Task> => {
      const message = messageOf('', { messageId: randomUUID(), ...about });
      await pause(chance() * 40);
      const configuration = { returnImmediately: chance() < 0.7 };
      const answer = await insist((client) =>
        client.call('SendMessage', { message, configuration }),
      );
      return answer.task!;
    },
    /** Waits until the task is in a state and all of this was said in it. */
    waitFor: (id: string, state: string, words: readonly string[]): Promise<Task> =>
      eventually(
        `${state} after "${words.join('", "')}"`,
        async () => {
          const task = await get(id);
          const said = JSON.stringify(task.history);
          return stateOf(task) === state && words.every((each) => said.includes(each))
            ? task
            : undefined;
        },
        PATIENCE,
      ),
  };
}

/** Errors of a connection are what happens when a server is killed; any other is one of the test. */
function expectDeath(error: unknown): void {
  const broken = error instanceof TypeError && /fetch failed|terminated/.test(error.message);
  if (!broken) throw error;
}

/** What became of a task and of all below it, without what no two runs have in common: ids, times, numbers of events. */
export async function readOutcome(place: Place, root: string): Promise<unknown[]> {
  const { get } = createSpeaker(place, () => 0, 'alice');
  const outcomes: unknown[] = [];
  const ids = [root];
  for (const id of ids) {
    const task = await get(id);
    const { sub_tasks: rows } = dataOf(task);
    ids.push(...rows.map(({ task_id }) => task_id));
    const text = JSON.stringify(outcomeOf(task, rows.length > 0));
    const named = text.replaceAll(root, 'TRIP').replaceAll(task.contextId ?? '', 'CONTEXT');
    outcomes.push(JSON.parse(named.replaceAll(/a2ui:\d+/g, 'a2ui')));
  }
  return outcomes;
}

/** What sub-tasks say comes between what the task itself says, wherever it may. */
function outcomeOf(task: Task, hasSubTasks: boolean): object {
  const history = (task.history ?? []).map(describe);
  const ids = (task.history ?? []).map(({ messageId }) => messageId);
  return {
    id: task.id,
    state: stateOf(task),
    words: task.status.message?.parts,
    data: dataOf(task),
    artifacts: task.artifacts ?? [],
    history: hasSubTasks ? history.sort() : history,
    doubledMessages: ids.filter((id, at) => ids.indexOf(id) !== at),
  };
}

function describe({ role, parts, metadata }: Message): string {
  return JSON.stringify([role, metadata?.participant_id ?? null, parts]);
}
