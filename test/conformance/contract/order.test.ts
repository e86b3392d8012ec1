/** A7: one answer to several faults, the first in the rule's order; and bad input that changes nothing. */
import { describe, expect, test } from 'vitest';
import type { UserMessage } from '../../support/a2a-client.ts';
import { messageOf } from '../../support/a2a-client.ts';
import type { Kit, Person } from '../../support/conformance.ts';
import {
  channelMessage,
  completion,
  describeContract,
  envelope,
  envelopePart,
  expectRefusal,
  expectUnchanged,
  member,
  partsMessage,
  startWith,
  taskEnvelope,
  taskOf,
  wordsOf,
} from '../../support/conformance.ts';

/** Who and what a request is about, changed by each fault. */
interface Draft {
  message: UserMessage;
  caller: string | undefined;
  headers: Record<string, string | undefined>;
}

/** The stage at which a fault is due in A7's order, what it does to a request, and what it is answered with. */
interface Fault {
  readonly stage: string;
  readonly name: string;
  readonly reason: string;
  spoil(draft: Draft, scene: Scene): void;
}

interface Scene {
  readonly kit: Kit;
  readonly alice: Person;
  readonly wanda: Person;
  readonly sam: Person;
  readonly taskId: string;
  /** A message of alice's that was accepted. */
  readonly accepted: UserMessage;
}

const order = { kind: 'control', action: 'complete' };

/** In A7's order. `part` says that the fault needs the message's first part: two such do not go together. */
const FAULTS: readonly (Fault & { readonly part?: true; readonly who?: true })[] = [
  {
    stage: 'version',
    name: 'a version that is not spoken',
    reason: 'VERSION_NOT_SUPPORTED',
    spoil: (draft) => (draft.headers['a2a-version'] = '0.3'),
  },
  {
    stage: 'ProtoJSON',
    name: 'an unknown role of the message',
    reason: 'INVALID_PARAMS',
    spoil: (draft) => Object.assign(draft.message, { role: 'ROLE_KING' }),
  },
  {
    stage: 'sender',
    name: 'two senders',
    reason: 'INVALID_PARAMS',
    spoil: (draft) =>
      (draft.message.metadata = { ...draft.message.metadata, participant_id: 'other' }),
  },
  {
    stage: 'extensions',
    name: 'an unknown extension',
    reason: 'UNSUPPORTED_OPERATION',
    spoil: (draft) => (draft.headers['a2a-extensions'] = 'https://example.com/x'),
  },
  {
    stage: 'access',
    name: 'a stranger',
    reason: 'TASK_NOT_FOUND',
    who: true,
    spoil: (draft, { sam }) => (draft.caller = sam.id),
  },
  {
    stage: 'duplicate',
    name: 'a message id with other content',
    reason: 'INVALID_PARAMS',
    who: true,
    spoil: (draft, { accepted }) => (draft.message.messageId = accepted.messageId),
  },
  {
    stage: 'terminal state',
    name: 'a task that has ended',
    reason: 'UNSUPPORTED_OPERATION',
    spoil: () => undefined,
  },
  {
    stage: 'content type',
    name: 'a media type that is not taken',
    reason: 'CONTENT_TYPE_NOT_SUPPORTED',
    spoil: (draft) => draft.message.parts.push({ text: 'x', mediaType: 'video/x-strange' }),
  },
  {
    stage: 'data-part schema',
    name: 'an envelope that is not valid',
    reason: 'INVALID_PARAMS',
    part: true,
    spoil: (draft) => (draft.message.parts[0] = envelopePart({ kind: 'control', action: 'pause' })),
  },
  {
    stage: 'role',
    name: 'an order by a watcher',
    reason: 'UNSUPPORTED_OPERATION',
    part: true,
    who: true,
    spoil: (draft, { wanda }) => {
      draft.caller = wanda.id;
      draft.message.parts[0] = envelopePart(order);
    },
  },
];

const PAIRS = FAULTS.flatMap((first, at) =>
  FAULTS.slice(at + 1)
    .filter((second) => !(first.part && second.part) && !(first.who && second.who))
    .map((second) => [first, second] as const),
);

