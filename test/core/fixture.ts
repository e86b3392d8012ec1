/** What the tests of decisions share: a task's data, messages, and a head that follows its events. */
import type { Message } from '@tiny-harness/contract/a2a';
import type { Participant, TaskExtensionData } from '@tiny-harness/contract/task/v1';
import { parseTaskExtensionData } from '@tiny-harness/contract/task/v1';
import type { DecisionView } from '../../src/core/decision.ts';
import type { TaskCreated, TaskEvent } from '../../src/core/events.ts';
import { createHead, evolve } from '../../src/core/evolve.ts';
import type { Incoming } from '../../src/core/messages.ts';
import { startTask } from '../../src/core/messages.ts';
import type { TaskHead } from '../../src/core/task.ts';
import type { Lease, TurnHolder } from '../../src/core/turns.ts';

export const AGENT = 'tiny-harness';

export const LEASE: Lease = { owner: 'host/1/a', until: 1000 };

export const ACCEPTANCE = { agentId: AGENT, interrupt: false, lease: LEASE };

/** What a decision is told that looked for children. */
export function viewOf(
  head: TaskHead | undefined,
  children: readonly TaskHead[] = [],
): DecisionView {
  const nothing = { accepted: undefined, artifact: undefined, call: undefined };
  return { head, children, ...nothing, surfaces: [], lastWords: [] };
}

/** A participant by id and role. */
export function participant(id: string, role: Participant['role']): Participant {
  return { id, role, kind: id === AGENT ? 'agent' : 'human', display_name: '' };
}

/** ann reports, wim watches, ada is admin, and the agent works. */
export const EVERYBODY = [
  participant('ann', 'reporter'),
  participant('wim', 'watcher'),
  participant('ada', 'admin'),
  participant(AGENT, 'assignee'),
];

/** A conversation's data. */
export function taskData(change: Partial<TaskExtensionData> = {}): TaskExtensionData {
  const lifecycle = 'conversation';
  const data = { name: 'name', goal: 'goal', participants: EVERYBODY, lifecycle, ...change };
  const result = parseTaskExtensionData(data);
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.value;
}

/** A message that says this; its id is its text. */
export function incoming(text: string, sender = 'ann'): Incoming {
  const message: Message = { messageId: text, role: 'ROLE_USER', parts: [{ text }] };
  return { message, sender, fingerprint: text, activated: [] };
}

export function created(change: Partial<TaskExtensionData> = {}): TaskCreated {
  return { kind: 'created', contextId: 'context', readers: ['ann'], data: taskData(change) };
}

/** The head after events. */
export function follow(head: TaskHead | undefined, events: readonly TaskEvent[]): TaskHead {
  let next = head;
  for (const event of events) {
    if (event.kind === 'created') next = createHead('task', event);
    else next = evolve(next!, event);
  }
  return next!;
}

/** A task whose first turn runs. */
export function workingTask(change: Partial<TaskExtensionData> = {}): TaskHead {
  return follow(undefined, startTask(created(change), incoming('one'), LEASE));
}

export const holder = (turn: number, attempt = 1): TurnHolder => ({
  turn,
  owner: LEASE.owner,
  attempt,
});

/** What a list of events is, in short. */
export const kindsOf = (events: readonly TaskEvent[]) => events.map(({ kind }) => kind);
