/**
 * `defineAgent`, which agents of one's own are made with. It is imported by a file that Node loads as it stands, so it
 * is plain JavaScript and no part of the server's bundle; its types are beside it.
 */
import { parsePart } from '@tiny-harness/contract/a2a';
import { MARK } from './mark.mjs';

/** @typedef {import('./define-agent.d.mts').AgentDefinition} AgentDefinition */
/** @typedef {import('../port.ts').Agent} Agent */
/** @typedef {import('../port.ts').Turn} Turn */
/** @typedef {import('../port.ts').TurnOutcome} TurnOutcome */
/** @typedef {{ readonly id?: string, readonly name: string, readonly input?: unknown }} AnyCall */

const MEMBERS = ['lifecycle', 'answer', 'run'];
const LIFECYCLES = ['conversation', 'delegated'];
const ENDS = ['input-required', 'completed', 'failed', 'rejected'];
const OUTCOME = ['end', 'parts', 'question', 'memory'];

/**
 * Makes an agent of what it does.
 *
 * @param {AgentDefinition} definition
 * @returns {Agent} to be the default export of the file that AGENT names
 * @throws TypeError when the definition is not one; the message says what to change
 */
export function defineAgent(definition) {
  checkDefinition(definition);
  const { lifecycle = 'conversation' } = definition;
  /** @type {Agent} */
  const agent = {
    lifecycle,
    ...(definition.answer !== undefined && {
      answer: async (opening) => {
        const said = await definition.answer?.(opening);
        return said === undefined || said === ''
          ? undefined
          : toParts(said, 'what "answer" returned');
      },
    }),
    run: async (turn) => {
      turn.signal.throwIfAborted();
      return toOutcome(await definition.run(addComfort(turn)), turn);
    },
  };
  return Object.freeze(Object.assign(agent, { [MARK]: true }));
}

/** @param {unknown} definition */
function checkDefinition(definition) {
  if (typeof definition !== 'object' || definition === null) {
    throw new TypeError(
      `defineAgent takes an object, such as { run(turn) { … } }; got ${show(definition)}`,
    );
  }
  const unknown = Object.keys(definition).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined) {
    throw new TypeError(`defineAgent knows no "${unknown}"; an agent has ${MEMBERS.join(', ')}`);
  }
  const { run, answer, lifecycle } = /** @type {Record<string, unknown>} */ (definition);
  if (typeof run !== 'function') {
    throw new TypeError(
      `defineAgent needs "run", a function that works on a message; got ${show(run)}`,
    );
  }
  if (answer !== undefined && typeof answer !== 'function') {
    throw new TypeError(`"answer" is a function, or left out; got ${show(answer)}`);
  }
  if (lifecycle !== undefined && !LIFECYCLES.includes(/** @type {string} */ (lifecycle))) {
    throw new TypeError(`"lifecycle" is one of ${LIFECYCLES.join(', ')}; got ${show(lifecycle)}`);
  }
}

/**
 * The turn, with texts for parts and ids for calls that have none. Nothing goes on once it is over.
 *
 * @param {Turn} turn
 * @returns {import('./define-agent.d.mts').AgentTurn}
 */
function addComfort(turn) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  // The same when the turn is run again, as long as it makes its calls in the same order.
  const nextId = (/** @type {string} */ name) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return `${name}:${count}`;
  };
  return {
    ...turn,
    say: async (said) => {
      turn.signal.throwIfAborted();
      await turn.say(toParts(said, 'what "say" was given'));
    },
    requireAuth: async (said) => {
      turn.signal.throwIfAborted();
      await turn.requireAuth(toParts(said, 'what "requireAuth" was given'));
    },
    resume: async () => {
      turn.signal.throwIfAborted();
      await turn.resume();
    },
    writeArtifact: async (chunk) => {
      turn.signal.throwIfAborted();
      checkChunk(chunk);
      await turn.writeArtifact({ ...chunk, parts: toParts(chunk.parts, 'the artifact') });
    },
    call: async (
      /** @type {AnyCall} */ call,
      /** @type {import('../../core/task.ts').Json | undefined} */ memory,
    ) => {
      turn.signal.throwIfAborted();
      checkCall(call);
      const { id, name, input = {} } = call;
      return turn.call({ id: id ?? nextId(name), name, input }, memory);
    },
  };
}

