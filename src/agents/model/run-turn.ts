/** A turn of the model agent: asks the model, makes the calls that it answers with, and asks again, until it is done. */
import type { Message } from '@tiny-harness/contract/a2a';
import { URI as A2UI } from '@tiny-harness/contract/a2ui/v0.9.1';
import { OPENAI_TOOLS } from '@tiny-harness/contract/tools/openai';
import type { Json, JsonObject } from '../../core/task.ts';
import type { Logger } from '../../log.ts';
import type { Turn, TurnOutcome } from '../port.ts';
import type { ReadCall } from './calls.ts';
import { isMalformed, readCalls } from './calls.ts';
import { buildContext } from './context.ts';
import type { Endpoint, ModelRequest } from './endpoint.ts';
import { ModelFault } from './fault.ts';
import type { Marker } from './marker.ts';
import type { PastCall, PastStep } from './past-steps.ts';
import { groupCalls } from './past-steps.ts';
import type { ModelStep } from './read-step.ts';
import { askAgain } from './retry.ts';
import type { SystemPrompt } from './system-prompt.ts';
import { estimateTokens } from './tokens.ts';
import { isObject } from '../../core/json.ts';

/** Bounds of what a turn asks of the model. */
export interface ModelLimits {
  /** Tokens of a request and its answer together, estimated. */
  readonly contextTokens: number;
  /** Tokens of all requests of a turn, as the endpoint counts them, or estimated. */
  readonly turnTokens: number;
  /** Requests that are answered with calls, those of earlier runs of the turn among them. */
  readonly steps: number;
  /** Attempts of a request. */
  readonly attempts: number;
  /** The longest wait before the second of them, in milliseconds. */
  readonly firstWait: number;
}

/** What the agent is made of. */
export interface ModelParts {
  readonly endpoint: Endpoint;
  readonly prompt: SystemPrompt;
  /** The models that a task may select; the first is the default. */
  readonly models: readonly string[];
  readonly limits: ModelLimits;
  readonly log: Logger;
  readonly random: () => number;
}

/** The latest messages that are looked at. */
const HISTORY = 200;

/** Steps in a row of which no call made sense, before the turn ends. */
const MALFORMED_STEPS = 3;

/** The part of the context that is left for the answer. */
const ANSWER_SHARE = 1 / 4;

/** Less than this part of MODEL_CONTEXT is not tried where the model takes less. */
const SMALLEST_SHARE = 1 / 4;

/** What the prompt and the shortest view of a task take, in tokens. */
const LEAST_ROOM = 2000;

const CHARACTERS_PER_TOKEN = 4;

/** Characters of a question that are kept for its answer. */
const LONGEST_QUESTION = 16_000;

/** Works on a turn. Where it goes on after a crash, the steps of the earlier run come first. */
export class ModelTurn {
  readonly #parts: ModelParts;
  readonly #turn: Turn;
  readonly #marker: Marker;
  readonly #a2ui: boolean;
  readonly #tools: ModelRequest['tools'] & object;
  readonly #steps: PastStep[] = [];
  #history: readonly Message[] = [];
  /** The part of the context that is used. */
  #share = 1;
  #spent = 0;
  #malformed = 0;

  constructor(parts: ModelParts, turn: Turn, marker: Marker) {
    this.#parts = parts;
    this.#turn = turn;
    this.#marker = marker;
    this.#a2ui = showsA2ui(turn);
    this.#tools = OPENAI_TOOLS.filter(({ function: { name } }) => this.#a2ui || name !== 'emit_ui');
  }

