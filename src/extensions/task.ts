/** The task extension: a task's data from what a participant sends (rules T3, T7, T10; contract-facts, "Sending"). */
import type { Message } from '@tiny-harness/contract/a2a';
import type { Participant, Plan, Role, TaskExtensionData } from '@tiny-harness/contract/task/v1';
import { parseSenderId, parseTaskExtensionData } from '@tiny-harness/contract/task/v1';
import type { FieldViolation } from '../core/errors.ts';
import { invalidParams, ProtocolError, toFieldPath } from '../core/errors.ts';
import { isAgentsTask, MAX_PARTICIPANTS, mayChange } from '../core/participants.ts';
import { findPlanFault } from '../core/plan.ts';

/** Fields that the server alone sets (rule T7). */
const SERVER_CONTROLLED = ['lifecycle', 'model', 'reasoning_effort'] as const;

/** Fields of a task that a participant may change later, and one that an admin may. */
const CHANGEABLE = ['name', 'description', 'acceptance_criteria'];

/** Characters of a task's name that is made from its first message. */
const MAX_NAME = 60;

/** Tasks of which one may be a part. Each change of its state writes an event of all of them, with all of their data. */
const MAX_PARENTS = 8;

/** What an envelope carries: the data, or the fields to change. */
export type TaskPayload = Readonly<Record<string, unknown>>;

/** Who is on the task besides those that the payload names. */
export interface Founders {
  readonly sender: string;
  readonly agentId: string;
  /** What the agent's tasks are (rule C1). */
  readonly lifecycle: 'conversation' | 'delegated';
}

/** The data of a task that plain text starts: its name is the first line, its goal the whole text. */
export function createData(text: string, founders: Founders): TaskExtensionData {
  const [line = ''] = text.trim().split('\n');
  const name = Array.from(line.trim()).slice(0, MAX_NAME).join('') || 'task';
  return complete(unwrapData({ name, goal: text }), founders);
}

/**
 * The data of a task that an envelope starts.
 *
 * @throws ProtocolError INVALID_PARAMS for data that is not valid, UNSUPPORTED_OPERATION for fields that only the
 * server sets; `field` is where the payload stands in the request
 */
export function createDataFrom(
  payload: TaskPayload,
  founders: Founders,
  field: string,
): TaskExtensionData {
  const data = checkData(withoutServerControlled(payload), field);
  const extra = data.sub_tasks.length > 0 ? ['sub_tasks'] : [];
  if (data.plan?.steps.some(({ linked_tasks }) => linked_tasks.length > 0) === true)
    extra.push('plan');
  if (extra.length > 0) {
    throw invalidParams(
      extra.map((name) => ({
        field: `${field}.${name}`,
        description: `${name === 'plan' ? 'linked_tasks of a step' : name} must be empty in an envelope that creates a task: the server fills it in`,
      })),
    );
  }
  // Those that are named, by their places in the request; then with those that are added, who may be too many.
  requireParticipants(data, field);
  const completed = complete(data, founders);
  requireParticipants(completed, field);
  requireParents(data, field);
  refuseServerControlled(payload);
  return completed;
}

/** What became of a change: the new data, or why it is not accepted. */
export type Change =
  | {
      readonly kind: 'changed';
      readonly data: TaskExtensionData;
      readonly fields: readonly string[];
    }
  | { readonly kind: 'refused'; readonly why: string };

/**
 * The data after a participant's change.
 *
 * @throws ProtocolError INVALID_PARAMS for data that would not be valid
 */
export function changeTask(
  data: TaskExtensionData,
  payload: TaskPayload,
  role: Role | undefined,
  { agentId, field }: { agentId: string; field: string },
): Change {
  const fields = Object.keys(payload);
  const changed = {
    ...data,
    ...checkData({ ...data, ...withoutServerControlled(payload) }, field),
  };
  // What is wrong in itself comes before what the sender may not do (rule A7).
  if (fields.includes('participants')) requireParticipants(changed, field);
  if (!mayChange(role)) return { kind: 'refused', why: 'a watcher cannot change the task' };
  const changeable = [...CHANGEABLE, 'participants'].join(', ');
  if (fields.length === 0)
    return { kind: 'refused', why: `it changes nothing; ${changeable} can be changed` };
  const fixed = fields.filter((name) => !CHANGEABLE.includes(name) && name !== 'participants');
  if (fixed.length > 0) {
    return {
      kind: 'refused',
      why: `${fixed.join(', ')} cannot be changed; ${changeable} can`,
    };
  }
  if (fields.includes('participants')) {
    if (role !== 'admin') return { kind: 'refused', why: 'only an admin can change participants' };
    if (!isAgentsTask(changed, agentId) && isAgentsTask(data, agentId)) {
      return { kind: 'refused', why: `${agentId} works on the task and stays its assignee` };
    }
  }
  return { kind: 'changed', data: changed, fields };
}

