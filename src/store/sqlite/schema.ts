/** The tables, as migrations that only go forward. A migration that was released is never edited: add the next one. */

/** "THRN": how SQLite files of this program are told from others (`PRAGMA application_id`). */
export const APPLICATION_ID = 0x5448524e;

/** A trigger's statement that counts a row of `memberships`, or takes it out: in buckets of four sizes, with its context and without. */
function countRow(row: 'new' | 'old', by: 1 | -1): string {
  const values = ["''", `${row}.context_id`].flatMap((context) =>
    [6, 14, 22, 30].map(
      (shift) =>
        `    (${row}.reader, ${context}, ${shift}, ${row}.status_at >> ${shift}, ${row}.state, ${by})`,
    ),
  );
  return `INSERT INTO counts VALUES\n${values.join(',\n')}\n  ON CONFLICT DO UPDATE SET n = n ${by > 0 ? '+' : '-'} 1;`;
}

const COUNT_NEW = countRow('new', 1);
const COUNT_OLD = countRow('old', -1);

/*
 * - events: the log. Only numbered events; `position` orders them over all tasks, for processes that tail the file.
 *   `status_seq` and `data_seq` name the events that hold the status and the data as of this one, so that any moment
 *   of a task is found without a walk. `task_data` is the task extension's whole data where it changes.
 * - history: a participant's message holds its body, an agent's refers to the status event that carries it.
 * - memberships: who sees which task, with what lists filter and sort by.
 * - counts: how many tasks of a reader (in a context, or '' for any) in a state have a status timestamp whose upper
 *   bits are `bucket`, for four sizes of buckets: 64 ms, 16 s, 70 minutes and 12 days. Triggers keep them.
 */
