/** What a turn is made of, and how whatever its agent does in it is committed. */
import type { Decision, DecisionView, Lookups } from '../core/decision.ts';
import type { TaskHead } from '../core/task.ts';
import type { TurnHolder } from '../core/turns.ts';
import { TurnLostError } from '../core/turns.ts';
import type { Logger } from '../log.ts';
import type { SkillCatalog } from '../skills/port.ts';
import type { Store, TurnRecord } from '../store/port.ts';
import type { TurnBudget } from './limits.ts';
import type { RemoteAgentSummary } from './port.ts';

/** What the tools of a turn work with, the same for every turn. */
export interface ToolSettings {
  readonly skills: SkillCatalog;
  readonly remoteAgents: readonly RemoteAgentSummary[];
  /** How deep sub-tasks may be nested. */
  readonly maxDepth: number;
}

/** What a turn is made of. */
export interface TurnParts {
  readonly store: Store;
  readonly tools: ToolSettings;
  readonly agentId: string;
  readonly record: TurnRecord;
  readonly holder: TurnHolder;
  readonly budget: TurnBudget;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** Commits an act of the turn, unless the turn is over (rule C5). */
export async function commitAct<T>(
  { store, record, signal }: TurnParts,
  lookups: Lookups,
  decide: (view: DecisionView) => Decision<T>,
): Promise<T> {
  signal.throwIfAborted();
  const { result } = await store.change(record.taskId, lookups, (view) => {
    signal.throwIfAborted();
    return decide(view);
  });
  return result;
}

/** The head of the turn's task. @throws TurnLostError when there is no such task any more */
export function requireHead({ head }: DecisionView): TaskHead {
  if (head === undefined) throw new TurnLostError('the task is not there');
  return head;
}
