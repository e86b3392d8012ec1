/** Pages of the tasks that a reader sees, by keyset: stable while tasks change, and as fast on every page. */
import type { Database, Statement } from 'better-sqlite3';
import type { TaskPage, TaskQuery } from '../port.ts';
import { createCountTasks } from './count-tasks.ts';
import { LIMIT } from './limit.ts';
import type { ReadTask } from './read-task.ts';
import { toStateNumber } from './states.ts';

interface KeyRow {
  task_id: string;
  status_at: number;
}

type Value = string | number;

/** Lists within the caller's transaction. Each combination of filters has an index and a statement of its own. */
export function createListTasks(db: Database, readTask: ReadTask): (query: TaskQuery) => TaskPage {
  const countTasks = createCountTasks(db);
  const statements = new Map<string, Statement<Value[], KeyRow>>();
  const prepare = (where: string): Statement<Value[], KeyRow> => {
    const known = statements.get(where);
    if (known !== undefined) return known;
    const made = db.prepare<Value[], KeyRow>(
      `SELECT task_id, status_at FROM memberships WHERE ${where} ORDER BY status_at DESC, task_id DESC ${LIMIT}`,
    );
    statements.set(where, made);
    return made;
  };
  return (query) => {
    const conditions = listConditions(query);
    const where = conditions.map(([sql]) => sql).join(' AND ');
    const values = conditions.flatMap(([, ...bound]) => bound);
    const rows = prepare(where).all(...values, query.limit + 1);
    const page = rows.slice(0, query.limit);
    const last = page.at(-1);
    return {
      tasks: page.flatMap(({ task_id: id }) => readTask(id, query.read, 'listed')?.json ?? []),
      next:
        rows.length > page.length && last !== undefined
          ? { statusAt: last.status_at, id: last.task_id }
          : undefined,
      total: countTasks(query),
    };
  };
}

function listConditions(query: TaskQuery): [sql: string, ...values: Value[]][] {
  const { reader, contextId, state, since, after } = query;
  const conditions: [string, ...Value[]][] = [['reader = ?', reader]];
  if (contextId !== undefined) conditions.push(['context_id = ?', contextId]);
  if (state !== undefined) conditions.push(['state = ?', toStateNumber(state)]);
  if (since !== undefined) conditions.push(['status_at >= ?', since]);
  if (after !== undefined) {
    conditions.push(['(status_at, task_id) < (?, ?)', after.statusAt, after.id]);
  }
  return conditions;
}
