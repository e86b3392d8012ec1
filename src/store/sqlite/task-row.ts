/** A task's row: what a decision needs, in one look-up. */
import type { Database } from 'better-sqlite3';
import type { JsonObject, TaskHead } from '../../core/task.ts';
import { toState, toStateNumber } from './states.ts';

/** A task's head, and what only the store knows of it. */
export interface StoredHead {
  readonly head: TaskHead;
  /** When its last event happened: milliseconds since 1970. */
  readonly at: number;
  /** The events that hold its status and its metadata. */
  readonly statusSeq: number;
  readonly metadataSeq: number | undefined;
}

/** Reads and writes rows of `tasks`. */
export interface TaskRows {
  find(taskId: string): StoredHead | undefined;
  insert(row: StoredHead, leaseUntil: number | undefined): void;
  /** `leaseUntil` is undefined where the lease stays as it is. */
  update(row: StoredHead, leaseUntil: number | undefined): void;
}

interface Row {
  context_id: string;
  state: number;
  seq: number;
  at: number;
  status_seq: number;
  metadata_seq: number | null;
  last_turn: number;
  running_turn: number | null;
  running_owner: string;
  running_attempt: number;
  waiting_first: number | null;
  waiting_count: number;
  metadata: string | null;
}

/** The metadata that an event set; that of the creation is in its body. */
export const EVENT_METADATA = `coalesce(e.task_metadata, e.body -> '$.task.metadata')`;

/** Prepares the statements. */
export function createTaskRows(db: Database): TaskRows {
  const find = db.prepare<[string], Row>(`
    SELECT t.*, ${EVENT_METADATA} AS metadata FROM tasks t
    LEFT JOIN events e ON e.task_id = t.id AND e.seq = t.metadata_seq WHERE t.id = ?`);
  const insert = db.prepare(`INSERT INTO tasks (state, seq, at, status_seq, metadata_seq, last_turn,
    running_turn, running_owner, running_attempt, waiting_first, waiting_count, lease_until, id, context_id)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const update = db.prepare(`UPDATE tasks SET state = ?, seq = ?, at = ?, status_seq = ?,
    metadata_seq = ?, last_turn = ?, running_turn = ?, running_owner = ?, running_attempt = ?,
    waiting_first = ?, waiting_count = ?,
    lease_until = iif(? IS NULL, NULL, coalesce(?, lease_until)) WHERE id = ?`);
  return {
    find: (taskId) => {
      const row = find.get(taskId);
      return row === undefined ? undefined : readRow(taskId, row);
    },
    insert: (row, leaseUntil) => {
      insert.run(...listColumns(row), leaseUntil ?? null, row.head.id, row.head.contextId);
    },
    update: (row, leaseUntil) => {
      const { id, running } = row.head;
      update.run(...listColumns(row), running?.owner ?? null, leaseUntil ?? null, id);
    },
  };
}

function readRow(id: string, row: Row): StoredHead {
  const { running_turn: number, running_owner: owner, running_attempt: attempt } = row;
  const { waiting_first: first, waiting_count: count } = row;
  return {
    head: {
      id,
      contextId: row.context_id,
      state: toState(row.state),
      seq: row.seq,
      // It was written by this program, as an object.
      metadata: row.metadata === null ? undefined : (JSON.parse(row.metadata) as JsonObject),
      lastTurn: row.last_turn,
      running: number === null ? undefined : { number, owner, attempt },
      waiting: first === null ? undefined : { first, count },
    },
    at: row.at,
    statusSeq: row.status_seq,
    metadataSeq: row.metadata_seq ?? undefined,
  };
}

function listColumns({ head, at, statusSeq, metadataSeq }: StoredHead): (number | string | null)[] {
  const { running, waiting } = head;
  return [
    toStateNumber(head.state),
    head.seq,
    at,
    statusSeq,
    metadataSeq ?? null,
    head.lastTurn,
    running?.number ?? null,
    running?.owner ?? null,
    running?.attempt ?? null,
    waiting?.first ?? null,
    waiting?.count ?? null,
  ];
}
