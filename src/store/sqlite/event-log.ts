/** The log itself: rows of `events`. */
import type { Database } from 'better-sqlite3';
import type { NumberedEvent } from '../../core/events.ts';
import type { RunningTurn } from '../../core/task.ts';
import type { StoredEvent, WireForm } from '../port.ts';
import { LIMIT } from './limit.ts';
import { toState, toStateNumber } from './states.ts';

/** Where an event stands in its task. */
interface EventContext {
  readonly taskId: string;
  readonly contextId: string;
  readonly at: number;
  /** The turn that ran, and whether it is over with the event. */
  readonly running: RunningTurn | undefined;
  readonly endsTurn: boolean;
  /** Turns that were cut for the one that ran. */
  readonly absorbed: readonly number[];
  /** The events that hold the task's status and data once this one has happened. */
  readonly statusSeq: number;
  readonly dataSeq: number;
}

/** Writes and reads the log. */
export interface EventLog {
  insert(event: NumberedEvent, context: EventContext): void;
  /** Events after a sequence number, in order, at most `limit`. */
  read(taskId: string, after: number, limit: number): StoredEvent[];
}

interface Row {
  seq: number;
  body: string;
  state: number | null;
  turn: number | null;
  ends_turn: number;
  sub_state: string | null;
  changes_data: number;
  absorbed: string | null;
}

/** Prepares the statements. */
export function createEventLog(db: Database, wire: WireForm): EventLog {
  const insert =
    db.prepare(`INSERT INTO events (task_id, seq, at, turn, ends_turn, absorbed, status_seq, data_seq,
    state, artifact_id, appends, sub_state, task_data, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const select = db.prepare<[string, number, number], Row>(`SELECT seq, body, state, turn,
    ends_turn, sub_state, task_data IS NOT NULL AS changes_data, absorbed FROM events WHERE task_id = ? AND seq > ? ORDER BY seq ${LIMIT}`);
  return {
    insert: (event, context) => {
      const { running } = context;
      const { absorbed } = context;
      insert.run(
        context.taskId,
        event.seq,
        context.at,
        running?.number ?? null,
        Number(context.endsTurn),
        absorbed.length === 0 ? null : JSON.stringify(absorbed),
        context.statusSeq,
        context.dataSeq,
        ...listColumns(event),
        JSON.stringify(wire.toStreamResponse(event, context)),
      );
    },
    read: (taskId, after, limit) => select.all(taskId, after, limit).map(toStoredEvent),
  };
}

type Columns = [
  state: number | null,
  artifactId: string | null,
  appends: number | null,
  subState: string | null,
  data: string | null,
];

function listColumns(event: NumberedEvent): Columns {
  switch (event.kind) {
    case 'created':
      return [null, null, null, null, JSON.stringify(event.data)];
    case 'status': {
      const { state, subState, data } = event;
      const text = data === undefined ? null : JSON.stringify(data);
      return [toStateNumber(state), null, null, subState ?? null, text];
    }
    case 'artifact':
      return [null, event.artifact.artifactId, Number(event.append), null, null];
  }
}

function toStoredEvent(row: Row): StoredEvent {
  const { seq, body, state, turn, ends_turn: endsTurn, absorbed } = row;
  return {
    seq,
    body,
    state: state === null ? undefined : toState(state),
    turn: turn ?? undefined,
    endsTurn: endsTurn === 1,
    changesData: row.changes_data === 1,
    asks: endsTurn === 1 && row.sub_state === 'awaiting-answer',
    // It was written by this program, as a list of numbers.
    absorbed: absorbed === null ? [] : (JSON.parse(absorbed) as number[]),
  };
}
