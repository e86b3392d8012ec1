/** A turn as its agent sees it: each act is checked against the limits and committed under the turn's lease. */
import type { Message } from '@tiny-harness/contract/a2a';
import { SENDER_KEY } from '@tiny-harness/contract/task/v1';
import type { DecisionView, Lookups } from '../core/decision.ts';
import type { TaskEvent } from '../core/events.ts';
import { isDelegated } from '../core/participants.ts';
import type { TaskHead } from '../core/task.ts';
import { reportStatus, TurnLostError, writeArtifact } from '../core/turns.ts';
import { hasDataModels } from '../extensions/a2ui/index.ts';
import { describeMessage } from '../extensions/words.ts';
import type { TurnParts } from './act.ts';
import { commitAct, requireHead } from './act.ts';
import { TurnCalls } from './calls.ts';
import type { LoadedSkill, Turn } from './port.ts';

/** The turn. */
export async function openTurn(parts: TurnParts): Promise<Turn> {
  const { store, agentId, record, signal } = parts;
  const { taskId, turn: number, message, sender } = record;
  const calls = new TurnCalls(parts, await findClientMessage(parts));
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
    begin: (requests) => calls.begin(requests),
    call: (request, memory) => calls.call(request, memory),
  };
}

/** How far back a client is looked for that said what it draws. */
const LOOK_BACK = 100;

/** The message that says what the client is like: the turn's, or the last of a participant's before one of the agent's own. */
async function findClientMessage({ store, agentId, record }: TurnParts): Promise<Message> {
  const { taskId, turn, message, sender } = record;
  if (sender !== agentId) return message;
  const history = await store.readHistory(taskId, turn, LOOK_BACK);
  const isClients = ({ role, metadata }: Message) =>
    role === 'ROLE_USER' && metadata?.[SENDER_KEY] !== agentId;
  return history.findLast(isClients) ?? message;
}

/** What the agent says and writes. */
function createReports(turn: TurnParts) {
  const { record, holder, budget, signal } = turn;
  const commit = (
    lookups: Lookups,
    decide: (head: TaskHead, view: DecisionView) => TaskEvent[],
  ): Promise<void> =>
    commitAct(turn, lookups, (view) => ({
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
