/** What the operations work with. */
import type { Authentication } from '../auth/authentication.ts';
import type { Agent } from '../agents/port.ts';
import type { TurnRunner } from '../agents/runner.ts';
import type { Store } from '../store/port.ts';
import type { StreamHub } from '../stream/hub.ts';
import type { PushConfigs } from '../push/configs.ts';
import type { AgentProfile } from './agent-profile.ts';

/** The parts of the server that operations need. */
export interface Service {
  readonly store: Store;
  readonly hub: StreamHub;
  readonly runner: Pick<TurnRunner, 'lease'>;
  readonly agent: Agent;
  readonly push: PushConfigs;
  /** Has the outbox looked at: a config may have something to deliver already. */
  readonly wakePush: () => void;
  readonly profile: AgentProfile;
  /** How callers prove who they are; undefined where they need not. */
  readonly authentication: Authentication | undefined;
  /** The agent's participant id. */
  readonly agentId: string;
  /** The models that may be selected; the first is the default. */
  readonly models: readonly string[];
  /** Whether who asserts nobody is told that there is nothing (rule A6). */
  readonly requireParticipant: boolean;
}

/** How many messages of a task's history are given when a caller does not say (specification 3.2.4). */
const DEFAULT_HISTORY = 100;

/** The most that are given whatever a caller says. */
const MAX_HISTORY = 1000;

/** The number of messages that a caller gets who asked for `asked`. */
export function historyLength(asked: number | undefined, byDefault = DEFAULT_HISTORY): number {
  return Math.min(asked ?? byDefault, MAX_HISTORY);
}
