/** The agent that is there without a model: it repeats what it hears, or plays a scenario. */
import type { Message } from '@tiny-harness/contract/a2a';
import type { Json } from '../../core/task.ts';
import type { Agent, Opening, Turn, TurnOutcome } from '../port.ts';
import type { Heard } from './heard.ts';
import { echo, fillText, hearMessage } from './heard.ts';
import { exceptionText, finishTurn, playPassage, toParts } from './play.ts';
import type { Passage, Script } from './script.ts';
import { isOpening } from './script.ts';

const NOTHING: Script = { version: '', lifecycle: 'conversation', rules: [], questions: [] };

/**
 * Creates the agent. Without a scenario it answers each message with `You said: …`; with one it does so where no
 * rule matches. It uses neither network nor chance.
 */
export function createScriptedAgent(script: Script = NOTHING): Agent {
  const answer: Agent['answer'] = (opening) =>
    new Promise((resolve) => {
      resolve(answerOpening(script, opening));
    });
  // Where it is not there, nobody looks for answers that were given before.
  const answersOpenings = script.rules.some(({ steps }) => isOpening(steps[0]));
  return {
    lifecycle: script.lifecycle,
    ...(answersOpenings && { answer }),
    run: (turn) => runTurn(script, turn),
  };
}

/** Plays a rule that is played before there is a task: `message`, and `throw` with `before: task`. */
function answerOpening(script: Script, { message, sender }: Opening): Message['parts'] | undefined {
  const heard = hearMessage(message, sender, true);
  const step = findPassage(script, heard)?.steps[0];
  if (step?.message !== undefined) return toParts(fillText(step.message, heard));
  if (typeof step?.throw === 'object' && step.throw.before !== undefined) {
    throw new Error(fillText(exceptionText(step.throw), heard));
  }
  return undefined;
}

async function runTurn(script: Script, turn: Turn): Promise<TurnOutcome> {
  const heard = { text: turn.text, participant: turn.sender, first: turn.number === 1 };
  const passage = recallPassage(script, turn.memory) ?? findPassage(script, heard);
  const outcome = await (passage === undefined
    ? finishTurn(turn, echo(heard))
    : playPassage(passage, { script, turn, heard, result: '' }));
  // What was left stays until something else is: the question is answered, and must not be gone on with again.
  return turn.memory === undefined ? outcome : { memory: null, ...outcome };
}

function findPassage(script: Script, heard: Heard): Passage | undefined {
  return script.rules.find((rule) => rule.matches(heard));
}

/** What is played with the answer to the last turn's question. One of another version of the scenario is forgotten. */
function recallPassage(
  { version, questions }: Script,
  memory: Json | undefined,
): Passage | undefined {
  if (typeof memory !== 'object' || memory === null || !('question' in memory)) return undefined;
  const { scenario, question } = memory;
  const isKnown = scenario === version && typeof question === 'number';
  return isKnown ? questions[question]?.then : undefined;
}
