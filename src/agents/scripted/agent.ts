/** The agent that is there without a model: it repeats what it hears, or plays a scenario. */
import type { Message } from '@tiny-harness/contract/a2a';
import type { Ask } from '@tiny-harness/contract/scenario';
import type { Json } from '../../core/task.ts';
import type { Agent, Opening, Turn, TurnOutcome } from '../port.ts';
import type { Heard } from './heard.ts';
import { echo, fillText, hearMessage } from './heard.ts';
import { exceptionText, finishTurn, playSteps, toParts } from './play.ts';
import type { Script, ScriptRule } from './script.ts';
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
  const step = findSteps(script, heard)?.[0];
  if (step?.message !== undefined) return toParts(fillText(step.message, heard));
  if (typeof step?.throw === 'object' && step.throw.before !== undefined) {
    throw new Error(fillText(exceptionText(step.throw), heard));
  }
  return undefined;
}

async function runTurn(script: Script, turn: Turn): Promise<TurnOutcome> {
  const heard = { text: turn.text, participant: turn.sender, first: turn.number === 1 };
  const scene = { script, turn, heard };
  const asked = recallQuestion(script, turn.memory);
  const steps = asked?.then ?? findSteps(script, heard);
  const outcome = await (steps === undefined
    ? finishTurn(scene, echo(heard))
    : playSteps(steps, scene));
  // What was left stays until something else is: the question is answered, and must not be gone on with again.
  return turn.memory === undefined ? outcome : { memory: null, ...outcome };
}

function findSteps(script: Script, heard: Heard): ScriptRule['steps'] | undefined {
  return script.rules.find((rule) => rule.matches(heard))?.steps;
}

/** The question that the turn before ended with. One of another version of the scenario is forgotten. */
function recallQuestion({ version, questions }: Script, memory: Json | undefined): Ask | undefined {
  if (typeof memory !== 'object' || memory === null || !('question' in memory)) return undefined;
  const { scenario, question } = memory;
  return scenario === version && typeof question === 'number' ? questions[question] : undefined;
}
