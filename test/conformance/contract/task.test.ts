/** T1 to T10: the task extension's data, and who may set what. */
import { expect, test } from 'vitest';
import {
  isTaskExtensionData,
  parseTaskExtensionData,
  TASK_EXTENSION_KEY,
} from '@tiny-harness/contract/task/v1';
import { messageOf } from '../../support/a2a-client.ts';
import { createHold } from '../../support/conformance-agent.ts';
import {
  completion,
  dataOf,
  describeContract,
  envelopePart,
  expectRefusal,
  expectUnchanged,
  historyOf,
  member,
  partsMessage,
  startWith,
  stateOf,
  subStateOf,
  taskEnvelope,
  taskOf,
  wordsOf,
} from '../../support/conformance.ts';

const N = 'io.github.madarauchiha-314.tiny-harness';

describeContract(
  'the task extension',
  (kit) => {
    test('T1: the data of a task stands in its metadata, valid and with its defaults', async () => {
      const alice = kit.person('alice');
      const task = await alice.start('Write a report\nIt is due on Friday.');
      expect(TASK_EXTENSION_KEY).toBe(`${N}/task`);
      const data = dataOf(task);
      expect(parseTaskExtensionData(data)).toEqual({ ok: true, value: data });
      expect(data).toEqual({
        name: 'Write a report',
        goal: 'Write a report\nIt is due on Friday.',
        description: '',
        type: null,
        acceptance_criteria: [],
        participants: [
          { ...member(alice.id, 'reporter'), display_name: '' },
          { ...member(kit.subject.agentId, 'assignee', 'agent'), display_name: '' },
        ],
        plan: null,
        parent_tasks: [],
        sub_tasks: [],
        lifecycle: 'conversation',
        model: null,
        reasoning_effort: null,
      });
    });

    test('T1: a name is the first line cut at 60 characters, and "task" when there is none', async () => {
      const alice = kit.person('alice');
      expect(dataOf(await alice.start(`${'😀'.repeat(70)}\nmore`)).name).toBe('😀'.repeat(60));
      expect(dataOf(await alice.start('  \n second')).name).toBe('second');
      const data = partsMessage([
        { data: { a: 1 }, mediaType: 'application/vnd.tiny-harness.task+json' },
      ]);
      expect(dataOf(taskOf(await alice.send(data))).name).toBe('task');
    });

    test('T1: an envelope gives a new task its data; what it leaves out has its default', async () => {
      const alice = kit.person('alice');
      const payload = {
        name: 'Report',
        goal: 'A report that the board reads',
        description: 'two pages',
        type: 'writing',
        acceptance_criteria: [{ text: 'fits on two pages' }],
        participants: [member('wanda', 'watcher')],
        plan: {
          steps: [
            { id: 'a', name: 'A' },
            { id: 'b', name: 'B', depends_on: ['a'] },
          ],
        },
      };
      const task = taskOf(await alice.send(taskEnvelope(payload)));
      const data = dataOf(task);
      expect(isTaskExtensionData(data)).toBe(true);
      expect(data).toMatchObject({
        name: 'Report',
        goal: 'A report that the board reads',
        description: 'two pages',
        type: 'writing',
        acceptance_criteria: [{ text: 'fits on two pages', met: false }],
        lifecycle: 'conversation',
        plan: { steps: [{ state: 'pending' }, { state: 'pending', depends_on: ['a'] }] },
      });
      expect(data.participants.map(({ id, role }) => [id, role])).toEqual([
        [alice.id, 'reporter'],
        ['wanda', 'watcher'],
        [kit.subject.agentId, 'assignee'],
      ]);
      const listed = await alice.client.call('ListTasks', {});
      expect(listed.result.tasks.map(dataOf)).toEqual([data]);
    });

    test('T1: a change of the data is an event with the whole new data, in the state as it is', async () => {
      const alice = kit.person('alice');
      const task = await alice.start();
      const watching = await alice.subscribe(task.id);
      const change = { name: 'New name', acceptance_criteria: [{ text: 'done' }] };
      const answer = taskOf(await alice.send(taskEnvelope(change, { taskId: task.id })));
      expect(dataOf(answer)).toMatchObject({ name: 'New name', goal: 'hello' });
      const changed = await watching.until(
        ({ body }) => body.statusUpdate?.metadata?.[TASK_EXTENSION_KEY] !== undefined,
      );
      const update = changed.body.statusUpdate!;
      expect(dataOf(update)).toEqual(dataOf(answer));
      expect(stateOf(update)).toBe('INPUT_REQUIRED · awaiting-next-message');
      watching.close();
      // Then the message has its turn.
      expect(wordsOf(answer)).toBe(
        kit.agent.echo(`[task updated by ${alice.id}: name, acceptance_criteria]`),
      );
    });

    test('T1, T3: name, description and criteria are for all but watchers to change, participants for admins', async () => {
      const [alice, ada, wanda] = [kit.person('alice'), kit.person('ada'), kit.person('wanda')];
      const task = await startWith(kit, alice, [
        member(ada.id, 'admin'),
        member(wanda.id, 'watcher'),
      ]);
      const change = (person: typeof alice, payload: object) =>
        person.send(taskEnvelope(payload, { taskId: task.id }));
      for (const [person, payload, words] of [
        [wanda, { name: 'x' }, /watcher/],
        [alice, { participants: [] }, /admin/],
        [alice, { goal: 'x' }, /goal/],
        [ada, { type: 'x', sub_tasks: [] }, /type, sub_tasks/],
        [alice, { name: 'x', goal: 'y' }, /goal/],
      ] as const) {
        const answer = await expectUnchanged(alice, task.id, () => change(person, payload));
        expect(wordsOf(taskOf(answer))).toMatch(words);
      }
      expect(dataOf(taskOf(await change(alice, { description: 'd' }))).description).toBe('d');
      const bob = kit.person('bob');
      expectRefusal(await bob.get(task.id), 'TASK_NOT_FOUND');
      const participants = [...dataOf(task).participants, member(bob.id, 'watcher')];
      expect(dataOf(taskOf(await change(ada, { participants }))).participants).toHaveLength(5);
      expect((await bob.get(task.id)).result.id).toBe(task.id);
    });

    test('T3: somebody who is taken off the task does not see it any more, on no stream either', async () => {
      const [alice, ada, bob] = [kit.person('alice'), kit.person('ada'), kit.person('bob')];
      const task = await startWith(kit, alice, [
        member(ada.id, 'admin'),
        member(bob.id, 'reporter'),
      ]);
      const stream = await bob.subscribe(task.id);
      await stream.until(() => true);
      const participants = dataOf(task).participants.filter(({ id }) => id !== bob.id);
      await ada.send(taskEnvelope({ participants }, { taskId: task.id }));
      await alice.say(task.id, 'a secret');
      expectRefusal(await bob.get(task.id), 'TASK_NOT_FOUND');
      expectRefusal(await bob.say(task.id, 'hello?'), 'TASK_NOT_FOUND');
      await stream.over;
      expect(JSON.stringify(stream.heard)).not.toContain('a secret');
    });

    test.each<[string, readonly object[], RegExp]>([
      ['two of one id', [member('bob', 'reporter'), member('bob', 'watcher')], /"?bob"?/],
      [
        'the agent twice',
        [member('tiny-harness', 'watcher', 'agent'), member('tiny-harness', 'admin', 'agent')],
        /tiny-harness/,
      ],
      ['an empty id', [member('', 'reporter')], /256|empty|1 character/],
      ['an id of 257 characters', [member('x'.repeat(257), 'reporter')], /256/],
      ['an id of 900 kB', [member('x'.repeat(900_000), 'reporter')], /256/],
      ['an unknown role', [{ id: 'bob', kind: 'human', role: 'boss' }], /role|assignee/],
      [
        '500 participants',
        Array.from({ length: 500 }, (_, at) => member(`p${at}`, 'watcher')),
        /100/,
      ],
      [
        '99 others: 101 with the sender and the agent',
        Array.from({ length: 99 }, (_, at) => member(`p${at}`, 'watcher')),
        /100/,
      ],
    ])('T3: participants that cannot be: %s', async (_, participants, words) => {
      const alice = kit.person('alice');
      const answer = await alice.send(taskEnvelope({ name: 'n', goal: 'g', participants }));
      expectRefusal(answer, 'INVALID_PARAMS', words);
      // A single one is at fault where it stands in the request.
      expect(answer.fields[0]).toMatch(
        /^message\.parts\[0\]\.data\.payload\.participants($|\[0\])/,
      );
      expect(answer.message!.length).toBeLessThan(1000);
      expect((await alice.client.call('ListTasks', {})).result.totalSize).toBe(0);
    });

    test('T3: 98 others, ids of one and of 256 characters, and names that JavaScript knows, may be', async () => {
      const alice = kit.person('alice');
      const ids = ['x', '😀'.repeat(128), '__proto__', 'constructor', 'toString', ' ', 'ü'];
      const others = Array.from({ length: 98 - ids.length }, (_, at) => `p${at}`);
      const participants = [...ids, ...others].map((id) => member(id, 'reporter'));
      const task = taskOf(await alice.send(taskEnvelope({ name: 'n', goal: 'g', participants })));
      expect(dataOf(task).participants).toHaveLength(100);
      for (const id of ['__proto__', 'constructor', 'toString']) {
        const person = kit.personOf(id);
        expect((await person.get(task.id)).result.id).toBe(task.id);
        expect(stateOf(taskOf(await person.say(task.id, 'hello')))).toMatch(/^INPUT_REQUIRED/);
      }
      expectRefusal(await kit.personOf('hasOwnProperty').get(task.id), 'TASK_NOT_FOUND');
    });

    test('T4: the sender that the header names is stamped on the message; nobody is not', async () => {
      const alice = kit.person('alice');
      const stamped = (await alice.start()).history![0]!;
      expect(stamped.metadata).toEqual({ participant_id: alice.id });
      const named = taskOf(
        await kit.nobody.send(messageOf('hi', { metadata: { participant_id: alice.id, mine: 1 } })),
      );
      expect(named.history![0]!.metadata).toEqual({ participant_id: alice.id, mine: 1 });
      expect((await kit.nobody.start()).history![0]!.metadata).toBeUndefined();
    });

    test('T5: a stranger who is named in the message alone is told so, and nothing else is', async () => {
      const [alice, sam] = [kit.person('alice'), kit.person('sam')];
      const hold = createHold();
      const text = kit.agent.cue({ hold });
      const started = await alice.startAtOnce(text);
      const taskId = started.id;
      await hold.reached;
      const watching = await alice.subscribe(taskId);
      await watching.until(() => true);
      const message = () =>
        messageOf('let me in', { taskId, metadata: { participant_id: sam.id } });
      const answer = await expectUnchanged(alice, taskId, () => kit.nobody.send(message()));
      const task = taskOf(answer);
      expect(Object.keys(task).sort()).toEqual(['contextId', 'id', 'status']);
      expect([task.id, task.contextId, stateOf(task)]).toEqual([
        taskId,
        started.contextId,
        'WORKING',
      ]);
      expect(wordsOf(task)).toMatch(/not a participant/);
      const stream = await kit.nobody.stream(message());
      expect(await stream.over).toBe(true);
      const told = stream.heard.map(({ body }) => body.task ?? body.statusUpdate!);
      expect(told.map(stateOf)).toEqual(['WORKING', 'WORKING']);
      expect(wordsOf(told[1]!)).toMatch(/not a participant/);
      expect(Object.keys(told[0]!).sort()).toEqual(['contextId', 'id', 'status']);
      hold.release();
      await watching.until(
        ({ body }) => body.statusUpdate?.status.state === 'TASK_STATE_INPUT_REQUIRED',
      );
      expect(JSON.stringify(watching.heard)).not.toMatch(/let me in|not a participant/);
      watching.close();
    });

    test('T5: a stranger by header is told that there is no task', async () => {
      const [alice, sam] = [kit.person('alice'), kit.person('sam')];
      const task = await alice.start();
      const answer = await expectUnchanged(alice, task.id, () => sam.say(task.id, 'let me in'));
      expectRefusal(answer, 'TASK_NOT_FOUND');
      expectRefusal(await kit.nobody.say(task.id, 'let me in'), 'TASK_NOT_FOUND');
    });

    test('T6: a question stands in the status until it is answered', async () => {
      const [alice, bob] = [kit.person('alice'), kit.person('bob')];
      const task = await startWith(kit, alice, [member(bob.id, 'reporter')], { ask: 'Where to?' });
      expect(stateOf(task)).toBe('INPUT_REQUIRED · awaiting-answer');
      expect(task.status.message!.parts).toEqual([
        { text: 'Where to?' },
        {
          data: expect.objectContaining({
            channel_id: task.id,
            sender: kit.subject.agentId,
            kind: 'help_request',
            text: 'Where to?',
          }) as object,
          mediaType: 'application/vnd.tiny-harness.channel+json',
        },
      ]);
      expect(task.status.message!.messageId).toMatch(new RegExp(`^${task.id}:help:\\d+$`));
      const asked = async () => (await alice.get(task.id)).result.status;
      for (const message of [
        messageOf('/effort high', { taskId: task.id }),
        messageOf('/nonsense high', { taskId: task.id, metadata: { interrupt: true } }),
        taskEnvelope({ goal: 'x' }, { taskId: task.id }),
      ]) {
        await bob.send(message);
        expect(await asked()).toEqual(task.status);
      }
      await alice.send(messageOf('/model none', { taskId: task.id }));
      expect(await asked()).toEqual(task.status);
      await alice.say(task.id, 'Rome');
      expect(wordsOf((await alice.get(task.id)).result)).toBe(kit.agent.echo('Rome'));
    });

    test.each(['lifecycle', 'model', 'reasoning_effort'])(
      'T7: an envelope that sets %s is refused whole, null included',
      async (field) => {
        const alice = kit.person('alice');
        const value = { lifecycle: 'delegated', model: 'scripted', reasoning_effort: 'low' }[field];
        for (const set of [value, null]) {
          const payload = { name: 'n', goal: 'g', [field]: set };
          expectRefusal(await alice.send(taskEnvelope(payload)), 'UNSUPPORTED_OPERATION', field);
        }
        expect((await alice.client.call('ListTasks', {})).result.totalSize).toBe(0);
        const task = await alice.start();
        for (const set of [value, null]) {
          const message = taskEnvelope({ name: 'other', [field]: set }, { taskId: task.id });
          const answer = await expectUnchanged(alice, task.id, () => alice.send(message));
          expect(wordsOf(taskOf(answer))).toMatch(new RegExp(`not accepted.*${field}`));
        }
      },
    );

    test('T8: the server sets the lifecycle, commands set model and effort', async () => {
      const alice = kit.person('alice');
      const task = await alice.start();
      expect(dataOf(task)).toMatchObject({ lifecycle: 'conversation', model: null });
      const [model] = ['small'];
      expect(dataOf(taskOf(await alice.say(task.id, `/model ${model}`))).model).toBe('small');
      expect(dataOf(taskOf(await alice.say(task.id, '/effort high'))).reasoning_effort).toBe(
        'high',
      );
      const after = await alice.say(task.id, 'please use the model large');
      expect(dataOf(taskOf(after))).toMatchObject({ model: 'small', reasoning_effort: 'high' });
    });

    test.each<[string, readonly object[], RegExp]>([
      [
        'a step twice',
        [
          { id: 'dig', name: 'A' },
          { id: 'dig', name: 'B' },
        ],
        /dig/,
      ],
      ['an unknown dependency', [{ id: 'dig', name: 'A', depends_on: ['rest'] }], /dig.*rest/],
      [
        'a step that depends on itself',
        [{ id: 'dig', name: 'A', depends_on: ['dig'] }],
        /dig -> dig/,
      ],
      [
        'a cycle',
        [
          { id: 'a', name: 'A', depends_on: ['c'] },
          { id: 'b', name: 'B', depends_on: ['a'] },
          { id: 'c', name: 'C', depends_on: ['b'] },
        ],
        /(a -> c -> b -> a|c -> b -> a -> c|b -> a -> c -> b)/,
      ],
    ])('T10: a plan with %s is refused by name', async (_, steps, words) => {
      const alice = kit.person('alice');
      const answer = await alice.send(taskEnvelope({ name: 'n', goal: 'g', plan: { steps } }));
      expectRefusal(answer, 'INVALID_PARAMS', words);
      expect((await alice.client.call('ListTasks', {})).result.totalSize).toBe(0);
    });

    test('T10: a plan that is a graph without cycles is taken', async () => {
      const alice = kit.person('alice');
      const steps = [
        { id: 'a', name: 'A' },
        { id: 'b', name: 'B', depends_on: ['a'] },
        { id: 'c', name: 'C', depends_on: ['a'] },
        { id: 'd', name: 'D', depends_on: ['b', 'c', 'b'] },
      ];
      const task = taskOf(
        await alice.send(taskEnvelope({ name: 'n', goal: 'g', plan: { steps } })),
      );
      expect(dataOf(task).plan!.steps.map(({ depends_on }) => depends_on)).toEqual(
        steps.map(({ depends_on = [] }) => depends_on),
      );
    });

    test("T3, T4: a task of somebody else makes no turn, and the assignee's first message completes it", async () => {
      const [alice, bob] = [kit.person('alice'), kit.person('bob')];
      const participants = [member(bob.id, 'assignee')];
      const message = taskEnvelope({ name: 'n', goal: 'count the chairs', participants });
      const task = taskOf(await alice.send(message));
      expect([stateOf(task), wordsOf(task)]).toEqual(['INPUT_REQUIRED', 'count the chairs']);
      expect([dataOf(task).lifecycle, dataOf(task).participants.map(({ role }) => role)]).toEqual([
        null,
        ['reporter', 'assignee'],
      ]);
      const recorded = taskOf(await alice.say(task.id, 'the red ones too'));
      expect([stateOf(recorded), wordsOf(recorded)]).toEqual([
        'INPUT_REQUIRED',
        'count the chairs',
      ]);
      // A change or a report is no ordinary message.
      const renamed = taskOf(await bob.send(taskEnvelope({ name: 'Chairs' }, { taskId: task.id })));
      expect([stateOf(renamed), dataOf(renamed).name]).toEqual(['INPUT_REQUIRED', 'Chairs']);
      const report = envelopePart({ kind: 'status_update', payload: { progress: 1 } });
      const reported = taskOf(await bob.send(partsMessage([report], { taskId: task.id })));
      expect(stateOf(reported)).toBe('INPUT_REQUIRED');
      const done = taskOf(await bob.say(task.id, 'eleven'));
      expect([stateOf(done), wordsOf(done)]).toEqual(['COMPLETED', `completed by ${bob.id}`]);
      expect(historyOf(done).filter((line) => !line.startsWith('agent'))).toContain(
        `${bob.id}: eleven`,
      );
      expect(subStateOf(done)).toBeUndefined();
    });

    test("T1: what an envelope cannot create: rows of tasks, and parents that are not the sender's", async () => {
      const [alice, bob] = [kit.person('alice'), kit.person('bob')];
      const mine = await alice.start();
      const base = { name: 'n', goal: 'g' };
      for (const payload of [
        { ...base, sub_tasks: [{ task_id: mine.id }] },
        {
          ...base,
          plan: { steps: [{ id: 'a', name: 'A', linked_tasks: [{ task_id: mine.id }] }] },
        },
      ]) {
        expectRefusal(await alice.send(taskEnvelope(payload)), 'INVALID_PARAMS', /empty/);
      }
      const child = { ...base, parent_tasks: [{ task_id: mine.id }] };
      const absent = { ...base, parent_tasks: [{ task_id: 'no-such-task' }] };
      const refused = await bob.send(taskEnvelope(child));
      expectRefusal(refused, 'INVALID_PARAMS', mine.id);
      const unknown = await bob.send(taskEnvelope(absent));
      expect(unknown.message!.replace('no-such-task', mine.id)).toBe(refused.message);
      expect((await bob.client.call('ListTasks', {})).result.totalSize).toBe(0);
      // Nor may a watcher change it, nor anybody what has ended.
      const watched = await startWith(kit, alice, [member(bob.id, 'watcher')]);
      const ended = await alice.start();
      await alice.complete(ended.id);
      for (const [person, { id: task_id }] of [
        [bob, watched],
        [alice, ended],
      ] as const) {
        const message = taskEnvelope({ ...base, parent_tasks: [{ task_id }] });
        const act = () => person.send(message);
        expectRefusal(await expectUnchanged(alice, task_id, act), 'INVALID_PARAMS', task_id);
      }
      const made = taskOf(await alice.send(taskEnvelope(child)));
      const rows = dataOf((await alice.get(mine.id)).result).sub_tasks;
      expect(rows).toEqual([
        {
          task_id: made.id,
          agent: null,
          state: 'INPUT_REQUIRED',
          sub_state: 'awaiting-next-message',
        },
      ]);
    });
  },
  { models: ['large', 'small'] },
);

