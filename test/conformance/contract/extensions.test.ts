/** E1 to E4 and E9: which extensions there are, and how they are asked for. */
import { EXTENSIONS } from '@tiny-harness/contract';
import type { AgentCard } from '@tiny-harness/contract/agent-card';
import { expect, test } from 'vitest';
import { messageOf } from '../../support/a2a-client.ts';
import {
  dataOf,
  describeContract,
  expectRefusal,
  stateOf,
  taskOf,
  wordsOf,
} from '../../support/conformance.ts';

const ROOT = 'https://madarauchiha-314.github.io/tiny-harness/a2a/ext';
const TASK = `${ROOT}/task/v1`;
const STATUS = `${ROOT}/status/v1`;
const A2UI = 'https://a2ui.org/a2a-extension/a2ui/v0.9.1';
const URIS = [TASK, `${ROOT}/channel/v1`, A2UI, STATUS, `${ROOT}/commands/v1`];
const UNKNOWN = 'https://example.com/ext/unknown/v1';

describeContract('extensions', (kit) => {
  const asking = (value: string) => ({ headers: { 'a2a-extensions': value } });

  test('E1: the card lists the five, in their order, and none is required', async () => {
    const response = await fetch(`${kit.subject.url}/.well-known/agent-card.json`);
    const { capabilities } = (await response.json()) as AgentCard;
    const { extensions = [] } = capabilities;
    expect(extensions.map(({ uri }) => uri)).toEqual(URIS);
    expect(EXTENSIONS.map(({ uri }) => uri)).toEqual(URIS);
    expect(extensions.filter((extension) => 'required' in extension)).toEqual([]);
  });

  test.each([
    ['one', STATUS, [STATUS]],
    ['several', URIS.join(','), URIS],
    ['spaces', `  ${TASK} ,\t${A2UI}  `, [TASK, A2UI]],
    ['the same twice', `${TASK}, ${TASK}`, [TASK]],
    ['empty members', `,${TASK},,`, [TASK]],
  ])('E2: what is activated is echoed: %s', async (_, header, activated) => {
    const alice = kit.person('alice');
    const { client } = alice;
    const echoOf = ({ headers }: { headers: Headers }) =>
      headers
        .get('a2a-extensions')
        ?.split(',')
        .map((uri) => uri.trim());
    const answer = await client.call('SendMessage', { message: messageOf('hi') }, asking(header));
    expect(echoOf(answer)).toEqual(activated);
    const { id } = taskOf(answer);
    expect(echoOf(await client.call('GetTask', { id }, asking(header)))).toEqual(activated);
    const message = messageOf('again', { taskId: id });
    const stream = await client.stream('SendStreamingMessage', { message }, asking(header));
    expect(echoOf(stream)).toEqual(activated);
    await stream.over;
    const following = await client.stream('SubscribeToTask', { id }, asking(header));
    expect(echoOf(following)).toEqual(activated);
    following.close();
  });

  test('E2: the header may be repeated, in any case', async () => {
    const alice = kit.person('alice');
    const headers = new Headers([
      ['A2A-Version', '1.0'],
      ['Content-Type', 'application/json'],
      ['X-Participant-Id', alice.id],
      ['A2A-EXTENSIONS', TASK],
      ['a2a-extensions', STATUS],
    ]);
    const body = JSON.stringify({ message: messageOf('hi') });
    const answer = await fetch(`${kit.subject.url}/message:send`, {
      method: 'POST',
      headers,
      body,
    });
    expect(answer.headers.get('a2a-extensions')).toBe(`${TASK}, ${STATUS}`);
  });

  test('E2, E4: without the header nothing is echoed, and the data is there all the same', async () => {
    const alice = kit.person('alice');
    const answer = await alice.send(messageOf('hi'));
    expect(answer.headers.has('a2a-extensions')).toBe(false);
    const task = taskOf(answer);
    expect([stateOf(task), dataOf(task).lifecycle]).toEqual([
      'INPUT_REQUIRED · awaiting-next-message',
      'conversation',
    ]);
    expect(wordsOf(taskOf(await alice.say(task.id, '/effort low')))).toMatch(/low/);
    // Nor does the header change anything.
    const asked = await alice.client.call('GetTask', { id: task.id }, asking(URIS.join(', ')));
    expect(asked.result).toEqual((await alice.get(task.id)).result);
  });

  test('E3: an extension that the card does not list is refused, in the header of every operation', async () => {
    const alice = kit.person('alice');
    const { client } = alice;
    const task = await alice.start();
    const header = asking(`${TASK}, ${UNKNOWN}`);
    const { id } = task;
    const refused = await Promise.all([
      client.call('SendMessage', { message: messageOf('hi') }, header),
      client.call('SendMessage', { message: messageOf('hi', { taskId: id }) }, header),
      client.call('GetTask', { id }, header),
      client.call('ListTasks', {}, header),
      client.call('CancelTask', { id }, header),
      client.call(
        'CreateTaskPushNotificationConfig',
        { taskId: id, url: 'https://example.com/' },
        header,
      ),
      client.call('GetTaskPushNotificationConfig', { taskId: id, id: 'x' }, header),
      client.call('ListTaskPushNotificationConfigs', { taskId: id }, header),
      client.call('DeleteTaskPushNotificationConfig', { taskId: id, id: 'x' }, header),
    ]);
    for (const answer of refused) {
      expectRefusal(answer, 'UNSUPPORTED_OPERATION', UNKNOWN);
      expect(answer.headers.has('a2a-extensions')).toBe(false);
    }
    const streams = await Promise.all([
      client.stream('SendStreamingMessage', { message: messageOf('hi') }, header),
      client.stream('SubscribeToTask', { id }, header),
    ]);
    expect(streams.map(({ reason }) => reason)).toEqual(Array(2).fill('UNSUPPORTED_OPERATION'));
    const list = (await client.call('ListTasks', { historyLength: 10 })).result;
    expect([list.totalSize, list.tasks[0]!.history]).toEqual([1, task.history]);
  });

  test('E3: an extension that the card does not list is refused in the message too', async () => {
    const alice = kit.person('alice');
    const message = messageOf('hi', { extensions: [STATUS, UNKNOWN] });
    expectRefusal(await alice.send(message), 'UNSUPPORTED_OPERATION', UNKNOWN);
    expect((await alice.client.call('ListTasks', {})).result.totalSize).toBe(0);
    expect(stateOf(taskOf(await alice.send(messageOf('hi', { extensions: URIS }))))).toMatch(
      /^INPUT/,
    );
  });

  test('E9: who knows no extension sees a plain agent: a Task, then status and artifact updates', async () => {
    const stream = await kit.nobody.stream(
      messageOf(kit.agent.cue({ say: 'thinking' }, { artifact: 'a', chunks: ['1', '2'] })),
    );
    expect(await stream.over).toBe(true);
    const kinds = stream.heard.map(({ body }) => Object.keys(body).join());
    expect(kinds).toEqual([
      'task',
      'statusUpdate',
      'statusUpdate',
      'artifactUpdate',
      'artifactUpdate',
      'statusUpdate',
    ]);
    const { id } = stream.heard[0]!.body.task!;
    const following = await kit.nobody.subscribe(id);
    for (const text of ['/effort low', 'and more', '/sub-task other'])
      await kit.nobody.say(id, text);
    await following.until(({ id: at }) => at === following.heard[0]!.id! + 4);
    const [first, ...rest] = following.heard;
    expect(Object.keys(first!.body)).toEqual(['task']);
    expect([...new Set(rest.flatMap(({ body }) => Object.keys(body)))]).toEqual(['statusUpdate']);
    following.close();
  });

  test('E9, A6: a conversation by nobody, without any header of ours, works', async () => {
    const task = await kit.nobody.start('hello');
    const answer = taskOf(await kit.nobody.say(task.id, 'and again'));
    expect([answer.status.state, wordsOf(answer)]).toEqual([
      'TASK_STATE_INPUT_REQUIRED',
      kit.agent.echo('and again'),
    ]);
    const { result } = await kit.nobody.cancel(task.id);
    expect(result.status.state).toBe('TASK_STATE_CANCELED');
  });
});
