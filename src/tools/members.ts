/** Who is on a task, as a tool says it. */
import type { TaskHead } from '../core/task.ts';
import type { ToolDecision } from './tool.ts';
import { refuse } from './tool.ts';

/** The refusal of somebody who is not on the task, or is the agent itself. */
export function refuseStranger({ data }: TaskHead, asked: string, agentId: string): ToolDecision {
  const others = data.participants.map(({ id }) => id).filter((id) => id !== agentId);
  const there = others.length === 0 ? 'there is nobody but you' : `there are ${others.join(', ')}`;
  const what = asked === agentId ? 'that is you' : `"${asked.slice(0, 256)}" is not on this task`;
  return refuse('channel.not_a_member', `${what}; ${there}`);
}
