/** The contract of `src/store/port.ts`: whatever keeps the tasks passes it. */
import { describe } from 'vitest';
import { describeAgents } from './contract-agents.ts';
import { describeLinked } from './contract-linked.ts';
import { describeLists } from './contract-lists.ts';
import { describeLog } from './contract-log.ts';
import { describePush } from './contract-push.ts';
import { describeRemoteTasks } from './contract-remote.ts';
import { describeReplies } from './contract-replies.ts';
import { describeTasks } from './contract-tasks.ts';
import { describeTurns } from './contract-turns.ts';
import type { OpenStore } from './fixture.ts';

/** Tests a store; `open` gives an empty one each time. Those who open close. */
export function describeStore(name: string, open: OpenStore): void {
  describe(name, () => {
    describeLog(open);
    describeLinked(open);
    describeReplies(open);
    describeTasks(open);
    describeLists(open);
    describeTurns(open);
    describeAgents(open);
    describePush(open);
    describeRemoteTasks(open);
  });
}
