/** Turns for tests of agents: what an agent does is written down instead of stored. */
import type { Message } from '@tiny-harness/contract/a2a';
import type { TaskExtensionData } from '@tiny-harness/contract/task/v1';
import type {
  ArtifactChunk,
  LoadedSkill,
  Opening,
  ToolCallRequest,
  Turn,
  TurnOutcome,
} from '../../src/agents/port.ts';
import type { Json, RecordedCall, ToolResult } from '../../src/core/task.ts';
import { describeMessage } from '../../src/extensions/words.ts';

/** Something that an agent did in a turn. */
export type Act =
  | { readonly say: string }
  | { readonly requireAuth: string }
  | { readonly resume: true }
  | { readonly artifact: ArtifactChunk }
  /** Ids of calls that were recorded before they were made. */
  | { readonly begin: readonly string[] }
  | { readonly call: ToolCallRequest; readonly memory?: Json };

/** A turn, what was done in it, and how it is cut off. */
export interface RecordedTurn {
  readonly turn: Turn;
  /** In order; those that came after the turn was cut off as well. */
  readonly acts: readonly Act[];
  readonly cut: () => void;
}

/** A message of a user. */
export function createMessage(parts: Message['parts'] | string): Message {
  return {
    messageId: 'message-1',
    role: 'ROLE_USER',
    parts: typeof parts === 'string' ? [{ text: parts }] : parts,
  };
}

/** What a test may want to be otherwise. */
export interface TurnSettings {
  readonly number?: number;
  readonly attempt?: number;
  readonly sender?: string;
  readonly memory?: Json | undefined;
  readonly activated?: readonly string[];
  readonly delegated?: boolean;
  /** What of the task's data is not as in `createData`. */
  readonly data?: Partial<TaskExtensionData>;
  /** What came before the turn's message; that one follows. */
  readonly earlier?: readonly Message[];
  readonly skills?: readonly LoadedSkill[];
  /** What an earlier run of the turn began or made. */
  readonly calls?: readonly RecordedCall[];
  readonly remoteAgents?: Turn['remoteAgents'];
  /** What comes of a call that has no recorded result; by default `done`, and a question ends the turn. */
  readonly tool?: (request: ToolCallRequest) => ToolResult;
}

/** A conversation of the sender with the agent. */
function createData(sender = 'anonymous'): TaskExtensionData {
  return {
    name: 'Report',
    goal: 'Write the quarterly report.',
    description: '',
    type: null,
    acceptance_criteria: [],
    participants: [
      { id: sender, kind: 'human', role: 'reporter', display_name: '' },
      { id: 'tiny-harness', kind: 'agent', role: 'assignee', display_name: '' },
    ],
    plan: null,
    parent_tasks: [],
    sub_tasks: [],
    lifecycle: 'conversation',
    model: null,
    reasoning_effort: null,
  };
}

/** A turn that records. */
export function createTurn(
  parts: Message['parts'] | string,
  settings: TurnSettings = {},
): RecordedTurn {
  const controller = new AbortController();
  const acts: Act[] = [];
  const { sender = 'anonymous', earlier = [], data, skills = [] } = settings;
  const message = createMessage(parts);
  const turn: Turn = {
    agentId: 'tiny-harness',
    taskId: 'task-1',
    contextId: 'context-1',
    number: settings.number ?? 1,
    attempt: settings.attempt ?? 1,
    message,
    text: describeMessage(message, sender),
    sender,
    activated: settings.activated ?? [],
    memory: settings.memory,
    delegated: settings.delegated ?? false,
    calls: settings.calls ?? [],
    remoteAgents: settings.remoteAgents ?? [],
    signal: controller.signal,
    history: (limit) => Promise.resolve([...earlier, message].slice(-limit)),
    task: () => Promise.resolve({ ...createData(sender), ...data }),
    skills: () => Promise.resolve(skills),
    ...recordActs(acts),
    ...recordCalls(acts, settings),
  };
  return {
    turn,
    acts,
    cut: () => {
      controller.abort();
    },
  };
}

function recordActs(acts: Act[]) {
  const record = (act: Act): Promise<void> => {
    acts.push(act);
    return Promise.resolve();
  };
  return {
    say: (parts) => record({ say: textOf(parts) }),
    requireAuth: (parts) => record({ requireAuth: textOf(parts) }),
    resume: () => record({ resume: true }),
    writeArtifact: (artifact) => record({ artifact }),
  } satisfies Partial<Turn>;
}

/** Calls as the runner makes them: one whose id has a result already gets that one, and is not made. */
function recordCalls(acts: Act[], { calls = [], tool = succeed }: TurnSettings) {
  const results = new Map(calls.map(({ id, result }) => [id, result]));
  return {
    begin: (requests) => {
      acts.push({ begin: requests.map(({ id }) => id) });
      return Promise.resolve();
    },
    call: (request, memory) => {
      const known = results.get(request.id);
      if (known !== undefined) return Promise.resolve(known);
      acts.push({ call: request, ...(memory !== undefined && { memory }) });
      const result = tool(request);
      results.set(request.id, result);
      return Promise.resolve(result);
    },
  } satisfies Partial<Turn>;
}

/** What comes of a call by default. */
export function succeed({ name }: ToolCallRequest): ToolResult {
  return { isError: false, text: 'done', endsTurn: name === 'ask_participant' };
}

/** A message that would start a task. */
export function createOpening(text: string, sender = 'anonymous'): Opening {
  const { signal } = new AbortController();
  return { contextId: 'context-1', message: createMessage(text), sender, signal };
}

/** How the turn ended, and the text of the outcome: of a question, its options with it, a line each. */
export function summarise({
  end,
  parts,
  question,
}: TurnOutcome): readonly [TurnOutcome['end'], string] {
  if (question === undefined) return [end, parts === undefined ? '' : textOf(parts)];
  return [end, [question.text, ...(question.options ?? []).map((each) => `- ${each}`)].join('\n')];
}

function textOf(parts: Message['parts']): string {
  return parts.map(({ text }) => text ?? '').join('|');
}
