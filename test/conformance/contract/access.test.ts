/** A2, A3 and A6: who is calling, and what there is for him. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Client, Outcome } from '../../support/a2a-client.ts';
import { messageOf } from '../../support/a2a-client.ts';
import type { Person } from '../../support/conformance.ts';
import {
  completion,
  dataOf,
  describeContract,
  expectRefusal,
  expectUnchanged,
  historyOf,
  member,
  startWith,
  stateOf,
  taskEnvelope,
  taskOf,
} from '../../support/conformance.ts';

type Attempt = (
  client: Client,
  taskId: string,
) => Promise<Pick<Outcome<unknown>, 'reason' | 'message' | 'status'>>;

/** Every operation on a task. */
const ATTEMPTS: readonly (readonly [string, Attempt])[] = [
  ['SendMessage', (client, taskId) => client.send('hello', { taskId })],
  ['a command', (client, taskId) => client.send('/status', { taskId })],
  [
    // What is wrong with the webhook comes after that (rule A7).
    'SendMessage with a webhook that cannot be',
    (client, taskId) =>
      client.call('SendMessage', {
        message: messageOf('hello', { taskId }),
        configuration: { taskPushNotificationConfig: { url: 'http://127.0.0.1/' } },
      }),
  ],
  ['a completion', (client, id) => client.call('SendMessage', { message: completion(id) })],
  ['GetTask', (client, id) => client.call('GetTask', { id })],
  ['CancelTask', (client, id) => client.call('CancelTask', { id })],
  [
    'CreateTaskPushNotificationConfig',
    (client, taskId) =>
      client.call('CreateTaskPushNotificationConfig', { taskId, url: 'https://1.1.1.1/' }),
  ],
  [
    'GetTaskPushNotificationConfig',
    (client, taskId) => client.call('GetTaskPushNotificationConfig', { taskId, id: 'mine' }),
  ],
  [
    'ListTaskPushNotificationConfigs',
    (client, taskId) => client.call('ListTaskPushNotificationConfigs', { taskId }),
  ],
  [
    'DeleteTaskPushNotificationConfig',
    (client, taskId) => client.call('DeleteTaskPushNotificationConfig', { taskId, id: 'mine' }),
  ],
  [
    'SendStreamingMessage',
    async (client, taskId) => {
      const message = messageOf('hello', { taskId });
      return asOutcome(await client.stream('SendStreamingMessage', { message }));
    },
  ],
  [
    'SubscribeToTask',
    async (client, id) => asOutcome(await client.stream('SubscribeToTask', { id })),
  ],
];

function asOutcome({ reason, status }: { reason: string | undefined; status: number }) {
  return { reason, status, message: undefined };
}

