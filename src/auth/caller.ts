/** Who is calling (rules A2, A3, A6, T4). */
import type { Message } from '@tiny-harness/contract/a2a';
import { parseSenderId, readSender, SENDER_KEY, writeSender } from '@tiny-harness/contract/task/v1';
import type { FieldViolation } from '../core/errors.ts';
import { invalidParams } from '../core/errors.ts';
import { ANONYMOUS } from '../core/participants.ts';

/** Who is on no task: where the server fails closed, whoever asserts nobody sees nothing (rule A6). */
const NOBODY = '';

/**
 * Who calls an operation: the participant that the header asserts, else `anonymous`, or nobody where the server is set
 * to fail closed.
 *
 * @throws ProtocolError INVALID_PARAMS when the header asserts somebody whom nobody may assert (rule A3)
 */
export function identifyCaller(
  asserted: string | undefined,
  { agentId, requireParticipant }: { agentId: string; requireParticipant: boolean },
): string {
  if (asserted === undefined) return requireParticipant ? NOBODY : ANONYMOUS;
  const violation = checkAssertion('X-Participant-Id', asserted, agentId);
  if (violation !== undefined) throw invalidParams([violation]);
  return asserted;
}

/**
 * Who sends a message, and the message with the sender that the header names stamped on it (rules A3, T4).
 *
 * @throws ProtocolError INVALID_PARAMS when header and metadata differ, or assert whom nobody may assert
 */
export function identifySender<M extends Message>(
  message: M,
  asserted: string | undefined,
  agentId: string,
): { readonly sender: string; readonly message: M } {
  const caller = identifyCaller(asserted, { agentId, requireParticipant: false });
  const field = `message.metadata.${SENDER_KEY}`;
  const named = readSender(message);
  if (named === undefined) {
    return {
      sender: caller,
      message: asserted === undefined ? message : writeSender(message, caller),
    };
  }
  if (!named.ok) {
    throw invalidParams(
      named.errors.map(({ message: text }) => ({ field, description: `${field}: ${text}` })),
    );
  }
  const violation = checkAssertion(field, named.value, agentId);
  if (violation !== undefined) throw invalidParams([violation]);
  if (asserted !== undefined && asserted !== named.value) {
    const description = `${field} and the X-Participant-Id header name different senders; leave one out, or let them agree`;
    throw invalidParams([{ field, description }]);
  }
  return { sender: named.value, message };
}

function checkAssertion(field: string, id: string, agentId: string): FieldViolation | undefined {
  const parsed = parseSenderId(id);
  if (!parsed.ok) {
    return { field, description: `${field} must be 1 to 256 characters; got ${id.length}` };
  }
  if (id !== agentId && id !== ANONYMOUS) return undefined;
  return { field, description: `${field} must not be "${id}": nobody can assert that participant` };
}
