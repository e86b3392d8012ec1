/** A task as JSON, joined from texts that the log holds. */
import type { Database } from 'better-sqlite3';
import type { JsonText, TaskRead, TaskSnapshot, WireForm } from '../port.ts';
import { LIMIT } from './limit.ts';
import { createReadArtifacts } from './read-artifacts.ts';
import { toState } from './states.ts';

/** Reads a task within the caller's transaction; undefined when there is none. */
export type ReadTask = (taskId: string, read: TaskRead, form: TaskForm) => TaskSnapshot | undefined;

/** How a task without artifacts is written: a list has `[]` for those that were asked for, else nothing. */
type TaskForm = 'alone' | 'listed';

/** The message of the history that `h` refers to, with `e` the event that carries it. */
export const HISTORY_MESSAGE = `coalesce(h.body, e.body -> '$.statusUpdate.status.message')`;

interface TaskRow {
  context_id: string;
  seq: number;
  status_seq: number;
  data_seq: number;
}

interface StatusRow {
  state: number | null;
  sub_state: string | null;
  status: JsonText;
}

/** Prepares the statements. */
export function createReadTask(db: Database, wire: WireForm): ReadTask {
  const findTask = db.prepare<[string], TaskRow>(
    'SELECT context_id, seq, status_seq, data_seq FROM tasks WHERE id = ?',
  );
  const findMoment = db.prepare<[string, number], Omit<TaskRow, 'context_id'>>(
    'SELECT seq, status_seq, data_seq FROM events WHERE task_id = ? AND seq = ?',
  );
  const readStatus = db.prepare<[string, number], StatusRow>(`
    SELECT state, sub_state, body -> iif(seq = 0, '$.task.status', '$.statusUpdate.status') AS status
    FROM events WHERE task_id = ? AND seq = ?`);
  const readData = db
    .prepare<[string, number], JsonText>(
      'SELECT task_data FROM events WHERE task_id = ? AND seq = ?',
    )
    .pluck();
  const readHistory = createReadMessages(db);
  const readArtifacts = createReadArtifacts(db);

  return (taskId, { history, artifacts, asOf, withReply = false }, form) => {
    const task = findTask.get(taskId);
    if (task === undefined) return undefined;
    const isPast = asOf !== undefined && asOf < task.seq;
    const moment = (isPast ? findMoment.get(taskId, asOf) : task) ?? task;
    const { seq, data_seq: dataSeq } = moment;
    const statusSeq = withReply ? (asOf ?? seq) : moment.status_seq;
    const { state, status = 'null', sub_state: subState } = readStatus.get(taskId, statusSeq) ?? {};
    const data = readData.get(taskId, dataSeq) ?? 'null';
    const json = joinTask([
      ['id', JSON.stringify(taskId)],
      ['contextId', JSON.stringify(task.context_id)],
      ['status', status],
      [
        'artifacts',
        joinArray(artifacts ? readArtifacts(taskId, seq) : [], artifacts && form === 'listed'),
      ],
      ['history', joinArray(history > 0 ? readHistory(taskId, seq, history) : [], false)],
      ['metadata', wire.toTaskMetadata(data, subState ?? undefined)],
    ]);
    return { seq, state: toState(state ?? 1), json };
  };
}

function createReadMessages(
  db: Database,
): (taskId: string, asOf: number, limit: number) => JsonText[] {
  const select = db
    .prepare<[string, number, number], JsonText>(
      `SELECT ${HISTORY_MESSAGE} FROM history h
       LEFT JOIN events e ON h.body IS NULL AND e.task_id = h.task_id AND e.seq = h.after_seq
       WHERE h.task_id = ? AND h.after_seq <= ? ORDER BY h.after_seq DESC, h.position DESC ${LIMIT}`,
    )
    .pluck();
  return (taskId, asOf, limit) => select.all(taskId, asOf, limit).reverse();
}

function joinArray(items: readonly JsonText[], evenEmpty: boolean): JsonText | undefined {
  return items.length > 0 || evenEmpty ? `[${items.join(',')}]` : undefined;
}

function joinTask(members: readonly (readonly [string, JsonText | undefined])[]): JsonText {
  const present = members.filter(([, value]) => value !== undefined);
  return `{${present.map(([name, value]) => `"${name}":${value ?? 'null'}`).join(',')}}`;
}
