/** A task's children: their rows on it, and how the rows follow them. Pure functions. */
import type { Message } from '@tiny-harness/contract/a2a';
import type { TaskExtensionData, TaskRef } from '@tiny-harness/contract/task/v1';
import type { MessageAccepted, TaskEvent } from './events.ts';
import { isAgentsTask } from './participants.ts';
import type { TaskHead, TerminalState } from './task.ts';
import { isShortTerminal, isTerminal, MAX_WAITING_TURNS, toShortState } from './task.ts';

/** The most children that a task has: each change of one is an event of its parent's that holds the rows of all. */
export const MAX_CHILDREN = 256;

/** What a parent's row says of a child. */
type Child = Pick<TaskHead, 'id' | 'state' | 'subState' | 'agent'>;

/** Ids of the children that have not ended. */
export function unresolvedChildren({ sub_tasks }: TaskExtensionData): string[] {
  return sub_tasks.filter(({ state }) => !isResolved(state)).map(({ task_id }) => task_id);
}

/** The id of a task's next child: `<parent>.<n>`. */
export function nextChildId({ id, data }: Pick<TaskHead, 'id' | 'data'>): string {
  const own = data.sub_tasks.filter(({ task_id }) => task_id.startsWith(`${id}.`));
  return `${id}.${own.length + 1}`;
}

/** The id of the message with which an agent starts a child. */
export function briefId(childId: string): string {
  return `${childId}:brief`;
}

/** The row of a child as it is. */
export function rowOf({ id, state, subState, agent }: Child): TaskRef {
  return {
    task_id: id,
    agent: agent === undefined ? null : { kind: 'agent', id: agent, version: null },
    state: toShortState(state),
    sub_state: subState ?? null,
  };
}

/** Events of a task whose child has changed: its row follows. None when the row says so already, or the task has ended. */
export function followChild(head: TaskHead, child: Child): TaskEvent[] {
  if (isTerminal(head.state)) return [];
  const row = rowOf(child);
  const rows = head.data.sub_tasks;
  const old = rows.find(({ task_id }) => task_id === row.task_id);
  if (old?.state === row.state && old.sub_state === row.sub_state) return [];
  const sub_tasks =
    old === undefined
      ? [...rows, row]
      : rows.map((each) =>
          each === old ? { ...old, state: row.state, sub_state: row.sub_state } : each,
        );
  return [changeData(head, { ...head.data, sub_tasks })];
}

/**
 * Events of a task that is told what became of a child: a message from the agent itself. Where the agent works on the
 * task it opens a turn, behind those that wait and behind an open question.
 */
export function tellResult(head: TaskHead, message: Message, agentId: string): MessageAccepted[] {
  if (isTerminal(head.state)) return [];
  const opens = isAgentsTask(head.data, agentId) && head.waiting.length < MAX_WAITING_TURNS;
  return [
    {
      kind: 'message',
      message,
      sender: agentId,
      fingerprint: '',
      activated: [],
      recorded: true,
      turn: opens ? head.lastTurn + 1 : undefined,
      replied: false,
    },
  ];
}

/** The data with the rows of some children in a state that nothing leaves. */
export function resolveChildren(
  data: TaskExtensionData,
  ids: readonly string[],
  state: TerminalState,
): TaskExtensionData {
  const resolved = { state: toShortState(state), sub_state: null };
  const sub_tasks = data.sub_tasks.map((row) =>
    ids.includes(row.task_id) ? { ...row, ...resolved } : row,
  );
  return { ...data, sub_tasks };
}

/** The update that gives a task new data in an unchanged state. */
export function changeData(
  head: TaskHead,
  data: TaskExtensionData,
): TaskEvent & { kind: 'status' } {
  return {
    kind: 'status',
    state: head.state,
    message: undefined,
    reply: true,
    subState: head.subState,
    data,
  };
}

function isResolved(state: TaskRef['state']): boolean {
  return state !== null && isShortTerminal(state);
}
