/** How a turn ends, from what its agent says to what the task is told. */
import { ANONYMOUS } from '../core/participants.ts';
import type { TurnEnding } from '../core/turns.ts';
import { askQuestion } from '../extensions/channel.ts';
import type { TurnRecord } from '../store/port.ts';
import { LimitError } from './limits.ts';
import type { TurnOutcome } from './port.ts';

const END_STATES = {
  'input-required': 'TASK_STATE_INPUT_REQUIRED',
  completed: 'TASK_STATE_COMPLETED',
  failed: 'TASK_STATE_FAILED',
  rejected: 'TASK_STATE_REJECTED',
} as const;

/** The end that the agent chose. */
export function endingOf(
  { end, parts, question, memory }: TurnOutcome,
  record: TurnRecord,
  agentId: string,
): TurnEnding {
  const state = END_STATES[end];
  if (question === undefined) {
    return { state, message: parts === undefined ? undefined : { parts }, memory };
  }
  const { text, options = [], asked = agentId } = question;
  const open = { asked: asked === agentId ? whomToAsk(record, agentId) : asked, text, options };
  return { state, message: askQuestion(record.taskId, agentId, open), question: open, memory };
}

/** Who sent the turn's message; for one of the agent's own, such as a sub-task's result, who reported the task. */
function whomToAsk({ sender, head }: TurnRecord, agentId: string): string {
  if (sender !== agentId) return sender;
  const others = head.data.participants.filter(({ id }) => id !== agentId);
  const reporter = others.find(({ role }) => role === 'reporter') ?? others[0];
  return reporter?.id ?? ANONYMOUS;
}

/** The end of a turn that its agent did not end: participants are told a limit, but no exception's text. */
export function failureOf(error: unknown): TurnEnding {
  const text =
    error instanceof LimitError
      ? error.message
      : 'The agent failed while it worked on this message. The server has logged why.';
  return { state: 'TASK_STATE_FAILED', message: { parts: [{ text }] } };
}

/** The end of a turn whose remote agent is no longer known here. */
export function unknownAgent(id: string): TurnEnding {
  const text = `The remote agent "${id}" is not configured here any more (REMOTE_AGENTS).`;
  return { state: 'TASK_STATE_FAILED', message: { parts: [{ text }] } };
}
