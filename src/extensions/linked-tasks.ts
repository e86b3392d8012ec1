/**
 * Parents follow their children: a child's row on its parent changes with the child, and what became of it reaches the
 * parent's agent, in the same transaction (contract-facts, "Sub-tasks").
 */
import type { Message } from '@tiny-harness/contract/a2a';
import { SENDER_KEY } from '@tiny-harness/contract/task/v1';
import type { Decision, FurtherChange } from '../core/decision.ts';
import { createHead, evolve } from '../core/evolve.ts';
import type { TaskEvent } from '../core/events.ts';
import { completionText } from '../core/messages.ts';
import { briefId, followChild, tellResult } from '../core/sub-tasks.ts';
import type { TaskHead } from '../core/task.ts';
import { isTerminal, toShortState } from '../core/task.ts';
import type { Store } from '../store/port.ts';
import { textOf } from './task.ts';

/** Characters of a child's answer that its parent's agent is given. */
const MAX_ANSWER = 4000;

/** Characters of a child's name in what is said of it. */
const MAX_NAME = 100;

/** The store, in which every change of a child's state reaches its parents; `agentId` is the agent's participant id. */
export function linkTasks(store: Store, agentId: string): Store {
  return {
    ...store,
    change: (taskId, lookups, decide) =>
      store.change(taskId, lookups, (view) => link(taskId, view.head, decide(view), agentId)),
  };
}

/** `ended` is a task whose end this belongs to: it is told nothing any more, and may have hundreds of children. */
function link<T>(
  taskId: string,
  before: TaskHead | undefined,
  decision: Decision<T>,
  agentId: string,
  ended?: string,
): Decision<T> {
  const { events, also = [] } = decision;
  const after = replay(taskId, before, events);
  const cause = after !== undefined && isTerminal(after.state) ? taskId : undefined;
  const linked = also.map(({ taskId: other, decide, ...rest }): FurtherChange => ({
    ...rest,
    taskId: other,
    decide: (view) => link(other, view.head, decide(view), agentId, cause),
  }));
  if (after === undefined || !hasMoved(before, after)) return { ...decision, also: linked };
  const parents = after.data.parent_tasks
    .filter(({ task_id }) => task_id !== ended)
    .map(({ task_id }) => tellParent(task_id, after, agentId));
  return { ...decision, also: [...linked, ...parents] };
}

function tellParent(parentId: string, child: TaskHead, agentId: string): FurtherChange {
  const ended = isTerminal(child.state);
  return {
    taskId: parentId,
    lookups: ended ? { lastWordsOf: child.id } : {},
    decide: ({ head, lastWords }) => {
      if (head === undefined) return { events: [], result: undefined };
      const events: TaskEvent[] = followChild(head, child);
      if (ended)
        events.push(...tellResult(head, describeResult(head, child, lastWords, agentId), agentId));
      return { events, result: undefined };
    },
  };
}

/** What the parent's agent is told: how the child ended, and its last answer. Its id is another for each parent. */
function describeResult(
  parent: TaskHead,
  child: TaskHead,
  words: readonly Message[],
  agentId: string,
): Message {
  const answer = cut(findAnswer(child, words), MAX_ANSWER);
  const end = toShortState(child.state);
  const text =
    `[sub-task "${cut(child.data.name, MAX_NAME)}" (${child.id}) ${end}] ${answer}`.trim();
  return {
    messageId: `${child.id}:result:${parent.id}`,
    role: 'ROLE_USER',
    parts: [{ text }],
    metadata: { [SENDER_KEY]: agentId },
  };
}

/** The last words, or those before when the last only say who completed the task. What the task began with is no answer. */
function findAnswer({ id, data }: TaskHead, words: readonly Message[]): string {
  const texts = words.filter(({ messageId }) => messageId !== briefId(id)).map(textOf);
  const last = texts.at(-1) ?? '';
  const isNotice = data.participants.some(({ id }) => last === completionText(id));
  return (isNotice ? texts.at(-2) : undefined) ?? last;
}

/** At most so many characters, none of them halved. */
function cut(text: string, limit: number): string {
  return text.length <= limit
    ? text
    : Array.from(text.slice(0, limit * 2))
        .slice(0, limit)
        .join('');
}

function replay(
  taskId: string,
  before: TaskHead | undefined,
  events: readonly TaskEvent[],
): TaskHead | undefined {
  return events.reduce<TaskHead | undefined>((head, event) => {
    if (event.kind === 'created') return createHead(taskId, event);
    return head === undefined ? undefined : evolve(head, event);
  }, before);
}

function hasMoved(before: TaskHead | undefined, after: TaskHead): boolean {
  return before?.state !== after.state || before.subState !== after.subState;
}
