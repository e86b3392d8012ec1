import Database from 'better-sqlite3';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGroupCommit } from '../../src/store/sqlite/group-commit.ts';
import { createSnapshots } from '../../src/store/sqlite/snapshot.ts';

let folder: string;
let db: Database.Database;
let other: Database.Database;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tiny-harness-'));
  const path = join(folder, 'test.db');
  db = new Database(path);
  db.exec('PRAGMA journal_mode = WAL; CREATE TABLE words (text TEXT)');
  other = new Database(path);
});

afterEach(async () => {
  await endOfTurn();
  db.close();
  other.close();
  rmSync(folder, { recursive: true });
});

const endOfTurn = () => new Promise((resolve) => setImmediate(resolve));

const hooks = {
  begin: () => undefined,
  end: () => undefined,
  committed: () => undefined,
  rolledBack: () => undefined,
};

describe('a snapshot', () => {
  const count = () => db.prepare<[], number>('SELECT count(*) FROM words').pluck().get();
  const write = () => other.exec(`INSERT INTO words VALUES ('word')`);

  it('sees with those asked for in one go one moment, and afterwards the next', async () => {
    const { run } = createSnapshots(db);
    const first = run(count);
    write();
    const second = run(count);
    expect(await Promise.all([first, second])).toStrictEqual([0, 0]);
    await endOfTurn();
    expect(db.inTransaction).toBe(false);
    expect(await run(count)).toBe(1);
  });

  it('rejects with what its query throws, and leaves the others alone', async () => {
    const { run } = createSnapshots(db);
    const fault = new Error('fault');
    const results = await Promise.allSettled([
      run(() => {
        throw fault;
      }),
      run(count),
    ]);
    expect(results).toStrictEqual([
      { status: 'rejected', reason: fault },
      { status: 'fulfilled', value: 0 },
    ]);
  });

  it('that a failing disk has ended is over, and the next begins', async () => {
    const { run } = createSnapshots(db);
    // What SQLite does by itself when it cannot read.
    const lost = run(() => db.exec('ROLLBACK'));
    await lost;
    await endOfTurn();
    expect(await run(count)).toBe(0);
  });

  it('is over before something is written', async () => {
    const { run, end } = createSnapshots(db);
    const commit = createGroupCommit(db, hooks, end);
    const written = commit.run(() => db.exec(`INSERT INTO words VALUES ('word')`));
    const seen = run(count);
    commit.close();
    await written;
    expect(await seen).toBe(0);
    expect(db.inTransaction).toBe(false);
    expect(other.prepare('SELECT count(*) FROM words').pluck().get()).toBe(1);
  });
});
