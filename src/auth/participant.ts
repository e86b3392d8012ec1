/** Whom nobody may be, in whatever way he says or proves who he is (rules T3, A3). */
import { parseSenderId } from '@tiny-harness/contract/task/v1';
import { ANONYMOUS } from '../core/participants.ts';

/** Why the id cannot be a caller's, as the end of a sentence that begins with where it stands; undefined when it can. */
export function findIdFault(id: string, agentId: string): string | undefined {
  if (!parseSenderId(id).ok) return `must be 1 to 256 characters; got ${id.length}`;
  if (id === agentId) return `must not be "${id}": that is the agent, and it calls nobody`;
  if (id === ANONYMOUS) return `must not be "${id}": that is who says nothing`;
  return undefined;
}