describeContract('access', (kit) => {
  test.each(ATTEMPTS)(
    'A2: %s of a stranger finds no task, whether there is one or not',
    async (name, attempt) => {
      const [alice, sam] = [kit.person('alice'), kit.person('sam')];
      const task = await alice.start();
      const missing = randomUUID();
      // An order by nobody is refused before any task is looked for (rule C4).
      const strangers = name === 'a completion' ? [sam] : [sam, kit.nobody];
      for (const person of strangers) {
        const refused = await expectUnchanged(alice, task.id, () =>
          attempt(person.client, task.id),
        );
        expect(refused.reason).toBe('TASK_NOT_FOUND');
        const other = await attempt(person.client, missing);
        expect([other.reason, other.status, other.message]).toEqual([
          refused.reason,
          refused.status,
          refused.message,
        ]);
        expect(refused.message ?? '').not.toContain(alice.id);
      }
    },
  );

  test('A2: a task that has ended is no more to a stranger than one that has not', async () => {
    const [alice, sam] = [kit.person('alice'), kit.person('sam')];
    const task = await alice.start();
    await alice.complete(task.id);
    for (const [, attempt] of ATTEMPTS) {
      expect((await attempt(sam.client, task.id)).reason).toBe('TASK_NOT_FOUND');
    }
  });

  test("A2: lists, their totals and their cursors hold what is the caller's", async () => {
    const [alice, bob] = [kit.person('alice'), kit.person('bob')];
    const contextId = randomUUID();
    const mine: string[] = [];
    for (let at = 0; at < 5; at += 1) {
      mine.push((await alice.start('mine', { contextId })).id);
      await bob.start('his', { contextId });
    }
    const listAll = async (person: Person) => {
      const seen: string[] = [];
      let pageToken = '';
      do {
        const { result } = await person.client.call('ListTasks', {
          contextId,
          pageSize: 2,
          pageToken,
        });
        expect(result.totalSize).toBe(5);
        seen.push(...result.tasks.map(({ id }) => id));
        pageToken = result.nextPageToken;
      } while (pageToken !== '');
      return seen;
    };
    expect(await listAll(alice)).toEqual([...mine].reverse());
    expect(mine).not.toEqual(expect.arrayContaining(await listAll(bob)));
    const { result } = await kit.person('sam').client.call('ListTasks', { contextId });
    expect(result).toMatchObject({ tasks: [], totalSize: 0, nextPageToken: '' });
    // A cursor of one is no key to the tasks of another.
    const first = await alice.client.call('ListTasks', { contextId, pageSize: 2 });
    const stolen = { contextId, pageToken: first.result.nextPageToken };
    const taken = (await bob.client.call('ListTasks', stolen)).result.tasks;
    for (const { id } of taken) expect(mine).not.toContain(id);
  });

  test("A2: a participant's push configs are its own", async () => {
    const [alice, bob] = [kit.person('alice'), kit.person('bob')];
    const task = await startWith(kit, alice, [member(bob.id, 'admin')]);
    const config = { taskId: task.id, id: 'mine', url: 'https://1.1.1.1/hook', token: 'secret' };
    const made = await alice.client.call('CreateTaskPushNotificationConfig', config);
    expect(made.result.id).toBe('mine');
    const ask = { taskId: task.id, id: 'mine' };
    expectRefusal(await bob.client.call('GetTaskPushNotificationConfig', ask), 'TASK_NOT_FOUND');
    const theirs = await bob.client.call('ListTaskPushNotificationConfigs', { taskId: task.id });
    expect(theirs.result.configs ?? []).toEqual([]);
    await bob.client.call('DeleteTaskPushNotificationConfig', ask);
    const own = await alice.client.call('ListTaskPushNotificationConfigs', { taskId: task.id });
    expect(own.result.configs).toHaveLength(1);
  });

  test('A2: every participant on the task has it, whatever the role', async () => {
    const alice = kit.person('alice');
    const others = (['reporter', 'watcher', 'admin', 'assignee'] as const).map((role) => ({
      role,
      person: kit.person(role),
    }));
    const members = others.map(({ role, person }) => member(person.id, role));
    const task = await startWith(kit, alice, members);
    for (const { person } of others) {
      expect((await person.get(task.id)).result.id).toBe(task.id);
      expect((await person.client.call('ListTasks', {})).result.totalSize).toBe(1);
      const stream = await person.subscribe(task.id);
      expect((await stream.until(() => true)).body.task!.id).toBe(task.id);
      stream.close();
      expect(stateOf(taskOf(await person.say(task.id, 'hello')))).toMatch(/^INPUT_REQUIRED/);
    }
  });

  test("A2: a message to a stranger's context starts a task there and shows nothing of the other", async () => {
    const [alice, sam] = [kit.person('alice'), kit.person('sam')];
    const task = await alice.start('a secret');
    const own = await sam.start('hello', { contextId: task.contextId! });
    expect([own.contextId, own.id === task.id]).toEqual([task.contextId, false]);
    expect(historyOf(own).join()).not.toContain('secret');
    const { result } = await sam.client.call('ListTasks', { contextId: task.contextId });
    expect(result.tasks.map(({ id }) => id)).toEqual([own.id]);
  });

  test('A3: two senders that differ are refused, two that agree are one', async () => {
    const [alice, bob] = [kit.person('alice'), kit.person('bob')];
    const named = (participant_id: unknown) => messageOf('hi', { metadata: { participant_id } });
    expectRefusal(await alice.send(named(bob.id)), 'INVALID_PARAMS', /participant_id/);
    expectRefusal(await alice.send(named(`${alice.id} `)), 'INVALID_PARAMS');
    expect(dataOf(taskOf(await alice.send(named(alice.id)))).participants[0]!.id).toBe(alice.id);
    for (const id of [bob.id, alice.id]) {
      expect((await kit.personOf(id).client.call('ListTasks', {})).result.totalSize).toBe(
        id === alice.id ? 1 : 0,
      );
    }
  });

  test('A3: two headers that name senders make nobody either of them', async () => {
    const body = JSON.stringify({ message: messageOf('hi') });
    const headers = new Headers([
      ['A2A-Version', '1.0'],
      ['Content-Type', 'application/json'],
      ['X-Participant-Id', 'alice'],
      ['X-Participant-Id', 'bob'],
    ]);
    const answer = await fetch(`${kit.subject.url}/message:send`, {
      method: 'POST',
      headers,
      body,
    });
    // A list that was joined on its way is one name with a comma in it, which is somebody else than either.
    const { task } = (await answer.json()) as { task?: { metadata: object } };
    for (const { id } of task === undefined ? [] : dataOf(task).participants) {
      expect(['alice', 'bob']).not.toContain(id);
    }
  });

  test.each(['tiny-harness', 'anonymous'])('A3: nobody calls as %s', async (id) => {
    const person = kit.personOf(id);
    const alice = kit.person('alice');
    const task = await startWith(kit, alice, [member('anonymous', 'admin')]);
    for (const [name, attempt] of ATTEMPTS) {
      expect([name, (await attempt(person.client, task.id)).reason]).toEqual([
        name,
        'INVALID_PARAMS',
      ]);
    }
    expectRefusal(await person.client.call('ListTasks', {}), 'INVALID_PARAMS');
    const named = messageOf('hi', { metadata: { participant_id: id } });
    expectRefusal(await kit.nobody.send(named), 'INVALID_PARAMS', id);
  });

  test.each<[string, unknown]>([
    ['empty', ''],
    ['257 characters', 'x'.repeat(257)],
    ['1 MB, nearly', 'x'.repeat(1_000_000)],
    ['null', null],
    ['a number', 7],
    ['a list', ['alice']],
  ])('A3, T3: a sender that is none is refused: %s', async (_, participant_id) => {
    const answer = await kit.nobody.send(messageOf('hi', { metadata: { participant_id } }));
    expectRefusal(answer, 'INVALID_PARAMS', /participant_id/);
    expect(answer.message!.length).toBeLessThan(1000);
  });

  test.each(['__proto__', 'constructor', 'toString', 'a b', 'x'.repeat(256)])(
    'A2, A6: %s is a participant like any other',
    async (id) => {
      const person = kit.personOf(id);
      const task = await person.start();
      expect(historyOf(task)[0]).toBe(`${id}: hello`);
      expect((await person.get(task.id)).result.id).toBe(task.id);
      expectRefusal(await kit.nobody.get(task.id), 'TASK_NOT_FOUND');
    },
  );

  test('A6: whoever asserts nobody is anonymous, and has what nobody started', async () => {
    const alice = kit.person('alice');
    const task = await kit.nobody.start();
    expect(dataOf(task).participants[0]).toMatchObject({ id: 'anonymous', role: 'reporter' });
    expect((await kit.nobody.get(task.id)).result.id).toBe(task.id);
    expectRefusal(await alice.get(task.id), 'TASK_NOT_FOUND');
    expectRefusal(await kit.nobody.complete(task.id), 'INVALID_PARAMS');
    expect((await kit.nobody.cancel(task.id)).reason).toBeUndefined();
  });

  test('A6: nobody may be put on a task, and then is on it', async () => {
    const alice = kit.person('alice');
    const task = await startWith(kit, alice, [member('anonymous', 'watcher')]);
    expect((await kit.nobody.get(task.id)).result.id).toBe(task.id);
    expectRefusal(await kit.nobody.cancel(task.id), 'UNSUPPORTED_OPERATION');
  });
});

