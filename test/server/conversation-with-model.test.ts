/**
 * The conversation of the guide with a model in the scenario's place. The model is that of MODEL, MODEL_BASE_URL and
 * MODEL_API_KEY where they are set, one that a test plays otherwise; what has come about in the end is the same.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Task } from '@tiny-harness/contract/a2a';
import { createUiEventPart, readUiMessage, URI as A2UI } from '@tiny-harness/contract/a2ui/v0.9.1';
import { expect, it } from 'vitest';
import { talkOf } from '../agents/model-fixture.ts';
import { button, column, create, text as label, update } from '../extensions/a2ui-fixture.ts';
import { createClient, messageOf } from '../support/a2a-client.ts';
import type { Answer, Call } from '../support/chat-server.ts';
import { calls, startChatServer, text } from '../support/chat-server.ts';
import { completion, dataOf, partsMessage, stateOf, wordsOf } from '../support/conformance.ts';
import { eventually } from '../support/eventually.ts';
import { repository } from '../support/projects.ts';
import { createFolder, startServer } from '../support/server.ts';

const ORDER = `Plan two days in Rome for me, alice. Load the skill "trips" first. Then make a plan of three steps named
Room, Seats and Pay. Ask me with ask_participant whether I travel by train or plane, with the options train and plane. When I
have answered, spawn two sub-tasks and end your turn: "Room", goal "Find a room.", for the step Room, without an agent; and
"Seats", goal "Book seats.", for the step Seats, with the agent "bookings". Mark each step as done when its sub-task has come
back. Then show me with emit_ui a surface with one button "Pay". When I press it, mark the step Pay as done.`;

const plan = ['Room', 'Seats', 'Pay'].map((name) => ({ name, description: name }));
const form = [
  create('trip'),
  update('trip', column('root', 'pay'), button('pay', 'words'), label('words')),
];

/** What the played model does, by what it is told, a step for each time that it is asked in the turn. */
const PLAYS: readonly (readonly [told: string, ...steps: (readonly Call[] | string)[]])[] = [
  ['[sub-task "Room"', [['complete_step', { step: 'room', output: 'found' }]], 'There is a room.'],
  [
    '[sub-task "Seats"',
    [
      ['complete_step', { step: 'seats', output: 'booked' }],
      ['emit_ui', { messages: form }],
    ],
    'Shall I pay?',
  ],
  ['[A2UI action]', [['complete_step', { step: 'pay', output: 'paid' }]], 'Paid.'],
  [
    'Load the skill',
    [['load_skill', { name: 'trips' }]],
    [['create_plan', { steps: plan }]],
    [
      [
        'ask_participant',
        { participant_id: 'alice', question: 'How?', options: ['train', 'plane'] },
      ],
    ],
  ],
  ['Find a room', 'Hotel Sole.'],
  [
    'train',
    [
      ['spawn_subtask', { name: 'Room', goal: 'Find a room.', step: 'Room' }],
      ['spawn_subtask', { name: 'Seats', goal: 'Book seats.', step: 'Seats', agent: 'bookings' }],
    ],
    'I am looking.',
  ],
];

const play: Answer = (response, request) => {
  const talk = talkOf(request);
  const words = talk
    .map(({ content }) => content ?? '')
    .find((each) => each.includes('current="true"'));
  const told = words?.slice(words.indexOf('current="true"')) ?? '';
  const [, ...steps] = PLAYS.find(([saying]) => told.includes(saying)) ?? [''];
  const step = steps[talk.filter(({ tool_calls }) => tool_calls !== undefined).length];
  (typeof step === 'object' ? calls(step) : text(step ?? 'That is all.'))(response, request);
};

/** The two servers of the guide, the planner with a model. */
async function start() {
  const folder = join(repository, 'docs/guide/conversation');
  const remote = await startServer({ SCENARIO: join(folder, 'bookings.yaml') });
  const agents = readFileSync(join(folder, 'remote-agents.yaml'), 'utf8');
  const file = join(createFolder(), 'remote-agents.yaml');
  writeFileSync(file, agents.replace('http://127.0.0.1:4181', remote.url));
  const { MODEL, MODEL_BASE_URL = 'https://api.openai.com/v1', MODEL_API_KEY = '' } = process.env;
  const endpoint = MODEL === undefined ? await startChatServer(play) : undefined;
  const settings = { REMOTE_AGENTS: file, SKILLS: join(folder, 'skills') };
  const server = await startServer(
    endpoint === undefined
      ? { ...settings, MODEL: MODEL!, MODEL_BASE_URL, MODEL_API_KEY }
      : { ...settings, MODEL: 'played', MODEL_BASE_URL: endpoint.url },
  );
  return { endpoint, server, isPlayed: endpoint !== undefined };
}

