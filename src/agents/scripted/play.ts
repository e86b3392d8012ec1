/** Playing the steps of a scenario in a turn. */
import type { Message, Part } from '@tiny-harness/contract/a2a';
import type { Artifact, Ask, RequireAuth, Step, Steps } from '@tiny-harness/contract/scenario';
import type { Turn, TurnOutcome } from '../port.ts';
import type { Heard } from './heard.ts';
import { fillText } from './heard.ts';
import type { Script } from './script.ts';

/** Where steps are played. */
export interface Scene {
  readonly script: Script;
  readonly turn: Turn;
  readonly heard: Heard;
}

/** A text as the parts of a message. */
export function toParts(text: string): Message['parts'] {
  return [{ text }];
}

/**
 * Plays steps until one ends the turn, or all are done. Rejects as soon as the turn's signal is aborted, and writes
 * nothing from then on.
 *
 * @throws Error for the verb `throw`
 */
export async function playSteps(steps: Steps, scene: Scene): Promise<TurnOutcome> {
  const last = steps.at(-1);
  for (const step of steps) {
    scene.turn.signal.throwIfAborted();
    if (step === last && step.say !== undefined) return finishTurn(scene, fill(step.say, scene));
    const outcome = await playStep(step, scene);
    if (outcome !== undefined) return outcome;
  }
  return finishTurn(scene);
}

/** The end of a turn in which nothing else was said about the end: what the lifecycle asks for. */
export function finishTurn({ script }: Pick<Scene, 'script'>, text?: string): TurnOutcome {
  const end = script.lifecycle === 'delegated' ? 'completed' : 'input-required';
  return text === undefined ? { end } : { end, parts: toParts(text) };
}

/** Asks: the turn ends, and the question is remembered when there is something to do with the answer. */
function askQuestion(ask: Ask, { script, heard }: Scene): TurnOutcome {
  const { options = [] } = ask;
  const question = { text: fillText(ask.question, heard), options };
  const memory = { scenario: script.version, question: script.questions.indexOf(ask) };
  return { end: 'input-required', question, ...(ask.then === undefined ? {} : { memory }) };
}

async function playStep(step: Step, scene: Scene): Promise<TurnOutcome | undefined> {
  const { turn } = scene;
  if (step.say !== undefined) await turn.say(toParts(fill(step.say, scene)));
  if (step.wait !== undefined) await pause(step.wait, scene);
  if (step.artifact !== undefined) await writeArtifact(step.artifact, scene);
  if (step['require-auth'] !== undefined) await waitForAuth(step['require-auth'], scene);
  if (step.throw !== undefined) throw new Error(fill(exceptionText(step.throw), scene));
  if (step.ask !== undefined) return askQuestion(step.ask, scene);
  if (step.reply !== undefined) {
    return { end: 'input-required', parts: toParts(fill(step.reply, scene)) };
  }
  if (step.fail !== undefined) return { end: 'failed', parts: toParts(fill(step.fail, scene)) };
  if (step.reject !== undefined) {
    return { end: 'rejected', parts: toParts(fill(step.reject, scene)) };
  }
  if (step.complete === undefined) return undefined;
  return step.complete === null
    ? { end: 'completed' }
    : { end: 'completed', parts: toParts(fill(step.complete, scene)) };
}

/** The text of the exception that a `throw` asks for. */
export function exceptionText(thrown: NonNullable<Step['throw']>): string {
  return typeof thrown === 'string' ? thrown : thrown.text;
}

async function writeArtifact(artifact: Artifact, scene: Scene): Promise<void> {
  const { id: artifactId, name, description, every } = artifact;
  const about = {
    artifactId,
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
  };
  if (artifact.parts !== undefined) {
    const [first, ...more] = artifact.parts;
    const parts: Message['parts'] = [
      toPart(first, scene),
      ...more.map((part) => toPart(part, scene)),
    ];
    await scene.turn.writeArtifact({ ...about, parts, lastChunk: true });
    return;
  }
  const last = artifact.chunks.length - 1;
  for (const [index, chunk] of artifact.chunks.entries()) {
    if (every !== undefined) await pause(every, scene);
    scene.turn.signal.throwIfAborted();
    const parts = toParts(fill(chunk, scene));
    const place = { append: index > 0, lastChunk: index === last };
    await scene.turn.writeArtifact({ ...(index === 0 ? about : { artifactId }), parts, ...place });
  }
}

function toPart(part: Part, scene: Scene): Part {
  return part.text === undefined ? part : { ...part, text: fill(part.text, scene) };
}

async function waitForAuth(step: RequireAuth, scene: Scene): Promise<void> {
  await scene.turn.requireAuth(toParts(fill(step.text, scene)));
  await pause(step.for, scene);
  await scene.turn.resume();
}

/** Waits; rejects at once when the turn is over. */
async function pause(duration: string, { turn: { signal } }: Scene): Promise<void> {
  signal.throwIfAborted();
  const milliseconds = Number.parseFloat(duration) * (duration.endsWith('ms') ? 1 : 1000);
  await new Promise<void>((resolve) => {
    const timer = setTimeout(wake, milliseconds);
    signal.addEventListener('abort', wake);
    function wake(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
      resolve();
    }
  });
  signal.throwIfAborted();
}

function fill(text: string, { heard }: Scene): string {
  return fillText(text, heard);
}
