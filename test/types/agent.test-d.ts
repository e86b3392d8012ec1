/** `tiny-harness/agent` as an author's compiler sees it. */
import { defineAgent } from 'tiny-harness/agent';
import type { Agent, AgentTurn, ToolResult, Turn, TurnOutcome } from 'tiny-harness/agent';

const agent: Agent = defineAgent({
  async run(turn) {
    const plan = await turn.call({
      name: 'create_plan',
      input: { steps: [{ name: 'a', description: 'b' }] },
    });
    const { isError, text, endsTurn }: ToolResult = plan;
    if (isError) return { end: 'failed', parts: text };
    if (endsTurn) return;
    await turn.call({ name: 'list_skills' });
    await turn.call({ id: 'x', name: text, input: JSON.parse(text) as unknown }, { memory: [1] });
    await turn.say([{ text: 'a' }, { data: 1 }]);
    await turn.writeArtifact({ artifactId: 'a', parts: 'b', lastChunk: true });
    const { goal } = await turn.task();
    const [first] = await turn.history(1);
    return `${goal} ${first?.messageId ?? ''}`;
  },
});

export default agent;
defineAgent({ run: () => undefined });
defineAgent({ lifecycle: 'delegated', answer: ({ sender }) => `Hello, ${sender}`, run: () => 'a' });
defineAgent({ run: (): TurnOutcome => ({ end: 'rejected' }) });

// @ts-expect-error an agent works on messages
defineAgent({});
// @ts-expect-error a member that there is not
defineAgent({ run: () => 'a', name: 'b' });
// @ts-expect-error an end that there is not
defineAgent({ run: () => ({ end: 'done' }) });
// @ts-expect-error a number is no reply
defineAgent({ run: () => 1 });

export async function act(turn: AgentTurn): Promise<void> {
  // @ts-expect-error arguments of another tool
  await turn.call({ name: 'load_skill', input: { steps: [] } });
  // @ts-expect-error an object that is no part
  await turn.say([{ txt: 'a' }]);
  // @ts-expect-error nobody writes to it
  turn.sender = 'bob';
}

/** What the server gives is what the author's turn is made of. */
export const same: (
  turn: Turn,
) => Pick<AgentTurn, Exclude<keyof Turn, 'say' | 'requireAuth' | 'writeArtifact' | 'call'>> = (
  turn,
) => turn;