const WAITING = 'INPUT_REQUIRED · awaiting-next-message';

/** How often Alice sees that nothing happens before she says something. */
const PATIENCE = 400;

/** Alice, who answers what she is asked, presses what she is shown, and asks to go on where nothing happens. */
class Alice {
  readonly done = { answers: 0, presses: 0, nudges: 0 };
  #idle = 0;
  readonly #client: ReturnType<typeof createClient>;

  constructor(url: string) {
    this.#client = createClient(url, 'jsonrpc', 'alice');
  }

  async send(message: object): Promise<Task> {
    const headers = { 'a2a-extensions': A2UI };
    return (await this.#client.call('SendMessage', { message }, { headers })).result.task!;
  }

  async read(id: string): Promise<Task> {
    return (await this.#client.call('GetTask', { id })).result;
  }

  /** Does what there is to do at the moment; the task once it has ended or its plan is done. */
  async act(id: string): Promise<Task | undefined> {
    const task = await this.read(id);
    if (isEnded(task) || isPlanDone(task)) return task;
    const { sub_tasks: children } = dataOf(task);
    const asking = children.find(({ state }) => state === 'INPUT_REQUIRED');
    const shown = findButton(task);
    if (stateOf(task).endsWith('awaiting-answer')) {
      this.done.answers += 1;
      await this.send(messageOf('train', { taskId: id }));
    } else if (asking !== undefined) {
      await this.send(messageOf('second', { taskId: asking.task_id }));
    } else if (shown !== undefined && this.done.presses === 0 && stateOf(task) === WAITING) {
      this.done.presses += 1;
      await this.send(partsMessage([press(shown)], { taskId: id }));
    } else if (stateOf(task) === WAITING && (this.#idle += 1) % PATIENCE === 0) {
      this.done.nudges += 1;
      await this.send(messageOf('Go on, please.', { taskId: id }));
    }
    return undefined;
  }
}

function isEnded(task: Task): boolean {
  return /^(COMPLETED|FAILED|CANCELED|REJECTED)/.test(stateOf(task));
}

function isPlanDone(task: Task): boolean {
  return dataOf(task).plan?.steps.every(({ state }) => state === 'done') === true;
}

interface Button {
  readonly surfaceId: string;
  readonly id: string;
  readonly name: string;
}

/** The first button that the task shows. */
function findButton({ artifacts = [] }: Task): Button | undefined {
  for (const part of artifacts.flatMap(({ parts }) => parts)) {
    const read = readUiMessage(part);
    if (read?.ok !== true || !('updateComponents' in read.value)) continue;
    const { surfaceId, components } = read.value.updateComponents as unknown as {
      readonly surfaceId: string;
      readonly components: readonly { id: string; action?: { event?: { name: string } } }[];
    };
    for (const { id, action } of components) {
      if (action?.event !== undefined) return { surfaceId, id, name: action.event.name };
    }
  }
  return undefined;
}

function press({ surfaceId, id: sourceComponentId, name }: Button) {
  const timestamp = '2026-01-01T00:00:00Z';
  const action = { name, surfaceId, sourceComponentId, timestamp, context: {} };
  return createUiEventPart({ version: 'v0.9.1', action });
}

it('a plan, a question, two sub-tasks, a skill and a surface', { timeout: 900_000 }, async () => {
  const { endpoint, server, isPlayed } = await start();
  const alice = new Alice(server.url);
  const { id } = await alice.send(messageOf(ORDER));
  const task = await eventually(
    'the end of the plan',
    () => alice.act(id),
    isPlayed ? 60_000 : 800_000,
  );
  expect(isPlanDone(task)).toBe(true);
  const children = dataOf(task).sub_tasks;
  expect(children.map(({ state }) => state)).toEqual(['COMPLETED', 'COMPLETED']);
  expect(children.map(({ agent }) => agent?.id ?? null).sort()).toEqual(['bookings', null]);
  expect(alice.done).toMatchObject({ answers: 1, presses: 1 });
  if (isPlayed) expect(alice.done.nudges).toBe(0);
  const seats = children.find(({ agent }) => agent !== null)!;
  expect(wordsOf(await alice.read(seats.task_id))).toBe(
    'Seats 12 and 13 are reserved, second class.',
  );
  const ended = await alice.send(completion(id));
  expect([stateOf(ended), wordsOf(ended)]).toEqual(['COMPLETED', 'completed by alice']);
  // The skill's text is among what a model is told.
  const told = endpoint?.requests.map(({ body }) => JSON.stringify(body.messages)) ?? [];
  if (isPlayed) expect(told.some((words) => words.includes('Look for a room'))).toBe(true);
});
