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

/** What is read of a task, in the order of `COLUMNS`. */
type Row = [
  contextId: string,
  state: number,
  seq: number,
  at: number,
  statusSeq: number,
  dataSeq: number,
  subState: KnownSubState | null,
  question: string | null,
  lastTurn: number,
  runningTurn: number | null,
  runningOwner: string,
  runningAttempt: number,
  absorbed: string | null,
  waiting: string | null,
  agent: string | null,
  skills: string | null,
  data: string,
];

const COLUMNS = `t.context_id, t.state, t.seq, t.at, t.status_seq, t.data_seq, t.sub_state, t.question, t.last_turn,
  t.running_turn, t.running_owner, t.running_attempt, t.absorbed, t.waiting, t.agent, t.skills, e.task_data`;

/** Prepares the statements. */
export function createTaskRows(db: Database): TaskRows {
  // As an array: every decision begins with this, and an object of so many members takes half as long again to make.
  const find = db
    .prepare<[string], Row>(
      `SELECT ${COLUMNS} FROM tasks t
       JOIN events e ON e.task_id = t.id AND e.seq = t.data_seq WHERE t.id = ?`,
    )
    .raw();
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
  const [contextId, state, seq, at, statusSeq, dataSeq, subState, question, lastTurn, ...more] =
    row;
  const [number, owner, attempt, absorbed, waiting, agent, skills, data] = more;
  return {
    head: {
      id,
      contextId,
      state: toState(state),
      seq,
      // These were written by this program, as what they are read as.
      data: JSON.parse(data) as TaskExtensionData,
      agent: agent ?? undefined,
      skills: skills === null ? [] : (JSON.parse(skills) as string[]),
      subState: subState ?? undefined,
      question: question === null ? undefined : (JSON.parse(question) as OpenQuestion),
      lastTurn,
      running: number === null ? undefined : { number, owner, attempt },
      absorbed: readList(absorbed),
      waiting: readList(waiting),
    },
    at,
    statusSeq,
    dataSeq,
  };
}

/** A list of turns. It was written by this program, as JSON. */
function readList(text: string | null): readonly number[] {
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
