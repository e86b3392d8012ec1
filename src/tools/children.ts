/** Children that an agent starts: their data, their brief, their row on the parent. */
import type { Message } from '@tiny-harness/contract/a2a';
import type { TaskExtensionData, TaskRef } from '@tiny-harness/contract/task/v1';
import { createEventEnvelopePart, SENDER_KEY } from '@tiny-harness/contract/task/v1';
import type { FurtherChange } from '../core/decision.ts';
import type { MessageAccepted, StatusChanged, TaskCreated } from '../core/events.ts';
import { readersOf } from '../core/participants.ts';
import { briefId, changeData, MAX_CHILDREN, nextChildId, rowOf } from '../core/sub-tasks.ts';
import type { TaskHead } from '../core/task.ts';
import { findStep, isStep, replaceStep } from './plan-steps.ts';
import type { ToolContext, ToolDecision } from './tool.ts';
import { done, refuse } from './tool.ts';

/** What a child is to do. */
interface Assignment {
  readonly name: string;
  readonly goal: string;
  /** What whoever does it has to know besides. */
  readonly description: string;
  readonly acceptance_criteria: readonly string[];
  /** The step of the plan that it is for. */
  readonly step: string | null;
}

/** A child as it begins. */
interface Beginning {
  readonly participants: TaskExtensionData['participants'];
  /** Null when a participant works on it. */
  readonly lifecycle: 'delegated' | null;
  /** The remote agent that works on it. */
  readonly agent?: string | undefined;
  /** What is said to the agent when the child was started. */
  readonly said: (id: string) => string;
}

/** Starts a child of the task, linked to it and to a step; refused when there are too many or no such step. */
export function startChild(
  { head, agentId }: ToolContext,
  assignment: Assignment,
  { participants, lifecycle, agent, said }: Beginning,
): ToolDecision {
  if (head.data.sub_tasks.length >= MAX_CHILDREN) {
    return refuse('agent.too_many', `a task has at most ${MAX_CHILDREN} sub-tasks`);
  }
  const step = assignment.step === null ? undefined : findStep(head.data, assignment.step);
  if (step !== undefined && !isStep(step)) return step;
  const id = nextChildId(head);
  const data = createChildData(head, assignment, { participants, lifecycle });
  const created: TaskCreated = {
    kind: 'created',
    contextId: head.contextId,
    data,
    readers: readersOf(data, agentId),
    agent,
  };
  const state = lifecycle === null ? 'TASK_STATE_INPUT_REQUIRED' : 'TASK_STATE_SUBMITTED';
  const row = rowOf({ id, state, subState: undefined, agent });
  const linked = { ...row, state: null };
  const { plan } = head.data;
  const changed = {
    ...head.data,
    sub_tasks: [...head.data.sub_tasks, row],
    plan: step === undefined || plan === null ? plan : replaceStep(plan, linkStep(step, linked)),
  };
  return done(said(id), {
    events: [changeData(head, changed)],
    also: [beginChild(id, created, createBrief(id, assignment, agentId), agentId)],
  });
}

function linkStep<Step extends { linked_tasks: TaskRef[] }>(step: Step, row: TaskRef): Step {
  return { ...step, linked_tasks: [...step.linked_tasks, row] };
}

/** Model and effort are inherited. */
function createChildData(
  head: TaskHead,
  { name, goal, description, acceptance_criteria }: Assignment,
  own: Pick<Beginning, 'participants' | 'lifecycle'>,
): TaskExtensionData {
  const { model, reasoning_effort } = head.data;
  return {
    name,
    goal,
    description,
    acceptance_criteria: acceptance_criteria.map((text) => ({ text, met: false })),
    ...own,
    parent_tasks: [{ task_id: head.id, state: null, sub_state: null, agent: null }],
    sub_tasks: [],
    plan: null,
    type: null,
    model,
    reasoning_effort,
  };
}

/** The first message: goal, description and criteria in words, and the same as an envelope. */
function createBrief(id: string, assignment: Assignment, agentId: string): Message {
  const { name, goal, description, acceptance_criteria: criteria } = assignment;
  const list = criteria.map((text) => `- ${text}`).join('\n');
  const paragraphs = [goal, description, list === '' ? '' : `Acceptance criteria:\n${list}`];
  const text = paragraphs.filter((each) => each !== '').join('\n\n');
  const payload = {
    name,
    goal,
    description,
    acceptance_criteria: criteria.map((each) => ({ text: each })),
  };
  return {
    messageId: briefId(id),
    role: 'ROLE_USER',
    parts: [{ text }, createEventEnvelopePart({ kind: 'task', payload })],
    metadata: { [SENDER_KEY]: agentId },
  };
}

/** The agent's own child waits for its turn; a participant's waits for the participant, with the goal as what is asked. */
function beginChild(
  taskId: string,
  created: TaskCreated,
  message: Message,
  agentId: string,
): FurtherChange {
  const isAgents = created.data.lifecycle !== null;
  const brief: MessageAccepted = {
    kind: 'message',
    message,
    sender: agentId,
    fingerprint: '',
    activated: [],
    recorded: true,
    turn: isAgents ? 1 : undefined,
    replied: !isAgents,
  };
  const asked: StatusChanged = {
    kind: 'status',
    state: 'TASK_STATE_INPUT_REQUIRED',
    message: { parts: [{ text: created.data.goal }] },
  };
  const events = isAgents ? [created, brief] : [created, brief, asked];
  return { taskId, decide: () => ({ events, result: undefined }) };
}
