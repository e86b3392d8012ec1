/** The steps of a turn so far: what the model called, and what came of it. */
import type {
  ChatCompletionMessageFunctionToolCall as SentCall,
  ChatCompletionMessageParam as ChatMessage,
} from 'openai/resources/chat/completions';
import { formatErrors } from '@tiny-harness/contract';
import { parseToolCall } from '@tiny-harness/contract/tools';
import type { Json, RecordedCall, ToolResult } from '../../core/task.ts';
import { MAX_DEPTH } from './calls.ts';
import type { Marker } from './marker.ts';
import { cutText, estimateTokens } from './tokens.ts';

/** A call of the turn. */
export interface PastCall {
  readonly id: string;
  readonly name: string;
  /** What was sent; text that is no JSON as that text. */
  readonly input: Json;
  readonly result: ToolResult;
}

/** One answer of the model, as far as it called tools. */
export interface PastStep {
  readonly number: number;
  /** What it said beside the calls; empty when that was in an earlier run of the turn, or nothing. */
  readonly text: string;
  readonly calls: readonly PastCall[];
}

/** The calls of earlier runs by step, in their order; those whose ids are not ours are none of ours. */
export function groupCalls<T extends Pick<RecordedCall, 'id'>>(
  calls: readonly T[],
): Map<number, T[]> {
  const steps = new Map<number, T[]>();
  for (const call of calls) {
    const [, step] = /^(\d{1,4})\.\d{1,4}$/.exec(call.id) ?? [];
    if (step === undefined) continue;
    const number = Number(step);
    steps.set(number, [...(steps.get(number) ?? []), call]);
  }
  return steps;
}

/** The step as messages to a model, its arguments and results each cut to so many tokens. */
export function toMessages(
  { text, calls }: PastStep,
  marker: Marker,
  tokens: number,
): ChatMessage[] {
  return [
    {
      role: 'assistant',
      content: text === '' ? null : cutText(text, tokens),
      tool_calls: calls.map((call) => toSentCall(call, tokens)),
    },
    ...calls.map((call): ChatMessage => {
      const { id, name, result } = call;
      const attributes = { tool: toSentName(name), error: result.isError };
      const content = cutText(explainResult(call), tokens);
      return {
        role: 'tool',
        tool_call_id: toSentId(id),
        content: marker.mark('result', attributes, content),
      };
    }),
  ];
}

const TOO_DEEP = `the arguments are nested more than ${MAX_DEPTH} levels deep`;

/** The result; where the arguments were no JSON, with where the text goes wrong. */
function explainResult({ name, input, result }: PastCall): string {
  if (typeof input !== 'string' || !result.isError) return result.text;
  const parsed = parseToolCall(name, input);
  const words = parsed.ok ? TOO_DEEP : formatErrors(parsed.errors);
  return `[tool.invalid_arguments] ${words}`;
}

/** What is sent back must be what every endpoint takes: a name of word characters, and arguments that are an object. */
function toSentCall({ id, name, input }: PastCall, tokens: number): SentCall {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
  const whole = JSON.stringify(isObject ? input : { not_an_object: input });
  const fits = estimateTokens(whole) <= tokens;
  return {
    id: toSentId(id),
    type: 'function',
    function: {
      name: toSentName(name),
      arguments: fits ? whole : JSON.stringify({ left_out: `${whole.length} characters` }),
    },
  };
}

function toSentName(name: string): string {
  return /^[\w-]{1,64}$/.test(name) ? name : 'unknown_tool';
}

/** Nine letters and digits: the only form that every endpoint takes, Mistral's among them. */
function toSentId(id: string): string {
  const [step = '', index = ''] = id.split('.');
  return `c${step.padStart(4, '0')}${index.padStart(4, '0')}`;
}
