/** E7 and T8: slash commands. */
import type { AgentCard } from '@tiny-harness/contract/agent-card';
import { PARAMS, readParams } from '@tiny-harness/contract/commands/v1';
import { expect, test } from 'vitest';
import { messageOf } from '../../support/a2a-client.ts';
import { createHold } from '../../support/conformance-agent.ts';
import {
  dataOf,
  describeContract,
  expectRefusal,
  expectUnchanged,
  historyOf,
  member,
  partsMessage,
  startWith,
  stateOf,
  taskEnvelope,
  taskOf,
  wordsOf,
} from '../../support/conformance.ts';

const WAITS = 'INPUT_REQUIRED · awaiting-next-message';

describeContract(
  'the commands extension',
  (kit) => {
    test('E7: the card lists the commands', async () => {
      const response = await fetch(`${kit.subject.url}/.well-known/agent-card.json`);
      const params = readParams((await response.json()) as AgentCard);
      if (params?.ok !== true) throw new Error('the card lists no commands');
      const { commands } = params.value;
      expect(commands.map(({ name }) => name)).toEqual(PARAMS.commands.map(({ name }) => name));
      expect(commands.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['model', 'effort', 'sub-task', 'status']),
      );
      for (const { name, description } of commands) {
        expect(name).toMatch(/^[a-z][a-z0-9-]*$/);
        expect(description).not.toBe('');
      }
    });

    test('E7: a command is answered by a reply in the unchanged state, and starts no turn', async () => {
      const alice = kit.person('alice');
      const task = await alice.start();
      for (const { name } of PARAMS.commands) {
        if (name === 'sub-task') continue;
        const reply = taskOf(await alice.say(task.id, `/${name}`));
        expect([stateOf(reply), wordsOf(reply)]).toEqual([WAITS, expect.stringMatching(/./)]);
        expect(reply.status.message).toMatchObject({
          role: 'ROLE_AGENT',
          metadata: { command: name },
        });
        expect(reply.status.message!.messageId).toMatch(new RegExp(`^${task.id}:command:\\d+$`));
        const after = (await alice.get(task.id)).result;
        expect([after.status, historyOf(after)]).toEqual([task.status, historyOf(task)]);
      }
    });

    test('E7: the stream of a command is the task and the reply', async () => {
      const alice = kit.person('alice');
      const task = await alice.start();
      const stream = await alice.stream(messageOf('/effort low', { taskId: task.id }));
      expect(await stream.over).toBe(true);
      const [first, second, ...rest] = stream.heard;
      expect([first!.body.task!.id, rest]).toEqual([task.id, []]);
      expect(dataOf(second!.body.statusUpdate!).reasoning_effort).toBe('low');
    });

    test.each([
      ['a name that is not registered', '/nonsense x'],
      ['a path', '/model/large'],
      ['a name in capitals', '/Model large'],
      ['words before it', 'please /model large'],
      ['a longer name', '/models'],
      ['a space before it', ' /model large'],
      ['a slash alone', '/'],
    ])('E7: %s is ordinary text', async (_, text) => {
      const alice = kit.person('alice');
      const task = await alice.start();
      const answer = taskOf(await alice.say(task.id, text));
      expect([wordsOf(answer), dataOf(answer).model]).toEqual([kit.agent.echo(text), null]);
    });

    test('E7: a command beside a second part is ordinary text', async () => {
      const alice = kit.person('alice');
      const task = await alice.start();
      const message = partsMessage([{ text: '/model large' }, { text: 'thanks' }], {
        taskId: task.id,
      });
      const answer = taskOf(await alice.send(message));
      expect(wordsOf(answer)).toBe(kit.agent.echo('/model large\nthanks'));
      expect(dataOf(answer).model).toBeNull();
    });

    test('E7, T8: /model shows and sets, and a refusal lists the models without the refused value', async () => {
      const alice = kit.person('alice');
      const task = await alice.start();
      expect(wordsOf(taskOf(await alice.say(task.id, '/model')))).toMatch(/large[^]*large, small/);
      const set = taskOf(await alice.say(task.id, '/model small'));
      expect(dataOf(set).model).toBe('small');
      expect(dataOf((await alice.get(task.id)).result).model).toBe('small');
      const act = () => alice.say(task.id, '/model <b>evil</b>');
      const refused = taskOf(await expectUnchanged(alice, task.id, act));
      expect(wordsOf(refused)).toMatch(/large, small/);
      expect(wordsOf(refused)).not.toContain('evil');
      expect(wordsOf(taskOf(await alice.say(task.id, '/model')))).toMatch(/^Model: small/);
    });

    test('E7, T8: /effort shows and sets one of the three', async () => {
      const alice = kit.person('alice');
      const task = await alice.start();
      for (const level of ['low', 'medium', 'high'] as const) {
        const set = taskOf(await alice.say(task.id, `/effort ${level}`));
        expect(dataOf(set).reasoning_effort).toBe(level);
      }
      for (const odd of ['none', 'HIGH', 'toString', 'low high', '__proto__']) {
        const act = () => alice.say(task.id, `/effort ${odd}`);
        expect(wordsOf(taskOf(await expectUnchanged(alice, task.id, act)))).toMatch(
          /low, medium, high/,
        );
      }
    });

    test('E7: /status and /plan say how the task stands', async () => {
      const alice = kit.person('alice');
      const steps = [
        { id: 'a', name: 'Dig', state: 'done' },
        { id: 'b', name: 'Plant', depends_on: ['a'] },
      ];
      const task = taskOf(
        await alice.send(taskEnvelope({ name: 'Garden', goal: 'g', plan: { steps } })),
      );
      const status = wordsOf(taskOf(await alice.say(task.id, '/status')));
      for (const part of [task.id, 'Garden', WAITS, 'large', '1/2']) expect(status).toContain(part);
      expect(wordsOf(taskOf(await alice.say(task.id, '/plan')))).toMatch(
        /done.*Dig[^]*pending.*Plant/,
      );
    });

    test('E7: /sub-task starts a conversation of its own, and its row follows it', async () => {
      const [alice, wanda] = [kit.person('alice'), kit.person('wanda')];
      const task = await startWith(kit, alice, [member(wanda.id, 'watcher')]);
      await alice.say(task.id, '/model small');
      const following = await alice.subscribe(task.id);
      const reply = taskOf(await alice.say(task.id, '/sub-task check the figures'));
      const childId = String(reply.status.message!.metadata!.task_ref);
      expect(wordsOf(reply)).toContain(childId);
      const row = {
        task_id: childId,
        agent: null,
        state: 'INPUT_REQUIRED',
        sub_state: 'awaiting-next-message',
      };
      expect(dataOf(reply).sub_tasks).toEqual([row]);
      const child = (await alice.get(childId)).result;
      expect([stateOf(child), child.contextId]).toEqual([WAITS, task.contextId]);
      expect(dataOf(child)).toMatchObject({
        name: 'check the figures',
        goal: 'check the figures',
        lifecycle: 'conversation',
        model: 'small',
        parent_tasks: [{ task_id: task.id }],
      });
      expect((await wanda.get(childId)).result.id).toBe(childId);
      const hold = createHold();
      const turn = alice.say(childId, kit.agent.cue({ hold }, { ask: 'sure?' }));
      await hold.reached;
      const rowOf = async () => dataOf((await wanda.get(task.id)).result).sub_tasks[0];
      expect(await rowOf()).toMatchObject({ state: 'WORKING', sub_state: null });
      hold.release();
      await turn;
      expect(await rowOf()).toMatchObject({
        state: 'INPUT_REQUIRED',
        sub_state: 'awaiting-answer',
      });
      await alice.cancel(childId);
      expect(await rowOf()).toMatchObject({ state: 'CANCELED', sub_state: null });
      const isEnded = ({ statusUpdate }: { statusUpdate?: { metadata?: object } }) =>
        JSON.stringify(statusUpdate ?? {}).includes('"CANCELED"');
      await following.until(({ body }) => isEnded(body));
      following.close();
      const second = taskOf(await alice.say(task.id, '/sub-task another'));
      expect(second.status.message!.metadata!.task_ref).not.toBe(childId);
      expect(wordsOf(taskOf(await alice.say(task.id, '/sub-task')))).toMatch(
        /\/sub-task <description>/,
      );
    });

    test('E7: a watcher may run what reads, not what changes', async () => {
      const [alice, wanda] = [kit.person('alice'), kit.person('wanda')];
      const task = await startWith(kit, alice, [member(wanda.id, 'watcher')]);
      for (const text of ['/status', '/model', '/effort', '/plan', '/help']) {
        expect(wordsOf(taskOf(await wanda.say(task.id, text)))).not.toMatch(/refused/);
      }
      for (const text of ['/model small', '/effort low', '/sub-task more', '/model nonsense']) {
        const act = () => wanda.say(task.id, text);
        const reply = taskOf(await expectUnchanged(alice, task.id, act));
        expect(wordsOf(reply)).toMatch(/watcher/);
        expect(reply.status.message!.metadata).toMatchObject({
          command: text.split(' ')[0]!.slice(1),
        });
      }
    });

    test('E7: a command during a turn answers at once and cuts nothing', async () => {
      const alice = kit.person('alice');
      const hold = createHold();
      const task = await alice.start();
      const turn = alice.say(task.id, kit.agent.cue({ hold }, { reply: 'finished' }));
      await hold.reached;
      const reply = taskOf(await alice.say(task.id, '/model small'));
      expect([stateOf(reply), dataOf(reply).model]).toEqual(['WORKING', 'small']);
      const stream = await alice.stream(messageOf('/status', { taskId: task.id }));
      expect(await stream.over).toBe(true);
      expect(stream.heard.map(({ body }) => stateOf(body.task ?? body.statusUpdate!))).toEqual([
        'WORKING',
        'WORKING',
      ]);
      hold.release();
      const answer = taskOf(await turn);
      expect([wordsOf(answer), dataOf(answer).model]).toEqual(['finished', 'small']);
      await kit.agent.idle();
    });

    test('E7: a command as the first message makes a task that waits, without a turn', async () => {
      const alice = kit.person('alice');
      const task = await alice.start('/effort high');
      expect([stateOf(task), dataOf(task).reasoning_effort]).toEqual([WAITS, 'high']);
      expect(historyOf(task)).toEqual([]);
      expect(wordsOf(taskOf(await alice.say(task.id, 'hello')))).toBe(kit.agent.echo('hello'));
    });

    test('E7, C7: a command for a task that has ended is refused', async () => {
      const alice = kit.person('alice');
      const task = await alice.start();
      await alice.complete(task.id);
      expectRefusal(
        await alice.say(task.id, '/status'),
        'UNSUPPORTED_OPERATION',
        'TASK_STATE_COMPLETED',
      );
    });

    test('E7, A5: a command that comes again is run once and answered the same', async () => {
      const alice = kit.person('alice');
      const task = await alice.start();
      const message = messageOf('/sub-task once', { taskId: task.id });
      const [first, again] = [taskOf(await alice.send(message)), taskOf(await alice.send(message))];
      expect(again.status).toEqual(first.status);
      expect(dataOf((await alice.get(task.id)).result).sub_tasks).toHaveLength(1);
    });
  },
  { models: ['large', 'small'] },
);
