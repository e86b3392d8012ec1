/** Requests as ProtoJSON: what a null means, and where in a request an error is. */
import type { Result, ValidationError } from '@tiny-harness/contract/runtime/result';
import type { FieldViolation } from '../core/errors.ts';
import { invalidParams, toFieldPath } from '../core/errors.ts';

/** Members that hold any JSON: `google.protobuf.Struct` and `Value`. In them null is a value like others. */
const FREE_FORM = new Set(['metadata', 'data', 'params']);

/**
 * The request, checked. Members that are null are as if they were left out, as ProtoJSON has it.
 *
 * @throws ProtocolError INVALID_PARAMS with every violation
 */
export function parseRequest<T>(params: unknown, parse: (value: unknown) => Result<T>): T {
  const result = parse(dropNulls(params ?? {}));
  if (result.ok) return result.value;
  throw invalidParams(result.errors.map(toViolation));
}

/** The text, or undefined when it is empty: in protocol buffers an empty string is one that is not set. */
export function orUnset(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

/** The value without members that are null; the same value when there are none. */
function dropNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return replaceChanged(value, value.map(dropNulls));
  const entries = Object.entries(value);
  const kept = entries
    .filter(([key, member]) => member !== null || key === 'data')
    .map(([key, member]) => [key, FREE_FORM.has(key) ? member : dropNulls(member)] as const);
  const same =
    kept.length === entries.length && kept.every(([, member], at) => member === entries[at]?.[1]);
  return same ? value : Object.fromEntries(kept);
}

function replaceChanged(before: readonly unknown[], after: unknown[]): readonly unknown[] {
  return after.every((item, at) => item === before[at]) ? before : after;
}

function toViolation({ path, message }: ValidationError): FieldViolation {
  return { field: toFieldPath(path), description: message };
}