describeContract(
  'a task without a lifecycle',
  (kit) => {
    const becomeAgents = async (parent_tasks: readonly object[]) => {
      const [alice, bob] = [kit.person('alice'), kit.person('bob')];
      const participants = [member(alice.id, 'admin'), member(bob.id, 'assignee')];
      const message = taskEnvelope({ name: 'n', goal: 'g', participants, parent_tasks });
      const task = taskOf(await alice.send(message));
      expect(dataOf(task).lifecycle).toBeNull();
      const agents = [member(alice.id, 'admin'), member(kit.subject.agentId, 'assignee', 'agent')];
      await alice.send(taskEnvelope({ participants: agents }, { taskId: task.id }));
      return { alice, task };
    };

    test('T9: without a parent it is a conversation, which the agent cannot complete', async () => {
      const { alice, task } = await becomeAgents([]);
      const answer = await alice.say(task.id, kit.agent.cue({ complete: 'done' }));
      expect(stateOf(taskOf(answer))).toBe('FAILED');
    });

    test('T9, C1: with a parent it is delegated and completes with its agent', async () => {
      const alice = kit.person('alice');
      const parent = await alice.start();
      const participants = [member(alice.id, 'admin'), member('bob', 'assignee')];
      const parent_tasks = [{ task_id: parent.id }];
      const message = taskEnvelope({ name: 'n', goal: 'g', participants, parent_tasks });
      const task = taskOf(await alice.send(message));
      const agents = [member(alice.id, 'admin'), member(kit.subject.agentId, 'assignee', 'agent')];
      await alice.send(taskEnvelope({ participants: agents }, { taskId: task.id }));
      const answer = await alice.say(task.id, kit.agent.cue({ complete: 'all done' }));
      expect(stateOf(taskOf(answer))).toBe('COMPLETED');
      const [row] = dataOf((await alice.get(parent.id)).result).sub_tasks;
      expect(row).toMatchObject({ task_id: task.id, state: 'COMPLETED' });
    });
  },
  { breaks: true },
);

describeContract(
  'a server that fails closed',
  (kit) => {
    test('T5, A6: the stranger who is named in the message is told that there is no task', async () => {
      const [alice, sam] = [kit.person('alice'), kit.person('sam')];
      const task = await alice.start();
      const message = messageOf('hi', { taskId: task.id, metadata: { participant_id: sam.id } });
      expectRefusal(await kit.nobody.send(message), 'TASK_NOT_FOUND');
      expectRefusal(await kit.nobody.send(completion(task.id)), 'INVALID_PARAMS');
    });
  },
  { requireParticipant: true },
);
