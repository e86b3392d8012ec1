/** A task's row: what a decision needs, in one look-up. */
import type { Database } from 'better-sqlite3';
import type { TaskExtensionData } from '@tiny-harness/contract/task/v1';
import type { KnownSubState } from '@tiny-harness/contract/status/v1';
import type { OpenQuestion, TaskHead } from '../../core/task.ts';
import { toState, toStateNumber } from './states.ts';

/** A task's head, and what only the store knows of it. */
export interface StoredHead {
  readonly head: TaskHead;
  /** When its last event happened: milliseconds since 1970. */
  readonly at: number;
  /** The events that hold its status and its data. */
  readonly statusSeq: number;
  readonly dataSeq: number;
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
  data_seq: number;
  sub_state: KnownSubState | null;
  question: string | null;
  last_turn: number;
  running_turn: number | null;
  running_owner: string;
  running_attempt: number;
  absorbed: string | null;
  waiting: string | null;
  agent: string | null;
  skills: string | null;
  data: string;
}

/** Prepares the statements. */
export function createTaskRows(db: Database): TaskRows {
  const find = db.prepare<[string], Row>(`
    SELECT t.*, e.task_data AS data FROM tasks t
    JOIN events e ON e.task_id = t.id AND e.seq = t.data_seq WHERE t.id = ?`);
  const insert =
    db.prepare(`INSERT INTO tasks (state, seq, at, status_seq, data_seq, sub_state, question,
    last_turn, running_turn, running_owner, running_attempt, absorbed, waiting, skills, lease_until, id, context_id, agent)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const update = db.prepare(`UPDATE tasks SET state = ?, seq = ?, at = ?, status_seq = ?,
    data_seq = ?, sub_state = ?, question = ?, last_turn = ?, running_turn = ?, running_owner = ?,
    running_attempt = ?, absorbed = ?, waiting = ?, skills = ?,
    lease_until = iif(? IS NULL, NULL, coalesce(?, lease_until)) WHERE id = ?`);
  return {
    find: (taskId) => {
      const row = find.get(taskId);
      return row === undefined ? undefined : readRow(taskId, row);
    },
    insert: (row, leaseUntil) => {
      const { id, contextId, agent } = row.head;
      insert.run(...listColumns(row), leaseUntil ?? null, id, contextId, agent ?? null);
    },
    update: (row, leaseUntil) => {
      const { id, running } = row.head;
      update.run(...listColumns(row), running?.owner ?? null, leaseUntil ?? null, id);
    },
  };
}

function readRow(id: string, row: Row): StoredHead {
  const { running_turn: number, running_owner: owner, running_attempt: attempt } = row;
  return {
    head: {
      id,
      contextId: row.context_id,
      state: toState(row.state),
      seq: row.seq,
      // These were written by this program, as what they are read as.
      data: JSON.parse(row.data) as TaskExtensionData,
      agent: row.agent ?? undefined,
      skills: row.skills === null ? [] : (JSON.parse(row.skills) as string[]),
      subState: row.sub_state ?? undefined,
      question: row.question === null ? undefined : (JSON.parse(row.question) as OpenQuestion),
      lastTurn: row.last_turn,
      running: number === null ? undefined : { number, owner, attempt },
      absorbed: readList(row.absorbed),
      waiting: readList(row.waiting),
    },
    at: row.at,
    statusSeq: row.status_seq,
    dataSeq: row.data_seq,
  };
}

/** A list of turns. It was written by this program, as JSON. */
export function readList(text: string | null): readonly number[] {
  return text === null ? [] : (JSON.parse(text) as number[]);
}

function writeList(items: readonly (number | string)[] = []): string | null {
  return items.length === 0 ? null : JSON.stringify(items);
}

function listColumns({ head, at, statusSeq, dataSeq }: StoredHead): (number | string | null)[] {
  const { running, absorbed, waiting, question, skills } = head;
  return [
    toStateNumber(head.state),
    head.seq,
    at,
    statusSeq,
    dataSeq,
    head.subState ?? null,
    question === undefined ? null : JSON.stringify(question),
    head.lastTurn,
    running?.number ?? null,
    running?.owner ?? null,
    running?.attempt ?? null,
    writeList(absorbed),
    writeList(waiting),
    writeList(skills),
  ];
}