describeContract(
  'access where the server fails closed',
  (kit) => {
    test('A6: whoever asserts nobody is told that there is nothing', async () => {
      const alice = kit.person('alice');
      const task = await startWith(kit, alice, [member('anonymous', 'admin')]);
      for (const [name, attempt] of ATTEMPTS) {
        const { reason } = await attempt(kit.nobody.client, task.id);
        expect([name, reason]).toEqual([
          name,
          expect.stringMatching(/TASK_NOT_FOUND|INVALID_PARAMS/),
        ]);
      }
      const { result } = await kit.nobody.client.call('ListTasks', {});
      expect(result).toMatchObject({ tasks: [], totalSize: 0 });
      expectRefusal(await kit.nobody.send(messageOf('hi')), 'INVALID_PARAMS');
      expect((await alice.get(task.id)).result).toEqual(task);
    });

    test('A6, T4: a sender that the message names is one', async () => {
      const alice = kit.person('alice');
      const named = { metadata: { participant_id: alice.id } };
      const task = taskOf(await kit.nobody.send(messageOf('hi', named)));
      expect(dataOf(task).participants[0]!.id).toBe(alice.id);
      expectRefusal(await kit.nobody.get(task.id), 'TASK_NOT_FOUND');
      expect((await alice.get(task.id)).result.id).toBe(task.id);
      const change = taskEnvelope({ name: 'mine' }, { taskId: task.id, ...named });
      expect(dataOf(taskOf(await kit.nobody.send(change))).name).toBe('mine');
    });
  },
  { requireParticipant: true },
);
