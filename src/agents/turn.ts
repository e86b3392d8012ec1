/** A turn as its agent sees it: each act is checked against the limits and committed under the turn's lease. */
import type { Decision, DecisionView, Lookups } from '../core/decision.ts';
import type { TaskEvent } from '../core/events.ts';
import { isDelegated } from '../core/participants.ts';
import type { Json, TaskHead, ToolResult } from '../core/task.ts';
import type { TurnHolder } from '../core/turns.ts';
import { recordCall, reportStatus, TurnLostError, writeArtifact } from '../core/turns.ts';
import { hasDataModels } from '../extensions/a2ui/index.ts';
import { describeMessage } from '../extensions/words.ts';
import type { SkillCatalog } from '../skills/port.ts';
import type { Store, TurnRecord } from '../store/port.ts';
import type { OpenedCall } from '../tools/call.ts';
import { beginCall, decideCall, openCall } from '../tools/call.ts';
import type { TurnBudget } from './limits.ts';
import type { LoadedSkill, RemoteAgentSummary, ToolCallRequest, Turn } from './port.ts';

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
}

/** The turn. */
export async function openTurn(parts: TurnParts): Promise<Turn> {
  const { store, agentId, record, signal } = parts;
  const { taskId, turn: number, message, sender } = record;
  // What was filled in on a surface counts only if the surface asks for it.
  const surfaces = hasDataModels(message) ? await store.readSurfaces(taskId) : [];
  return {
    agentId,
    taskId,
    contextId: record.contextId,
    number,
    attempt: record.attempt,
    message,
    text: describeMessage(message, sender, surfaces),
    sender,
    activated: record.activated,
    memory: record.memory,
    delegated: isDelegated(record.head.data),
    calls: record.calls,
    remoteAgents: parts.tools.remoteAgents,
    signal,
    history: (limit) => store.readHistory(taskId, number, limit),
    task: async () => (await readHead(parts)).data,
    skills: () => readSkills(parts),
    ...createReports(parts),
    ...createCalls(parts),
  };
}

/** What the agent says and writes. */
function createReports({ store, record, holder, budget, signal }: TurnParts) {
  const { taskId } = record;
  const commit = (
    lookups: Lookups,
    decide: (head: TaskHead, view: DecisionView) => TaskEvent[],
  ): Promise<void> =>
    commitAct(store, taskId, signal, lookups, (view) => ({
      events: decide(requireHead(view), view),
      result: undefined,
    }));
  const report = (
    state: 'TASK_STATE_WORKING' | 'TASK_STATE_AUTH_REQUIRED',
    parts?: Parameters<Turn['say']>[0],
  ) => {
    if (parts === undefined) budget.step();
    else budget.write(parts);
    const message = parts === undefined ? undefined : { parts };
    return commit({}, (head) => reportStatus(head, holder, { state, message }));
  };
  const said = record.said.map((text) => JSON.stringify(JSON.parse(text)));
  return {
    say: async (parts) => {
      signal.throwIfAborted();
      // An agent that does the same again after a crash is not to repeat itself.
      if (said.length > 0 && said[0] === JSON.stringify(parts)) said.shift();
      else await report('TASK_STATE_WORKING', parts);
    },
    requireAuth: async (parts) => report('TASK_STATE_AUTH_REQUIRED', parts),
    resume: async () => report('TASK_STATE_WORKING'),
    writeArtifact: async ({ append = false, lastChunk = false, ...artifact }) => {
      budget.write(artifact);
      const { artifactId } = artifact;
      await commit({ artifactId }, (head, { artifact: existing }) =>
        writeArtifact(head, holder, existing, { artifact, append, lastChunk }),
      );
    },
  } satisfies Partial<Turn>;
}

/** The tools that the agent calls. */
function createCalls(parts: TurnParts): Pick<Turn, 'begin' | 'call'> {
  const { store, tools, agentId, record, holder, budget, signal } = parts;
  const { taskId, turn, message, sender } = record;
  const known = new Map(record.calls.map((call) => [call.id, call]));
  const counted = new Set<string>();
  let before: Promise<unknown> = Promise.resolve();
  const context = (id: string, memory: Json | undefined) => {
    const { maxDepth } = tools;
    const remoteAgents = tools.remoteAgents.map(({ id }) => id);
    const begunBefore = known.has(id);
    return { holder, begunBefore, message, sender, agentId, remoteAgents, maxDepth, memory };
  };
  return {
    begin: async (calls: readonly ToolCallRequest[]) => {
      const fresh = calls.filter(({ id }) => !known.has(id) && !counted.has(id)).map(beginCall);
      if (fresh.length === 0) return;
      for (const call of fresh) countCall(call, counted, budget);
      await commitAct(store, taskId, signal, {}, (view) => {
        const head = requireHead(view);
        const events = fresh.map(({ id, name, input }) =>
          recordCall(head, holder, { id, name, input, result: undefined }),
        );
        return { events, result: undefined };
      });
    },
    call: async (request: ToolCallRequest, memory?: Json): Promise<ToolResult> => {
      signal.throwIfAborted();
      const recorded = known.get(request.id)?.result;
      if (recorded !== undefined) return recorded;
      // Calls that are made at once are decided in their order, and may share a commit.
      const opened = Promise.all([openCall(request, tools), before]);
      before = opened.catch(() => undefined);
      const [call] = await opened;
      countCall(call, counted, budget);
      const lookups = { ...call.lookups, call: { turn, id: call.id } };
      return commitAct(store, taskId, signal, lookups, (view) =>
        decideCall(call, context(call.id, memory), view),
      );
    },
  };
}

/** Each id counts as a call once; `counted` holds those that this run has begun or made. */
function countCall(
  { id, size }: Pick<OpenedCall, 'id' | 'size'>,
  counted: Set<string>,
  budget: TurnBudget,
): void {
  if (counted.has(id)) budget.step();
  else budget.call(size);
  counted.add(id);
}

/** Commits an act of the turn, unless the turn is over (rule C5). */
async function commitAct<T>(
  store: Store,
  taskId: string,
  signal: AbortSignal,
  lookups: Lookups,
  decide: (view: DecisionView) => Decision<T>,
): Promise<T> {
  signal.throwIfAborted();
  const { result } = await store.change(taskId, lookups, (view) => {
    signal.throwIfAborted();
    return decide(view);
  });
  return result;
}

async function readHead({ store, record }: TurnParts): Promise<TaskHead> {
  const head = await store.readHead(record.taskId);
  if (head === undefined) throw new TurnLostError(`there is no task ${record.taskId}`);
  return head;
}

async function readSkills(parts: TurnParts): Promise<readonly LoadedSkill[]> {
  const { skills } = await readHead(parts);
  return Promise.all(
    skills.map(async (name) => {
      const skill = await parts.tools.skills.load(name);
      return { name, body: 'code' in skill ? undefined : skill.body };
    }),
  );
}

function requireHead({ head }: DecisionView): TaskHead {
  if (head === undefined) throw new TurnLostError('the task is not there');
  return head;
}
