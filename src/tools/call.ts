/** How a call of a tool goes: checked, prepared, decided and recorded, the last two in one transaction (rule T11). */
import { isToolName, parseToolInput, TOOL_NAMES, TOOLS } from '@tiny-harness/contract/tools';
import type { ToolName } from '@tiny-harness/contract/tools';
import type { Decision, DecisionView, Lookups } from '../core/decision.ts';
import type { Json, ToolResult } from '../core/task.ts';
import { recordCall, TurnLostError } from '../core/turns.ts';
import { HANDLERS } from './index.ts';
import type { DecideCall, Outside, Tool, ToolContext, ToolDecision } from './tool.ts';
import { refuse } from './tool.ts';

/** The most characters of JSON that a call's arguments have. */
const MAX_INPUT = 1024 * 1024;

/** Characters of a tool's name that are recorded. */
const MAX_NAME = 64;

/** How many faults of arguments are named. */
const MAX_FAULTS = 10;

/** A call as an agent makes it; the input is unchecked. */
interface Request {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** A call that is ready to be decided. */
export interface OpenedCall {
  readonly id: string;
  readonly name: string;
  /** What is recorded of the arguments: null for those that are no JSON or too large. */
  readonly input: Json;
  /** Characters of its JSON. */
  readonly size: number;
  readonly lookups: Lookups;
  readonly decide: DecideCall;
}

/** Checks a call and reads what it needs from outside. What is wrong with it becomes its result. */
export async function openCall(
  { id, name, input }: Request,
  outside: Outside,
): Promise<OpenedCall> {
  const call = beginCall({ id, name, input });
  const refused = (decision: ToolDecision): OpenedCall => {
    return { ...call, lookups: {}, decide: () => decision };
  };
  if (!isToolName(name)) {
    const known = TOOL_NAMES.join(', ');
    return refused(refuse('tool.unknown', `there is no tool "${call.name}"; there are ${known}`));
  }
  if (call.size === 0) {
    const words = `the arguments must be JSON of at most ${MAX_INPUT} characters; send less in one call`;
    return refused(refuse('tool.too_large', words));
  }
  const opened = await openTool(name, call.input, outside);
  if (typeof opened !== 'function') return refused(opened);
  return { ...call, lookups: HANDLERS[name].lookups ?? {}, decide: opened };
}

async function openTool(
  name: ToolName,
  value: Json,
  outside: Outside,
): Promise<DecideCall | ToolDecision> {
  const parsed = parseToolInput(name, value);
  if (!parsed.ok) {
    const faults = parsed.errors.slice(0, MAX_FAULTS);
    const words = faults.map(({ path, message }) => `${path === '' ? '/' : path}: ${message}`);
    return refuse('tool.invalid_arguments', words.join('; '));
  }
  // The input was parsed for this tool; the compiler cannot tell that a handler and an input go together.
  const tool = HANDLERS[name] as Tool<ToolName>;
  return tool.open(parsed.value, outside);
}

/** A call as it is recorded before it is made. */
export function beginCall({ id, name, input }: Request): Omit<OpenedCall, 'lookups' | 'decide'> {
  const text = toText(input);
  const value = text === undefined ? null : (JSON.parse(text) as Json);
  // One that is none may be any text.
  const called = name.slice(0, MAX_NAME);
  return { id, name: called, input: value, size: text === undefined ? 0 : text.length + id.length };
}

/** Everything that a decision is made with but what the store tells it. */
export interface CallContext extends Omit<ToolContext, 'head' | 'view'> {
  /** Whether an earlier run of the turn began the call: a run before a crash, or before the server was stopped. */
  readonly begunBefore: boolean;
}

/**
 * Decides on a call. One that has a result already has that result. One that an earlier run began and did not record
 * is made again only if its tool is idempotent.
 *
 * @throws TurnLostError when the turn is not the holder's any more
 */
export function decideCall(
  call: OpenedCall,
  context: CallContext,
  view: DecisionView,
): Decision<ToolResult> {
  const { head } = view;
  const { holder } = context;
  if (head === undefined) throw new TurnLostError('the task is not there');
  const { id, name, input } = call;
  const record = (result: ToolResult) => recordCall(head, holder, { id, name, input, result });
  const recorded = view.call?.result;
  if (recorded !== undefined) {
    // Nothing is written, but a turn that was taken away is over all the same.
    record(recorded);
    return { events: [], result: recorded };
  }
  const decision =
    context.begunBefore && !isIdempotent(name)
      ? INTERRUPTED
      : call.decide({ ...context, head, view });
  const result = toResult(decision);
  if (decision.kind === 'refused') return { events: [record(result)], result };
  return { events: [record(result), ...decision.events], also: decision.also, result };
}

const INTERRUPTED = refuse(
  'tool.interrupted',
  'the server stopped while this call was made, and what came of it was not recorded. Look at the task before you call again',
);

function isIdempotent(name: string): boolean {
  return isToolName(name) && TOOLS[name].idempotency === 'idempotent';
}

function toResult(decision: ToolDecision): ToolResult {
  if (decision.kind === 'done') {
    return { isError: false, text: decision.text, endsTurn: decision.endsTurn };
  }
  return { isError: true, text: `[${decision.code}] ${decision.message}`, endsTurn: false };
}

/** The input as JSON; undefined when it is none, or too large. */
function toText(input: unknown): string | undefined {
  try {
    const text = JSON.stringify(input) as string | undefined;
    return text === undefined || text.length > MAX_INPUT ? undefined : text;
  } catch {
    return undefined;
  }
}
