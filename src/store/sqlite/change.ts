/** One decision on one task: read, decide, append. */
import type { Database } from 'better-sqlite3';
import type { ArtifactHead } from '../../core/task.ts';
import type { Committed, Decision, DecisionView, Lookups, TaskChange } from '../port.ts';
import type { AcceptedMessages } from './accepted.ts';
import type { AppendEvents } from './append.ts';
import type { TaskRows } from './task-row.ts';

/** Decides and appends, within the caller's transaction. */
export type ChangeTask = <T>(
  taskId: string,
  lookups: Lookups,
  decide: (view: DecisionView) => Decision<T>,
  changes: TaskChange[],
) => Committed<T>;

/** What a change is made of. */
export interface ChangeParts {
  readonly rows: TaskRows;
  readonly accepted: AcceptedMessages;
  readonly append: AppendEvents;
  readonly now: () => number;
}

/** Prepares the statements. */
export function createChange(db: Database, parts: ChangeParts): ChangeTask {
  const { rows, accepted, append, now } = parts;
  const isReader = db.prepare('SELECT 1 FROM memberships WHERE task_id = ? AND reader = ?');
  const findArtifact = db.prepare<[string, string], { complete: number }>(
    'SELECT complete FROM artifacts WHERE task_id = ? AND artifact_id = ?',
  );

  const readArtifact = (taskId: string, artifactId: string): ArtifactHead | undefined => {
    const row = findArtifact.get(taskId, artifactId);
    return row === undefined ? undefined : { artifactId, complete: row.complete === 1 };
  };

  return (taskId, { reader, message, artifactId }, decide, changes) => {
    const before = rows.find(taskId);
    const { events, result } = decide({
      head: before?.head,
      isReader: reader !== undefined && isReader.get(taskId, reader) !== undefined,
      accepted: message && accepted.find(message.sender, message.messageId),
      artifact: artifactId === undefined ? undefined : readArtifact(taskId, artifactId),
    });
    if (events.length === 0) return { result, seq: before?.head.seq ?? -1 };
    const after = append(taskId, before, events, now());
    const { seq, running, waiting } = after.head;
    changes.push({ taskId, seq, running, waiting: waiting !== undefined });
    return { result, seq };
  };
}
