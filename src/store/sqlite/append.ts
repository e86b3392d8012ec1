/** Appends events to a task's log and keeps what is read from it up to date, within the caller's transaction. */
import type { Database } from 'better-sqlite3';
import type {
  ArtifactUpdated,
  MessageAccepted,
  StatusChanged,
  TaskCreated,
  TaskEvent,
} from '../../core/events.ts';
import { createHead, evolve, isKept } from '../../core/evolve.ts';
import { isTerminal } from '../../core/task.ts';
import type { TaskHead } from '../../core/task.ts';
import type { AgentState } from './agent-state.ts';
import type { EventLog } from './event-log.ts';
import { toStateNumber } from './states.ts';
import type { StoredHead, TaskRows } from './task-row.ts';

/** Appends events; returns the task as it is then. */
export type AppendEvents = (
  taskId: string,
  before: StoredHead | undefined,
  events: readonly TaskEvent[],
  now: number,
) => StoredHead;

interface Parts {
  readonly log: EventLog;
  readonly agents: AgentState;
  readonly statements: ReturnType<typeof prepareStatements>;
}

/** Prepares the statements. */
export function createAppend(
  db: Database,
  { rows, log, agents }: { rows: TaskRows; log: EventLog; agents: AgentState },
): AppendEvents {
  const statements = prepareStatements(db);
  const parts: Parts = { log, agents, statements };
  return (taskId, before, events, now) => {
    // The clock may be set back; a task's time may not.
    const at = Math.max(now, before?.at ?? 0);
    const created = events[0]?.kind === 'created' ? events[0] : undefined;
    const start = created === undefined ? before : appendCreated(log, taskId, created, at);
    if (start === undefined) throw new Error(`task ${taskId} does not exist`);

    let task = start;
    let leaseUntil: number | undefined;
    for (const event of created === undefined ? events : events.slice(1)) {
      if (event.kind === 'turn-started') leaseUntil = event.leaseUntil;
      task = appendEvent(parts, task, event, at);
    }

    if (created === undefined) {
      rows.update(task, leaseUntil);
      if (task.statusSeq > start.statusSeq) {
        statements.moveMemberships.run(toStateNumber(task.head.state), at, taskId);
      }
      if (task.head.seq > start.head.seq) statements.wakePush.run(at, taskId);
      for (const event of events) {
        if (event.kind === 'status' && event.readers) moveReaders(parts, task, event.readers);
      }
    } else {
      rows.insert(task, leaseUntil);
      insertMemberships(parts, task, created.readers);
    }
    return task;
  };
}

function appendCreated(log: EventLog, taskId: string, event: TaskCreated, at: number): StoredHead {
  const { contextId } = event;
  const statusSeq = 0;
  const dataSeq = 0;
  // Objects of one shape, member by member, here and below: spreading and adding is slow, and this is done a lot.
  const place = {
    taskId,
    contextId,
    at,
    running: undefined,
    absorbed: [],
    endsTurn: false,
    statusSeq,
    dataSeq,
  };
  log.insert({ ...event, seq: 0 }, place);
  return { head: createHead(taskId, event), at, statusSeq, dataSeq };
}

/** Whoever is no reader any more loses sight of the task; who has become one sees it. */
function moveReaders(parts: Parts, task: StoredHead, readers: readonly string[]): void {
  const { id } = task.head;
  parts.statements.deleteMemberships.run(id);
  insertMemberships(parts, task, readers);
  parts.statements.deleteOthersConfigs.run(id, JSON.stringify(readers));
}

/** Lists sort by the time of the status, which may be older than what has just happened. */
function insertMemberships(
  { statements }: Parts,
  { head, statusSeq }: StoredHead,
  readers: readonly string[],
): void {
  const { id, contextId, state } = head;
  for (const reader of new Set(readers)) {
    statements.insertMembership.run(reader, contextId, toStateNumber(state), id, statusSeq);
  }
}

function appendEvent(parts: Parts, task: StoredHead, event: TaskEvent, at: number): StoredHead {
  if (event.kind === 'created') throw new Error(`task ${task.head.id} exists already`);
  const head = evolve(task.head, event);
  switch (event.kind) {
    case 'message':
      appendMessage(parts, head, event);
      return { ...task, head };
    case 'tool-called':
      parts.agents.putCall(head.id, event);
      return { ...task, head };
    case 'surface-changed':
      parts.agents.putSurface(head.id, event);
      return { ...task, head };
    case 'turn-started':
    case 'turn-released':
    case 'skills-changed':
      return { ...task, head };
    case 'status':
    case 'artifact':
      return appendNumbered(parts, task, { ...task, head, at }, event);
  }
}

