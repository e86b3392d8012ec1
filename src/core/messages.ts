/** What a participant's message does to a task. Pure functions from a task's head to events. */
import type { Message } from '@tiny-harness/contract/a2a';
import { ProtocolError } from './errors.ts';
import type {
  MessageAccepted,
  StatusChanged,
  StatusMessage,
  TaskCreated,
  TaskEvent,
} from './events.ts';
import { evolve } from './evolve.ts';
import { isAgentsTask, roleOf } from './participants.ts';
import type { TaskHead } from './task.ts';
import { isTerminal, MAX_WAITING_TURNS } from './task.ts';
import type { Lease } from './turns.ts';
import { startNextTurn, startTurn } from './turns.ts';

/** A message, by whom, and the digest that recognises it when it comes again (rule A5). */
export interface Incoming {
  readonly message: Message;
  readonly sender: string;
  readonly fingerprint: string;
  /** The URIs of the extensions that the client activated with it (rule E4). */
  readonly activated: readonly string[];
}

/** Rule C7: the refusal of a task that has ended names its state. */
export function requireActive(
  head: TaskHead,
  reason: 'UNSUPPORTED_OPERATION' | 'TASK_NOT_CANCELABLE',
  what: string,
): void {
  if (!isTerminal(head.state)) return;
  throw new ProtocolError(reason, `The task is in ${head.state} and ${what}`, {
    metadata: { taskId: head.id, state: head.state },
  });
}

/** Events of a new task that the agent works on, from its first message; started when there is a lease. */
export function startTask(
  created: TaskCreated,
  incoming: Incoming,
  lease: Lease | undefined,
): TaskEvent[] {
  const events: TaskEvent[] = [created, openTurn(incoming, 1)];
  return lease === undefined ? events : [...events, ...startTurn(1, 1, lease)];
}

/** Events of a new task that no turn starts: it waits, and what it says first is the answer. */
export function parkTask(
  created: TaskCreated,
  incoming: Incoming,
  recorded: boolean,
  parked: Omit<StatusChanged, 'kind' | 'state'>,
): TaskEvent[] {
  const state = 'TASK_STATE_INPUT_REQUIRED';
  return [created, settle(incoming, recorded, true), { kind: 'status', state, ...parked }];
}

/** How an ordinary message is taken. */
export interface Acceptance {
  readonly agentId: string;
  /** Whether it cuts the running turn. */
  readonly interrupt: boolean;
  /** Whether it says something itself, as most do: a change or a report in an envelope alone is nobody's answer. */
  readonly speaks?: boolean;
  readonly lease: Lease | undefined;
}

/**
 * Events of an ordinary message for a task.
 *
 * - A question is open: the words of whoever was asked answer it; any other message joins the history and no more.
 * - Somebody else than the agent works on the task: the assignee's words complete it, any other message joins the
 *   history.
 * - Otherwise it opens a turn, which starts when none runs; `interrupt` cuts the running one, whose message the new
 *   turn then answers as well.
 *
 * @throws ProtocolError UNSUPPORTED_OPERATION when too many messages wait
 */
export function acceptMessage(
  head: TaskHead,
  incoming: Incoming,
  { agentId, interrupt, speaks = true, lease }: Acceptance,
): TaskEvent[] {
  const { sender } = incoming;
  if (!isAgentsTask(head.data, agentId)) {
    const completes = speaks && roleOf(head.data, sender) === 'assignee';
    if (!completes) return [settle(incoming, true, false)];
    return [settle(incoming, true, true), completedBy(sender)];
  }
  if (head.question !== undefined && !(speaks && head.question.asked === sender)) {
    return [settle(incoming, true, false)];
  }
  // Messages whose turns were cut wait, too: for the end of the one that cut them.
  const waiting = head.waiting.length + head.absorbed.length;
  if (waiting >= MAX_WAITING_TURNS) throw tooManyWait(head);
  const turn = head.lastTurn + 1;
  const answers = head.question !== undefined;
  const opened: MessageAccepted = { ...openTurn(incoming, turn), answers };
  if (interrupt && head.running !== undefined && lease !== undefined) {
    const absorbed = [...head.absorbed, head.running.number];
    return [opened, ...startTurn(turn, 1, lease, absorbed)];
  }
  return [opened, ...startNextTurn(evolve(head, opened), lease)];
}

/**
 * Events of a message that is answered at once and by no turn: a command, or a request that the task does not allow.
 * The state stays; a task that had not started parks. `recorded` says whether the message joins the history.
 */
export function replyTo(
  head: TaskHead,
  incoming: Incoming,
  reply: Pick<StatusChanged, 'message' | 'label' | 'data' | 'readers'>,
  recorded = false,
): TaskEvent[] {
  const parks = head.state === 'TASK_STATE_SUBMITTED';
  return [
    settle(incoming, recorded, true),
    {
      kind: 'status',
      ...reply,
      reply: true,
      state: parks ? 'TASK_STATE_INPUT_REQUIRED' : head.state,
      subState: parks ? 'awaiting-next-message' : head.subState,
    },
  ];
}

/** The update that says that a participant has completed the task (rule C6). */
export function completedBy(sender: string): StatusChanged {
  const message: StatusMessage = { parts: [{ text: completionText(sender) }] };
  return { kind: 'status', state: 'TASK_STATE_COMPLETED', message };
}

/** What the contract has a completed task say (rule C6). */
export function completionText(sender: string): string {
  return `completed by ${sender}`;
}

/** The message opens a turn. */
function openTurn(incoming: Incoming, turn: number): MessageAccepted {
  return { kind: 'message', ...pick(incoming), recorded: true, turn, replied: false };
}

/** The message opens none. */
export function settle(incoming: Incoming, recorded: boolean, replied: boolean): MessageAccepted {
  return { kind: 'message', ...pick(incoming), recorded, turn: undefined, replied };
}

function pick({ message, sender, fingerprint, activated }: Incoming): Incoming {
  return { message, sender, fingerprint, activated };
}

function tooManyWait({ id }: TaskHead): ProtocolError {
  return new ProtocolError(
    'UNSUPPORTED_OPERATION',
    `${MAX_WAITING_TURNS} messages already wait for this task; send the next when one was answered`,
    { metadata: { taskId: id } },
  );
}
