/** Who is calling (rules A2, A3, A6, T4). */
import type { Message } from '@tiny-harness/contract/a2a';
import { readSender, SENDER_KEY, writeSender } from '@tiny-harness/contract/task/v1';
import type { FieldViolation } from '../core/errors.ts';
import { invalidParams } from '../core/errors.ts';
import { ANONYMOUS } from '../core/participants.ts';
import type { Authentication, Credentials } from './authentication.ts';
import { findIdFault } from './participant.ts';

/** Who is on no task: where the server fails closed, whoever asserts nobody sees nothing (rule A6). */
const NOBODY = '';

/**
 * Who calls, as far as the request proves it or, without authentication, asserts it in its header; undefined when it
 * does not.
 *
 * @throws ProtocolError as `Authentication.identify` does; INVALID_PARAMS when the header asserts somebody else than
 *   the credentials prove (rule A3)
 */
export async function readParticipant(
  authentication: Authentication | undefined,
  credentials: Credentials,
  asserted: string | undefined,
): Promise<string | undefined> {
  if (authentication === undefined) return asserted;
  const participant = await authentication.identify(credentials);
  if (asserted === undefined || asserted === participant) return participant;
  const field = 'X-Participant-Id';
  const description = `${field} names somebody else than the credentials do; leave it out, or let them agree`;
  throw invalidParams([{ field, description }]);
}

/**
 * Who calls an operation: the participant that is known or asserted, else `anonymous`, or nobody where the server is set
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
 * Who sends a message, and the message with the sender that header or credentials name stamped on it (rules A3, T4).
 *
 * @throws ProtocolError INVALID_PARAMS when they and the metadata differ, or assert whom nobody may assert
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
    const description = `${field} names another sender than the X-Participant-Id header or the credentials; leave it out, or let them agree`;
    throw invalidParams([{ field, description }]);
  }
  return { sender: named.value, message };
}

function checkAssertion(field: string, id: string, agentId: string): FieldViolation | undefined {
  const fault = findIdFault(id, agentId);
  return fault === undefined ? undefined : { field, description: `${field} ${fault}` };
}
