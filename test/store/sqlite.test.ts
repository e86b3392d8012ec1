/** The embedded store: the contract, and what is particular to a file. */
import { execFile } from 'node:child_process';
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { build } from 'esbuild';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { Store, TaskChange } from '../../src/store/port.ts';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';
import { migrate } from '../../src/store/sqlite/migrate.ts';
import { MIGRATIONS } from '../../src/store/sqlite/schema.ts';
import { describeStore } from './contract.ts';
import { append, created, EVERYTHING, message, started, waits, WIRE, working } from './fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'store-'));
let files = 0;

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const newPath = () => join(folder, `${files++}.db`);

describeStore('a SQLite store in memory', (now) =>
  openSqliteStore({ path: ':memory:', wire: WIRE, now }),
);
describeStore('a SQLite store in a file', (now) =>
  openSqliteStore({ path: newPath(), wire: WIRE, now }),
);

/** Looks into a file from outside. */
function inspect<T>(path: string, look: (db: Database.Database) => T): T {
  const db = new Database(path);
  try {
    return look(db);
  } finally {
    db.close();
  }
}

/** Copies what the tables of an older version hold from the newest one; triggers make `counts` anew. */
function copyRows(db: Database.Database): void {
  const tables = db
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'counts'")
    .pluck()
    .all();
  for (const table of tables) {
    const names = db.prepare<[], { name: string }>(`PRAGMA main.table_info(${table})`).all();
    const columns = names.map(({ name }) => name).join(', ');
    db.exec(`INSERT INTO main.${table} (${columns}) SELECT ${columns} FROM newest.${table}`);
  }
}