  /** Rejects with a ModelFault when the model does not do its part, and as the turn's signal says when that is aborted. */
  async run(): Promise<TurnOutcome> {
    const { turnTokens, steps } = this.#parts.limits;
    for (const [number, calls] of groupCalls(this.#turn.calls)) {
      if (await this.#make(number, '', calls)) return this.#finish();
    }
    this.#history = await this.#turn.history(HISTORY);
    for (;;) {
      this.#turn.signal.throwIfAborted();
      const answer = await this.#ask();
      if (answer.calls.length === 0) return this.#reply(answer);
      if (answer.finish === 'content_filter') return this.#withheld();
      const number = (this.#steps.at(-1)?.number ?? 0) + 1;
      if (number > steps) throw new ModelFault('steps', { reason: `more than ${steps} steps` });
      if (await this.#act(number, answer)) return this.#finish();
      if (this.#spent > turnTokens) throw tooManyTokens(turnTokens);
    }
  }

  /** Asks with less where the model says that it is too much: what a token is, was an estimate. */
  async #ask(): Promise<ModelStep> {
    for (;;) {
      try {
        return await this.#askOnce();
      } catch (error) {
        const isTooLong = error instanceof ModelFault && error.kind === 'too-long';
        if (!isTooLong || this.#share <= SMALLEST_SHARE) throw error;
        this.#share /= 2;
        const { taskId, number: turn } = this.#turn;
        const { message: reason } = error;
        this.#parts.log.warn({ taskId, turn, reason }, 'the model is asked again, with less');
      }
    }
  }

  /** Asks once, in several attempts if need be: nothing has come of them yet. */
  async #askOnce(): Promise<ModelStep> {
    const { endpoint, limits, random, log } = this.#parts;
    const { signal, taskId, number: turn } = this.#turn;
    const request = await this.#createRequest();
    const longest = Math.max(0, limits.turnTokens - this.#spent) * CHARACTERS_PER_TOKEN;
    const answer = await askAgain(
      async () => requireSomething(await endpoint.ask(request, { signal, longest })),
      {
        attempts: limits.attempts,
        firstWait: limits.firstWait,
        random,
        signal,
        onRetry: ({ message, details: { status } }, wait) => {
          log.warn({ taskId, turn, status, reason: message, wait }, 'the model is asked again');
        },
      },
    );
    const sent = estimateTokens(JSON.stringify([request.messages, request.tools]));
    this.#spent += answer.usage ?? sent + Math.ceil(answer.length / CHARACTERS_PER_TOKEN);
    const { usage, finish } = answer;
    log.debug({ taskId, turn, model: request.model, usage, finish }, 'the model answered');
    return answer;
  }

  async #createRequest(): Promise<ModelRequest> {
    const { models, limits, prompt } = this.#parts;
    const data = await this.#turn.task();
    const skills = await this.#turn.skills();
    const { model, reasoning_effort: effort } = data;
    const tools = this.#tools;
    const share = (1 - ANSWER_SHARE) * this.#share;
    const room = limits.contextTokens * share - estimateTokens(JSON.stringify(tools));
    const messages = buildContext(
      {
        turn: this.#turn,
        data,
        skills,
        history: this.#history,
        asked: questionIn(this.#turn.memory),
        more: this.#history.length === HISTORY,
        steps: this.#steps,
        marker: this.#marker,
        prompt,
        a2ui: this.#a2ui,
      },
      Math.max(LEAST_ROOM, Math.floor(room)),
    );
    // One that was selected before the server offered other models is not asked for.
    const selected = model !== null && models.includes(model) ? model : (models[0] ?? '');
    return {
      model: selected,
      messages,
      tools,
      ...(effort !== null && { reasoning_effort: effort }),
    };
  }

  /** Says what the model says, and makes its calls; whether the turn is over with it. */
  async #act(number: number, { text, calls: written }: ModelStep): Promise<boolean> {
    const { signal } = this.#turn;
    const calls = readCalls(number, written);
    this.#malformed = calls.every(isMalformed) ? this.#malformed + 1 : 0;
    signal.throwIfAborted();
    // Before it says anything: what is recorded is not asked for again after a crash.
    await this.#turn.begin(calls);
    signal.throwIfAborted();
    if (text.trim() !== '') await this.#turn.say([{ text }]);
    const ends = await this.#make(number, text, calls);
    if (!ends && this.#malformed >= MALFORMED_STEPS) throw new ModelFault('calls');
    return ends;
  }

  /** Makes the calls one after the other. Those that an earlier run has made are not made again, whoever calls. */
  async #make(number: number, text: string, calls: readonly ReadCall[]): Promise<boolean> {
    const made: PastCall[] = [];
    for (const { id, name, input } of calls) {
      this.#turn.signal.throwIfAborted();
      const memory = name === 'ask_participant' ? this.#memoryOf(input) : undefined;
      const result = await this.#turn.call({ id, name, input }, memory);
      if (result.endsTurn) return true;
      made.push({ id, name, input, result });
    }
    this.#steps.push({ number, text, calls: made });
    return false;
  }

  #reply({ text, finish }: ModelStep): TurnOutcome {
    if (finish === 'content_filter') return this.#withheld();
    const note = finish === 'length' ? '\n\n[The answer is cut off here: it was too long.]' : '';
    return { ...this.#finish(), parts: [{ text: text + note }] };
  }

  /** Nobody is to blame, and a conversation can go on with other words. */
  #withheld(): TurnOutcome {
    const text = 'The answer was withheld by the filter of whoever runs the model.';
    const end = this.#turn.delegated ? 'failed' : 'input-required';
    return { end, parts: [{ text }], memory: this.#memory };
  }

  #finish(): TurnOutcome {
    const end = this.#turn.delegated ? 'completed' : 'input-required';
    return { end, memory: this.#memory };
  }

  /** What the next turn has to know: it may answer a sub-task's result, which comes from no client. */
  get #memory(): JsonObject {
    return { a2ui: this.#a2ui };
  }

  /** With a question that too: others may say a great deal before it is answered. */
  #memoryOf(asked: Json): JsonObject {
    const question = isObject(asked) && typeof asked.question === 'string' ? asked.question : '';
    return { ...this.#memory, question: question.slice(0, LONGEST_QUESTION) };
  }
}

/** What was asked last, and is answered now. */
function questionIn(memory: Json | undefined): string | undefined {
  const question = isObject(memory) ? memory.question : undefined;
  return typeof question === 'string' && question !== '' ? question : undefined;
}

/** Whether the client shows A2UI: that of the message, or of the last that was a participant's. */
function showsA2ui({ sender, agentId, activated, memory }: Turn): boolean {
  if (sender !== agentId) return activated.includes(A2UI);
  return isObject(memory) && memory.a2ui === true;
}

/** An answer without text or calls is none. */
function requireSomething(step: ModelStep): ModelStep {
  const { text, calls, finish } = step;
  if (text.trim() !== '' || calls.length > 0 || finish === 'content_filter') return step;
  const reason = `the answer is empty; it ends with "${finish ?? ''}"`;
  throw new ModelFault('empty', { reason, retry: finish !== 'length' });
}

function tooManyTokens(limit: number): ModelFault {
  return new ModelFault('tokens', { reason: `more than ${limit} tokens (MODEL_TOKENS)` });
}
