/** What a model wrote as calls, as calls of tools. */
import { isToolName } from '@tiny-harness/contract/tools';
import { findExcess } from '../../core/measure.ts';
import type { Json } from '../../core/task.ts';
import type { ToolCallRequest } from '../port.ts';
import type { WrittenCall } from './read-step.ts';

/** Levels of nesting in arguments; what is deeper is no arguments. */
export const MAX_DEPTH = 500;

/** A call with arguments that are JSON, or text when they are none: the tool then says so. */
export interface ReadCall extends ToolCallRequest {
  readonly input: Json;
}

/** The id of a step's call: the same whenever the turn is run again. Both count from 1. */
function callIdOf(step: number, index: number): string {
  return `${step}.${index}`;
}

/** Numbers the calls of a step. A call that ends the turn is made last: the others would not be made after it. */
export function readCalls(step: number, written: readonly WrittenCall[]): readonly ReadCall[] {
  const calls = written.map(({ name, argumentsText }, at) => {
    return { id: callIdOf(step, at + 1), name, input: readArguments(argumentsText) };
  });
  const asks = ({ name }: ReadCall) => name === 'ask_participant';
  return [...calls.filter((call) => !asks(call)), ...calls.filter(asks)];
}

/** Whether nothing at all can be made of a call: no tool has the name, or the arguments are no JSON. */
export function isMalformed({ name, input }: ReadCall): boolean {
  return !isToolName(name) || typeof input !== 'object' || input === null;
}

/** Blank arguments are none. */
function readArguments(text: string): Json {
  if (text.trim() === '') return {};
  try {
    const value = JSON.parse(text) as Json;
    // Writing it as JSON again takes stack for every level.
    return findExcess(value, { bytes: Infinity, nesting: MAX_DEPTH }) === undefined ? value : text;
  } catch {
    return text;
  }
}
