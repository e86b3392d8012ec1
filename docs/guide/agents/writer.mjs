import { setTimeout as pause } from 'node:timers/promises';
import { defineAgent } from 'tiny-harness/agent';

export default defineAgent({
  async run(turn) {
    // A sub-task comes to the same agent; what it returns completes it.
    if (turn.delegated) return `Ten facts about ${turn.text.split('\n')[0]}.`;
    if (turn.text.startsWith('[sub-task ')) return write(turn);
    return turn.memory?.topic === undefined ? begin(turn) : research(turn);
  },
});

/** The first message: a plan, and a question. */
async function begin(turn) {
  const steps = [
    { name: 'Research', description: 'Collect facts.' },
    { name: 'Write', description: 'Write the text.', depends_on: ['Research'] },
  ];
  const plan = await turn.call({ name: 'create_plan', input: { steps } });
  // What a tool refuses is a result like any other.
  if (plan.isError) return { end: 'failed', parts: plan.text };
  const input = {
    participant_id: turn.sender,
    question: 'For whom?',
    options: ['kids', 'experts'],
  };
  // What is left here comes back with the answer, in the next turn.
  await turn.call({ name: 'ask_participant', input }, { topic: turn.text });
}

/** The answer: a part of the work is handed on, to run beside the conversation. */
async function research(turn) {
  const { topic } = turn.memory;
  await turn.say(`I am looking for facts for ${turn.text}.`);
  // Whatever takes time ends with the turn's signal.
  await pause(100, undefined, { signal: turn.signal });
  const input = {
    name: 'Research',
    goal: topic,
    description: `Readers: ${turn.text}.`,
    step: 'research',
  };
  const { text } = await turn.call({ name: 'spawn_subtask', input });
  return text;
}

/** The sub-task's answer, a message of the agent itself: `[sub-task …] the answer`. */
async function write(turn) {
  const { topic } = turn.memory;
  const facts = turn.text.slice(turn.text.indexOf('] ') + 2);
  const messages = await turn.history(100);
  const said = messages.filter(({ role, metadata }) => {
    return role === 'ROLE_USER' && metadata?.participant_id !== turn.agentId;
  });
  await turn.call({ name: 'complete_step', input: { step: 'research', output: facts } });
  const parts = `# ${topic}\n${facts}`;
  await turn.writeArtifact({ artifactId: 'text', name: topic, parts, lastChunk: true });
  await turn.call({ name: 'complete_step', input: { step: 'write', output: 'The text.' } });
  // Without a memory, the next message begins anew.
  return { end: 'input-required', parts: `Written, after ${said.length} messages.`, memory: null };
}
