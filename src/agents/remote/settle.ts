/** The end of a remote task whose task here has ended. */
import type { StreamResponse } from '@tiny-harness/contract/a2a';
import { completeMessage } from '@tiny-harness/contract/client';
import type { RemoteTask } from '../../core/remote-task.ts';
import { isTerminal } from '../../core/task.ts';
import type { RemoteClient } from './client.ts';
import { RemoteRefusal } from './client.ts';
import { RemoteTrouble } from './faults.ts';

/** What is refused because there is nothing left to do. */
const OVER = ['TASK_NOT_FOUND', 'TASK_NOT_CANCELABLE', 'UNSUPPORTED_OPERATION'];

/**
 * Completes the remote task where the agent knows that and it may be done, cancels it otherwise.
 *
 * Rejects with a RemoteTrouble when it may be tried again, with a RemoteFault when that would not help.
 */
export async function settleRemoteTask(
  client: RemoteClient,
  { taskId, remoteTaskId }: RemoteTask,
  how: 'complete' | 'cancel',
  signal: AbortSignal,
): Promise<void> {
  if (how === 'complete' && client.card.knowsTasks) {
    const message = completeMessage(remoteTaskId, { messageId: `${taskId}:complete` });
    if (await ends(() => client.send(message, signal), isRefusal)) return;
  }
  const isOver = (error: unknown) => isRefusal(error) && OVER.includes(error.reason);
  if (!(await ends(() => client.cancel(remoteTaskId, signal), isOver)))
    throw new RemoteTrouble('goes on with a task that it was told to cancel');
}

async function ends(
  call: () => Promise<StreamResponse>,
  isAnswer: (error: unknown) => boolean,
): Promise<boolean> {
  try {
    const { task } = await call();
    return task !== undefined && isTerminal(task.status.state);
  } catch (error) {
    if (isAnswer(error)) return isRefusal(error) && OVER.includes(error.reason);
    throw error;
  }
}

function isRefusal(error: unknown): error is RemoteRefusal {
  return error instanceof RemoteRefusal;
}
