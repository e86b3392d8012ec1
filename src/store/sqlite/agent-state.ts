/** What agents have done and shown: their tool calls and surfaces. */
import type { Message } from '@tiny-harness/contract/a2a';
import type { Database } from 'better-sqlite3';
import type { SurfaceChanged, ToolCalled } from '../../core/events.ts';
import type { Surface } from '../../core/surface.ts';
import type { Json, RecordedCall, ToolResult } from '../../core/task.ts';
import type { JsonText } from '../port.ts';
import { LIMIT } from './limit.ts';
import { HISTORY_MESSAGE } from './read-task.ts';

/** Writes and reads it, within the caller's transaction. */
export interface AgentState {
  /** Keeps a call, or its result when it was begun before. */
  putCall(taskId: string, call: ToolCalled): void;
  findCall(taskId: string, turn: number, id: string): RecordedCall | undefined;
  /** The calls of a turn in the order in which they were begun. */
  listCalls(taskId: string, turn: number): readonly RecordedCall[];
  /** Removes the calls of a task whose turn is over: they were kept for its next run. */
  forgetCalls(taskId: string): void;
  putSurface(taskId: string, change: SurfaceChanged): void;
  listSurfaces(taskId: string): readonly Surface[];
  /** Removes what nobody asks for once the task has ended. */
  forgetSurfaces(taskId: string): void;
  /** The last messages of the task's history, oldest first. */
  readLastWords(taskId: string, limit: number): readonly Message[];
}

interface CallRow {
  id: string;
  name: string;
  input: JsonText;
  attempt: number;
  result: JsonText | null;
}

/** Prepares the statements. All JSON that is read here was written by this program. */
export function createAgentState(db: Database): AgentState {
  const putCall = db.prepare(`INSERT INTO tool_calls
    (task_id, turn, id, name, input, attempt, result) VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (task_id, turn, id) DO UPDATE SET attempt = excluded.attempt, result = excluded.result`);
  const call =
    'SELECT id, name, input, attempt, result FROM tool_calls WHERE task_id = ? AND turn = ?';
  const findCall = db.prepare<[string, number, string], CallRow>(`${call} AND id = ?`);
  const listCalls = db.prepare<[string, number], CallRow>(`${call} ORDER BY position`);
  const forgetCalls = db.prepare('DELETE FROM tool_calls WHERE task_id = ?');
  return {
    putCall: (taskId, { turn, id, name, input, attempt, result }) => {
      const text = result === undefined ? null : JSON.stringify(result);
      putCall.run(taskId, turn, id, name, JSON.stringify(input), attempt, text);
    },
    findCall: (taskId, turn, id) => {
      const row = findCall.get(taskId, turn, id);
      return row && readCall(row);
    },
    listCalls: (taskId, turn) => listCalls.all(taskId, turn).map(readCall),
    forgetCalls: (taskId) => {
      forgetCalls.run(taskId);
    },
    ...createSurfaceQueries(db),
    readLastWords: createLastWords(db),
  };
}

function readCall({ input, result, ...row }: CallRow): RecordedCall {
  return {
    ...row,
    input: JSON.parse(input) as Json,
    result: result === null ? undefined : (JSON.parse(result) as ToolResult),
  };
}

function createSurfaceQueries(
  db: Database,
): Pick<AgentState, 'putSurface' | 'listSurfaces' | 'forgetSurfaces'> {
  const put = db.prepare('INSERT OR REPLACE INTO surfaces VALUES (?, ?, ?)');
  const remove = db.prepare('DELETE FROM surfaces WHERE task_id = ? AND surface_id = ?');
  const removeAll = db.prepare('DELETE FROM surfaces WHERE task_id = ?');
  const list = db
    .prepare<[string], JsonText>('SELECT surface FROM surfaces WHERE task_id = ?')
    .pluck();
  return {
    putSurface: (taskId, { surfaceId, surface }) => {
      if (surface === undefined) remove.run(taskId, surfaceId);
      else put.run(taskId, surfaceId, JSON.stringify(surface));
    },
    listSurfaces: (taskId) => list.all(taskId).map((text) => JSON.parse(text) as Surface),
    forgetSurfaces: (taskId) => {
      removeAll.run(taskId);
    },
  };
}

function createLastWords(db: Database): AgentState['readLastWords'] {
  const select = db
    .prepare<[string, number], JsonText>(
      `SELECT ${HISTORY_MESSAGE} FROM history h
       LEFT JOIN events e ON h.body IS NULL AND e.task_id = h.task_id AND e.seq = h.after_seq
       WHERE h.task_id = ? ORDER BY h.after_seq DESC, h.position DESC ${LIMIT}`,
    )
    .pluck();
  return (taskId, limit) =>
    select
      .all(taskId, limit)
      .reverse()
      .map((text) => JSON.parse(text) as Message);
}