function checkData(value: unknown, field: string): TaskExtensionData {
  const result = parseTaskExtensionData(value);
  if (!result.ok) {
    throw invalidParams(
      result.errors.map(({ path, message }) => ({
        field: toFieldPath(path, field),
        description: message,
      })),
    );
  }
  const fault = checkPlan(result.value.plan, field);
  if (fault !== undefined) throw invalidParams([fault]);
  return result.value;
}

function checkPlan(plan: Plan | null, field: string): FieldViolation | undefined {
  const fault = plan === null ? undefined : findPlanFault(plan);
  return fault === undefined ? undefined : { field: `${field}.plan.steps`, description: fault };
}

function unwrapData(value: unknown): TaskExtensionData {
  return checkData(value, 'message');
}

function withoutServerControlled(payload: TaskPayload): TaskPayload {
  const entries = Object.entries(payload);
  return Object.fromEntries(entries.filter(([name]) => !isServerControlled(name)));
}

function refuseServerControlled(payload: TaskPayload): void {
  const set = Object.keys(payload).filter(isServerControlled);
  if (set.length === 0) return;
  throw new ProtocolError(
    'UNSUPPORTED_OPERATION',
    `A task envelope cannot set ${set.join(', ')}: the server does. Leave ${set.length === 1 ? 'it' : 'them'} out`,
  );
}

function isServerControlled(name: string): boolean {
  return (SERVER_CONTROLLED as readonly string[]).includes(name);
}

/** Adds the sender as reporter and the agent as assignee where they are missing. */
function complete(
  data: TaskExtensionData,
  { sender, agentId, lifecycle }: Founders,
): TaskExtensionData {
  const named = data.participants;
  const reporter: Participant = { id: sender, kind: 'human', role: 'reporter', display_name: '' };
  const before = named.some(({ id }) => id === sender) ? named : [reporter, ...named];
  const hasAssignee = named.some(({ role }) => role === 'assignee');
  const agent: Participant = { id: agentId, kind: 'agent', role: 'assignee', display_name: '' };
  const participants = hasAssignee ? before : [...before.filter(({ id }) => id !== agentId), agent];
  const completed = { ...data, participants };
  return { ...completed, lifecycle: isAgentsTask(completed, agentId) ? lifecycle : null };
}

/** Rule T3: ids of their own, of 1 to 256 characters, and not too many. */
function requireParticipants({ participants }: TaskExtensionData, field: string): void {
  const at = `${field}.participants`;
  const refuse = (place: string, description: string): never => {
    throw invalidParams([{ field: place, description }]);
  };
  const seen = new Set<string>();
  for (const [index, { id }] of participants.entries()) {
    if (!parseSenderId(id).ok) {
      refuse(
        `${at}[${index}].id`,
        `a participant's id must be 1 to 256 characters; got ${id.length}`,
      );
    }
    if (seen.has(id)) {
      refuse(at, `participants must have ids of their own; "${id}" is there twice`);
    }
    seen.add(id);
  }
  if (participants.length > MAX_PARTICIPANTS) {
    refuse(
      at,
      `participants must be at most ${MAX_PARTICIPANTS}, the sender and the agent included; got ${participants.length}`,
    );
  }
}

/** The parents are few, and each another. */
function requireParents({ parent_tasks: parents }: TaskExtensionData, field: string): void {
  const ids = new Set(parents.map(({ task_id }) => task_id));
  const isDoubled = ids.size < parents.length;
  if (!isDoubled && ids.size <= MAX_PARENTS) return;
  const description = isDoubled
    ? 'parent_tasks must be tasks of which each is named once'
    : `parent_tasks must be at most ${MAX_PARENTS}; got ${ids.size}`;
  throw invalidParams([{ field: `${field}.parent_tasks`, description }]);
}

/** The text of a message: its text parts, a line each. */
export function textOf({ parts }: Pick<Message, 'parts'>): string {
  return parts.flatMap(({ text }) => (text === undefined ? [] : [text])).join('\n');
}
