/** Opens the file and sees to it that what is committed survives a power cut. */
import { closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { migrate, readNumber, requireOurs } from './migrate.ts';

/** The path of a database that is gone when it is closed. */
export const IN_MEMORY = ':memory:';

/** How long a process waits for another that writes: milliseconds. */
const BUSY_TIMEOUT = 5000;

const FULL = 2;

/**
 * Opens the database at the path, creating it and its folder for this user alone, and migrates it.
 *
 * @throws Error that says what is wrong with the file and what to do
 */
export function openDatabase(path: string): Database.Database {
  try {
    if (path !== IN_MEMORY) createFile(path);
    return openFile(path);
  } catch (error) {
    throw describeFailure(error, path);
  }
}

/** SQLite would let everybody read the file. `wx` never opens one that exists: closing it would drop its locks. */
function createFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  if (statSync(path).isDirectory()) {
    throw new Error(`The database ${path} is a folder; name a file in it (DATABASE)`);
  }
}

function openFile(path: string): Database.Database {
  const db = new Database(path, { timeout: BUSY_TIMEOUT });
  try {
    requireOurs(db, path);
    configure(db, path);
    migrate(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function configure(db: Database.Database, path: string): void {
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  // On macOS a plain fsync leaves the data in the drive's cache; elsewhere this changes nothing.
  db.pragma('fullfsync = ON');
  db.pragma('checkpoint_fullfsync = ON');
  db.pragma('journal_size_limit = 67108864');
  // Pages that change with every commit are written back once for many: 16 MB of log between two checkpoints.
  db.pragma('wal_autocheckpoint = 4000');
  db.pragma('cache_size = -16384');
  db.pragma('temp_store = MEMORY');
  db.pragma('foreign_keys = OFF');
  if (path === IN_MEMORY) return;
  const journal = String(db.pragma('journal_mode', { simple: true }));
  const synchronous = readNumber(db, 'synchronous');
  if (journal === 'wal' && synchronous === FULL) return;
  throw new Error(
    `journal_mode is ${journal} and synchronous ${synchronous} where wal and ${FULL} (FULL) are needed for commits that survive a power cut; put the database on a local file system`,
  );
}

function describeFailure(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || error.message.startsWith('The database')) return error;
  const code = 'code' in error ? String(error.code) : '';
  const known = FAILURES.find(([pattern]) => pattern.test(code));
  return new Error(
    `The database ${path} cannot be opened: ${known === undefined ? error.message : known[1]}`,
    { cause: error },
  );
}

/** What the codes of SQLite and of the file system mean here, and what to do. */
const FAILURES: readonly (readonly [RegExp, string])[] = [
  [
    /^SQLITE_NOTADB/,
    'the file is not a SQLite database; move it away or name another file (DATABASE)',
  ],
  [
    /^SQLITE_CORRUPT/,
    'the file is damaged; move it away with its -wal and -shm files, and put a backup in its place',
  ],
  [
    /^SQLITE_(?:CANTOPEN|READONLY)|^E(?:ACCES|PERM|ROFS)$/,
    'this user must be able to read and write the file, and to make files in its folder; see to that, or name another file (DATABASE)',
  ],
  [/^E(?:EXIST|NOTDIR)$/, 'a part of its path is a file, not a folder; name another (DATABASE)'],
  [/^SQLITE_FULL|^ENOSPC$/, 'the disk is full; make room, or name a file on another (DATABASE)'],
  [/^SQLITE_BUSY/, 'another program holds a lock on the file; stop it, or name another (DATABASE)'],
];
