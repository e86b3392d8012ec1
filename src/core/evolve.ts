/** How a task's head follows its events. */
import type {
  NumberedEvent,
  StatusChanged,
  TaskCreated,
  TaskEvent,
  TurnStarted,
} from './events.ts';
import type { TaskHead } from './task.ts';
import { isTerminal } from './task.ts';

/** Whether streams and push notifications carry the event, so that it takes a sequence number. */
export function isNumbered(event: TaskEvent): event is TaskEvent & Omit<NumberedEvent, 'seq'> {
  return event.kind === 'created' || event.kind === 'status' || event.kind === 'artifact';
}

/** The head of a task that was just created. */
export function createHead(id: string, { contextId, data, agent }: TaskCreated): TaskHead {
  return {
    id,
    contextId,
    state: 'TASK_STATE_SUBMITTED',
    seq: 0,
    data,
    agent,
    skills: [],
    subState: undefined,
    question: undefined,
    lastTurn: 0,
    running: undefined,
    absorbed: [],
    waiting: [],
  };
}

/** Whether the update becomes the task's status. A reply in an unchanged state does not (rule T6). */
export function isKept(head: Pick<TaskHead, 'state'>, event: StatusChanged): boolean {
  return event.reply !== true || event.state !== head.state;
}

/** The head after an event of a task that exists. */
export function evolve(head: TaskHead, event: Exclude<TaskEvent, TaskCreated>): TaskHead {
  switch (event.kind) {
    case 'message':
      return event.turn === undefined ? head : queueTurn(head, event.turn, event.answers === true);
    case 'turn-started':
      return startTurn(head, event);
    case 'turn-released':
      return { ...head, running: undefined, waiting: [event.turn, ...head.waiting] };
    case 'tool-called':
    case 'surface-changed':
      return head;
    case 'skills-changed':
      return { ...head, skills: event.skills };
    case 'artifact':
      return { ...head, seq: head.seq + 1 };
    case 'status':
      return changeStatus(head, event);
  }
}

function queueTurn(head: TaskHead, turn: number, answers: boolean): TaskHead {
  const queued = { ...head, lastTurn: turn };
  if (!answers) return { ...queued, waiting: [...head.waiting, turn] };
  return { ...queued, question: undefined, waiting: [turn, ...head.waiting] };
}

function startTurn(head: TaskHead, { turn, owner, attempt, absorbed }: TurnStarted): TaskHead {
  const waiting = head.waiting.filter((number) => number !== turn);
  return { ...head, running: { number: turn, owner, attempt }, absorbed, waiting };
}

function changeStatus(head: TaskHead, event: StatusChanged): TaskHead {
  const { state, subState, question, data = head.data, endsTurn } = event;
  const ended = isTerminal(state);
  const over = ended || endsTurn !== undefined;
  return {
    ...head,
    seq: head.seq + 1,
    data,
    running: over ? undefined : head.running,
    absorbed: over ? [] : head.absorbed,
    waiting: ended ? [] : head.waiting,
    ...(isKept(head, event) ? { state, subState, question } : {}),
  };
}
