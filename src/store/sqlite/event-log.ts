/** The log itself: rows of `events`. */
import type { Database } from 'better-sqlite3';
import type { NumberedEvent } from '../../core/events.ts';
import { toStreamResponse } from '../../core/wire.ts';
import type { StoredEvent } from '../port.ts';
import { toState, toStateNumber } from './states.ts';

/** Where an event stands in its task. */
interface EventContext {
  readonly taskId: string;
  readonly contextId: string;
  readonly at: number;
  /** The turn that ran, and whether it is over with the event. */
  readonly turn: number | undefined;
  readonly endsTurn: boolean;
  /** The events that hold the task's status and metadata once this one has happened. */
  readonly statusSeq: number;
  readonly metadataSeq: number | undefined;
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
}

/** Prepares the statements. */
export function createEventLog(db: Database): EventLog {
  const insert =
    db.prepare(`INSERT INTO events (task_id, seq, at, state, turn, ends_turn, artifact_id,
    appends, status_seq, metadata_seq, task_metadata, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const select = db.prepare<[string, number, number], Row>(`SELECT seq, body, state, turn, ends_turn
    FROM events WHERE task_id = ? AND seq > ? ORDER BY seq LIMIT ?`);
  return {
    insert: (event, context) => {
      const [state, artifactId, appends, metadata] = listColumns(event);
      insert.run(
        context.taskId,
        event.seq,
        context.at,
        state,
        context.turn ?? null,
        Number(context.endsTurn),
        artifactId,
        appends,
        context.statusSeq,
        context.metadataSeq ?? null,
        metadata,
        JSON.stringify(toStreamResponse(event, context)),
      );
    },
    read: (taskId, after, limit) => select.all(taskId, after, limit).map(toStoredEvent),
  };
}

function listColumns(
  event: NumberedEvent,
): [
  state: number | null,
  artifactId: string | null,
  appends: number | null,
  metadata: string | null,
] {
  switch (event.kind) {
    case 'created':
      return [null, null, null, null];
    case 'status': {
      const { state, taskMetadata } = event;
      const metadata = taskMetadata === undefined ? null : JSON.stringify(taskMetadata);
      return [toStateNumber(state), null, null, metadata];
    }
    case 'artifact':
      return [null, event.artifact.artifactId, Number(event.append), null];
  }
}

function toStoredEvent({ seq, body, state, turn, ends_turn: endsTurn }: Row): StoredEvent {
  return {
    seq,
    body,
    state: state === null ? undefined : toState(state),
    turn: turn ?? undefined,
    endsTurn: endsTurn === 1,
  };
}
