/** Turns: what an agent needs to run one, and which have nobody who runs them. */
import type { Message } from '@tiny-harness/contract/a2a';
import type { Database } from 'better-sqlite3';
import type { Json, TaskHead } from '../../core/task.ts';
import type { JsonText, LostTurn, TurnRecord } from '../port.ts';
import { LIMIT } from './limit.ts';
import { HISTORY_MESSAGE } from './read-task.ts';
import type { AgentState } from './agent-state.ts';
import { toStateNumber } from './states.ts';
import type { TaskRows } from './task-row.ts';

/** The queries behind `TurnStore`, within the caller's transaction. */
export interface TurnQueries {
  readTurn(taskId: string, turn: number): TurnRecord | undefined;
  readHistory(taskId: string, turn: number, limit: number): readonly Message[];
  renewLeases(owner: string, until: number): void;
  findLostTurns(
    now: number,
    isGone: (owner: string) => boolean,
    limit: number,
  ): readonly LostTurn[];
  findIdleTasks(limit: number, after?: string): readonly string[];
}

interface TurnRow {
  after_seq: number;
  sender: string;
  body: JsonText;
  activated: JsonText | null;
  memory: JsonText | null;
}

/** Prepares the statements. */
export function createTurnQueries(db: Database, rows: TaskRows, agents: AgentState): TurnQueries {
  const selectTurn = db.prepare<[string, number], TurnRow>(`
    SELECT h.after_seq, h.sender, h.body, h.activated, m.memory
    FROM history h LEFT JOIN memories m ON m.task_id = h.task_id
    WHERE h.task_id = ? AND h.turn = ?`);
  const readSaid = createReadSaid(db);
  // Messages of turns that wait may stand between those that the agent has said meanwhile.
  const selectHistory = db
    .prepare<[string, number, string, number], JsonText>(
      `SELECT ${HISTORY_MESSAGE} FROM history h
       LEFT JOIN events e ON h.body IS NULL AND e.task_id = h.task_id AND e.seq = h.after_seq
       WHERE h.task_id = ? AND (h.turn IS NULL OR h.turn = ? OR h.turn NOT IN
         (SELECT value FROM json_each((SELECT waiting FROM tasks WHERE id = ?))))
       ORDER BY h.after_seq DESC, h.position DESC ${LIMIT}`,
    )
    .pluck();
  const renew = db.prepare('UPDATE tasks SET lease_until = ? WHERE running_owner = ?');
  return {
    readTurn: (taskId, turn) => {
      const row = selectTurn.get(taskId, turn);
      const head = rows.find(taskId)?.head;
      if (row === undefined || head === undefined) return undefined;
      const calls = agents.listCalls(taskId, turn);
      // The event after the message says that the turn began; nothing was said when there is no other.
      const isNew = head.seq <= row.after_seq + 1;
      const said = isNew ? [] : readSaid(taskId, turn, row.after_seq);
      return toTurnRecord(head, turn, row, { calls, said });
    },
    readHistory: (taskId, turn, limit) =>
      selectHistory.all(taskId, turn, taskId, limit).reverse().map(parseMessage),
    renewLeases: (owner, until) => {
      renew.run(until, owner);
    },
    findLostTurns: createFindLostTurns(db),
    findIdleTasks: createFindIdleTasks(db),
  };
}

/** What was said in a turn while it was worked on, all of it after its message. */
function createReadSaid(
  db: Database,
): (taskId: string, turn: number, after: number) => readonly JsonText[] {
  const select = db
    .prepare<[string, number, number, number], JsonText>(
      `SELECT e.body -> '$.statusUpdate.status.message.parts' FROM history h
       JOIN events e ON e.task_id = h.task_id AND e.seq = h.after_seq
       WHERE h.task_id = ? AND h.after_seq > ? AND h.body IS NULL AND e.turn = ? AND e.state = ?
       ORDER BY e.seq`,
    )
    .pluck();
  const working = toStateNumber('TASK_STATE_WORKING');
  return (taskId, turn, after) => select.all(taskId, after, turn, working);
}

function createFindIdleTasks(db: Database): TurnQueries['findIdleTasks'] {
  const select = db
    .prepare<[string, number], string>(
      `SELECT id FROM tasks WHERE waiting IS NOT NULL AND running_owner IS NULL AND question IS NULL
       AND id > ? ORDER BY id ${LIMIT}`,
    )
    .pluck();
  // Every id is after the empty one.
  return (limit, after = '') => select.all(after, limit);
}

function createFindLostTurns(db: Database): TurnQueries['findLostTurns'] {
  const selectOwners = db
    .prepare<[], string>('SELECT DISTINCT running_owner FROM tasks WHERE running_owner IS NOT NULL')
    .pluck();
  const selectOf = db.prepare<[string, number, number], LostTurn>(
    `SELECT id AS taskId, running_turn AS turn, running_owner AS owner, running_attempt AS attempt
     FROM tasks WHERE running_owner = ? AND lease_until < ? ${LIMIT}`,
  );
  return (now, isGone, limit) => {
    const lost: LostTurn[] = [];
    for (const owner of selectOwners.all()) {
      const before = isGone(owner) ? Number.MAX_SAFE_INTEGER : now;
      lost.push(...selectOf.all(owner, before, limit - lost.length));
    }
    return lost;
  };
}

function toTurnRecord(
  head: TaskHead,
  turn: number,
  row: TurnRow,
  done: Pick<TurnRecord, 'calls' | 'said'>,
): TurnRecord | undefined {
  const runs = head.running?.number === turn;
  if (!runs && !head.waiting.includes(turn)) return undefined;
  return {
    taskId: head.id,
    contextId: head.contextId,
    turn,
    attempt: runs ? head.running.attempt : 1,
    message: parseMessage(row.body),
    sender: row.sender,
    // It was written by this program, as JSON.
    activated: row.activated === null ? [] : (JSON.parse(row.activated) as string[]),
    memory: row.memory === null ? undefined : (JSON.parse(row.memory) as Json),
    ...done,
    head,
  };
}

/** The database holds only messages that this program wrote. */
function parseMessage(text: JsonText): Message {
  return JSON.parse(text) as Message;
}
