/** The event envelope of the task extension: what a message tells the server instead of the agent (rules C2, C3). */
import type { Message } from '@tiny-harness/contract/a2a';
import type { EventEnvelope } from '@tiny-harness/contract/task/v1';
import {
  INTERRUPT_KEY,
  isEventEnvelopePart,
  readEventEnvelope,
  readInterrupt,
} from '@tiny-harness/contract/task/v1';
import type { FieldViolation } from '../core/errors.ts';
import type { ExtensionBehaviour } from './behaviour.ts';
import { findParts, firstValid, violationsOf } from './behaviour.ts';

/** The envelope of a message and where its part stands; undefined when it has none that is valid. */
export function readEnvelope(message: Message): { at: number; value: EventEnvelope } | undefined {
  return firstValid(findParts(message, readEventEnvelope));
}

/** Whether the message gives an order to the server: nobody can do that (rule C4). */
export function isControl({ parts }: Message): boolean {
  return parts.some((part) => isEventEnvelopePart(part) && kindOf(part.data) === 'control');
}

/** Checks the envelopes of a message: one at most, and a control stands alone. */
export const envelopeBehaviour: ExtensionBehaviour = {
  check: (message) => {
    const found = findParts(message, readEventEnvelope);
    const violations = [...violationsOf(found), ...checkInterrupt(message)];
    if (violations.length > 0) return violations;
    const second = found[1];
    if (second !== undefined) return [violation(second.at, 'a message holds one event envelope')];
    if (!isControl(message) || message.parts.length === 1) return [];
    const at = message.parts.findIndex((part) => !isEventEnvelopePart(part));
    return [
      violation(at, 'a control envelope is the only part of its message; send the rest in another'),
    ];
  },
};

function checkInterrupt(message: Message): FieldViolation[] {
  const interrupt = readInterrupt(message);
  if (interrupt === undefined || interrupt.ok) return [];
  const field = `message.metadata.${INTERRUPT_KEY}`;
  return interrupt.errors.map(({ message: text }) => ({ field, description: `${field}: ${text}` }));
}

function violation(at: number, description: string): FieldViolation {
  return { field: `message.parts[${at}]`, description };
}

function kindOf(data: unknown): unknown {
  return typeof data === 'object' && data !== null && 'kind' in data ? data.kind : undefined;
}