describe('the file', () => {
  it('belongs to this user alone, with its folder', async () => {
    const path = join(folder, 'made', 'of', 'folders', 'tasks.db');
    const store = openSqliteStore({ path, wire: WIRE });
    await append(store, 'task', created());
    const modeOf = (name: string) => statSync(name).mode & 0o777;
    expect(modeOf(join(folder, 'made'))).toBe(0o700);
    const inside = join(folder, 'made', 'of', 'folders');
    for (const name of readdirSync(inside)) expect(modeOf(join(inside, name))).toBe(0o600);
    expect(readdirSync(inside).sort()).toStrictEqual(['tasks.db', 'tasks.db-shm', 'tasks.db-wal']);
    await store.close();
    expect(readdirSync(inside)).toStrictEqual(['tasks.db']);
  });

  it('keeps everything when it is closed and opened again', async () => {
    const path = newPath();
    const before = openSqliteStore({ path, wire: WIRE });
    await append(before, 'task', created(), message('one', 1), started(1), working());
    const task = await before.readTask('task', 'ann', EVERYTHING);
    await before.close();
    const after = openSqliteStore({ path, wire: WIRE });
    expect(await after.readTask('task', 'ann', EVERYTHING)).toStrictEqual(task);
    expect(await append(after, 'task', waits(1))).toBe(2);
    await after.close();
  });

  it('says what it is', async () => {
    const path = newPath();
    await openSqliteStore({ path, wire: WIRE }).close();
    inspect(path, (db) => {
      expect(db.pragma('application_id', { simple: true })).toBe(0x5448524e);
      expect(db.pragma('user_version', { simple: true })).toBe(MIGRATIONS.length);
      expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
      expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    });
  });

  it('is refused when it is no database', () => {
    const path = newPath();
    const text = 'This is a text, and it is longer than the header of a database. '.repeat(20);
    writeFileSync(path, text);
    expect(() => openSqliteStore({ path, wire: WIRE })).toThrow(
      `The database ${path} cannot be opened: the file is not a SQLite database; move it away or name another file (DATABASE)`,
    );
  });

  it('is refused, and left alone, when it is of another program', () => {
    const tables = newPath();
    inspect(tables, (db) => db.exec('CREATE TABLE theirs (a)'));
    const marked = newPath();
    inspect(marked, (db) => db.pragma('application_id = 42'));
    for (const path of [tables, marked]) {
      expect(() => openSqliteStore({ path, wire: WIRE })).toThrow(
        `${path} was made by another program`,
      );
      inspect(path, (db) => {
        expect(db.pragma('journal_mode', { simple: true })).toBe('delete');
        expect(db.pragma('user_version', { simple: true })).toBe(0);
      });
    }
  });

  it('is refused when a newer version of this program wrote it', async () => {
    const path = newPath();
    await openSqliteStore({ path, wire: WIRE }).close();
    const newer = MIGRATIONS.length + 1;
    inspect(path, (db) => db.pragma(`user_version = ${newer}`));
    expect(() => openSqliteStore({ path, wire: WIRE })).toThrow(
      `The database ${path} has version ${newer}, and this program knows versions up to ${MIGRATIONS.length}: run the newer program that wrote it, or name another file (DATABASE)`,
    );
  });

  it('is refused when it is damaged', async () => {
    const path = newPath();
    await openSqliteStore({ path, wire: WIRE }).close();
    truncateSync(path, 5000);
    expect(() => openSqliteStore({ path, wire: WIRE })).toThrow(
      `The database ${path} cannot be opened: the file is damaged`,
    );
  });

  it('is refused where it cannot be made', () => {
    const path = join(newPath(), 'tasks.db');
    writeFileSync(join(path, '..'), '');
    expect(() => openSqliteStore({ path, wire: WIRE })).toThrow(
      `The database ${path} cannot be opened: a part of its path is a file, not a folder`,
    );
    expect(() => openSqliteStore({ path: folder, wire: WIRE })).toThrow(
      `The database ${folder} is a folder; name a file in it (DATABASE)`,
    );
  });

  it.skipIf(process.getuid?.() === 0)('is refused where it cannot be written', async () => {
    const path = newPath();
    await openSqliteStore({ path, wire: WIRE }).close();
    chmodSync(path, 0o400);
    expect(() => openSqliteStore({ path, wire: WIRE })).toThrow(
      `The database ${path} cannot be opened: this user must be able to read and write the file`,
    );
  });

  it('is refused where commits would not survive a power cut', () => {
    const pragma = vi.spyOn(Database.prototype, 'pragma');
    // A file system that leaves the journal as it was.
    pragma.mockImplementation(function (this: Database.Database, source, options) {
      const rows = this.prepare(
        `PRAGMA ${source === 'journal_mode = WAL' ? 'journal_mode' : source}`,
      );
      if (!rows.reader) return rows.run();
      return options?.simple === true ? rows.pluck().get() : rows.all();
    });
    const path = newPath();
    try {
      expect(() => openSqliteStore({ path, wire: WIRE })).toThrow(
        `The database ${path} cannot be opened: journal_mode is delete and synchronous 2 where wal and 2 (FULL) are needed`,
      );
    } finally {
      pragma.mockRestore();
    }
  });

  it('keeps the version before when a migration fails, and goes on from there', async () => {
    const path = newPath();
    await openSqliteStore({ path, wire: WIRE }).close();
    inspect(path, (db) => {
      const next = 'CREATE TABLE added (a);';
      expect(() => {
        migrate(db, [...MIGRATIONS, `${next} CREATE TABLE added (a);`]);
      }).toThrow('already exists');
      expect(db.pragma('user_version', { simple: true })).toBe(MIGRATIONS.length);
      migrate(db, [...MIGRATIONS, next]);
      migrate(db, [...MIGRATIONS, next]);
      expect(db.pragma('user_version', { simple: true })).toBe(MIGRATIONS.length + 1);
    });
  });

  it.each(MIGRATIONS.slice(1).map((_, index) => index + 1))(
    'of version %i is migrated with the tasks that are in it',
    async (version) => {
      const newest = newPath();
      const store = openSqliteStore({ path: newest, wire: WIRE });
      await append(store, 'task', created(), message('one', 1), started(1), working('busy'));
      await append(store, 'task', message('two', 2), waits(1, 'Yes?', { memory: 1 }));
      await append(store, 'other', created(), message('three', 1), started(1));
      const look = async (from: Store) => [
        await from.readTask('task', 'ann', EVERYTHING),
        await from.readTurn('task', 2),
        await from.readHead('other'),
        await from.listTasks({ reader: 'ann', limit: 10, read: EVERYTHING }),
        await from.findIdleTasks(10),
      ];
      const before = await look(store);
      await store.close();
      const path = newPath();
      inspect(path, (db) => {
        migrate(db, MIGRATIONS.slice(0, version));
        db.prepare('ATTACH ? AS newest').run(newest);
        copyRows(db);
      });
      const after = openSqliteStore({ path, wire: WIRE });
      expect(await look(after)).toStrictEqual(before);
      expect(await append(after, 'task', { kind: 'skills-changed', skills: ['a'] })).toBe(2);
      expect((await after.readHead('task'))?.skills).toStrictEqual(['a']);
      await after.close();
      inspect(path, (db) => {
        expect(db.pragma('user_version', { simple: true })).toBe(MIGRATIONS.length);
        expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
      });
    },
  );

  it('is migrated once when several processes open it at the same time', async () => {
    const path = newPath();
    // Beside the packages, where the bundle finds the driver.
    const bundle = join('node_modules', '.cache', `store-${basename(folder)}.mjs`);
    await build({
      stdin: {
        contents: `import { toStreamResponse, toTaskMetadata } from './src/extensions/wire.ts';
          import { openSqliteStore } from './src/store/sqlite/index.ts';
          const wire = { toStreamResponse, toTaskMetadata };
          const store = openSqliteStore({ path: process.argv[2], wire });
          await store.check();
          await store.close();`,
        resolveDir: process.cwd(),
      },
      bundle: true,
      platform: 'node',
      format: 'esm',
      external: ['better-sqlite3'],
      outfile: bundle,
    });
    try {
      const openIt = () => promisify(execFile)(process.execPath, [bundle, path]);
      await Promise.all([1, 2, 3, 4].map(openIt));
    } finally {
      rmSync(bundle);
    }
    inspect(path, (db) => {
      expect(db.pragma('user_version', { simple: true })).toBe(MIGRATIONS.length);
      expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    });
  });
});

