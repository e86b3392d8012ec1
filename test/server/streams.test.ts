/** What streams carry, where they end, and how they are gone on with (rule A4). */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../support/a2a-client.ts';
import { BINDINGS, createClient, messageOf, stateOf } from '../support/a2a-client.ts';
import { startApp } from '../support/server.ts';

describe.each(BINDINGS)('streams over %s', (binding) => {
  let client: Client;

  beforeAll(async () => {
    const scenario = 'test/conformance/probe.yaml';
    const app = await startApp({ scenario, heartbeatMs: 150 }, 'stopped');
    client = createClient(app.url, binding);
    return () => app.stop();
  });

  const resume = (id: string, lastEventId: string) =>
    client.stream('SubscribeToTask', { id }, { headers: { 'last-event-id': lastEventId } });

  /** A task that has ended, and all its events. */
  async function play() {
    const message = messageOf('probe:slow');
    const stream = await client.stream('SendStreamingMessage', { message });
    expect(await stream.over).toBe(true);
    return { id: stream.heard[0]!.body.task!.id, heard: stream.heard };
  }

  test('a message streams the task first, then updates without a gap, until its turn ends', async () => {
    const { id, heard } = await play();
    expect(heard.map((each) => each.id)).toEqual(heard.map((_, at) => at));
    const kinds = heard.map(({ body }) => Object.keys(body)[0]);
    const chunks = Array.from({ length: 6 }, () => 'artifactUpdate');
    expect(kinds).toEqual(['task', 'statusUpdate', ...chunks, 'statusUpdate']);
    expect(heard[0]!.body.task).toMatchObject({ id, status: { state: 'TASK_STATE_SUBMITTED' } });
    expect(stateOf(heard.at(-1)!.body)).toBe('COMPLETED');
  });

  test('all who subscribe get the same', async () => {
    const { result } = await client.send('probe:slow', {}, { atOnce: true });
    const { id } = result.task!;
    const streams = await Promise.all(
      Array.from({ length: 10 }, () => client.stream('SubscribeToTask', { id })),
    );
    for (const stream of streams) expect(await stream.over).toBe(true);
    const lists = streams.map(({ heard }) => heard.slice(1).map((each) => JSON.stringify(each)));
    const shortest = Math.min(...lists.map(({ length }) => length));
    expect(shortest).toBeGreaterThan(0);
    expect(new Set(lists.map((list) => list.slice(-shortest).join('\n'))).size).toBe(1);
  });

  test('a subscription outlives turns and ends with its task', async () => {
    const { id: taskId } = (await client.send('hello')).result.task!;
    const stream = await client.stream('SubscribeToTask', { id: taskId });
    await stream.until(({ body }) => body.task !== undefined);
    expect(stream.heard[0]!.body.task).toMatchObject({
      id: taskId,
      artifacts: [{ artifactId: 'a1' }],
    });
    await client.send('hello', { taskId });
    await client.send('go on', { taskId });
    expect(await stream.over).toBe(true);
    const states = stream.heard.map(({ body }) => stateOf(body)).filter((state) => state);
    expect(states).toEqual(['INPUT_REQUIRED', 'WORKING', 'INPUT_REQUIRED', 'WORKING', 'COMPLETED']);
  });

  test('a subscription to a task that has ended is refused, with the state', async () => {
    const { id } = (await client.send('probe:complete')).result.task!;
    const { reason } = await client.stream('SubscribeToTask', { id });
    expect(reason).toBe('UNSUPPORTED_OPERATION');
  });

  test('a stream that waits carries heartbeats', async () => {
    const { id } = (await client.send('hello')).result.task!;
    const stream = await client.stream('SubscribeToTask', { id });
    await client.send('probe:chat', { taskId: id });
    await stream.until(({ body }) => body.statusUpdate !== undefined);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(stream.comments.length).toBeGreaterThan(1);
    stream.close();
  });

  describe('resuming', () => {
    test.each([
      ['from the start', () => 0],
      ['in the middle', (last: number) => Math.floor(last / 2)],
      ['before the last event', (last: number) => last - 1],
      ['after the last event', (last: number) => last],
    ])('%s, of a task that has ended', async (_, choose) => {
      const { id, heard } = await play();
      const last = heard.at(-1)!.id!;
      const from = choose(last);
      const stream = await resume(id, String(from));
      expect(await stream.over).toBe(true);
      const [first, ...rest] = stream.heard;
      // The task itself, without what its events tell again.
      expect([first!.id, first!.body.task?.id]).toEqual([from, id]);
      expect(first!.body.task?.history ?? []).toEqual([]);
      expect(first!.body.task?.artifacts ?? []).toEqual([]);
      expect(rest).toEqual(heard.slice(from + 1));
    });

    test('of a task that is being worked on: what was, then what comes', async () => {
      const message = messageOf('probe:slow');
      const whole = await client.stream('SendStreamingMessage', { message });
      await whole.until(({ body }) => body.artifactUpdate !== undefined);
      const { id } = whole.heard[0]!.body.task!;
      const cut = await resume(id, '0');
      await cut.until((heard) => heard.id === 2);
      cut.close();
      await cut.over;
      const last = cut.heard.at(-1)!.id!;
      const again = await resume(id, String(last));
      expect(await again.over).toBe(true);
      await whole.over;
      expect([...cut.heard.slice(1), ...again.heard.slice(1)]).toEqual(whole.heard.slice(1));
    });

    test.each(['-1', 'abc', '1.5', '01', '0x1', '1e3', '999', '99999999999999999999', 'null'])(
      'from %s is refused',
      async (lastEventId) => {
        const { id } = (await client.send('hello')).result.task!;
        const { reason } = await resume(id, lastEventId);
        expect(reason).toBe('INVALID_PARAMS');
      },
    );

    test('from nowhere is a new subscription', async () => {
      const { id } = (await client.send('hello')).result.task!;
      const stream = await resume(id, '');
      await stream.until(({ body }) => body.task?.history?.length === 2);
      stream.close();
    });
  });
});
