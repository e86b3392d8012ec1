/** The tasks that remote agents work on for ours. */
import type { Database } from 'better-sqlite3';
import type { RemoteTask } from '../../core/remote-task.ts';
import { TERMINAL_STATES } from '../../core/task.ts';
import { LIMIT } from './limit.ts';
import { toStateNumber } from './states.ts';

/** The queries behind `RemoteTaskStore`, within the caller's transaction. */
export interface RemoteTaskQueries {
  putRemoteTask(task: RemoteTask): void;
  readRemoteTask(taskId: string): RemoteTask | undefined;
  listOpenRemoteTasks(of: 'any' | 'ended', limit: number): readonly RemoteTask[];
}

interface Row {
  task_id: string;
  agent: string;
  remote_task_id: string;
  context_id: string | null;
  turn: number;
  open: number;
}

const COLUMNS = 'r.task_id, r.agent, r.remote_task_id, r.context_id, r.turn, r.open';
const ENDED = TERMINAL_STATES.map(toStateNumber).join(', ');

/** Prepares the statements. */
export function createRemoteTaskQueries(db: Database): RemoteTaskQueries {
  const put = db.prepare('INSERT OR REPLACE INTO remote_tasks VALUES (?, ?, ?, ?, ?, ?)');
  const read = db.prepare<string[], Row>(
    `SELECT ${COLUMNS} FROM remote_tasks r WHERE r.task_id = ?`,
  );
  const open = db.prepare<number[], Row>(
    `SELECT ${COLUMNS} FROM remote_tasks r WHERE r.open = 1 ORDER BY r.task_id ${LIMIT}`,
  );
  const ended = db.prepare<number[], Row>(
    `SELECT ${COLUMNS} FROM remote_tasks r JOIN tasks t ON t.id = r.task_id
    WHERE r.open = 1 AND t.state IN (${ENDED}) ORDER BY r.task_id ${LIMIT}`,
  );
  return {
    putRemoteTask({ taskId, agent, remoteTaskId, contextId, turn, open: isOpen }) {
      put.run(taskId, agent, remoteTaskId, contextId ?? null, turn, isOpen ? 1 : 0);
    },
    readRemoteTask(taskId) {
      const row = read.get(taskId);
      return row && toRemoteTask(row);
    },
    listOpenRemoteTasks: (of, limit) => (of === 'any' ? open : ended).all(limit).map(toRemoteTask),
  };
}

function toRemoteTask(row: Row): RemoteTask {
  return {
    taskId: row.task_id,
    agent: row.agent,
    remoteTaskId: row.remote_task_id,
    contextId: row.context_id ?? undefined,
    turn: row.turn,
    open: row.open === 1,
  };
}