/** A message of the history names its task and context, whether or not its sender did (specification 4.1.4). */
function appendMessage({ statements }: Parts, head: TaskHead, event: MessageAccepted): void {
  const { sender, fingerprint, recorded, replied } = event;
  const { id, contextId, seq } = head;
  const turn = event.turn ?? null;
  const message = { ...event.message, taskId: id, contextId };
  if (recorded) {
    const activated = event.activated.length === 0 ? null : JSON.stringify(event.activated);
    statements.insertHistory.run(id, seq, sender, turn, activated, JSON.stringify(message));
  }
  const { messageId } = message;
  statements.insertAccepted.run(sender, messageId, fingerprint, id, turn, seq, Number(replied));
}

function appendNumbered(
  { log, agents, statements }: Parts,
  before: StoredHead,
  moved: StoredHead,
  event: StatusChanged | ArtifactUpdated,
): StoredHead {
  const { id: taskId, contextId, seq } = moved.head;
  const { head, at } = moved;
  let { statusSeq, dataSeq } = moved;
  if (event.kind === 'status') {
    if (isKept(before.head, event)) statusSeq = seq;
    if (event.data !== undefined) dataSeq = seq;
    projectStatus(statements, moved, event);
  } else {
    projectArtifact(statements, moved, event);
  }
  const { running, absorbed } = before.head;
  const endsTurn = running !== undefined && head.running === undefined;
  const ends = isTerminal(head.state);
  if (ends) agents.forgetSurfaces(taskId);
  if (ends || endsTurn) agents.forgetCalls(taskId);
  const place = { taskId, contextId, at, running, absorbed, endsTurn, statusSeq, dataSeq };
  log.insert({ ...event, seq }, place);
  return { head, at, statusSeq, dataSeq };
}

function projectStatus(
  statements: Parts['statements'],
  { head: { id, seq } }: StoredHead,
  { message, memory, state, reply }: StatusChanged,
): void {
  if (message !== undefined && reply !== true) {
    statements.insertHistory.run(id, seq, null, null, null, null);
  }
  if (isTerminal(state)) {
    // Nobody asks for the memory of a task without further turns.
    statements.deleteMemory.run(id);
  } else if (memory !== undefined) {
    statements.putMemory.run(id, JSON.stringify(memory));
  }
}

function projectArtifact(
  statements: Parts['statements'],
  { head: { id, seq } }: StoredHead,
  { artifact: { artifactId }, append, lastChunk }: ArtifactUpdated,
): void {
  if (!append) {
    statements.putArtifact.run(id, artifactId, seq, seq, Number(lastChunk));
  } else if (lastChunk) {
    statements.completeArtifact.run(id, artifactId);
  }
}

function prepareStatements(db: Database) {
  return {
    insertHistory: db.prepare(
      'INSERT INTO history (task_id, after_seq, sender, turn, activated, body) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    insertAccepted: db.prepare(`INSERT INTO accepted
      (sender, message_id, fingerprint, task_id, turn, after_seq, replied) VALUES (?, ?, ?, ?, ?, ?, ?)`),
    putArtifact: db.prepare(`INSERT INTO artifacts
      (task_id, artifact_id, first_seq, from_seq, complete) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET from_seq = excluded.from_seq, complete = excluded.complete`),
    completeArtifact: db.prepare(
      'UPDATE artifacts SET complete = 1 WHERE task_id = ? AND artifact_id = ?',
    ),
    putMemory: db.prepare(`INSERT INTO memories (task_id, memory) VALUES (?, ?)
      ON CONFLICT DO UPDATE SET memory = excluded.memory`),
    deleteMemory: db.prepare('DELETE FROM memories WHERE task_id = ?'),
    insertMembership:
      db.prepare(`INSERT INTO memberships (task_id, reader, context_id, state, status_at)
      SELECT task_id, ?, ?, ?, at FROM events WHERE task_id = ? AND seq = ?`),
    deleteMemberships: db.prepare('DELETE FROM memberships WHERE task_id = ?'),
    deleteOthersConfigs: db.prepare(
      'DELETE FROM push_configs WHERE task_id = ? AND owner NOT IN (SELECT value FROM json_each(?))',
    ),
    moveMemberships: db.prepare(
      'UPDATE memberships SET state = ?, status_at = ? WHERE task_id = ?',
    ),
    wakePush: db.prepare('UPDATE push_configs SET due_at = ? WHERE task_id = ? AND due_at IS NULL'),
  };
}
