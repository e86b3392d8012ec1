/** An outbox in memory: what the sender needs of a store, with the log of each task as a list of bodies. */
import type {
  Delivery,
  DeliveryOutcome,
  PushConfig,
  PushStore,
  Store,
} from '../../src/store/port.ts';

interface Row {
  config: PushConfig;
  next: number;
  attempts: number;
  due: number;
  held: number;
}

/** An outbox that a test fills. */
export interface MemoryOutbox extends PushStore, Pick<Store, 'watch'> {
  /** Appends an event to the task and tells those who watch. */
  append(taskId: string, body: string): void;
  /** Every outcome, in order: `config seq outcome`. */
  readonly outcomes: string[];
  /** Claims so far. */
  readonly claims: number;
}

export function createMemoryOutbox(now: () => number): MemoryOutbox {
  const rows: Row[] = [];
  const logs = new Map<string, string[]>();
  const listeners = new Set<Parameters<Store['watch']>[0]>();
  const outcomes: string[] = [];
  let claims = 0;
  let dead = 0;
  const find = (taskId: string, owner: string, id: string) =>
    rows.find(
      ({ config }) => config.taskId === taskId && config.owner === owner && config.id === id,
    );
  const waits = (row: Row) => row.next < (logs.get(row.config.taskId)?.length ?? 0);
  const dueAt = (row: Row) => Math.max(row.due, row.held);
  const take = (row: Row, until: number): Delivery => {
    row.held = until;
    const { config, next: seq, attempts } = row;
    return { config, seq, body: logs.get(config.taskId)![seq]!, attempts };
  };
  const settle = ({ config, seq }: Delivery, outcome: DeliveryOutcome) => {
    const row = find(config.taskId, config.owner, config.id);
    outcomes.push(
      `${config.id} ${seq} ${outcome.kind}${'error' in outcome ? `: ${outcome.error}` : ''}`,
    );
    if (row?.next !== seq) return;
    if (outcome.kind === 'dead') dead += 1;
    if (outcome.kind === 'retry')
      Object.assign(row, { attempts: row.attempts + 1, due: outcome.at, held: 0 });
    else Object.assign(row, { attempts: 0, due: now(), held: 0, next: seq + 1 });
  };
  return {
    outcomes,
    get claims() {
      return claims;
    },
    append(taskId, body) {
      const log = logs.get(taskId) ?? [];
      logs.set(taskId, [...log, body]);
      const change = { taskId, seq: log.length, running: undefined, waiting: undefined };
      for (const listener of listeners) listener([change as never]);
    },
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    putPushConfig(config, after) {
      const next = (after ?? (logs.get(config.taskId)?.length ?? 0) - 1) + 1;
      const row = find(config.taskId, config.owner, config.id);
      const fresh = { config, next, attempts: 0, due: 0, held: 0 };
      if (row === undefined) rows.push(fresh);
      else Object.assign(row, fresh);
      return Promise.resolve();
    },
    readPushConfig: (taskId, owner, id) => Promise.resolve(find(taskId, owner, id)?.config),
    listPushConfigs: () => Promise.resolve(rows.map(({ config }) => config)),
    deletePushConfig(taskId, owner, id) {
      const row = find(taskId, owner, id);
      if (row !== undefined) rows.splice(rows.indexOf(row), 1);
      return Promise.resolve();
    },
    claimDeliveries(at, until, limit) {
      claims += 1;
      const due = rows.filter((row) => waits(row) && dueAt(row) <= at).slice(0, limit);
      return Promise.resolve(due.map((row) => take(row, until)));
    },
    settleDelivery(delivery, outcome) {
      settle(delivery, outcome);
      return Promise.resolve();
    },
    nextDeliveryAt() {
      const times = rows.filter(waits).map(dueAt);
      return Promise.resolve(times.length === 0 ? undefined : Math.min(...times));
    },
    countDeliveries: () => Promise.resolve({ waiting: rows.filter(waits).length, dead }),
  };
}
