/** Playing the steps of a scenario in a turn. */
import type { Message, Part } from '@tiny-harness/contract/a2a';
import type { Artifact, Ask, RequireAuth, Step, ToolStep } from '@tiny-harness/contract/scenario';
import type { Json } from '../../core/task.ts';
import type { Turn, TurnOutcome } from '../port.ts';
import type { Filling, Heard } from './heard.ts';
import { fillText, fillValue } from './heard.ts';
import type { Passage, Script } from './script.ts';
import { isAsking } from './script.ts';

/** Where steps are played. */
export interface Scene {
  readonly script: Script;
  readonly turn: Turn;
  readonly heard: Heard;
  /** What the last tool said in this turn. */
  result: string;
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
export async function playPassage({ steps, path }: Passage, scene: Scene): Promise<TurnOutcome> {
  const { turn } = scene;
  for (let index = 0; index < steps.length; index++) {
    turn.signal.throwIfAborted();
    const calls = listCalls(steps, index);
    if (calls.length > 0) {
      if (await makeCalls(calls, { path, index, scene })) return { end: 'input-required' };
      index += calls.length - 1;
      continue;
    }
    const step = steps[index] ?? {};
    const isLast = index === steps.length - 1;
    if (isLast && step.say !== undefined) return finishTurn(turn, fill(step.say, scene));
    const outcome = await playStep(step, scene);
    if (outcome !== undefined) return outcome;
  }
  return finishTurn(turn);
}

/** The end of a turn in which nothing else was said about the end: what the task's lifecycle asks for. */
export function finishTurn({ delegated }: Turn, text?: string): TurnOutcome {
  const end = delegated ? 'completed' : 'input-required';
  return text === undefined ? { end } : { end, parts: toParts(text) };
}

/** Asks: the turn ends, and the question is remembered for what is to be done with the answer. */
function askQuestion(ask: Ask, scene: Scene): TurnOutcome {
  const { options = [] } = ask;
  const question = { text: fill(ask.question, scene), options };
  return { end: 'input-required', question, memory: remember(ask, scene) };
}

function remember(asks: Ask | ToolStep, { script: { version, questions } }: Scene): Json {
  const question = questions.findIndex((each) => each.asks === asks);
  return { scenario: version, question };
}

function toolOf({ tool, ui }: Step): ToolStep | undefined {
  return ui === undefined ? tool : { name: 'emit_ui', input: { messages: ui } };
}

/**
 * The calls that a step begins with, as far as none needs what another says: made at once, they wait for the disk
 * together. A question comes last, since it ends the turn.
 */
function listCalls(steps: readonly Step[], from: number): ToolStep[] {
  const calls: ToolStep[] = [];
  for (let index = from; index < steps.length; index++) {
    const call = toolOf(steps[index] ?? {});
    if (call === undefined || (calls.length > 0 && usesResult(call))) break;
    calls.push(call);
    if (isAsking(call)) break;
  }
  return calls;
}

function usesResult({ input = {} }: ToolStep): boolean {
  return JSON.stringify(input).includes('${result}');
}

/**
 * Makes calls, and remembers what the last one said; whether the turn is over with it. One that is refused does not end
 * the turn: the steps that follow can say why.
 */
async function makeCalls(
  calls: readonly ToolStep[],
  { path, index, scene }: { path: string; index: number; scene: Scene },
): Promise<boolean> {
  const filling = fillingOf(scene);
  const results = await Promise.all(
    calls.map((step, offset) => {
      const { name, input = {} } = step;
      // The same when the turn is run again, so that nothing is done twice.
      const id = `${path}/${index + offset}`;
      const memory = isAsking(step) ? remember(step, scene) : undefined;
      return scene.turn.call({ id, name, input: fillValue(input, filling) }, memory);
    }),
  );
  const last = results.at(-1);
  scene.result = last?.text ?? '';
  return last?.endsTurn === true;
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
  // A script for delegated tasks can come to play a conversation, which nobody but its participants completes.
  return finishTurn(turn, step.complete === null ? undefined : fill(step.complete, scene));
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

function fill(text: string, scene: Scene): string {
  return fillText(text, fillingOf(scene));
}

function fillingOf({ heard: { text, participant }, result }: Scene): Filling {
  return { text, participant, result };
}
