/** Brings a database to the newest version, and refuses those that are none of ours. */
import type { Database } from 'better-sqlite3';
import { APPLICATION_ID, MIGRATIONS } from './schema.ts';

/**
 * Migrates forward, one transaction a version. Several processes may do so at once: each step looks again under
 * the write lock.
 */
export function migrate(db: Database, migrations: readonly string[] = MIGRATIONS): void {
  for (const [index, sql] of migrations.entries()) {
    if (readNumber(db, 'user_version') > index) continue;
    db.transaction(() => {
      if (readNumber(db, 'user_version') > index) return;
      db.pragma(`application_id = ${APPLICATION_ID}`);
      db.exec(sql);
      db.pragma(`user_version = ${index + 1}`);
    }).immediate();
  }
}

/**
 * Refuses a file that this program must not touch. Changes nothing.
 *
 * @throws Error that says what the file is and what to do
 */
export function requireOurs(db: Database, path: string): void {
  // In this order: another process that makes the file marks it before it fills it.
  const isEmpty = db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
  const application = readNumber(db, 'application_id');
  if (application !== APPLICATION_ID && !(application === 0 && isEmpty)) {
    throw new Error(
      `The database ${path} was made by another program; name a file of its own (DATABASE), which is created when it does not exist`,
    );
  }
  const version = readNumber(db, 'user_version');
  if (version > MIGRATIONS.length) {
    throw new Error(
      `The database ${path} has version ${version}, and this program knows versions up to ${MIGRATIONS.length}: run the newer program that wrote it, or name another file (DATABASE)`,
    );
  }
}

/** The value of a pragma that holds a number. */
export function readNumber(db: Database, pragma: string): number {
  return Number(db.pragma(pragma, { simple: true }));
}
