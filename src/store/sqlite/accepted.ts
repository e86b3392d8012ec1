/** Messages that were accepted before (rule A5). */
import type { Message } from '@tiny-harness/contract/a2a';
import type { Database } from 'better-sqlite3';
import type { AcceptedMessage } from '../../core/task.ts';

/** Reads and writes rows of `accepted`. */
export interface AcceptedMessages {
  find(sender: string, messageId: string): AcceptedMessage | undefined;
  /** Keeps the answer unless the message was accepted before; returns what is kept. */
  keep(
    message: { sender: string; messageId: string; fingerprint: string },
    answer: Message,
  ): AcceptedMessage;
}

interface Row {
  fingerprint: string;
  task_id: string | null;
  turn: number | null;
  after_seq: number;
  replied: number;
  answer: string | null;
}

/** Prepares the statements. */
export function createAcceptedMessages(db: Database): AcceptedMessages {
  const find = db.prepare<[string, string], Row>(
    'SELECT fingerprint, task_id, turn, after_seq, replied, answer FROM accepted WHERE sender = ? AND message_id = ?',
  );
  const keep =
    db.prepare(`INSERT INTO accepted (sender, message_id, fingerprint, after_seq, replied, answer)
    VALUES (?, ?, ?, -1, 0, ?) ON CONFLICT DO NOTHING`);
  return {
    find: (sender, messageId) => {
      const row = find.get(sender, messageId);
      return row && toAcceptedMessage(row);
    },
    keep: ({ sender, messageId, fingerprint }, answer) => {
      keep.run(sender, messageId, fingerprint, JSON.stringify(answer));
      const kept = find.get(sender, messageId);
      if (kept === undefined) throw new Error(`message ${messageId} was not kept`);
      return toAcceptedMessage(kept);
    },
  };
}

function toAcceptedMessage(row: Row): AcceptedMessage {
  const { answer } = row;
  return {
    taskId: row.task_id ?? undefined,
    turn: row.turn ?? undefined,
    seq: row.after_seq,
    replied: row.replied === 1,
    fingerprint: row.fingerprint,
    // It was written by this program, as a message.
    answer: answer === null ? undefined : (JSON.parse(answer) as Message),
  };
}
