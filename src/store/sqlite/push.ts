/**
 * Push notification configs, and the outbox that they are: each knows the next event to deliver and when. A claim
 * is a due time in the future, so that a delivery whose sender is gone comes up again by itself.
 */
import type { Database } from 'better-sqlite3';
import { taskNotFound } from '../../core/errors.ts';
import type { Delivery, DeliveryOutcome, JsonText, PushConfig } from '../port.ts';
import { LIMIT } from './limit.ts';

/** The queries behind `PushStore`, within the caller's transaction. */
export interface PushQueries {
  putPushConfig(config: PushConfig, after: number | undefined, now: number): void;
  readPushConfig(taskId: string, owner: string, id: string): PushConfig | undefined;
  listPushConfigs(
    taskId: string,
    owner: string,
    afterId: string,
    limit: number,
  ): readonly PushConfig[];
  deletePushConfig(taskId: string, owner: string, id: string): void;
  claimDeliveries(now: number, until: number, limit: number): readonly Delivery[];
  settleDelivery(delivery: Delivery, outcome: DeliveryOutcome, now: number): void;
  nextDeliveryAt(): number | undefined;
  countDeliveries(): { readonly waiting: number; readonly dead: number };
}

interface ConfigRow {
  task_id: string;
  owner: string;
  id: string;
  url: string;
  secrets: string | null;
}

interface DeliveryRow extends ConfigRow {
  next_seq: number;
  attempts: number;
  body: JsonText;
}

const CONFIG = 'c.task_id, c.owner, c.id, c.url, c.secrets';
const KEY = 'task_id = ? AND owner = ? AND id = ?';

/** Prepares the statements. */
export function createPushQueries(db: Database): PushQueries {
  return { ...createConfigQueries(db), ...createOutboxQueries(db) };
}

function createConfigQueries(
  db: Database,
): Pick<PushQueries, 'putPushConfig' | 'readPushConfig' | 'listPushConfigs' | 'deletePushConfig'> {
  const put = db.prepare(`INSERT INTO push_configs
    (task_id, owner, id, url, secrets, attempts, next_seq, due_at)
    SELECT t.id, m.reader, ?, ?, ?, 0, min(t.seq, ?) + 1, iif(? < t.seq, ?, NULL)
    FROM tasks t JOIN memberships m ON m.task_id = t.id WHERE t.id = ? AND m.reader = ?
    ON CONFLICT DO UPDATE SET url = excluded.url, secrets = excluded.secrets,
      next_seq = iif(url = excluded.url, next_seq, excluded.next_seq),
      attempts = iif(url = excluded.url, attempts, 0),
      due_at = iif(url = excluded.url, due_at, excluded.due_at)`);
  const read = db.prepare<string[], ConfigRow>(`SELECT ${CONFIG} FROM push_configs c WHERE ${KEY}`);
  const list = db.prepare<[string, string, string, number], ConfigRow>(
    `SELECT ${CONFIG} FROM push_configs c WHERE task_id = ? AND owner = ? AND id > ? ORDER BY id ${LIMIT}`,
  );
  const remove = db.prepare(`DELETE FROM push_configs WHERE ${KEY}`);
  return {
    putPushConfig: ({ taskId, owner, id, url, secrets }, after = Number.MAX_SAFE_INTEGER, now) => {
      const { changes } = put.run(id, url, secrets ?? null, after, after, now, taskId, owner);
      // Looked at here and not before: who was on the task a moment ago may have been taken off it (rule A2).
      if (changes === 0) throw taskNotFound(taskId);
    },
    readPushConfig: (taskId, owner, id) => {
      const row = read.get(taskId, owner, id);
      return row && toConfig(row);
    },
    listPushConfigs: (taskId, owner, afterId, limit) =>
      list.all(taskId, owner, afterId, limit).map(toConfig),
    deletePushConfig: (taskId, owner, id) => {
      remove.run(taskId, owner, id);
    },
  };
}

function createOutboxQueries(
  db: Database,
): Pick<PushQueries, 'claimDeliveries' | 'settleDelivery' | 'nextDeliveryAt' | 'countDeliveries'> {
  const selectDue = db.prepare<[number, number], DeliveryRow>(`
    SELECT ${CONFIG}, c.next_seq, c.attempts, e.body FROM push_configs c
    JOIN events e ON e.task_id = c.task_id AND e.seq = c.next_seq
    WHERE c.due_at <= ? ORDER BY c.due_at ${LIMIT}`);
  const setDue = db.prepare(`UPDATE push_configs SET due_at = ? WHERE ${KEY}`);
  const next = db
    .prepare<[], number | null>('SELECT min(due_at) FROM push_configs WHERE due_at IS NOT NULL')
    .pluck();
  // Dead letters are numbered from 1 and stay: the last one's number is how many they are.
  const count = db.prepare<[], { waiting: number; dead: number }>(`SELECT
    (SELECT coalesce(sum(t.seq - c.next_seq + 1), 0) FROM push_configs c JOIN tasks t ON t.id = c.task_id
      WHERE c.due_at IS NOT NULL) AS waiting,
    (SELECT coalesce(max(position), 0) FROM dead_letters) AS dead`);
  return {
    claimDeliveries: (now, until, limit) => {
      const rows = selectDue.all(now, limit);
      for (const { task_id: taskId, owner, id } of rows) setDue.run(until, taskId, owner, id);
      return rows.map(toDelivery);
    },
    settleDelivery: createSettleDelivery(db),
    nextDeliveryAt: () => next.get() ?? undefined,
    countDeliveries: () => count.get() ?? { waiting: 0, dead: 0 },
  };
}

function createSettleDelivery(db: Database): PushQueries['settleDelivery'] {
  // A config that leads elsewhere by now, or is at another event, has nothing to settle.
  const sameDelivery = `${KEY} AND next_seq = ? AND url = ?`;
  const retry = db.prepare(`UPDATE push_configs SET attempts = attempts + 1, due_at = ?,
    last_error = ? WHERE ${sameDelivery}`);
  const advance =
    db.prepare(`UPDATE push_configs SET attempts = 0, last_error = ?, next_seq = next_seq + 1,
    due_at = iif(next_seq < (SELECT seq FROM tasks WHERE tasks.id = push_configs.task_id), ?, NULL)
    WHERE ${sameDelivery}`);
  const bury = db.prepare(`INSERT INTO dead_letters (task_id, owner, config_id, seq, error, at)
    VALUES (?, ?, ?, ?, ?, ?)`);
  return ({ config: { taskId, owner, id, url }, seq }, outcome, now) => {
    const key = [taskId, owner, id, seq] as const;
    switch (outcome.kind) {
      case 'retry':
        retry.run(outcome.at, outcome.error, ...key, url);
        return;
      case 'delivered':
        advance.run(null, now, ...key, url);
        return;
      case 'dead': {
        const { changes } = advance.run(outcome.error, now, ...key, url);
        if (changes > 0) bury.run(...key, outcome.error, now);
        return;
      }
    }
  };
}

function toConfig({ task_id: taskId, owner, id, url, secrets }: ConfigRow): PushConfig {
  return { taskId, owner, id, url, secrets: secrets ?? undefined };
}

function toDelivery(row: DeliveryRow): Delivery {
  return { config: toConfig(row), seq: row.next_seq, body: row.body, attempts: row.attempts };
}