/** What tells a fault from another with the same reason. */
const WORDS: Readonly<Record<string, RegExp>> = {
  ProtoJSON: /role/,
  sender: /participant_id/,
  extensions: /example\.com/,
  duplicate: /messageId/,
  'terminal state': /TASK_STATE_COMPLETED/,
  'data-part schema': /action|complete/,
  role: /watcher/,
};

describeContract('faults in order', (kit) => {
  async function setScene(ended: boolean): Promise<Scene> {
    const [alice, wanda, sam] = [kit.person('alice'), kit.person('wanda'), kit.person('sam')];
    const { id } = await startWith(kit, alice, [member(wanda.id, 'watcher')]);
    const accepted = messageOf('accepted', { taskId: id });
    await alice.send(accepted);
    if (ended) await alice.complete(id);
    return { kit, alice, wanda, sam, taskId: id, accepted };
  }

  async function send(faults: readonly Fault[]) {
    const scene = await setScene(faults.some(({ stage }) => stage === 'terminal state'));
    const draft: Draft = {
      message: messageOf('hello', { taskId: scene.taskId }),
      caller: scene.alice.id,
      headers: {},
    };
    for (const fault of faults) fault.spoil(draft, scene);
    const { caller, headers, message } = draft;
    return expectUnchanged(scene.alice, scene.taskId, () =>
      scene.alice.client.call('SendMessage', { message }, { as: caller, headers }),
    );
  }

  test.each(FAULTS.map((fault) => [fault.stage, fault.name, fault] as const))(
    'A7: %s: %s',
    async (stage, _, fault) => {
      expectRefusal(await send([fault]), fault.reason, WORDS[stage]);
    },
  );

  test.each(PAIRS.map(([first, second]) => [first.name, second.name, first, second] as const))(
    'A7: %s goes before %s',
    async (_, _second, first, second) => {
      expectRefusal(await send([second, first]), first.reason, WORDS[first.stage]);
    },
  );

  test("A7: data that is not valid goes before fields that are not the sender's to set", async () => {
    const alice = kit.person('alice');
    const payload = { name: 'n', goal: 'g', model: 'x' };
    for (const odd of [
      { ...payload, plan: { steps: [{ id: 'a', name: 'a', depends_on: ['a'] }] } },
      { ...payload, participants: [member('bob', 'admin'), member('bob', 'admin')] },
      { ...payload, colour: 'red' },
      { ...payload, name: 7 },
    ]) {
      expectRefusal(await alice.send(taskEnvelope(odd)), 'INVALID_PARAMS');
    }
    expectRefusal(await alice.send(taskEnvelope(payload)), 'UNSUPPORTED_OPERATION', /model/);
  });

  test('A7, C4: an order by nobody is refused before its extensions are looked at', async () => {
    const { alice, taskId } = await setScene(false);
    const order = completion(taskId, { extensions: ['https://example.com/x'] });
    const act = () => kit.nobody.send(order);
    expectRefusal(await expectUnchanged(alice, taskId, act), 'INVALID_PARAMS', /participant_id/);
    expectRefusal(await alice.send(order), 'UNSUPPORTED_OPERATION', /example\.com/);
  });

  test('A7: a role that may not change goes before fields that may not be changed', async () => {
    const { alice, wanda, taskId } = await setScene(false);
    const change = () => taskEnvelope({ goal: 'x', model: 'x' }, { taskId });
    const refuse = async (person: Person) =>
      wordsOf(taskOf(await expectUnchanged(alice, taskId, () => person.send(change()))));
    expect(await refuse(wanda)).toMatch(/watcher/);
    expect(await refuse(alice)).toMatch(/goal, model/);
  });

  test('A7: a repeated message is answered again, whatever has become of the task since', async () => {
    const { alice, taskId, accepted } = await setScene(true);
    const again = await expectUnchanged(alice, taskId, () => alice.send(accepted));
    expect(again.reason).toBeUndefined();
  });

  test('A7: a command is checked for its media type and extensions like any other message', async () => {
    const { alice, taskId } = await setScene(false);
    const odd = partsMessage([{ text: '/status', mediaType: 'video/x-strange' }], { taskId });
    expectRefusal(await alice.send(odd), 'CONTENT_TYPE_NOT_SUPPORTED');
  });
});

