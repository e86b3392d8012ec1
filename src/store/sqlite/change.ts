/** One decision on one task: read, decide, append. */
import type { Database } from 'better-sqlite3';
import type { ArtifactHead, TaskHead } from '../../core/task.ts';
import type { Decision, DecisionView, Lookups } from '../../core/decision.ts';
import type { Committed, TaskChange } from '../port.ts';
import type { AcceptedMessages } from './accepted.ts';
import type { AgentState } from './agent-state.ts';
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
  readonly agents: AgentState;
  readonly append: AppendEvents;
  readonly now: () => number;
}

/** How many messages a task's last words are: its answer may stand before that of who completed it. */
const LAST_WORDS = 2;

/** Prepares the statements. */
export function createChange(db: Database, parts: ChangeParts): ChangeTask {
  const { rows, accepted, agents, append, now } = parts;
  const findArtifact = db.prepare<[string, string], { complete: number }>(
    'SELECT complete FROM artifacts WHERE task_id = ? AND artifact_id = ?',
  );

  const readArtifact = (taskId: string, artifactId: string): ArtifactHead | undefined => {
    const row = findArtifact.get(taskId, artifactId);
    return row === undefined ? undefined : { artifactId, complete: row.complete === 1 };
  };

  const findChildren = ({ data }: TaskHead): TaskHead[] =>
    data.sub_tasks.flatMap(({ task_id }) => rows.find(task_id)?.head ?? []);

  const changeTask: ChangeTask = (taskId, lookups, decide, changes) => {
    const { message, artifactId, children = false, call, lastWordsOf } = lookups;
    const before = rows.find(taskId);
    const { events, result, also } = decide({
      head: before?.head,
      children: children && before !== undefined ? findChildren(before.head) : [],
      accepted: message && accepted.find(message.sender, message.messageId),
      artifact: artifactId === undefined ? undefined : readArtifact(taskId, artifactId),
      call: call && agents.findCall(taskId, call.turn, call.id),
      surfaces: lookups.surfaces === true ? agents.listSurfaces(taskId) : [],
      lastWords: lastWordsOf === undefined ? [] : agents.readLastWords(lastWordsOf, LAST_WORDS),
    });
    const after = events.length === 0 ? before : append(taskId, before, events, now());
    if (after !== undefined && after !== before) changes.push(toTaskChange(after.head));
    for (const further of also ?? []) {
      changeTask(further.taskId, further.lookups ?? {}, further.decide, changes);
    }
    return { result, seq: after?.head.seq ?? -1 };
  };
  return changeTask;
}

function toTaskChange(head: TaskHead): TaskChange {
  const { id: taskId, seq, running } = head;
  return { taskId, seq, running, waiting: head.waiting.length > 0 && head.question === undefined };
}