describe('two handles on one file', () => {
  /** Two stores as two processes would have them. */
  function openTwo(): [Store, Store] {
    const path = newPath();
    return [openSqliteStore({ path, wire: WIRE }), openSqliteStore({ path, wire: WIRE })];
  }

  it('see what the other commits', async () => {
    const [one, two] = openTwo();
    await append(one, 'task', created());
    expect(await append(two, 'task', working())).toBe(1);
    expect((await one.readTask('task', 'ann', EVERYTHING))?.seq).toBe(1);
    await one.close();
    await two.close();
  });

  it('never write one sequence number twice', async () => {
    const [one, two] = openTwo();
    await append(one, 'task', created());
    const seqs = await Promise.all(
      Array.from({ length: 200 }, (_, n) => append(n % 2 === 0 ? one : two, 'task', working())),
    );
    expect([...seqs].sort((a, b) => a - b)).toStrictEqual(
      Array.from({ length: 200 }, (_, n) => n + 1),
    );
    await one.close();
    await two.close();
  });

  it('are told what the other commits, once and in order', async () => {
    const [one, two] = openTwo();
    await append(two, 'old', created());
    const heard: TaskChange[] = [];
    one.watch((changes) => heard.push(...changes));
    await append(two, 'far', created(), message('one', 1), started(1, 'other'), working());
    await vi.waitFor(() => {
      expect(heard).toHaveLength(1);
    });
    const running = { number: 1, owner: 'other', attempt: 1 };
    expect(heard).toStrictEqual([{ taskId: 'far', seq: 1, running, waiting: false }]);
    // What the other one committed since is told before what comes after it.
    await append(two, 'far', working());
    await append(one, 'far', working());
    await append(one, 'near', created());
    expect(heard.slice(1).map(({ taskId, seq }) => [taskId, seq])).toStrictEqual([
      ['far', 2],
      ['far', 3],
      ['near', 0],
    ]);
    await append(two, 'last', created());
    await vi.waitFor(() => {
      expect(heard.at(-1)).toMatchObject({ taskId: 'last' });
    });
    expect(heard).toHaveLength(5);
    await one.close();
    await two.close();
  });

  it('are told of a turn that the other gives back', async () => {
    const [one, two] = openTwo();
    await append(two, 'task', created(), message('one', 1), started(1, 'other'), working());
    const heard: TaskChange[] = [];
    one.watch((changes) => heard.push(...changes));
    await append(two, 'task', { kind: 'turn-released', turn: 1 });
    await vi.waitFor(() => {
      expect(heard).toStrictEqual([{ taskId: 'task', seq: 1, running: undefined, waiting: true }]);
    });
    await one.close();
    await two.close();
  });
});

describe('the cost of a call', () => {
  it('shares one commit among the calls of one turn of the event loop', async () => {
    const path = newPath();
    const store = openSqliteStore({ path, wire: WIRE });
    const other = new Database(path);
    // The version that another connection sees goes up with each commit.
    const version = () => other.pragma('data_version', { simple: true });
    const versions = new Set([version()]);
    await Promise.all(
      Array.from({ length: 100 }, async (_, n) => {
        await append(store, `t${n}`, created());
        versions.add(version());
      }),
    );
    expect(versions.size).toBe(2);
    other.close();
    await store.close();
  });

  it('finds everything by a key or an index, and sorts no list of tasks', async () => {
    const path = newPath();
    const prepare = vi.spyOn(Database.prototype, 'prepare');
    const store = openSqliteStore({ path, wire: WIRE });
    for (const contextId of [undefined, 'context']) {
      for (const state of [undefined, 'TASK_STATE_WORKING'] as const) {
        for (const since of [undefined, 1]) {
          for (const after of [undefined, { statusAt: 1, id: 'a' }]) {
            const query = { contextId, state, since, after };
            await store.listTasks({ reader: 'ann', limit: 1, read: EVERYTHING, ...query });
          }
        }
      }
    }
    const queries = new Set(prepare.mock.calls.map(([sql]) => sql));
    prepare.mockRestore();
    await store.close();
    expect(queries.size).toBeGreaterThan(50);
    const plans = inspect(path, (db) =>
      [...queries].map((sql) => ({ sql, steps: explain(db, sql) })),
    );
    // The index of idle tasks holds those alone.
    const scans =
      /^SCAN (?!sqlite_schema|CONSTANT ROW|json_each VIRTUAL|tasks USING INDEX tasks_idle)/;
    for (const { sql, steps } of plans) {
      const bad = steps.filter(
        (step) => scans.test(step) || (sql.includes('FROM memberships') && step.includes('TEMP')),
      );
      expect([sql, bad]).toStrictEqual([sql, []]);
    }
  });
});

function explain(db: Database.Database, sql: string): string[] {
  const names = [...sql.matchAll(/@(\w+)/g)].map(([, name]) => [name, 1] as const);
  const values: unknown[] =
    names.length > 0 ? [Object.fromEntries(names)] : [...sql.matchAll(/\?/g)].map(() => 1);
  const rows = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values) as { detail: string }[];
  return rows.map(({ detail }) => detail);
}