describeContract('bad input', (kit) => {
  const base = { name: 'n', goal: 'g' };
  const cases: readonly [string, unknown][] = [
    ['no object', 'task'],
    ['null', null],
    ['a list', [{ kind: 'task', payload: base }]],
    ['an empty object', {}],
    ['an unknown kind', { kind: 'tusk', payload: base }],
    ['a kind that is no string', { kind: ['task'], payload: base }],
    ['a kind that JavaScript knows', { kind: '__proto__', payload: base }],
    ['no payload', { kind: 'task' }],
    ['a payload that is null', { kind: 'task', payload: null }],
    ['a payload that is a list', { kind: 'task', payload: [base] }],
    ['a field beside the payload', { kind: 'task', payload: base, note: 'x' }],
    ['an action beside the payload', { kind: 'task', payload: base, action: 'complete' }],
    ['an extra field in the payload', { kind: 'task', payload: { ...base, colour: 'red' } }],
    ['a name that is null', { kind: 'task', payload: { ...base, name: null } }],
    ['participants that are no list', { kind: 'task', payload: { ...base, participants: {} } }],
    ['a status update without payload', { kind: 'status_update' }],
    ['a status update with an action', { kind: 'status_update', payload: {}, action: 'complete' }],
    ['an artifact update that is a list', { kind: 'artifact_update', payload: [] }],
  ];

  describe.each(cases)('%s', (_, data) => {
    test('C3, T7: an envelope that is not valid is refused, and creates and changes nothing', async () => {
      const alice = kit.person('alice');
      const task = await alice.start();
      const refused = await expectUnchanged(alice, task.id, async () => {
        const answer = await alice.send(envelope(data, { taskId: task.id }));
        expectRefusal(await alice.send(envelope(data)), 'INVALID_PARAMS');
        return answer;
      });
      expectRefusal(refused, 'INVALID_PARAMS');
      expect(refused.fields[0]).toMatch(/^message\.parts\[0\]\.data/);
    });
  });

  test('C3: a message holds one envelope', async () => {
    const alice = kit.person('alice');
    const part = envelopePart({ kind: 'task', payload: base });
    expectRefusal(await alice.send(partsMessage([part, part])), 'INVALID_PARAMS', /one/);
  });

  test('T7: of an envelope that is refused nothing is applied, not even what would be allowed', async () => {
    const alice = kit.person('alice');
    const task = await alice.start();
    for (const payload of [
      { name: 'new', description: 'new', lifecycle: null },
      { name: 'new', goal: 'new' },
      { description: 'new', participants: [member('bob', 'admin')] },
    ]) {
      const message = taskEnvelope(payload, { taskId: task.id });
      await expectUnchanged(alice, task.id, () => alice.send(message));
    }
  });

  test('E6, T7: a bad part spoils the good ones beside it', async () => {
    const alice = kit.person('alice');
    const task = await alice.start();
    const good = channelMessage(task.id, { channel_id: task.id, sender: alice.id, text: 'x' });
    const bad = envelopePart({ kind: 'task', payload: { colour: 'red' } });
    const parts = [{ text: 'hello' }, ...good.parts, bad] as UserMessage['parts'];
    const act = () => alice.send(partsMessage(parts, { taskId: task.id }));
    expectRefusal(await expectUnchanged(alice, task.id, act), 'INVALID_PARAMS');
  });

  test('T1: names that JavaScript knows are words like others', async () => {
    const alice = kit.person('alice');
    const task = await alice.start('__proto__');
    const step = { id: '__proto__', name: 'constructor', depends_on: ['toString'] };
    const plan = { steps: [step, { id: 'toString', name: 'x' }] };
    const made = await alice.send(taskEnvelope({ name: '__proto__', goal: 'constructor', plan }));
    expect(made.reason).toBeUndefined();
    const data = JSON.parse(
      '{"kind":"task","payload":{"__proto__":{"name":"x"},"name":"y"}}',
    ) as unknown;
    const act = () => alice.send(envelope(data, { taskId: task.id }));
    expectRefusal(await expectUnchanged(alice, task.id, act), 'INVALID_PARAMS');
  });
});
