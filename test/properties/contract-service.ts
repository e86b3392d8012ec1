/** The operations over a store in memory, with an agent that does what the test says: no HTTP, no time. */
import type { Agent, Turn, TurnOutcome } from '../../src/agents/port.ts';
import { createOwner } from '../../src/agents/owner.ts';
import { createTurnRunner } from '../../src/agents/runner.ts';
import { createCard } from '../../src/card-file.ts';
import { linkTasks } from '../../src/extensions/linked-tasks.ts';
import { toStreamResponse, toTaskMetadata } from '../../src/extensions/wire.ts';
import { createAgentProfile } from '../../src/protocol/agent-profile.ts';
import type { OperationName } from '../../src/protocol/call.ts';
import { createOperations } from '../../src/protocol/operations.ts';
import type { Service } from '../../src/protocol/service.ts';
import type { Store, StoredEvent } from '../../src/store/port.ts';
import { openSqliteStore } from '../../src/store/sqlite/index.ts';
import { createStreamHub } from '../../src/stream/hub.ts';
import { RUNNER_OPTIONS } from '../support/runner-options.ts';

/** A turn that the agent works on until the test ends it. */
interface OpenTurn {
  readonly turn: Turn;
  readonly end: (outcome: TurnOutcome) => void;
}

/** The result of a call: its value, or the reason of its refusal. */
export interface Result {
  readonly reason?: string;
  readonly words?: string;
  readonly value?: unknown;
}

/** Operations, the agent's open turns, and the log. */
export interface ContractService {
  call(operation: OperationName, params: object, participant?: string): Promise<Result>;
  /** The turn of this number that the agent works on, once it does. */
  findTurn(taskId: string, turn: number): OpenTurn | undefined;
  /** All events of a task. */
  readLog(taskId: string): Promise<readonly StoredEvent[]>;
  close(): Promise<void>;
}

/** What the agent is called. */
export const AGENT_ID = 'tiny-harness';

/** Starts one. */
export async function startContractService(): Promise<ContractService> {
  const turns = new Map<string, OpenTurn>();
  const agent: Agent = {
    lifecycle: 'conversation',
    run: (turn) =>
      new Promise((end) => {
        turns.set(`${turn.taskId} ${turn.number}`, { turn, end });
      }),
  };
  const complain = (error: unknown): never => {
    throw error;
  };
  const unused = (): never => {
    throw new Error('nobody pushes here');
  };
  const wire = { toStreamResponse, toTaskMetadata };
  const store = linkTasks(openSqliteStore({ path: ':memory:', wire, onError: complain }), AGENT_ID);
  const runner = createTurnRunner({
    ...RUNNER_OPTIONS,
    // Those of the runs before still hold their places.
    parallelSubTasks: 100_000,
    store,
    agent,
    agentId: AGENT_ID,
    owner: createOwner(),
    now: Date.now,
    leaseTime: 600_000,
    attempts: 1,
  });
  await runner.start();
  const hub = createStreamHub({ store, queueLimit: 1000, onError: complain });
  const service: Service = {
    store,
    hub,
    runner,
    agent,
    push: { seal: unused, open: unused },
    wakePush: () => undefined,
    profile: createAgentProfile(createCard('http://localhost/', {})),
    authentication: undefined,
    agentId: AGENT_ID,
    models: ['large', 'small'],
    requireParticipant: false,
  };
  const operations = createOperations(() => service);
  return {
    async call(operation, params, participant) {
      try {
        const answer = await operations.call({
          operation,
          params,
          participant,
          version: '1.0',
          extensions: [],
          credentials: { authorization: undefined, address: '127.0.0.1' },
          lastEventId: undefined,
          signal: new AbortController().signal,
        });
        return answer.kind === 'value' ? { value: JSON.parse(answer.body) } : {};
      } catch (error) {
        const { reason, message } = error as { reason?: string; message: string };
        if (reason === undefined) throw error;
        return { reason, words: message };
      }
    },
    findTurn: (taskId, turn) => turns.get(`${taskId} ${turn}`),
    readLog: (taskId) => readLog(store, taskId),
    async close() {
      await runner.drain(0);
      hub.close();
      await store.close();
    },
  };
}

async function readLog(store: Store, taskId: string): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for (;;) {
    const more = await store.readEvents(taskId, events.at(-1)?.seq ?? -1, 1000);
    if (more.length === 0) return events;
    events.push(...more);
  }
}
