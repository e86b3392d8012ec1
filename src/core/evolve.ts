/** How a task's head follows its events. */
import type { NumberedEvent, TaskEvent } from './events.ts';
import type { TaskHead } from './task.ts';
import { isTerminal } from './task.ts';

/** Whether streams and push notifications carry the event, so that it takes a sequence number. */
export function isNumbered(event: TaskEvent): event is TaskEvent & Omit<NumberedEvent, 'seq'> {
  return event.kind === 'created' || event.kind === 'status' || event.kind === 'artifact';
}

/** The head of a task that was just created. */
export function createHead(
  id: string,
  contextId: string,
  metadata: TaskHead['metadata'],
): TaskHead {
  return {
    id,
    contextId,
    state: 'TASK_STATE_SUBMITTED',
    seq: 0,
    metadata,
    lastTurn: 0,
    running: undefined,
    waiting: undefined,
  };
}

/** The head after an event. Events of a task that does not exist, and a second creation, are mistakes. */
export function evolve(head: TaskHead, event: Exclude<TaskEvent, { kind: 'created' }>): TaskHead {
  switch (event.kind) {
    case 'message':
      return event.turn === undefined ? head : queueTurn(head, event.turn);
    case 'turn-started':
      return startTurn(head, event);
    case 'turn-released':
      return { ...head, running: undefined, waiting: putFirst(head.waiting, event.turn) };
    case 'artifact':
      return { ...head, seq: head.seq + 1 };
    case 'status':
      return changeStatus(head, event);
  }
}

function queueTurn(head: TaskHead, turn: number): TaskHead {
  const { waiting } = head;
  return {
    ...head,
    lastTurn: turn,
    waiting:
      waiting === undefined ? { first: turn, count: 1 } : { ...waiting, count: waiting.count + 1 },
  };
}

function startTurn(head: TaskHead, event: TaskEvent & { kind: 'turn-started' }): TaskHead {
  const { turn: number, owner, attempt } = event;
  const running = { number, owner, attempt };
  // A turn that is run again was not waiting.
  if (head.running?.number === number || head.waiting === undefined) return { ...head, running };
  const { first, count } = head.waiting;
  return {
    ...head,
    running,
    waiting: count === 1 ? undefined : { first: first + 1, count: count - 1 },
  };
}

function putFirst(waiting: TaskHead['waiting'], turn: number): TaskHead['waiting'] {
  return { first: turn, count: (waiting?.count ?? 0) + 1 };
}

function changeStatus(head: TaskHead, event: TaskEvent & { kind: 'status' }): TaskHead {
  const over = isTerminal(event.state) || event.endsTurn !== undefined;
  return {
    ...head,
    seq: head.seq + 1,
    state: event.state,
    metadata: event.taskMetadata ?? head.metadata,
    running: over ? undefined : head.running,
    waiting: isTerminal(event.state) ? undefined : head.waiting,
  };
}