const INITIAL = `
CREATE TABLE tasks (
  id TEXT PRIMARY KEY NOT NULL,
  context_id TEXT NOT NULL,
  state INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  status_seq INTEGER NOT NULL,
  data_seq INTEGER NOT NULL,
  sub_state TEXT,
  question TEXT,
  last_turn INTEGER NOT NULL,
  running_turn INTEGER,
  running_owner TEXT,
  running_attempt INTEGER,
  lease_until INTEGER,
  absorbed TEXT,
  waiting TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX tasks_running ON tasks (running_owner, lease_until) WHERE running_owner IS NOT NULL;
CREATE INDEX tasks_idle ON tasks (id) WHERE waiting IS NOT NULL AND running_owner IS NULL AND question IS NULL;

CREATE TABLE events (
  position INTEGER PRIMARY KEY,
  task_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  state INTEGER,
  turn INTEGER,
  ends_turn INTEGER NOT NULL,
  absorbed TEXT,
  artifact_id TEXT,
  appends INTEGER,
  status_seq INTEGER NOT NULL,
  data_seq INTEGER NOT NULL,
  sub_state TEXT,
  task_data TEXT,
  body TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX events_of_task ON events (task_id, seq);
CREATE INDEX events_of_artifact ON events (task_id, artifact_id, seq) WHERE artifact_id IS NOT NULL;

CREATE TABLE history (
  position INTEGER PRIMARY KEY,
  task_id TEXT NOT NULL,
  after_seq INTEGER NOT NULL,
  sender TEXT,
  turn INTEGER,
  activated TEXT,
  body TEXT
) STRICT;
CREATE INDEX history_of_task ON history (task_id, after_seq);
CREATE UNIQUE INDEX history_of_turn ON history (task_id, turn) WHERE turn IS NOT NULL;

CREATE TABLE artifacts (
  task_id TEXT NOT NULL,
  artifact_id TEXT NOT NULL,
  first_seq INTEGER NOT NULL,
  from_seq INTEGER NOT NULL,
  complete INTEGER NOT NULL,
  PRIMARY KEY (task_id, artifact_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE memories (task_id TEXT PRIMARY KEY NOT NULL, memory TEXT NOT NULL) STRICT;

CREATE TABLE accepted (
  sender TEXT NOT NULL,
  message_id TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  task_id TEXT,
  turn INTEGER,
  after_seq INTEGER NOT NULL,
  replied INTEGER NOT NULL,
  answer TEXT,
  PRIMARY KEY (sender, message_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE memberships (
  task_id TEXT NOT NULL,
  reader TEXT NOT NULL,
  context_id TEXT NOT NULL,
  state INTEGER NOT NULL,
  status_at INTEGER NOT NULL,
  PRIMARY KEY (task_id, reader)
) STRICT, WITHOUT ROWID;
CREATE INDEX memberships_by_time ON memberships (reader, status_at, task_id);
CREATE INDEX memberships_by_state ON memberships (reader, state, status_at, task_id);
CREATE INDEX memberships_by_context ON memberships (reader, context_id, status_at, task_id);
CREATE INDEX memberships_by_both ON memberships (reader, context_id, state, status_at, task_id);

CREATE TABLE counts (
  reader TEXT NOT NULL,
  context_id TEXT NOT NULL,
  shift INTEGER NOT NULL,
  bucket INTEGER NOT NULL,
  state INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (reader, context_id, shift, bucket, state)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER memberships_inserted AFTER INSERT ON memberships BEGIN
  ${COUNT_NEW}
END;
CREATE TRIGGER memberships_deleted AFTER DELETE ON memberships BEGIN
  ${COUNT_OLD}
END;
CREATE TRIGGER memberships_moved AFTER UPDATE ON memberships
WHEN old.state <> new.state OR old.status_at >> 6 <> new.status_at >> 6 BEGIN
  ${COUNT_NEW}
  ${COUNT_OLD}
END;
CREATE TRIGGER counts_emptied AFTER UPDATE ON counts WHEN new.n = 0 BEGIN
  DELETE FROM counts WHERE reader = new.reader AND context_id = new.context_id
    AND shift = new.shift AND bucket = new.bucket AND state = new.state;
END;

CREATE TABLE push_configs (
  task_id TEXT NOT NULL,
  owner TEXT NOT NULL,
  id TEXT NOT NULL,
  url TEXT NOT NULL,
  secrets TEXT,
  next_seq INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  due_at INTEGER,
  last_error TEXT,
  PRIMARY KEY (task_id, owner, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX push_configs_due ON push_configs (due_at) WHERE due_at IS NOT NULL;
CREATE TABLE dead_letters (
  position INTEGER PRIMARY KEY,
  task_id TEXT NOT NULL,
  owner TEXT NOT NULL,
  config_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  error TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;

CREATE TABLE liveness (id INTEGER PRIMARY KEY, checked_at INTEGER NOT NULL) STRICT;
`;

/*
 * What agents do (version 2).
 * - tasks.agent: the remote agent that runs a task's turns; tasks.skills: a list of names.
 * - tool_calls: the calls of the turn that runs, in their order (`position`), with a result once there is one.
 * - surfaces: what the messages of a surface amount to; gone when the surface or its task is.
 */
const AGENTS = `
ALTER TABLE tasks ADD COLUMN agent TEXT;
ALTER TABLE tasks ADD COLUMN skills TEXT;

CREATE TABLE tool_calls (
  position INTEGER PRIMARY KEY,
  task_id TEXT NOT NULL,
  turn INTEGER NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  input TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  result TEXT
) STRICT;
CREATE UNIQUE INDEX calls_of_turn ON tool_calls (task_id, turn, id);

CREATE TABLE surfaces (
  task_id TEXT NOT NULL,
  surface_id TEXT NOT NULL,
  surface TEXT NOT NULL,
  PRIMARY KEY (task_id, surface_id)
) STRICT, WITHOUT ROWID;
`;

/** What remote agents work on (version 3); the columns are as in RemoteTask. */
const REMOTE = `
CREATE TABLE remote_tasks (
  task_id TEXT PRIMARY KEY NOT NULL,
  agent TEXT NOT NULL,
  remote_task_id TEXT NOT NULL,
  context_id TEXT,
  turn INTEGER NOT NULL,
  open INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX remote_tasks_open ON remote_tasks (open, task_id) WHERE open = 1;
`;

/** SQL by version: the first makes version 1 of an empty file, the second version 2 of version 1. */
export const MIGRATIONS: readonly string[] = [INITIAL, AGENTS, REMOTE];
