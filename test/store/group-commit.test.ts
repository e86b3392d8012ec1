import Database from 'better-sqlite3';
import { describe, expect, it, vi } from 'vitest';
import { createGroupCommit } from '../../src/store/sqlite/group-commit.ts';

function openCommit() {
  const db = new Database(':memory:');
  db.exec(`PRAGMA foreign_keys = ON; CREATE TABLE parent (id INTEGER PRIMARY KEY);
    CREATE TABLE child (parent INTEGER REFERENCES parent DEFERRABLE INITIALLY DEFERRED, text TEXT)`);
  const hooks = { begin: vi.fn(), end: vi.fn(), committed: vi.fn(), rolledBack: vi.fn() };
  const commit = createGroupCommit(db, hooks);
  const insert = db.prepare('INSERT INTO child (parent, text) VALUES (?, ?)');
  const write = (text: string, parent: number | null = null) =>
    commit.run(() => {
      insert.run(parent, text);
      return text;
    });
  const texts = () => db.prepare('SELECT text FROM child').pluck().all();
  return { db, hooks, commit, write, texts };
}

const change = (taskId: string) => ({ taskId, seq: 0, running: undefined, waiting: false });

describe('a group commit', () => {
  it('runs the calls of one turn of the event loop in one transaction, in order', async () => {
    const { hooks, write, texts } = openCommit();
    expect(await Promise.all(['a', 'b', 'c'].map((text) => write(text)))).toStrictEqual([
      'a',
      'b',
      'c',
    ]);
    expect(texts()).toStrictEqual(['a', 'b', 'c']);
    expect(hooks.committed).toHaveBeenCalledTimes(1);
  });

  it('undoes what throws, and tells nothing of it', async () => {
    const { hooks, commit, write, texts } = openCommit();
    const fault = new Error('fault');
    const results = await Promise.allSettled([
      commit.run((changes) => changes.push(change('first'))),
      write('a'),
      commit.run((changes) => {
        changes.push(change('second'));
        void write('later');
        throw fault;
      }),
      write('b'),
    ]);
    expect(results[2]).toStrictEqual({ status: 'rejected', reason: fault });
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(texts().slice(0, 2)).toStrictEqual(['a', 'b']);
    expect(hooks.committed).toHaveBeenNthCalledWith(1, [change('first')]);
  });

  it('rejects all when the commit fails, and goes on with the next', async () => {
    const { hooks, write, texts } = openCommit();
    const results = await Promise.allSettled([write('a'), write('b', 404), write('c')]);
    for (const result of results) {
      expect(result).toMatchObject({
        status: 'rejected',
        reason: { code: 'SQLITE_CONSTRAINT_FOREIGNKEY' },
      });
    }
    expect(hooks.committed).not.toHaveBeenCalled();
    expect(hooks.rolledBack).toHaveBeenCalledTimes(1);
    await write('d');
    expect(texts()).toStrictEqual(['d']);
  });

  it('rejects what a full disk undoes', async () => {
    const { db, write, texts } = openCommit();
    await write('before');
    db.pragma(`max_page_count = ${String(db.pragma('page_count', { simple: true }))}`);
    const results = await Promise.allSettled([write('x'.repeat(100_000)), write('small')]);
    const reason = { reason: 'UNAVAILABLE', cause: { code: 'SQLITE_FULL' } };
    expect(results[0]).toMatchObject({ status: 'rejected', reason });
    const kept = results[1].status === 'fulfilled' ? ['before', 'small'] : ['before'];
    expect(texts()).toStrictEqual(kept);
  });

  it('commits what waits when it is closed', async () => {
    const { commit, write, texts } = openCommit();
    const many = Promise.all(Array.from({ length: 1000 }, (_, n) => write(`${n}`)));
    commit.close();
    await expect(write('late')).rejects.toThrow('The store is closed');
    expect(await many).toHaveLength(1000);
    expect(texts()).toHaveLength(1000);
  });
});