/** @param {unknown} call what `call` was given */
function checkCall(call) {
  const { name } = /** @type {Record<string, unknown>} */ (call ?? {});
  if (typeof name === 'string') return;
  throw new TypeError(
    `"call" takes { name, input }, such as { name: 'list_skills' }; got ${show(call)}`,
  );
}

/** @param {unknown} chunk what `writeArtifact` was given */
function checkChunk(chunk) {
  const { artifactId } = /** @type {Record<string, unknown>} */ (chunk ?? {});
  if (typeof artifactId === 'string' && artifactId !== '') return;
  throw new TypeError(
    `"writeArtifact" takes { artifactId, parts }, such as { artifactId: 'text', parts: 'Once …' }; got ${show(chunk)}`,
  );
}

/**
 * @param {unknown} returned what a `run` returned
 * @param {Turn} turn
 * @returns {TurnOutcome}
 */
function toOutcome(returned, { delegated }) {
  const end = delegated ? 'completed' : 'input-required';
  if (returned === undefined || returned === '') return { end };
  if (typeof returned === 'string') return { end, parts: [{ text: returned }] };
  const isObject = typeof returned === 'object' && returned !== null;
  const outcome = /** @type {TurnOutcome} */ (returned);
  if (!isObject || !ENDS.includes(outcome.end)) {
    throw new TypeError(
      `"run" returns a text, nothing, or how the turn ends, such as { end: 'failed', parts: 'Why.' } with an end of ${ENDS.join(', ')}; got ${show(returned)}`,
    );
  }
  const unknown = Object.keys(outcome).find((name) => !OUTCOME.includes(name));
  if (unknown !== undefined) {
    throw new TypeError(
      `"run" returned a "${unknown}"; the end of a turn has ${OUTCOME.join(', ')}`,
    );
  }
  checkQuestion(outcome.question);
  if (outcome.parts === undefined) return outcome;
  return { ...outcome, parts: toParts(outcome.parts, 'the parts of what "run" returned') };
}

/** @param {unknown} question what an outcome asks */
function checkQuestion(question) {
  if (question === undefined) return;
  const isText = (/** @type {unknown} */ text) => typeof text === 'string' && text !== '';
  const { text, options, asked } = /** @type {Record<string, unknown>} */ (question ?? {});
  const isList = options === undefined || (Array.isArray(options) && options.every(isText));
  if (isText(text) && isList && (asked === undefined || isText(asked))) return;
  throw new TypeError(
    `a question is { text, options, asked }: a text, and perhaps a list of texts and a participant's id; got ${show(question)}`,
  );
}

/**
 * @param {unknown} said a text, or parts
 * @param {string} what what it is, for the error
 * @returns {import('@tiny-harness/contract/a2a').Message['parts']}
 */
function toParts(said, what) {
  if (typeof said === 'string') return [{ text: said }];
  if (!Array.isArray(said) || said.length === 0) {
    throw new TypeError(
      `${what} is a text, or a list of parts such as [{ text: '…' }]; got ${show(said)}`,
    );
  }
  const parts = said.map((part, index) => {
    const parsed = parsePart(part);
    if (parsed.ok) return parsed.value;
    throw new TypeError(`${what}: part ${index} is none: ${parsed.errors[0]?.message ?? ''}`);
  });
  return /** @type {[parts[0], ...parts]} */ (parts);
}

/** @param {unknown} value */
function show(value) {
  if (typeof value === 'function') return 'a function';
  const text = value === undefined ? 'undefined' : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
