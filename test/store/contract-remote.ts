/** What a store keeps of the tasks that remote agents work on. */
import { expect, test } from 'vitest';
import type { RemoteTask } from '../../src/core/remote-task.ts';
import type { OpenStore } from './fixture.ts';
import { append, createClock, created, status } from './fixture.ts';

const task: RemoteTask = {
  taskId: 'task.1',
  agent: 'translator',
  remoteTaskId: 'theirs',
  contextId: 'their-context',
  turn: 1,
  open: true,
};

/** Tests what a store keeps of remote tasks. */
export function describeRemoteTasks(open: OpenStore): void {
  const { now } = createClock();

  test('a remote task is remembered as it was put last', async () => {
    const store = open(now);
    expect(await store.readRemoteTask('task.1')).toBeUndefined();
    await store.putRemoteTask(task);
    expect(await store.readRemoteTask('task.1')).toEqual(task);
    const bare = { ...task, contextId: undefined, turn: 2, open: false };
    await store.putRemoteTask(bare);
    expect(await store.readRemoteTask('task.1')).toEqual(bare);
    await store.close();
  });

  test('remote tasks are listed while they are open, all or those whose own task has ended', async () => {
    const store = open(now);
    const ids = ['b', 'a', 'done', 'failed', 'closed'];
    for (const taskId of ids) {
      await append(store, taskId, created());
      await store.putRemoteTask({ ...task, taskId, open: taskId !== 'closed' });
    }
    await append(store, 'done', status('TASK_STATE_COMPLETED'));
    await append(store, 'failed', status('TASK_STATE_FAILED'));
    await append(store, 'closed', status('TASK_STATE_CANCELED'));
    await append(store, 'b', status('TASK_STATE_INPUT_REQUIRED'));
    const list = async (...args: Parameters<typeof store.listOpenRemoteTasks>) =>
      (await store.listOpenRemoteTasks(...args)).map(({ taskId }) => taskId);
    expect(await list('any', 10)).toEqual(['a', 'b', 'done', 'failed']);
    expect(await list('any', 3)).toEqual(['a', 'b', 'done']);
    expect(await list('ended', 10)).toEqual(['done', 'failed']);
    expect(await list('ended', 1)).toEqual(['done']);
    await store.close();
  });
}
